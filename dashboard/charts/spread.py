"""The first picture: what each row reads, how spread that is, and how both move with sharpness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from core import Attention
from dashboard.charts.bitmap import CELLS
from dashboard.charts.layout import (
    Layout,
    column_layer,
    columns_frame,
    layout,
    row_layers,
    rows_frame,
)
from dashboard.charts.live import FIRST_OF_ROW, here, parameters, spreads, usable
from dashboard.charts.live_grid import (
    asked,
    cell_grid,
    cell_parameters,
    cell_steps,
    cell_tables,
    few,
)
from dashboard.charts.palette import painted
from dashboard.charts.picture import (
    Picture,
    Spec,
    built_once,
    calculate,
    drawing,
    layered,
    table,
    tabulate,
    tip,
)
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
    allowed = usable(attention.scores, attention.allowed)
    data = {
        **cell_tables(place, attention.scores, allowed),
        "rows": {
            **rows_frame(labels, chosen),
            "usable": allowed.sum(axis=-1),
            "moves": np.full(n, moves),
        },
        "columns": columns_frame(labels, place),
        "ends": tabulate(at=[COPY, (COPY + BLEND) / 2, BLEND], name=["copy", "", "blend"]),
        "heads": tabulate(at=[place.cells_start - 1, 100], name=["row reads column", "positions"]),
        "here": here(sharpness),
        **travel_data(paths),
    }
    return Picture(_spread_spec(n, masked=asked(place, allowed)), data, alt_text)


def _place(n: int) -> Layout:
    return layout(n, n, cells_end=CELLS_END, below=ABOVE + HEIGHT + BELOW)


def _row_layers(place: Layout) -> list[alt.Chart]:
    """Each row's place between copy and blend, and its positions' worth."""
    rows = alt.Chart()
    small = place.row_height < 20
    y = alt.Y("y:Q", scale=place.y, axis=None)
    tooltip = tip(row="row", told="0 copy … 1 blend", reads="positions' worth")
    placed = rows.transform_filter("isValid(datum.share)").transform_calculate(
        at=f"{COPY:g} + {BLEND - COPY:g} * datum.share"
    )
    at = alt.X("at:Q", scale=place.x, axis=None)
    stem = placed.mark_rule(strokeWidth=2 if small else 4, aria=False, cursor="pointer").encode(
        x=at, x2=alt.X2Datum(COPY), y=y
    )
    head = placed.mark_point(
        filled=True,
        opacity=1,
        size=40 if small else 120,
        cursor="pointer",
        aria=few(place),
        tooltip=tooltip,
        description=alt.ExprRef("datum.words") if few(place) else alt.Undefined,
    ).encode(x=at, y=y)
    worth = rows.mark_text(
        align="right",
        fontSize=10 if small else {"expr": "width < 500 ? 10 : 13"},
        cursor="pointer",
        limit={"expr": "width * 0.13"},
        aria=False,
        text={"expr": "datum.reads"},
        tooltip=tooltip,
    ).encode(x=alt.XDatum(100, scale=place.x, axis=None), y=y)
    return [painted(stem, "matrix"), painted(head, "matrix"), painted(worth, "ink")]


@built_once(64)
def _spread_spec(n: int, *, masked: bool) -> Spec:
    place = _place(n)
    ends = alt.Chart(table("ends"))
    at = alt.X("at:Q", scale=place.x, axis=None)
    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=at, y=alt.YDatum(0, scale=place.y, axis=None), y2=alt.Y2Datum(place.n_rows)
    )
    names = ends.mark_text(
        baseline="bottom", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(
        x=at, y=alt.YDatum(-5 / place.row_height, scale=place.y, axis=None), text=alt.Text("name:N")
    )
    heads = (
        alt.Chart(table("heads"))
        .mark_text(
            align="right",
            baseline="bottom",
            fontSize=11,
            # Where there is no room there is no text: an unseen one would take room from the cells.
            text={"expr": "width < 880 ? '' : datum.name"},
            aria=False,
        )
        .encode(x=at, y=alt.YDatum(-5 / place.row_height, scale=place.y, axis=None))
    )
    pick = {
        "name": PICK,
        "select": {
            "type": "point",
            "fields": ["query", "moves"],
            "on": f"click[!({within(place)})]",
            "toggle": False,
            "clear": False,
        },
        "views": [CELLS],
    }
    reads = (
        "datum.usable == 0 ? 'no keys allowed' : datum.usable == 1 ? 'forced' : "
        "format(datum.worth, '.1f') + ' of ' + datum.usable"
    )
    rows = layered(
        *_row_layers(place),
        *dot_layers(place),
        steps=[
            *([FIRST_OF_ROW] if few(place) else []),
            *spreads(),
            *calculate(
                y="datum.query - 0.5",
                reads=reads,
                told="isValid(datum.share) ? format(datum.share, '.3f') : datum.reads",
            ),
            *(calculate(words="datum.row + ': ' + datum.reads") if few(place) else []),
        ],
    )
    chart = layered(
        cell_grid(place, "weights", "moves", asked=masked),
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None)),
        painted(guides, "line"),
        painted(names, "muted"),
        painted(heads, "muted"),
        *track_layers(place),
        rows,
        data="cells",
        steps=cell_steps(place, asked=masked, pulls=True),
        apart=("color", "x", "y", "stroke"),
    )
    params = [*parameters(AT_POINTER, within(place)), *cell_parameters(place, "weights"), pick]
    return drawing(chart, place.height, params=params)
