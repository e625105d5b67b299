"""The first picture: what each row reads, and on the same row how spread that is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np

from core import Attention, copy_blend, effective_positions
from dashboard.charts.grid import (
    Layout,
    cells_frame,
    columns_frame,
    grid_layers,
    layout,
    rows_frame,
)
from dashboard.charts.labels import decimal
from dashboard.charts.palette import painted
from dashboard.charts.picture import Columns, Picture, drawing, table, tabulate

CELLS_END = 66.0
COPY, BLEND = 70.0, 86.0  # where the spread axis starts and ends
PICK = "pick"  # the selection that a click on a row makes


def spread(
    attention: Attention, labels: Sequence[str], *, chosen: int, moves: int, alt_text: str
) -> Picture:
    """Heatmap of the weights and, sharing its rows, each row's place between copy and blend.

    `moves` counts how often the chosen row changed: it makes a second click on a row a new click.
    """
    n = len(labels)
    place = layout(n, n, cells_end=CELLS_END)
    data = {
        "cells": cells_frame(
            attention.weights, labels, labels, place, "weights", allowed=attention.allowed
        ),
        "rows": {**rows_frame(labels, chosen), **_spread_columns(attention, labels)},
        "columns": columns_frame(labels, place),
        "ends": tabulate(at=[COPY, (COPY + BLEND) / 2, BLEND], name=["copy", "", "blend"]),
    }
    for name in ("cells", "rows"):
        data[name]["moves"] = np.full(len(data[name]["query"]), moves)
    return Picture(_spread_spec(place), data, alt_text)


def _spread_columns(attention: Attention, labels: Sequence[str]) -> Columns:
    spread_of_row = copy_blend(attention.weights, attention.allowed)
    positions = effective_positions(attention.weights)
    usable = attention.allowed.sum(axis=-1)
    words = [
        "no keys allowed" if k == 0 else "forced" if k == 1 else f"{decimal(p, 1)} of {k}"
        for p, k in zip(positions, usable, strict=True)
    ]
    shown = np.nan_to_num(spread_of_row, nan=0.0)
    return tabulate(
        start=COPY,
        at=np.where(np.isnan(spread_of_row), np.nan, COPY + (BLEND - COPY) * shown),
        positions=words,
        exact=[decimal(value, 3) for value in spread_of_row],
        words=[f"{r}: {w}" for r, w in zip(labels, words, strict=True)],
    )


@lru_cache(maxsize=256)
def _spread_spec(place: Layout) -> dict[str, Any]:
    rows, ends = alt.Chart(table("rows")), alt.Chart(table("ends"))
    y = alt.Y("y:Q", scale=place.y, axis=None)
    at = alt.X("at:Q", scale=place.x, axis=None)
    tooltip = [
        alt.Tooltip("row:N", title="row"),
        alt.Tooltip("exact:N", title="0 copy … 1 blend"),
        alt.Tooltip("positions:N", title="positions' worth"),
    ]
    small = place.row_height < 20
    guides = ends.mark_rule(strokeWidth=1, aria=False).encode(
        x=at, y=alt.YDatum(0, scale=place.y, axis=None), y2=alt.datum(place.n_rows)
    )
    names = ends.mark_text(
        baseline="bottom", fontSize={"expr": "width < 500 ? 10 : 13"}, aria=False
    ).encode(x=at, y=alt.YDatum(-5 / place.row_height, scale=place.y, axis=None), text="name:N")
    stem = rows.mark_rule(strokeWidth=2 if small else 4, aria=False, cursor="pointer").encode(
        x=alt.X("start:Q", scale=place.x, axis=None), x2="at:Q", y=y
    )
    head = rows.mark_point(
        filled=True, opacity=1, size=40 if small else 120, cursor="pointer"
    ).encode(x=at, y=y, tooltip=tooltip, description="words:N")
    worth = rows.mark_text(
        align="right",
        fontSize=10 if small else {"expr": "width < 500 ? 10 : 13"},
        cursor="pointer",
        limit={"expr": "width * 0.13"},
        aria=False,
    ).encode(x=alt.XDatum(100, scale=place.x, axis=None), y=y, text="positions:N", tooltip=tooltip)
    pick = alt.selection_point(
        name=PICK, fields=["query", "moves"], on="click", toggle=False, clear=False
    )
    layers = [
        *grid_layers(place, "weights"),
        painted(guides, "line"),
        painted(names, "muted"),
        painted(stem, "matrix"),
        painted(head, "matrix"),
        painted(worth, "ink"),
    ]
    layers[0] = layers[0].add_params(pick)
    chart = alt.layer(*layers).resolve_scale(color="independent")
    return drawing(chart, place.height, marks=2 * place.n_rows * place.n_columns)
