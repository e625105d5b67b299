"""A long matrix as one picture: blocks of cells as pixels, under axes that count positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from core.pooling import edges
from dashboard.charts.blocks_text import (
    FEW_PIXELS,
    PIXELS,
    address,
    band_steps,
    image_table,
    parameters,
    row_table,
    text_parameter,
)
from dashboard.charts.palette import DARK, painted
from dashboard.charts.picture import (
    Columns,
    Picture,
    Spec,
    built_once,
    drawing,
    layered,
    table,
    tabulate,
)
from dashboard.charts.raster import Kind, address_parts

BRUSH = "brush"  # the selection that a drag on the picture makes
CORNER = "corner"  # the parameter of where the window begins, as `browser.js` names it
HEADER, FOOTER = 24, 48  # drawing pixels above and below the matrix, for axes and scale
COPY, BLEND = 72.0, 97.0  # of 100 units across: where the scale from copy to blend lies


@dataclass(frozen=True)
class Frame:
    """Where the matrix lies: units of which 100 span the picture, across and down."""

    start: float
    end: float
    height: int

    def across(self, positions: Any, n: int) -> Any:
        """Units across for positions 0 … n."""
        return self.start + (self.end - self.start) * np.asarray(positions, dtype=float) / n


WIDE = Frame(8.0, 67.0, 460)  # with room for the spread of the rows at its right
PANEL = Frame(13.0, 99.0, 300)  # one of several side by side
WHOLE = f"({DARK} ? datum.dark : datum.light) + datum.rest"  # formula of a whole address


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
        **_around(n, "weights", WIDE),
    }
    return Picture(_overview_spec(), data, alt_text)


def corner_of(window: Sequence[int]) -> str:
    """Where a window begins, from 0, as the picture reads it."""
    return f"{window[0]} {window[1]}"


def panel(
    n: int,
    *,
    text: str = "",
    kind: Kind,
    sharpness: float,
    chosen: int | None = None,
    alt_text: str,
) -> Picture:
    """Picture of one pooled matrix, for several side by side.

    `text` is what `pixels_text` tells of it; without it the page has to work it out.
    """
    marked = [] if chosen is None else [100 * (chosen + 0.5) / n]
    n_blocks = min(n, FEW_PIXELS)
    data = {
        "image": image_table(n_blocks, PANEL.start, PANEL.end, kind, text, sharpness),
        "line": {"y": np.array(marked, dtype=float)},
        **_around(n, kind, PANEL),
    }
    return Picture(_panel_spec(kind, led=not text), data, alt_text)


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


def _around(n: int, kind: Kind, frame: Frame) -> dict[str, Columns]:
    """Tables of the axes and of the scale of colours."""
    marks = _round_positions(n)
    return {
        "ticks": tabulate(
            x=frame.across(np.array(marks) - 0.5, n),
            y=100 * (np.array(marks) - 0.5) / n,
            text=[f"{mark:,}" for mark in marks],
            every=[place % 2 for place in range(len(marks))],
        ),
        **_scale(n, kind, frame),
    }


def _scale(n: int, kind: Kind, frame: Frame) -> dict[str, Columns]:
    """The colours from one end to the other, and what they stand for."""
    start, end = frame.end - (28.0 if frame is WIDE else 60.0), frame.end
    line = np.arange(1, 256, dtype=np.uint8)[None]
    light, dark, rest = address_parts(line, kind)
    if kind == "weights":
        told = [f"1/{n:,}", *[f"{w:g}" for w in (0.01, 0.1) if w * n > 3], "1"]
        at = [0.0, *[1 + math.log(w) / math.log(n) for w in (0.01, 0.1) if w * n > 3], 1.0]
    else:
        told, at = ["−1", f"−1/{n:,}", "0", f"1/{n:,}", "1"], [0.0, 0.25, 0.5, 0.75, 1.0]
    return {
        "bar": tabulate(x0=[start], x1=[end], light=[light], dark=[dark], rest=[rest]),
        "bar_ticks": tabulate(x=start + (end - start) * np.array(at), text=told),
    }


def _round_positions(n: int, most: int = 6) -> list[int]:
    """The first position and round ones after it, few enough to stand side by side."""
    step = next(s for s in (10, 20, 25, 50, 100, 200, 250, 500, 1000) if n / s <= most)
    return [1, *range(step, n + 1, step)]


def _scales(frame: Frame) -> tuple[alt.Scale, alt.Scale]:
    unit = 100 / frame.height
    across = alt.Scale(domain=[0, 100], nice=False, zero=False)
    down = alt.Scale(
        domain=[-HEADER * unit, 100 + FOOTER * unit], reverse=True, nice=False, zero=False
    )
    return across, down


def _matrix_layers(frame: Frame, url: str) -> list[alt.Chart]:
    """Picture, of which `url` is the formula, ticks, names of the axes, scale of colours."""
    across, down = _scales(frame)
    unit = 100 / frame.height
    x0, y0 = alt.X("x0:Q", scale=across, axis=None), alt.Y("y0:Q", scale=down, axis=None)

    def at_x(value: float) -> alt.XDatum:
        return alt.XDatum(value, scale=across, axis=None)

    def at_y(value: float) -> alt.YDatum:
        return alt.YDatum(value, scale=down, axis=None)

    image = (
        alt.Chart(table("image"))
        .mark_image(aspect=False, smooth=False, url=alt.expr(url), cursor="crosshair", aria=False)
        .encode(x=x0, x2=alt.X2("x1"), y=y0, y2=alt.Y2("y1"))
    )
    ticks = alt.Chart(table("ticks"))
    small: dict[str, Any] = {"fontSize": 11, "aria": False}
    # Those of every second tick would meet their neighbours on a narrow screen.
    meets = "datum.every == 1" + (f" || datum.x > {frame.end - 6:g}" if frame is WIDE else "")
    room = {"expr": f"width < 420 && ({meets}) ? 0 : 1"}
    columns = ticks.mark_text(baseline="bottom", opacity=room, **small).encode(
        x=alt.X("x:Q", scale=across, axis=None), y=at_y(-5 * unit), text=alt.Text("text:N")
    )
    rows = ticks.mark_text(align="right", **small).encode(
        x=at_x(frame.start - 1), y=alt.Y("y:Q", scale=down, axis=None), text=alt.Text("text:N")
    )
    bar = (
        alt.Chart(table("bar"))
        .mark_image(
            aspect=False,
            url=alt.expr(WHOLE),
            aria=False,
        )
        .encode(
            x=x0,
            x2=alt.X2("x1"),
            y=at_y(100 + 14 * unit),
            y2=alt.Y2Datum(100 + 24 * unit),
        )
    )
    told = (
        alt.Chart(table("bar_ticks"))
        .mark_text(baseline="top", **small)
        .encode(
            x=alt.X("x:Q", scale=across, axis=None),
            y=at_y(100 + 28 * unit),
            text=alt.Text("text:N"),
        )
    )
    return [
        image,
        painted(columns, "muted"),
        painted(rows, "muted"),
        bar,
        painted(told, "muted"),
    ]


def _here(frame: Frame, end: float) -> alt.Chart:
    """A line through the chosen row."""
    across, down = _scales(frame)
    line = (
        alt.Chart(table("line"))
        .mark_rule(strokeWidth=1.5, aria=False)
        .encode(
            x=alt.XDatum(frame.start - 0.8, scale=across, axis=None),
            x2=alt.X2Datum(end),
            y=alt.Y("y:Q", scale=down, axis=None),
        )
    )
    return painted(line, "accent")


@built_once(4)
def _panel_spec(kind: Kind, *, led: bool) -> dict[str, Any]:
    layers = [*_matrix_layers(PANEL, address(DARK)), _here(PANEL, PANEL.end)]
    return drawing(layered(*layers), PANEL.height + HEADER + FOOTER, params=parameters(led=led))


@built_once(1)
def _overview_spec() -> dict[str, Any]:
    across, down = _scales(WIDE)
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
    row, column = (f"toNumber(split({CORNER}, ' ')[{i}])" for i in range(2))
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
    image, *around = _matrix_layers(WIDE, address(DARK, narrow))
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
        _here(WIDE, BLEND),
        painted(outline, "vectors"),
    ]
    return drawing(
        layered(*layers),
        WIDE.height + HEADER + FOOTER,
        params=[
            *parameters(led=True),
            *text_parameter(CORNER, "data('here')[0].corner"),
            brush,
        ],
    )
