"""A window of a long matrix, cell by cell: the same colours as the whole, words for each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.bitmap import image_layer, spot, spot_layer
from dashboard.charts.labels import FORBIDDEN, exact
from dashboard.charts.layout import Layout, column_layer, columns_frame, row_layers, rows_frame
from dashboard.charts.palette import DARK
from dashboard.charts.picture import (
    Picture,
    Spec,
    built_once,
    calculate,
    drawing,
    layered,
    tabulate,
)
from dashboard.charts.raster import address_parts, shade_long, to_bytes

ROW_HEIGHT, HEADER = 12, 76  # pixels
BARRED = "·"  # what stands among the numbers for a cell that a mask forbids


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
        rows = {**rows, "chosen": np.zeros(len(row_labels), bool)}
    usable = np.ones(weights.shape, bool) if allowed is None else allowed
    light, dark, rest = address_parts(to_bytes(np.where(usable, shade_long(weights, n), np.nan)))
    texts = " ".join(_told(weights, usable))
    data = {
        "cells": tabulate(light=[light], dark=[dark], rest=[rest], texts=[texts]),
        "rows": rows,
        "columns": columns_frame(column_labels, place),
    }
    return Picture(_window_spec(place, masked=allowed is not None), data, alt_text)


def _place(n_rows: int, n_columns: int) -> Layout:
    return Layout(n_rows, n_columns, 13.0, 100.0, ROW_HEIGHT, HEADER)


def _told(weights: NDArray[np.floating[Any]], usable: NDArray[np.bool_]) -> list[str]:
    """What each cell tells, row by row: `exact`, and a sign for what a mask forbids."""
    told = np.char.mod("%.4f", weights).astype(object)
    told[weights == 0] = exact(0)
    small = usable & (weights > 0) & (weights < 0.00005)
    for at in zip(*np.nonzero(small), strict=True):
        told[at] = exact(weights[at])
    texts: list[str] = np.where(usable, told, BARRED).ravel().tolist()
    return texts


@built_once(16)
def _window_spec(place: Layout, *, masked: bool) -> Spec:
    at = f"{place.n_columns} * (datum.query - 1) + datum.key - 1"
    told = f"split(datum.texts, ' ')[{at}]"
    cells = layered(
        image_layer(place, f"({DARK} ? datum.dark : datum.light) + datum.rest"),
        spot_layer(
            place,
            steps=calculate(
                told=f"{told} === '{BARRED}' ? '{FORBIDDEN}' : {told}" if masked else told
            ),
        ),
        data="cells",
    )
    chart = layered(
        cells,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None)),
        apart=("color", "x", "y", "stroke"),
    )
    return drawing(chart, place.height, params=[spot(place)])
