"""How the rows of a long sentence travel as sharpness grows: where most are, and one of them."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.live import SHARPEST
from dashboard.charts.palette import painted
from dashboard.charts.picture import Picture, built_once, drawing, layered, table, tabulate
from dashboard.charts.travel import END, SHARPNESSES, START, TICKS, across

HEIGHT = 260
ROWS = 64  # rows that stand for all
STEPS = SHARPNESSES[::2]
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # shares of the rows below each line of the bands


def rows_that_stand_for_all(n: int) -> NDArray[np.int_]:
    """Positions from 0, evenly spread, the first and the last among them."""
    return np.unique(np.linspace(0, n - 1, min(n, ROWS)).round().astype(int))


def bands(paths: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Where shares of the rows lie: paths of shape (n_steps, n_rows) to (n_steps, 5)."""
    known = paths[:, ~np.isnan(paths[0])]
    if known.shape[1] == 0:
        return np.full((len(paths), len(LEVELS)), np.nan)
    quantiles: NDArray[np.floating[Any]] = np.quantile(known, LEVELS, axis=1).T
    return quantiles


def long_travel(
    where: NDArray[np.floating[Any]],
    path: NDArray[np.floating[Any]],
    *,
    sharpness: float,
    alt_text: str,
) -> Picture:
    """Picture of `bands`, shape (len(STEPS), 5), and of one row's path, shape (len(STEPS),)."""
    at = min(sharpness, SHARPEST)
    names = ["x", "low", "lower", "middle", "upper", "high", "row"]
    columns = np.column_stack([across(STEPS), where, path])
    data = {
        "paths": dict(zip(names, columns.T, strict=True)),
        "here": tabulate(x=[float(across(at))]),
        "ticks": tabulate(x=across(TICKS), text=[f"{tick:g}" for tick in TICKS]),
        "ends": tabulate(spread=[0.0, 0.5, 1.0], text=["copy 0", "0.5", "blend 1"]),
    }
    return Picture(_long_travel_spec(), data, alt_text)


@built_once(1)
def _long_travel_spec() -> dict[str, Any]:
    x_scale = alt.Scale(domain=[0, 100], nice=False, zero=False)
    y_scale = alt.Scale(domain=[-0.2, 1.04], nice=False, zero=False)
    x = alt.X("x:Q", scale=x_scale, axis=None)
    ends, ticks, here = (alt.Chart(table(name)) for name in ("ends", "ticks", "here"))
    paths = alt.Chart(table("paths"))

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", scale=y_scale, axis=None)

    def at_y(value: float) -> alt.YDatum:
        return alt.YDatum(value, scale=y_scale, axis=None)

    def at_x(value: float) -> alt.XDatum:
        return alt.XDatum(value, scale=x_scale, axis=None)

    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=at_x(START), x2=alt.X2Datum(END), y=y("spread")
    )
    end_words = ends.mark_text(
        align="right", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(x=at_x(START - 1), y=y("spread"), text=alt.Text("text:N"))
    tick_words = ticks.mark_text(baseline="top", fontSize=12, aria=False).encode(
        x=x, y=at_y(-0.04), text=alt.Text("text:N")
    )
    title = here.mark_text(
        align="right", baseline="bottom", fontSize=13, text="sharpness β", aria=False
    ).encode(x=at_x(END), y=at_y(-0.2))
    outer = paths.mark_area(opacity=0.35, aria=False).encode(x=x, y=y("low"), y2=alt.Y2("high"))
    inner = paths.mark_area(opacity=0.6, aria=False).encode(x=x, y=y("lower"), y2=alt.Y2("upper"))
    middle = paths.mark_line(strokeWidth=1.5, aria=False).encode(x=x, y=y("middle"))
    row = paths.mark_line(strokeWidth=3.5, aria=False).encode(x=x, y=y("row"))
    now = here.mark_rule(strokeWidth=1.5, strokeDash=[4, 3], aria=False).encode(
        x=x, y=at_y(0), y2=alt.Y2Datum(1)
    )
    chart = layered(
        painted(outer, "thread"),
        painted(inner, "thread"),
        painted(guides, "line"),
        painted(end_words, "muted"),
        painted(tick_words, "muted"),
        painted(title, "muted"),
        painted(middle, "ink"),
        painted(now, "accent"),
        painted(row, "accent"),
    )
    return drawing(chart, HEIGHT)
