"""What stands around a pooled matrix: its axes, which count positions, and its scale of colours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np

from dashboard.charts.palette import DARK, painted
from dashboard.charts.picture import Columns, table, tabulate
from dashboard.charts.raster import Kind, address_parts

HEADER, FOOTER = 24, 48  # drawing pixels above and below the matrix, for axes and scale


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


def around(n: int, kind: Kind, frame: Frame) -> dict[str, Columns]:
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


def scales(frame: Frame) -> tuple[alt.Scale, alt.Scale]:
    """Units across and down."""
    unit = 100 / frame.height
    across = alt.Scale(domain=[0, 100], nice=False, zero=False)
    down = alt.Scale(
        domain=[-HEADER * unit, 100 + FOOTER * unit], reverse=True, nice=False, zero=False
    )
    return across, down


def matrix_layers(frame: Frame, url: str) -> list[alt.Chart]:
    """Picture, of which `url` is the formula, ticks, names of the axes, scale of colours."""
    across, down = scales(frame)
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


def row_line(frame: Frame, end: float) -> alt.Chart:
    """A line through the chosen row."""
    across, down = scales(frame)
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
