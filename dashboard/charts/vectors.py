"""Vectors side by side over their features: one place a feature, one mark a vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dashboard.charts.labels import signed_decimal
from dashboard.charts.palette import reach
from dashboard.charts.picture import Picture, drawing, table

ROW = 30
SHAPES = ("circle", "square", "diamond")  # one a vector, beside its colour
SIZES = (220, 110, 45)  # each smaller than the one below it, so that equal values all show


def vectors(
    named: Mapping[str, NDArray[np.floating[Any]]],
    features: Sequence[str],
    *,
    largest: float,
    alt_text: str,
) -> Picture:
    """Picture of two or three vectors of shape (n_features,), by name.

    They take the first colours of the palette in turn: what is looked at, then what the matrix
    does or copies, then what the vectors do or blend. `largest` is the largest size any of them
    may have here; the axis ends at the next power of two, so it does not move with the sharpness.
    """
    dots = pd.DataFrame(
        {
            "vector": np.repeat(list(named), len(features)),
            "feature": list(features) * len(named),
            "value": np.concatenate(list(named.values())).astype(float),
        }
    )
    dots["exact"] = [signed_decimal(value) for value in dots["value"]]
    return Picture(
        _vectors_spec(tuple(named), tuple(features), reach(largest, least=0.25)),
        {"dots": dots},
        alt_text,
    )


@lru_cache(maxsize=256)
def _vectors_spec(
    names: tuple[str, ...], features: tuple[str, ...], limit: float
) -> dict[str, Any]:
    dots = alt.Chart(table("dots"))
    x = alt.X(
        "value:Q",
        scale=alt.Scale(domain=[-limit, limit], nice=False),
        axis=alt.Axis(title=None, tickCount=5, grid=True, format="~g"),
    )
    y = alt.Y(
        "feature:N",
        scale=alt.Scale(domain=list(features)),
        axis=alt.Axis(title=None, ticks=False, domain=False, grid=True, labelLimit=140),
    )
    columns = len(names) if sum(map(len, names)) <= 20 else 1
    legend = alt.Legend(title=None, orient="top", columns=columns, labelLimit=320, symbolOpacity=1)
    chart = dots.mark_point(filled=True, opacity=1).encode(
        x=x,
        y=y,
        color=alt.Color(
            "vector:N", scale=alt.Scale(domain=list(names), range="category"), legend=legend
        ),
        shape=alt.Shape(
            "vector:N",
            scale=alt.Scale(domain=list(names), range=list(SHAPES[: len(names)])),
            legend=legend,
        ),
        size=alt.Size(
            "vector:N",
            scale=alt.Scale(domain=list(names), range=list(SIZES[: len(names)])),
            legend=legend,
        ),
        tooltip=[
            alt.Tooltip("vector:N", title="vector"),
            alt.Tooltip("feature:N", title="feature"),
            alt.Tooltip("exact:N", title="value"),
        ],
    )
    return drawing(
        chart, ROW * len(features) + (60 if columns > 1 else 110), marks=len(names) * len(features)
    )
