"""A window of a long matrix, cell by cell: the same colours as the whole, words for each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.bitmap import LINES, by_key, image_layer, spot, spot_layer
from dashboard.charts.grid import Layout, column_layer, columns_frame, row_layers, rows_frame
from dashboard.charts.palette import DARK
from dashboard.charts.picture import (
    Columns,
    Picture,
    Spec,
    built_once,
    drawing,
    layered,
    tabulate,
)
from dashboard.charts.raster import address_parts, shade_long, to_bytes

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
    usable = np.ones(weights.shape, bool) if allowed is None else allowed
    told = by_key("w", np.where(usable, weights, np.nan))
    data = {
        "image": _image(np.where(usable, shade_long(weights, n), np.nan)),
        "lines": {"query": np.arange(1, len(weights) + 1), **told},
        "rows": rows,
        "columns": columns_frame(column_labels, place),
    }
    return Picture(_window_spec(place, masked=allowed is not None), data, alt_text)


def _place(n_rows: int, n_columns: int) -> Layout:
    return Layout(n_rows, n_columns, 13.0, 100.0, ROW_HEIGHT, HEADER)


def _image(shades: NDArray[np.floating[Any]]) -> Columns:
    light, dark, rest = address_parts(to_bytes(shades))
    return tabulate(light=[light], dark=[dark], rest=[rest])


@built_once(16)
def _window_spec(place: Layout, *, masked: bool) -> Spec:
    image = layered(
        image_layer(place, f"({DARK} ? datum.dark : datum.light) + datum.rest"),
        data="image",
    )
    number = "datum.line['w' + (datum.key - 1)]"
    told = layered(
        spot_layer(place, number=number, may=f"isValid({number})" if masked else ""),
        data="lines",
        steps=[LINES],
    )
    chart = layered(
        image,
        told,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None), "weights"),
        apart=("color", "x", "y", "stroke"),
    )
    return drawing(chart, place.height, marks=4 * place.n_rows, params=[spot(place)])
