"""A long matrix as one picture: blocks of cells as pixels, under axes that count positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from core.pooling import edges
from dashboard.charts.blocks_text import (
    PIXELS,
    address,
    band_steps,
    image_table,
    parameters,
    row_table,
)
from dashboard.charts.frame import FOOTER, HEADER, WIDE, around, matrix_layers, row_line, scales
from dashboard.charts.palette import DARK, painted
from dashboard.charts.picture import (
    Picture,
    Spec,
    built_once,
    drawing,
    layered,
    table,
    tabulate,
)

BRUSH = "brush"  # the selection that a drag on the picture makes
CORNER = "corner"  # the parameter of where the window begins, as `browser.js` names it
COPY, BLEND = 72.0, 97.0  # of 100 units across: where the scale from copy to blend lies


def overview(
    n: int,
    *,
    text: str = "",
    sharpness: float,
    chosen: int,
    window: Sequence[int],
    size: int,
    brushed: Sequence[float] = (),
    alt_text: str,
) -> Picture:
    """Picture of pooled weights and, sharing its rows, how far the rows of each block spread.

    `text` is what `blocks_text` tells of them; without it the page has to work it out. `window` is
    the first row and column, from 0, of the `size` that are shown cell by cell. `brushed` is the
    drag that the window answers, as `brush_of` told it: until it is answered the outline follows
    the hand.
    """
    blocks = edges(n, PIXELS)
    seen = [*brushed, *([-1.0] * (2 - len(brushed)))]
    data = {
        "image": image_table(len(blocks) - 1, WIDE.start, WIDE.end, "weights", text, sharpness),
        "rows": row_table(blocks, n),
        "line": tabulate(y=[100 * (chosen + 0.5) / n]),
        "here": tabulate(
            corner=[corner_of(window)],
            size=[size],
            n=[n],
            across=[float(seen[0])],
            down=[float(seen[1])],
        ),
        "ends": tabulate(at=[COPY, (COPY + BLEND) / 2, BLEND], name=["copy", "", "blend"]),
        **around(n, "weights", WIDE),
    }
    return Picture(_overview_spec(), data, alt_text)


def corner_of(window: Sequence[int]) -> str:
    """Where a window begins, from 0, as the picture reads it."""
    return f"{window[0]} {window[1]}"


def brush_of(selection: dict[str, Any]) -> tuple[float, float] | None:
    """Where a drag over the picture begins, across and down; None for a drag over nothing."""
    try:
        return float(min(selection["x0"])), float(min(selection["y0"]))
    except (KeyError, TypeError, ValueError):
        return None


def window_at(selection: dict[str, Any], n: int, size: int) -> tuple[int, int]:
    """First row and column, from 0, of the window in the middle of a drag over the picture."""
    across, down = (sum(selection[name]) / 2 for name in ("x0", "y0"))
    column = (across - WIDE.start) / (WIDE.end - WIDE.start) * n - size / 2
    row = down / 100 * n - size / 2
    return tuple(int(np.clip(round(at), 0, n - size)) for at in (row, column))  # type: ignore[return-value]


@built_once(1)
def _overview_spec() -> dict[str, Any]:
    across, down = scales(WIDE)
    unit = 100 / WIDE.height
    x0, y0 = alt.X("x0:Q", scale=across, axis=None), alt.Y("y0:Q", scale=down, axis=None)
    ends = alt.Chart(table("ends"))
    at = alt.X("at:Q", scale=across, axis=None)
    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=at, y=alt.YDatum(0, scale=down, axis=None), y2=alt.Y2Datum(100)
    )
    names = ends.mark_text(
        baseline="bottom", fontSize={"expr": "width < 500 ? 10 : 12"}, aria=False
    ).encode(x=at, y=alt.YDatum(-5 * unit, scale=down, axis=None), text=alt.Text("name:N"))
    rows = alt.Chart().mark_rect(stroke=None, aria=False)
    told = [
        alt.Tooltip("rows:N", title="rows"),
        alt.Tooltip("exact:N", title="0 copy … 1 blend"),
    ]
    bands = rows.encode(x=x0, x2=alt.X2("x1"), y=y0, y2=alt.Y2("y1"), tooltip=told)
    means = rows.encode(
        x=alt.X("m0:Q", scale=across, axis=None),
        x2=alt.X2("m1"),
        y=y0,
        y2=alt.Y2("y1"),
        tooltip=told,
    )
    brush = {
        "name": BRUSH,
        "select": {
            "type": "interval",
            "encodings": ["x", "y"],
            "zoom": False,
            "mark": {"fillOpacity": 0, "strokeOpacity": 0},
        },
        "views": ["matrix"],
    }
    held = f"isArray({BRUSH}.x0) && abs({BRUSH}.x0[0] - datum.across)"
    held += f" + abs({BRUSH}.y0[0] - datum.down) > 1e-6"
    row, column = (f"toNumber(split({CORNER} || datum.corner, ' ')[{i}])" for i in range(2))
    per = f"{WIDE.end - WIDE.start:g} / datum.n"
    outline = (
        alt.Chart(table("here"))
        .transform_calculate(
            left=f"{held} ? {BRUSH}.x0[0] : {WIDE.start:g} + {column} * {per}",
            right=f"{held} ? {BRUSH}.x0[1] : {WIDE.start:g} + ({column} + datum.size) * {per}",
            top=f"{held} ? {BRUSH}.y0[0] : {row} * 100 / datum.n",
            bottom=f"{held} ? {BRUSH}.y0[1] : ({row} + datum.size) * 100 / datum.n",
        )
        .mark_rect(filled=False, strokeWidth=2, aria=False)
        .encode(
            x=alt.X("left:Q", scale=across, axis=None),
            x2=alt.X2("right"),
            y=alt.Y("top:Q", scale=down, axis=None),
            y2=alt.Y2("bottom"),
        )
    )
    narrow = f"width * {(WIDE.end - WIDE.start) / 100:.2f} < {PIXELS}"
    image, *around = matrix_layers(WIDE, address(DARK, narrow))
    layers: list[alt.Chart | Spec] = [
        image.properties(name="matrix"),
        *around,
        painted(guides, "line"),
        painted(names, "muted"),
        layered(
            painted(bands, "line"),
            painted(means, "matrix"),
            data="rows",
            steps=band_steps(COPY, BLEND),
        ),
        row_line(WIDE, BLEND),
        painted(outline, "vectors"),
    ]
    return drawing(
        layered(*layers),
        WIDE.height + HEADER + FOOTER,
        params=[
            *parameters(led=True),
            # The page alone moves it, so that no older word of the table can outrun a newer one.
            {"name": CORNER, "value": "", "bind": {"input": "text", "name": CORNER}},
            brush,
        ],
    )
