"""A picture of a matrix of signed numbers: a row a position, a column a feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.labels import exact, signed_cell
from dashboard.charts.layout import (
    LABELS,
    Layout,
    column_layer,
    columns_frame,
    layout,
    row_layers,
    rows_frame,
)
from dashboard.charts.palette import ROLE, SIGNED, STRONG_SIGNED, painted, shade
from dashboard.charts.picture import (
    Columns,
    Picture,
    built_once,
    drawing,
    lasting,
    layered,
    mark_name,
    table,
    tabulate,
    tip,
)

MAX_NUMBERS = 12  # columns up to which a number is printed on each cell


def grid(
    numbers: NDArray[np.floating[Any]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    alt_text: str,
    limit: float = 1.0,
    chosen: int | None = None,
    row_height: int = 0,
    labels_end: float = LABELS,
) -> Picture:
    """Picture of signed numbers, shape (n_rows, n_columns): a row a position, a column a feature.

    Missing numbers (NaN) are a cross, so that none looks like a 0. `chosen` outlines one row.
    `limit` is where the scale ends.
    """
    place = layout(*numbers.shape, cells_start=labels_end, row_height=row_height, turned=True)
    data = {
        "cells": cells_frame(numbers, row_labels, column_labels, place, limit),
        "rows": rows_frame(row_labels, chosen),
        "columns": columns_frame(column_labels, place),
    }
    return Picture(_grid_spec(place), data, alt_text)


@built_once(256)
def _grid_spec(place: Layout) -> dict[str, Any]:
    return drawing(layered(*_grid_layers(place)), place.height)


def _grid_layers(place: Layout) -> list[alt.Chart]:
    """The layers of a grid, from the back to the front: cells, marks on them, labels, outline."""
    x = alt.X("x0:Q", scale=place.x, axis=None)
    y = alt.Y("y0:Q", scale=place.y, axis=None)
    middle_x = alt.X("x:Q", scale=place.x, axis=None)
    middle_y = alt.Y("y:Q", scale=place.y, axis=None)
    cells = alt.Chart(table("cells"))
    gap = 1 if place.n_columns <= 32 else 0
    width = place.cell_share
    tooltip = tip(row="position", column="feature", exact="value")
    rects = (
        cells.mark_rect(
            cursor="pointer",
            strokeWidth=gap,
            description=mark_name("row", "column"),
            tooltip=tooltip,
        )
        .encode(
            x=x,
            x2=alt.X2("x1"),
            y=y,
            y2=alt.Y2("y1"),
            color=alt.Color("shade:Q", scale=SIGNED, legend=None),
            stroke=alt.Stroke("paper:N", scale=ROLE, legend=None),
        )
        .transform_calculate(paper="'paper'")
        .transform_filter("isValid(datum.number)")
    )
    layers = [rects]
    if place.n_columns <= MAX_NUMBERS:
        text = cells.mark_text(
            fontSize={"expr": f"clamp(width * {width:.5f} / 3.2, 8, 13)"},
            opacity={"expr": f"width * {width:.5f} > 25 ? 1 : 0"},
            aria=False,
            cursor="pointer",
            tooltip=tooltip,
        ).encode(x=middle_x, y=middle_y, text=alt.Text("text:N"))
        for ink in ("weak", "strong"):
            layers.append(painted(text.transform_filter(f"datum.ink == '{ink}'"), ink))
    signs = cells.mark_text(fontSize=12, aria=False, cursor="pointer", tooltip=tooltip)
    signs = signs.encode(x=middle_x, y=middle_y, text=alt.Text("sign:N"))
    layers.append(painted(signs.transform_filter("datum.sign != ''"), "muted"))
    return [*layers, *row_layers(place, middle_y), column_layer(place, middle_x)]


def cells_frame(
    numbers: NDArray[np.floating[Any]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    place: Layout,
    limit: float,
) -> Columns:
    """One line a cell, row by row: its corners, number, words, and how it is written on."""
    n_rows, n_columns = numbers.shape
    number = numbers.ravel().astype(float)
    values = number.tolist()
    missing = np.isnan(number).tolist()
    told = [
        "missing" if gone else exact(value) for value, gone in zip(values, missing, strict=True)
    ]
    rows = [name for name in row_labels for _ in range(n_columns)]
    columns = [*column_labels] * n_rows
    few = n_columns <= MAX_NUMBERS
    text = [
        signed_cell(value) if few and not gone else ""
        for value, gone in zip(values, missing, strict=True)
    ]
    strong = (np.abs(number) > STRONG_SIGNED * limit).tolist()
    corners = _corners(place)
    return {
        "query": corners["query"],
        "key": corners["key"],
        **tabulate(row=rows, column=columns, number=number, shade=shade(number, limit)),
        **{name: corners[name] for name in ("x0", "x1", "x", "y0", "y1", "y")},
        **tabulate(
            text=text,
            sign=["×" if gone else "" for gone in missing],
            ink=["strong" if much else "weak" for much in strong],
            exact=told,
        ),
    }


@lasting(32)
def _corners(place: Layout) -> Columns:
    """One line a cell, row by row: where it is."""
    row = np.repeat(np.arange(place.n_rows), place.n_columns)
    column = np.tile(np.arange(place.n_columns), place.n_rows)
    left, right = place.left(column), place.left(column + 1)
    return tabulate(
        query=row + 1,
        key=column + 1,
        x0=left,
        x1=right,
        x=(left + right) / 2,
        y0=row,
        y1=row + 1,
        y=row + 0.5,
    )
