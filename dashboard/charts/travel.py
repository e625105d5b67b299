"""How every row travels from blend to copy as sharpness grows: a line a row, below the matrix.

The hand that moves the sharpness takes hold here.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.layout import LABELS, Layout
from dashboard.charts.live import SHARPEST
from dashboard.charts.palette import painted
from dashboard.charts.picture import Columns, table, tabulate, tip, where

ABOVE = 56  # pixels between the last row of the matrix and "blend"
HEIGHT = 158  # pixels from blend down to copy
BELOW = 38  # pixels for the axis
MOST_NAMES = 16  # rows up to which each dot is named on the picture
TOO_CLOSE = 0.09  # of the axis: closer dots share a name
START, END = LABELS, 98.0  # of 100 units across: where sharpness 0 and 16 stand
TICKS = (0, 0.25, 1, 2, 4, 8, 16)
# Closer together near 0, where the rows move most.
SHARPNESSES = np.round(SHARPEST * np.linspace(0, 1, 49) ** 2, 4)

AT_POINTER = (
    f"round({100 * SHARPEST:g} * pow(clamp("
    f"(100 * x() / width - {START:g}) / {END - START:g}, 0, 1), 2)) / 100"
)
_NOW = f"({START:g} + {END - START:g} * sqrt(min(beta, {SHARPEST:g}) / {SHARPEST:g}))"


def across(sharpness: Any) -> Any:
    """Units across for a sharpness: by its square root, so that the small ones have room."""
    return START + (END - START) * np.sqrt(np.asarray(sharpness, dtype=float) / SHARPEST)


def travel_data(paths: NDArray[np.floating[Any]]) -> dict[str, Columns]:
    """The tables of `paths`, shape (len(SHARPNESSES), n_rows): 0 copy … 1 blend."""
    n = paths.shape[1]
    lines = tabulate(
        query=np.repeat(np.arange(1, n + 1), len(SHARPNESSES)),
        x=np.tile(across(SHARPNESSES), n),
        spread=paths.T.ravel(),
    )
    return {
        "lines": where(lines, ~np.isnan(lines["spread"])),
        "ticks": tabulate(x=across(TICKS), text=[f"{tick:g}" for tick in TICKS]),
        "levels": tabulate(spread=[0.0, 0.5, 1.0], level=["copy 0", "0.5", "blend 1"]),
    }


def _down(place: Layout, pixels: float) -> float:
    """Row units for so many pixels below the matrix."""
    return place.n_rows + pixels / place.row_height


def _level(place: Layout, field: str) -> str:
    """Expression of the row units of a share, 0 copy … 1 blend."""
    top, tall = _down(place, ABOVE), HEIGHT / place.row_height
    return f"{top:.6f} + (1 - datum.{field}) * {tall:.6f}"


def within(place: Layout) -> str:
    """Expression: whether the pointer is where a hand can take hold of the sharpness."""
    return f"y() > {place.header + place.n_rows * place.row_height + ABOVE / 2:g}"


def track_layers(place: Layout) -> list[alt.Chart]:
    """Axis, lines and the sharpness in force; the chosen row's line on top."""
    lines, ticks = alt.Chart(table("lines")), alt.Chart(table("ticks"))
    levels, here = alt.Chart(table("levels")), alt.Chart(table("here"))
    bottom = _down(place, ABOVE + HEIGHT)
    y = alt.Y("y:Q", scale=place.y, axis=None)
    x = alt.X("x:Q", scale=place.x, axis=None)

    def at_x(value: float) -> alt.XDatum:
        return alt.XDatum(value, scale=place.x, axis=None)

    def at_y(pixels: float) -> alt.YDatum:
        return alt.YDatum(_down(place, pixels), scale=place.y, axis=None)

    guides = levels.transform_calculate(y=_level(place, "spread"))
    rules = guides.mark_rule(strokeWidth=1, aria=False).encode(
        x=at_x(START), x2=alt.X2Datum(END), y=y
    )
    names = guides.mark_text(
        align="right", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(x=at_x(START - 1), y=y, text=alt.Text("level:N"))
    numbers = ticks.mark_text(baseline="top", fontSize=12, aria=False).encode(
        x=x, y=at_y(ABOVE + HEIGHT + 6), text=alt.Text("text:N")
    )
    title = here.mark_text(
        align="right", baseline="bottom", fontSize=13, text="sharpness β", aria=False
    ).encode(x=at_x(END), y=at_y(ABOVE + HEIGHT + BELOW - 2))
    zone = here.mark_rect(opacity=0, aria=False, cursor="ew-resize").encode(
        x=at_x(0), x2=alt.X2Datum(100), y=at_y(ABOVE / 2), y2=alt.Y2Datum(bottom)
    )
    line = lines.transform_lookup(
        "query", from_=alt.LookupData(alt.NamedData(name="rows"), "query", ["chosen"])
    ).transform_calculate(y=_level(place, "spread"))
    line = line.encode(x=x, y=y, detail=alt.Detail("query:N"))
    thin = 1.5 if place.n_rows <= MOST_NAMES else 0.75
    others = line.mark_line(strokeWidth=thin, aria=False, cursor="ew-resize")
    ours = line.mark_line(strokeWidth=3.5, aria=False, cursor="ew-resize")
    now = here.transform_calculate(x=_NOW)
    rule = now.mark_rule(strokeWidth=1.5, strokeDash=[4, 3], aria=False, cursor="ew-resize")
    reading = now.mark_text(
        baseline="bottom",
        fontSize=13,
        fontWeight="bold",
        aria=False,
        cursor="ew-resize",
        text={"expr": f"beta > {SHARPEST:g} ? '◂ β → ∞' : '◂ β ' + format(beta, '.3~f') + ' ▸'"},
        align={"expr": f"{_NOW} < 20 ? 'left' : {_NOW} > 90 ? 'right' : 'center'"},
    )
    return [
        painted(rules, "line"),
        painted(names, "muted"),
        painted(numbers, "muted"),
        painted(title, "muted"),
        painted(others.transform_filter("!datum.chosen"), "thread"),
        painted(rule.encode(x=x, y=at_y(ABOVE), y2=alt.Y2Datum(bottom)), "accent"),
        painted(ours.transform_filter("datum.chosen"), "accent"),
        zone,
        painted(reading.encode(x=x, y=at_y(ABOVE - 20)), "accent"),
    ]


def dot_layers(place: Layout) -> list[alt.Chart]:
    """A dot a row where it is now, and their names; reads rows with `share`."""
    rows = alt.Chart()
    x = alt.X("x:Q", scale=place.x, axis=None)
    y = alt.Y("y:Q", scale=place.y, axis=None)
    standing = rows.transform_filter("isValid(datum.share)")
    placed = standing.transform_calculate(x=_NOW, y=_level(place, "share"))
    named = place.n_rows <= MOST_NAMES
    dot = placed.mark_point(
        filled=True,
        opacity=1,
        size=60,
        cursor="ew-resize",
        aria=named,
        tooltip=tip(row="row", told="0 copy … 1 blend"),
        description=alt.ExprRef("datum.row + ': ' + datum.told") if named else alt.Undefined,
    ).encode(x=x, y=y)
    layers = [
        painted(dot.transform_filter("!datum.chosen"), "muted"),
        painted(dot.transform_filter("datum.chosen"), "accent"),
    ]
    if not named:
        return layers
    # One name a dot, and one for several dots that lie too close for two.
    in_order: list[Any] = [alt.SortField("share"), alt.SortField("query")]
    groups = (
        standing.transform_window(below="lag(share)", sort=in_order)
        .transform_calculate(
            fresh=f"datum.below === null || datum.share - datum.below > {TOO_CLOSE} ? 1 : 0"
        )
        .transform_window(group="sum(fresh)", sort=in_order, frame=[None, 0])
        .transform_aggregate(
            [
                alt.AggregatedFieldDef(op="values", field="row", **{"as": "members"}),
                alt.AggregatedFieldDef(op="mean", field="share", **{"as": "share"}),
            ],
            groupby=["group"],
        )
        .transform_calculate(
            x=_NOW,
            y=_level(place, "share"),
            name="join(slice(pluck(datum.members, 'row'), 0, 3), ', ') + "
            "(length(datum.members) > 3 ? ' +' + (length(datum.members) - 3) : '')",
        )
    )
    turned = f"{_NOW} > {(START + END) / 2:g}"
    style: dict[str, Any] = {
        "align": {"expr": f"{turned} ? 'right' : 'left'"},
        "dx": {"expr": f"{turned} ? -9 : 9"},
        "fontSize": 12,
        "limit": 220,
        "aria": False,
        "cursor": "ew-resize",
    }
    # A line that ends at a dot would strike its name through: a rim of paper goes between.
    rim = groups.mark_text(fillOpacity=0, strokeWidth=9, strokeJoin="round", **style)
    name = groups.mark_text(**style)
    at: dict[str, Any] = {"x": x, "y": y, "text": "name:N"}
    return [
        *layers,
        painted(rim.encode(**at), "paper", alt.Stroke),
        painted(name.encode(**at), "ink"),
    ]
