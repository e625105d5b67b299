"""How every row travels from blend to copy as sharpness grows: a line a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.labels import decimal
from dashboard.charts.palette import painted
from dashboard.charts.picture import Columns, Picture, drawing, table, tabulate, where

HEIGHT = 300
SHARPEST = 16.0
MOST_NAMES = 16  # rows up to which each dot is named on the picture
TOO_CLOSE = 0.06  # of the axis: closer dots share a name
START, END = 9.0, 98.0  # of 100 units across: where sharpness 0 and 16 stand
TICKS = (0, 0.25, 1, 2, 4, 8, 16)
# Closer together near 0, where the rows move most.
SHARPNESSES = np.round(SHARPEST * np.linspace(0, 1, 49) ** 2, 4)


def across(sharpness: Any) -> Any:
    """Units across for a sharpness: by its square root, so that the small ones have room."""
    return START + (END - START) * np.sqrt(np.asarray(sharpness, dtype=float) / SHARPEST)


def travel_picture(
    paths: NDArray[np.floating[Any]],
    labels: Sequence[str],
    *,
    chosen: int,
    sharpness: float,
    now: NDArray[np.floating[Any]],
    alt_text: str,
) -> Picture:
    """Picture of `paths`, shape (len(SHARPNESSES), n_rows): 0 copy … 1 blend.

    `now` holds each row's place at the sharpness in force; an infinite one is drawn at the end.
    """
    n = len(labels)
    at = min(sharpness, SHARPEST)
    query = np.repeat(np.arange(1, n + 1), len(SHARPNESSES))
    lines = tabulate(
        query=query,
        x=np.tile(across(SHARPNESSES), n),
        spread=paths.T.ravel(),
        chosen=query == chosen + 1,
    )
    told = [decimal(value) for value in now]
    dots = tabulate(
        row=list(labels),
        x=float(across(at)),
        spread=now,
        exact=told,
        words=[f"{name}: {value}" for name, value in zip(labels, told, strict=True)],
        chosen=np.arange(n) == chosen,
    )
    dots = where(dots, ~np.isnan(now))
    names = _names(dots if n <= MOST_NAMES else where(dots, np.zeros(len(dots["x"]), bool)))
    if not len(dots["x"]):
        names = tabulate(x=[START + 2.0], spread=[0.5], name=["no row can travel"], right=[False])
    data = {
        "lines": where(lines, ~np.isnan(lines["spread"])),
        "dots": dots,
        "here": tabulate(x=[float(across(at))]),
        "names": names,
        "ticks": tabulate(x=across(TICKS), text=[f"{tick:g}" for tick in TICKS]),
        "ends": tabulate(spread=[0.0, 0.5, 1.0], text=["copy 0", "0.5", "blend 1"]),
    }
    return Picture(_travel_spec(n), data, alt_text)


def _names(dots: Columns) -> Columns:
    """One name a dot, and one for several dots that lie too close for two."""
    order = np.argsort(dots["spread"], kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(dots["spread"][order]) > TOO_CLOSE) + 1)
    groups = [group for group in groups if len(group)]
    names = [", ".join(dots["row"][group][:3]) for group in groups]
    more = [f" +{len(group) - 3}" if len(group) > 3 else "" for group in groups]
    x = np.array([dots["x"][group[0]] for group in groups], dtype=float)
    return tabulate(
        x=x,
        spread=np.array([dots["spread"][group].mean() for group in groups], dtype=float),
        name=np.array([a + b for a, b in zip(names, more, strict=True)], dtype=object),
        right=x > (START + END) / 2,
    )


@lru_cache(maxsize=64)
def _travel_spec(n: int) -> dict[str, Any]:
    lines, dots, names = (
        alt.Chart(table("lines")),
        alt.Chart(table("dots")),
        alt.Chart(table("names")),
    )
    x_scale = alt.Scale(domain=[0, 100], nice=False, zero=False)
    y_scale = alt.Scale(domain=[-0.2, 1.04], nice=False, zero=False)
    x = alt.X("x:Q", scale=x_scale, axis=None)
    y = alt.Y("spread:Q", scale=y_scale, axis=None)

    def at_y(value: float) -> alt.YDatum:
        return alt.YDatum(value, scale=y_scale, axis=None)

    ends, ticks = alt.Chart(table("ends")), alt.Chart(table("ticks"))
    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=alt.XDatum(START, scale=x_scale, axis=None), x2=alt.datum(END), y=y
    )
    end_words = ends.mark_text(
        align="right", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(x=alt.XDatum(START - 1, scale=x_scale, axis=None), y=y, text="text:N")
    tick_words = ticks.mark_text(baseline="top", fontSize=12, aria=False).encode(
        x=x, y=at_y(-0.04), text="text:N"
    )
    title = (
        alt.Chart(table("here"))
        .mark_text(align="right", baseline="bottom", fontSize=13, text="sharpness β", aria=False)
        .encode(x=alt.XDatum(END, scale=x_scale, axis=None), y=at_y(-0.2))
    )
    line = lines.encode(x=x, y=y, detail="query:N")
    others = line.mark_line(strokeWidth=1.5, aria=False).transform_filter("!datum.chosen")
    ours = line.mark_line(strokeWidth=3.5, aria=False).transform_filter("datum.chosen")
    here = (
        alt.Chart(table("here"))
        .mark_rule(strokeWidth=1.5, strokeDash=[4, 3], aria=False)
        .encode(x=x, y=at_y(0), y2=alt.datum(1))
    )
    dot = dots.mark_point(filled=True, opacity=1, size=60).encode(
        x=x,
        y=y,
        description="words:N",
        tooltip=[
            alt.Tooltip("row:N", title="row"),
            alt.Tooltip("exact:N", title="0 copy … 1 blend"),
        ],
    )
    name = names.encode(x=x, y=y, text="name:N")
    style: dict[str, Any] = {"fontSize": 12, "limit": 220, "aria": False}
    rim: dict[str, Any] = {"fillOpacity": 0, "strokeWidth": 9, "strokeJoin": "round"}
    sides: tuple[tuple[Literal["left", "right"], int, str], ...] = (
        ("right", -9, "datum.right"),
        ("left", 9, "!datum.right"),
    )
    # A line that ends at a dot would strike its name through: a rim of paper goes between.
    rims, words = (
        [
            name.mark_text(align=align, dx=dx, **style, **look).transform_filter(test)
            for align, dx, test in sides
        ]
        for look in (rim, {})
    )
    chart = alt.layer(
        painted(guides, "line"),
        painted(end_words, "muted"),
        painted(tick_words, "muted"),
        painted(title, "muted"),
        painted(others, "thread"),
        painted(here, "accent"),
        painted(ours, "accent"),
        painted(dot.transform_filter("!datum.chosen"), "muted"),
        painted(dot.transform_filter("datum.chosen"), "accent"),
        *(painted(edge, "paper", alt.Stroke) for edge in rims),
        *(painted(word, "ink") for word in words),
    ).resolve_scale(color="independent")
    return drawing(chart, HEIGHT, marks=2 * n)
