"""What is said of any matrix of weights."""

from __future__ import annotations

import numpy as np

from core import Attention, Pooled
from dashboard.charts.labels import decimal
from dashboard.kinds import measured
from dashboard.words.tokens import counted, plain, those

FEW_COLUMNS = 16  # that have room for their labels on any page


def weights_name(n: int) -> str:
    """Accessible name of a matrix among several."""
    return f"attention weights of {counted(n, 'row')}, from 0 to 1."


def found(attention: Attention) -> str:
    """The copies and the blends among the rows of a read."""
    kinds = measured(attention).kinds
    told = []
    for what, plural in (
        ("copy", "Copies"),
        ("tie", "Ties"),
        ("blend", "Blends"),
        ("forced", "Forced"),
        ("no keys allowed", "No keys allowed"),
    ):
        rows = [row for row, kind in enumerate(kinds) if kind == what]
        if rows:
            told.append(f"{plural}: {those(attention.query_tokens, rows, plain, most=4)}")
    return ". ".join(told) or "All rows lie between copy and blend"


def largest(pooled: Pooled) -> str:
    """The largest weight of a long read."""
    return f"The largest weight is {decimal(float(np.nanmax(pooled.values, initial=0)))}"


def thinned(n: int) -> str:
    """What is said of column labels where a page may be too narrow for all of them."""
    if n <= FEW_COLUMNS:
        return ""
    return " Where columns are narrow, labels stand at even steps; point at a cell for its own."
