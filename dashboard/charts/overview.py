"""A long matrix as one picture: blocks of cells as pixels, under axes that count positions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from core import Pooled, pool
from core.pooling import How
from dashboard.charts.labels import decimal
from dashboard.charts.palette import DARK, painted
from dashboard.charts.picture import Columns, Picture, built_once, drawing, layered, table, tabulate
from dashboard.charts.raster import Kind, address_parts, shade_long, to_bytes

# Most pixels a side. A screen drops none: it has room for them, or is sent the fewer ones.
PIXELS = 256
FEW_PIXELS = 128  # on a narrow screen, and in one of several panels
BRUSH = "brush"  # the selection that a drag on the picture makes
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


def overview(
    pooled: Pooled,
    spread: NDArray[np.floating[Any]],
    *,
    n: int,
    chosen: int,
    window: Sequence[int],
    size: int,
    how: How = "max",
    brushed: Sequence[float] = (),
    alt_text: str,
) -> Picture:
    """Picture of pooled weights and, sharing its rows, how far the rows of each block spread.

    `spread` holds one number a row, 0 copy … 1 blend. `window` is the first row and column, from
    0, of the `size` that are shown cell by cell. `how` is the way the weights were pooled.
    `brushed` is the drag that the window answers, as `brush_of` told it: until it is answered the
    outline follows the hand.
    """
    drawn = _matrix(pooled, WIDE, n, "weights", how)
    x, y = WIDE.across([window[1], window[1] + size], n), np.array([window[0], window[0] + size])
    seen = [*brushed, *([-1.0] * (2 - len(brushed)))]
    data = drawn | {
        "rows": _bands(spread, pooled.row_edges, n),
        "here": tabulate(y=[100 * (chosen + 0.5) / n]),
        "window": tabulate(
            x0=[x[0]],
            x1=[x[1]],
            y0=[100 * y[0] / n],
            y1=[100 * y[1] / n],
            across=[float(seen[0])],
            down=[float(seen[1])],
        ),
        "ends": tabulate(at=[COPY, (COPY + BLEND) / 2, BLEND], name=["copy", "", "blend"]),
    }
    return Picture(_overview_spec(), data, alt_text)


def panel(
    pooled: Pooled, *, n: int, kind: Kind, chosen: int | None = None, alt_text: str
) -> Picture:
    """Picture of one pooled matrix, for several side by side."""
    marked = [] if chosen is None else [100 * (chosen + 0.5) / n]
    data = _matrix(pooled, PANEL, n, kind) | {"here": {"y": np.array(marked, dtype=float)}}
    return Picture(_panel_spec(kind), data, alt_text)


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


def _matrix(
    pooled: Pooled, frame: Frame, n: int, kind: Kind, how: How = "max"
) -> dict[str, Columns]:
    """Tables of the picture itself, its axes and its scale of colours."""
    values = pooled.values
    light, dark, fine = _address(values, n, kind)
    light_few, dark_few, coarse = "", "", ""  # as the fine one
    if max(values.shape) > FEW_PIXELS:
        light_few, dark_few, coarse = _address(pool(values, FEW_PIXELS, how).values, n, kind)
    image = tabulate(
        x0=[frame.start],
        x1=[frame.end],
        y0=[0.0],
        y1=[100.0],
        light=[light],
        dark=[dark],
        fine=[fine],
        light_few=[light_few],
        dark_few=[dark_few],
        coarse=[coarse],
    )
    marks = _round_positions(n)
    scale = _scale(n, kind, frame)
    return {
        "image": image,
        "ticks": tabulate(
            x=frame.across(np.array(marks) - 0.5, n),
            y=100 * (np.array(marks) - 0.5) / n,
            text=[f"{mark:,}" for mark in marks],
            every=[place % 2 for place in range(len(marks))],
        ),
        **scale,
    }


def _address(values: NDArray[np.floating[Any]], n: int, kind: Kind) -> tuple[str, str, str]:
    return address_parts(to_bytes(shade_long(values, n, kind), kind), kind)


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


def _bands(spread: NDArray[np.floating[Any]], edges: NDArray[np.int_], n: int) -> Columns:
    """One line a block of rows: its row nearest to a copy, nearest to a blend, and their mean."""
    starts = edges[:-1]
    low, high = np.fmin.reduceat(spread, starts), np.fmax.reduceat(spread, starts)
    known = np.add.reduceat(~np.isnan(spread), starts)
    sums = np.add.reduceat(np.nan_to_num(spread, nan=0.0), starts)
    keep = known > 0
    first, last = starts[keep] + 1, edges[1:][keep]
    low, high = low[keep], high[keep]
    mean = sums[keep] / known[keep]
    units = COPY + (BLEND - COPY) * np.array([low, high, mean])
    return tabulate(
        rows=[f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in zip(first, last, strict=True)],
        x0=(units[0] - 0.2).astype(np.float32),
        x1=(units[1] + 0.2).astype(np.float32),
        m0=(units[2] - 0.4).astype(np.float32),
        m1=(units[2] + 0.4).astype(np.float32),
        y0=(100 * starts[keep] / n).astype(np.float32),
        y1=(100 * edges[1:][keep] / n).astype(np.float32),
        exact=[
            decimal(a) if a == b else f"{decimal(a)} … {decimal(b)}"
            for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ],
    )


def _scales(frame: Frame) -> tuple[alt.Scale, alt.Scale]:
    unit = 100 / frame.height
    across = alt.Scale(domain=[0, 100], nice=False, zero=False)
    down = alt.Scale(
        domain=[-HEADER * unit, 100 + FOOTER * unit], reverse=True, nice=False, zero=False
    )
    return across, down


def _matrix_layers(frame: Frame) -> list[alt.Chart]:
    """Picture, ticks, names of the axes, scale of colours."""
    across, down = _scales(frame)
    unit = 100 / frame.height
    x0, y0 = alt.X("x0:Q", scale=across, axis=None), alt.Y("y0:Q", scale=down, axis=None)
    few = f"datum.coarse != '' && width * {(frame.end - frame.start) / 100:.2f} < {PIXELS}"
    address = (
        f"{few} ? ({DARK} ? datum.dark_few : datum.light_few) + datum.coarse"
        f" : ({DARK} ? datum.dark : datum.light) + datum.fine"
    )

    def at_x(value: float) -> alt.XDatum:
        return alt.XDatum(value, scale=across, axis=None)

    def at_y(value: float) -> alt.YDatum:
        return alt.YDatum(value, scale=down, axis=None)

    image = (
        alt.Chart(table("image"))
        .mark_image(
            aspect=False, smooth=False, url=alt.expr(address), cursor="crosshair", aria=False
        )
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
            url=alt.expr(f"({DARK} ? datum.dark : datum.light) + datum.rest"),
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
        alt.Chart(table("here"))
        .mark_rule(strokeWidth=1.5, aria=False)
        .encode(
            x=alt.XDatum(frame.start - 0.8, scale=across, axis=None),
            x2=alt.X2Datum(end),
            y=alt.Y("y:Q", scale=down, axis=None),
        )
    )
    return painted(line, "accent")


@built_once(2)
def _panel_spec(kind: Kind) -> dict[str, Any]:
    layers = [*_matrix_layers(PANEL), _here(PANEL, PANEL.end)]
    return drawing(layered(*layers), PANEL.height + HEADER + FOOTER)


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
    rows = alt.Chart(table("rows")).mark_rect(stroke=None, aria=False)
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
    outline = (
        alt.Chart(table("window"))
        .transform_calculate(
            left=f"{held} ? {BRUSH}.x0[0] : datum.x0",
            right=f"{held} ? {BRUSH}.x0[1] : datum.x1",
            top=f"{held} ? {BRUSH}.y0[0] : datum.y0",
            bottom=f"{held} ? {BRUSH}.y0[1] : datum.y1",
        )
        .mark_rect(filled=False, strokeWidth=2, aria=False)
        .encode(
            x=alt.X("left:Q", scale=across, axis=None),
            x2=alt.X2("right"),
            y=alt.Y("top:Q", scale=down, axis=None),
            y2=alt.Y2("bottom"),
        )
    )
    layers = [
        *_matrix_layers(WIDE),
        painted(guides, "line"),
        painted(names, "muted"),
        painted(bands, "line"),
        painted(means, "matrix"),
        _here(WIDE, BLEND),
        painted(outline, "vectors"),
    ]
    layers[0] = layers[0].properties(name="matrix")
    return drawing(layered(*layers), WIDE.height + HEADER + FOOTER, params=[brush])
