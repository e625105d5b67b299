"""A window of a long matrix, cell by cell: the same colours as the whole, words for each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dashboard.charts.grid import Layout, column_layer, columns_frame, row_layers, rows_frame
from dashboard.charts.labels import exact
from dashboard.charts.palette import WEIGHT
from dashboard.charts.picture import Columns, Picture, built_once, drawing, layered, table
from dashboard.charts.raster import shade_long

ROW_HEIGHT, HEADER = 12, 76  # pixels


def window(
    weights: NDArray[np.floating[Any]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    *,
    n: int,
    allowed: NDArray[np.bool_] | None,
    chosen: int | None,
    alt_text: str,
) -> Picture:
    """Picture of a part of a matrix of n columns, shape (n_rows, n_columns).

    `chosen` outlines one of these rows, counted from the first of them.
    """
    place = _place(*weights.shape)
    rows = rows_frame(row_labels, chosen)
    if chosen is not None and not 0 <= chosen < len(row_labels):
        rows["chosen"] = np.zeros(len(row_labels), bool)
    data = {
        "cells": _cells(weights, row_labels, column_labels, n, allowed),
        "rows": rows,
        "columns": columns_frame(column_labels, place),
    }
    return Picture(_window_spec(place, masked=allowed is not None), data, alt_text)


def _place(n_rows: int, n_columns: int) -> Layout:
    return Layout(n_rows, n_columns, 13.0, 100.0, ROW_HEIGHT, HEADER)


def _cells(
    weights: NDArray[np.floating[Any]],
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    n: int,
    allowed: NDArray[np.bool_] | None,
) -> Columns:
    """One line a cell, as few bytes as it takes: the drawing works out the rest.

    There are thousands, and they are sent on every rerun; a label or a number as text is sent
    once and pointed to.
    """
    n_rows, n_columns = weights.shape
    row = np.repeat(np.arange(n_rows, dtype=np.uint8), n_columns)
    column = np.tile(np.arange(n_columns, dtype=np.uint8), n_rows)
    numbers = weights.ravel().astype(float)
    usable = np.ones(numbers.shape, bool) if allowed is None else allowed.ravel()
    kinds, which = np.unique(np.where(usable, numbers, np.nan), return_inverse=True)
    told = np.char.mod("%.4f", kinds).tolist()
    for place in np.flatnonzero(~(kinds >= 0.00005)):  # in full where four decimals say nothing
        value = kinds[place]
        told[place] = "not allowed by the mask" if np.isnan(value) else exact(value)
    shades = np.where(usable, shade_long(numbers, n), np.nan).astype(np.float32)
    columns: dict[str, Any] = {
        "r": row,
        "k": column,
        "shade": shades,
        "row": _pointed(row, row_labels),
        "column": _pointed(column, column_labels),
        "exact": _pointed(which, told),
    }
    return columns


def _pointed(which: NDArray[Any], texts: Sequence[str]) -> Any:
    """A column of texts in which each text stands once."""
    different = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    places = np.array([different[text] for text in texts], dtype=np.int16)
    return pd.Categorical.from_codes(places[which], categories=pd.Index([*different]))


@built_once(16)
def _window_spec(place: Layout, *, masked: bool) -> dict[str, Any]:
    # Scales that count cells: nothing is worked out for each of thousands but what it tells.
    step = 100 * place.cell_share
    left, top = place.cells_start / step, -place.header / place.row_height
    x = alt.X(
        "k:Q",
        scale=alt.Scale(domain=[-left - 0.5, 100 / step - left - 0.5], nice=False, zero=False),
        axis=None,
    )
    y = alt.Y(
        "r:Q",
        scale=alt.Scale(
            domain=[top - 0.5, place.n_rows - 0.5], reverse=True, nice=False, zero=False
        ),
        axis=None,
    )
    cells = alt.Chart(table("cells")).transform_calculate(
        told="datum.row + ' reads from ' + datum.column + ': ' + datum.exact"
    )
    rects = cells.mark_rect(
        stroke=None,
        aria=False,
        invalid=None,
        width={"expr": f"width * {place.cell_share:.6f}"},
        height=place.row_height,
    ).encode(
        x=x,
        y=y,
        tooltip=alt.Tooltip("told:N"),
        color=alt.Color("shade:Q", scale=WEIGHT, legend=None),
    )
    if masked:
        shown = alt.condition("isValid(datum.shade)", alt.value(1), alt.value(0))
        rects = rects.encode(opacity=shown)
    layers = [
        rects,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None), "weights"),
    ]
    chart = layered(*layers, apart=("color", "x", "y"))
    return drawing(chart, place.height, marks=2 * place.n_rows * place.n_columns)
