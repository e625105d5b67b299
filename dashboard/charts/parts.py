"""What one output is made of: a row a position, a column a feature, and their sum below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import Reading
from dashboard.charts.grid import grid
from dashboard.charts.labels import share
from dashboard.charts.palette import reach
from dashboard.charts.picture import Picture

MOST = 10  # positions shown one by one; the rest together in one row


def parts(
    reading: Reading,
    weights: NDArray[np.floating[Any]],
    labels: Sequence[str],
    features: Sequence[str],
    *,
    largest: float,
    alt_text: str,
) -> Picture:
    """Picture of a row's contributions, the strongest alone where there are many positions.

    `weights` is that row, shape (n_keys,). `largest` is the largest size of any value, which no
    contribution exceeds; it sets the scale, so that the scale does not move with the sharpness.
    """
    n = len(labels)
    shown = np.arange(n)
    if n > MOST + 2:
        shown = np.sort(np.argsort(-weights, kind="stable")[:MOST])
    others = np.ones(n, bool)
    others[shown] = False
    rest = np.flatnonzero(others)
    rows = [*reading.contributions[shown]]
    # What does not fit is cut at the end: the token, never its share or its position.
    names = [f"{share(weights[k])} of {labels[int(k)]}" for k in shown]
    if len(rest):
        rows.append(reading.contributions[rest].sum(axis=0))
        names.append(f"{share(weights[rest].sum())} of {len(rest)} others")
    rows.append(reading.output)
    names.append("sum = output")
    return grid(
        np.array(rows),
        names,
        features,
        limit=reach(largest),
        chosen=len(rows) - 1,
        row_height=30,
        labels_end=26.0,
        alt_text=alt_text,
    )
