"""How far each row's output moved, and by which hand: the matrix or the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core import Comparison
from dashboard.charts.labels import decimal
from dashboard.charts.palette import ROLE, ROLES, painted, reach
from dashboard.charts.picture import Picture, drawing, table

SERIES = ("in all", "by the matrix", "by the vectors, as in a fixed mixer")
SHAPES = ("circle", "square", "diamond")
LABELS = 0.22  # of the axis, left of 0, for the row labels


def moves(comparison: Comparison, labels: Sequence[str], *, chosen: int, alt_text: str) -> Picture:
    """Picture of three lengths a row: of the whole move and of its two parts.

    The axis ends at the first of ¼, ½, 1, 2 … that holds them all.
    """
    parts = (comparison.moved, comparison.matrix_part, comparison.vector_part)
    lengths = [np.linalg.norm(part, axis=1) for part in parts]
    n = len(labels)
    row = np.tile(np.arange(n), len(SERIES))
    series = np.repeat(np.arange(len(SERIES)), n)
    length = np.concatenate(list(lengths)).astype(float)
    bars = pd.DataFrame(
        {
            "row": [labels[i] for i in row],
            "series": [SERIES[s] for s in series],
            "role": [ROLES[s] for s in series],
            "length": length,
            "zero": 0.0,
            "y": row + 0.26 + 0.24 * series,
            "exact": [decimal(value) for value in length],
        }
    )
    rows = pd.DataFrame(
        {"row": list(labels), "y": np.arange(n) + 0.5, "chosen": np.arange(n) == chosen}
    )
    limit = reach(float(length.max(initial=0)), least=0.25)
    return Picture(_moves_spec(n, limit), {"bars": bars, "rows": rows}, alt_text)


@lru_cache(maxsize=256)
def _moves_spec(n: int, limit: float) -> dict[str, Any]:
    bars, rows = alt.Chart(table("bars")), alt.Chart(table("rows"))
    row_height = int(np.clip(300 // max(n, 1), 20, 46))
    x_scale = alt.Scale(domain=[-LABELS * limit, limit], nice=False)
    ticks = [limit * part / 4 for part in range(5)]
    x_axis = alt.Axis(title=None, values=ticks, format="~g", domain=False, ticks=False)
    x = alt.X("length:Q", scale=x_scale, axis=x_axis)
    y = alt.Y("y:Q", scale=alt.Scale(domain=[0, n], reverse=True, nice=False), axis=None)
    names = list(SERIES)
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=340, symbolOpacity=1)
    color = alt.Color("series:N", scale=alt.Scale(domain=names, range="category"), legend=legend)
    stems = bars.mark_rule(strokeWidth=3, aria=False).encode(
        x=alt.X("zero:Q", scale=x_scale, axis=x_axis),
        x2="length:Q",
        y=y,
        color=alt.Color("role:N", scale=ROLE, legend=None),
    )
    heads = bars.mark_point(filled=True, opacity=1, size=70).encode(
        x=x,
        y=y,
        color=color,
        shape=alt.Shape(
            "series:N", scale=alt.Scale(domain=names, range=list(SHAPES)), legend=legend
        ),
        tooltip=[
            alt.Tooltip("row:N", title="row"),
            alt.Tooltip("series:N", title="moved"),
            alt.Tooltip("exact:N", title="distance"),
        ],
    )
    style: dict[str, Any] = {
        "align": "right",
        "fontSize": 13 if row_height >= 20 else 11,
        "limit": {"expr": f"width * {LABELS / (1 + LABELS) - 0.02:.3f}"},
    }
    at: dict[str, Any] = {"x": alt.XDatum(-0.02 * limit, scale=x_scale, axis=x_axis), "y": y}
    plain = rows.mark_text(**style).encode(**at, text="row:N").transform_filter("!datum.chosen")
    bold = rows.mark_text(**style, fontWeight="bold").encode(**at, text="row:N")
    chart = alt.layer(
        stems,
        heads,
        painted(plain, "muted"),
        painted(bold.transform_filter("datum.chosen"), "accent"),
    ).resolve_scale(color="independent")
    return drawing(chart, row_height * n + 110, marks=6 * n)
