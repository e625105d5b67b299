"""The first picture: what each row reads, how spread that is, and how both move with sharpness."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from core import Attention
from dashboard.charts.grid import (
    MAX_NUMBERS,
    STRONG,
    Layout,
    column_layer,
    columns_frame,
    layout,
    row_layers,
    rows_frame,
)
from dashboard.charts.live import here, parameters, with_masses, with_spreads
from dashboard.charts.palette import ROLE, WEIGHT, painted
from dashboard.charts.picture import Columns, Picture, drawing, table, tabulate
from dashboard.charts.travel import (
    ABOVE,
    AT_POINTER,
    BELOW,
    HEIGHT,
    dot_layers,
    track_layers,
    travel_data,
    within,
)

CELLS_END = 66.0
COPY, BLEND = 70.0, 86.0  # where the spread axis starts and ends
PICK = "pick"  # the selection that a click on a row makes

TOLD = (
    "datum.{0} == 0 ? '0' : "
    "datum.{0} < 0.00005 ? replace(format(datum.{0}, '.1e'), '-', '−') : format(datum.{0}, '.4f')"
)


def spread(
    attention: Attention,
    labels: Sequence[str],
    paths: NDArray[np.floating[Any]],
    *,
    sharpness: float,
    chosen: int,
    moves: int,
    alt_text: str,
) -> Picture:
    """Heatmap of the weights, each row's place between copy and blend, and its way there.

    `paths` are the rows at every one of `travel.SHARPNESSES`. `moves` counts how often the chosen
    row changed: it makes a second click on a row a new click.
    """
    n = len(labels)
    place = _place(n)
    data = {
        "cells": cells(attention),
        "rows": {
            **rows_frame(labels, chosen),
            "usable": attention.allowed.sum(axis=-1),
            "moves": np.full(n, moves),
        },
        "columns": columns_frame(labels, place),
        "ends": tabulate(at=[COPY, (COPY + BLEND) / 2, BLEND], name=["copy", "", "blend"]),
        "here": here(sharpness),
        **travel_data(paths),
    }
    return Picture(_spread_spec(n), data, alt_text)


def cells(attention: Attention) -> Columns:
    """One line a cell, row by row: where it is, and how far its score is from the top of the row.

    Its weight, what is written on it and said of it are worked out in the picture.
    """
    n_queries, n_keys = attention.scores.shape
    usable = attention.allowed & (attention.scores > -np.inf)
    floored = np.where(usable, attention.scores, np.finfo(np.float64).min)
    with np.errstate(over="ignore"):
        gaps = floored - floored.max(axis=1, keepdims=True, initial=-1e300)
    gaps = np.where(usable, np.maximum(gaps, -1e300), 0.0)  # finite: sharpness 0 makes 0 of it
    return tabulate(
        query=np.repeat(np.arange(1, n_queries + 1, dtype=np.int16), n_keys),
        key=np.tile(np.arange(1, n_keys + 1, dtype=np.int16), n_queries),
        gap=gaps.ravel(),
        allowed=usable.ravel().astype(np.int8),
    )


def _place(n: int) -> Layout:
    return layout(n, n, cells_end=CELLS_END, below=ABOVE + HEIGHT + BELOW)


def heard(place: Layout) -> bool:
    """Whether cells are drawn as SVG; on a canvas nobody hears their words."""
    return 2 * place.n_rows * place.n_columns <= 2000


def _cell_layers(place: Layout) -> list[alt.Chart]:
    """Cells and what is written on them, on scales that count cells."""
    step = 100 * place.cell_share
    left = place.cells_start / step - 0.5
    x = alt.X(
        "key:Q",
        scale=alt.Scale(domain=[-left, 100 / step - left], nice=False, zero=False),
        axis=None,
    )
    top = 0.5 - place.header / place.row_height
    y = alt.Y(
        "query:Q",
        scale=alt.Scale(
            domain=[top, top + place.height / place.row_height],
            reverse=True,
            nice=False,
            zero=False,
        ),
        axis=None,
    )
    tooltip = [
        alt.Tooltip("row:N", title="reads"),
        alt.Tooltip("column:N", title="from"),
        alt.Tooltip("told:N", title="weight"),
    ]
    at: dict[str, Any] = {"x": x, "y": y, "tooltip": tooltip if heard(place) else "told:N"}
    base = alt.Chart()
    may = base.transform_filter("datum.allowed")
    rects = may.mark_rect(
        aria=heard(place),
        cursor="pointer",
        invalid=None,
        width={"expr": f"width * {place.cell_share:.6f}"},
        height=place.row_height,
    ).encode(**at, color=alt.Color("w:Q", scale=WEIGHT, legend=None))
    if heard(place):
        paper = alt.Stroke("paper:N", scale=ROLE, legend=None)
        rects = rects.encode(stroke=paper, description="words:N")
    layers = [rects]
    share = place.cell_share
    if place.n_columns <= MAX_NUMBERS:
        written = (
            "datum.w == 0 ? '0' : datum.w == 1 ? '1' : datum.w < 0.005 ? '<.01' : "
            "datum.w >= 0.995 ? '>.99' : slice(format(datum.w, '.2f'), 1)"
        )
        text = may.transform_calculate(
            written=written, ink=f"datum.w > {STRONG['weights']} ? 'strong' : 'weak'"
        ).mark_text(
            fontSize={"expr": f"clamp(width * {share:.5f} / 3.2, 8, 13)"},
            opacity={"expr": f"width * {share:.5f} > 25 ? 1 : 0"},
            aria=False,
            cursor="pointer",
            invalid=None,
        )
        color = alt.Color("ink:N", scale=ROLE, legend=None)
        layers.append(text.encode(**at, text="written:N", color=color))
    barred = base.transform_filter("!datum.allowed")
    if not heard(place):
        barred = barred.transform_calculate(told="datum.from + 'not allowed by the mask'")
    dots = barred.mark_text(
        fontSize=12, text="·", aria=heard(place), cursor="pointer", invalid=None
    ).encode(**at)
    layers.append(painted(dots.encode(description="words:N") if heard(place) else dots, "muted"))
    return layers


def _row_layers(place: Layout) -> list[alt.Chart]:
    """Each row's place between copy and blend, and its positions' worth."""
    rows = alt.Chart()
    small = place.row_height < 20
    y = alt.Y("y:Q", scale=place.y, axis=None)
    tooltip = [
        alt.Tooltip("row:N", title="row"),
        alt.Tooltip("told:N", title="0 copy … 1 blend"),
        alt.Tooltip("reads:N", title="positions' worth"),
    ]
    placed = rows.transform_filter("isValid(datum.share)").transform_calculate(
        at=f"{COPY:g} + {BLEND - COPY:g} * datum.share"
    )
    at = alt.X("at:Q", scale=place.x, axis=None)
    stem = placed.mark_rule(strokeWidth=2 if small else 4, aria=False, cursor="pointer").encode(
        x=at, x2=alt.datum(COPY), y=y
    )
    head = placed.mark_point(
        filled=True, opacity=1, size=40 if small else 120, cursor="pointer"
    ).encode(x=at, y=y, tooltip=tooltip, description="words:N")
    worth = rows.mark_text(
        align="right",
        fontSize=10 if small else {"expr": "width < 500 ? 10 : 13"},
        cursor="pointer",
        limit={"expr": "width * 0.13"},
        aria=False,
    ).encode(x=alt.XDatum(100, scale=place.x, axis=None), y=y, text="reads:N", tooltip=tooltip)
    return [painted(stem, "matrix"), painted(head, "matrix"), painted(worth, "ink")]


@lru_cache(maxsize=64)
def _spread_spec(n: int) -> dict[str, Any]:
    place = _place(n)
    ends = alt.Chart(table("ends"))
    at = alt.X("at:Q", scale=place.x, axis=None)
    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=at, y=alt.YDatum(0, scale=place.y, axis=None), y2=alt.datum(place.n_rows)
    )
    names = ends.mark_text(
        baseline="bottom", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(x=at, y=alt.YDatum(-5 / place.row_height, scale=place.y, axis=None), text="name:N")
    of_rows = alt.LookupData(alt.NamedData(name="rows"), "query", ["row", "moves"])
    of_columns = alt.LookupData(alt.NamedData(name="columns"), "key", ["column"])
    pick = alt.selection_point(
        name=PICK,
        fields=["query", "moves"],
        on=f"click[!({within(place)})]",
        toggle=False,
        clear=False,
    )
    matrix = _cell_layers(place)
    matrix[0] = matrix[0].add_params(pick)
    told = f"datum.allowed ? ({TOLD.format('w')}) : 'not allowed by the mask'"
    if not heard(place):  # thousands of cells: one short expression each
        told = "datum.from + format(datum.w, '.4~g')"
    labelled = alt.LayerChart(layer=matrix)
    labelled = labelled.transform_lookup("query", from_=of_rows)
    labelled = labelled.transform_lookup("key", from_=of_columns)
    if heard(place):
        labelled = labelled.transform_calculate(paper="'paper'")
    else:
        labelled = labelled.transform_calculate(
            **{"from": "datum.row + ' reads from ' + datum.column + ': '"}
        )
    grid = labelled.transform_calculate(w="datum.mass / datum.total")
    grid = grid.transform_calculate(told=told)
    grid = grid.resolve_scale(color="independent")
    on_rows = [*_row_layers(place), *dot_layers(place)]
    rows = alt.LayerChart(layer=on_rows)
    reads = (
        "datum.usable == 0 ? 'no keys allowed' : datum.usable == 1 ? 'forced' : "
        "format(datum.worth, '.1f') + ' of ' + datum.usable"
    )
    moving = (
        with_spreads(rows)
        .transform_calculate(y="datum.query - 0.5", reads=reads, told="format(datum.share, '.3f')")
        .transform_calculate(words="datum.row + ': ' + datum.reads")
        .resolve_scale(color="independent")
    )
    if heard(place):
        grid = grid.transform_calculate(
            words="datum.row + ' to ' + datum.column + ': ' + datum.told"
        )
    together: alt.LayerChart | alt.FacetChart = alt.layer(
        grid,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None), "weights"),
        painted(guides, "line"),
        painted(names, "muted"),
        *track_layers(place),
        moving,
        data=table("cells"),
    )
    chart = with_masses(together).resolve_scale(
        color="independent", x="independent", y="independent", stroke="independent"
    )
    spec = drawing(chart, place.height, marks=2 * n * n)
    spec["params"] = [*parameters(AT_POINTER, within(place)), *spec.get("params", [])]
    return spec
