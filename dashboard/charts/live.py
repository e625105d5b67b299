"""Sharpness inside a picture: a parameter that a hand moves, and the softmax that follows it.

The picture holds the scores, and works out every weight from them by itself. So its tables stay the
same at every sharpness: the browser keeps what it has drawn, and a hand needs no server. `core` is
the reference; the tests hold the numbers drawn against it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.door import BoolArray, FloatArray
from core.softmax import tied_from
from dashboard.charts.picture import Columns, Spec, calculate, lookup, tabulate

SHARPEST = 16.0
STEP = 0.1  # of the control; the hand on the picture moves by hundredths
BEYOND = SHARPEST + 0.0001  # the limit of endless sharpness, where the control ends
NAME = "Sharpness β, live"
BEFORE = "_before"  # ends the names of what the first of two reads has


def here(sharpness: float) -> Columns:
    """The table of the sharpness that came with the numbers."""
    return tabulate(beta=[min(float(sharpness), BEYOND)])


def cells(scores: FloatArray, allowed: BoolArray) -> Columns:
    """One line a cell, row by row: where it is, and how far its score is from the top of the row.

    Its weight, what is written on it and said of it are worked out in the picture.
    """
    below = gaps(scores, allowed)
    return _by_cell(gap=below, allowed=usable(scores, allowed).astype(np.int8))


def usable(scores: FloatArray, allowed: BoolArray) -> BoolArray:
    """Which cells can have a weight: a score of −inf forbids one as a mask does."""
    usable: BoolArray = allowed & (scores > -np.inf)
    return usable


def gaps(scores: FloatArray, allowed: BoolArray) -> FloatArray:
    """How far each score is from the top of its row: 0 or less, and never endless."""
    allowed = usable(scores, allowed)
    floored = np.where(allowed, scores, np.finfo(np.float64).min)
    top = floored.max(axis=1, keepdims=True, initial=-1e300)
    with np.errstate(over="ignore"):
        below: FloatArray = floored - top
    below = np.where(allowed, np.maximum(below, -1e300), 0.0)  # sharpness 0 makes 0 of it
    below[floored >= tied_from(top)] = 0.0  # as at the limit, a sharpness like any other here
    return below


def given_cells(numbers: FloatArray) -> Columns:
    """One line a cell, row by row: where it is, and its number, whatever a mask says of it."""
    return _by_cell(number=numbers, allowed=np.ones(numbers.shape, np.int8))


def _by_cell(**matrices: NDArray[Any]) -> Columns:
    n_rows, n_columns = next(iter(matrices.values())).shape
    return tabulate(
        query=np.repeat(np.arange(1, n_rows + 1, dtype=np.int16), n_columns),
        key=np.tile(np.arange(1, n_columns + 1, dtype=np.int16), n_rows),
        **{name: matrix.ravel() for name, matrix in matrices.items()},
    )


def parameters(at_pointer: str = "", within: str = "", *, of: str = "here") -> list[Spec]:
    """The parameters of a picture: `given` from the server, `beta` in the picture, `sharp` of it.

    It is given in the first line of a table that a mark reads.

    `at_pointer` is the sharpness where the pointer is, and `within` says whether a hand may take
    hold there; both are Vega expressions. Without them no hand moves this picture, but the page
    does. The events of `beta` are Vega's own: Vega-Lite hands them on, though its schema does not
    list them.
    """
    held = {"type": "pointerdown", "filter": [within, "event.button === 0"]}
    moving = {
        "type": "pointermove",
        "source": "window",
        "between": [held, {"type": "pointerup", "source": "window"}],
    }
    by_hand = [{"events": [held, moving], "update": at_pointer}] if at_pointer else []
    return [
        {"name": "given", "expr": f"data('{of}')[0].beta"},
        {
            "name": "beta",
            "expr": "given",
            "bind": {"input": "range", "min": 0, "max": SHARPEST, "step": STEP, "name": NAME},
            "on": [{"events": {"signal": "given"}, "update": "given"}, *by_hand],
        },
        {"name": "sharp", "expr": f"beta < {BEYOND} ? beta : 1e308"},
    ]


def masses(of: str = "", *, pulls: bool = False) -> list[Spec]:
    """Steps that give a cell its `mass` at the sharpness in force, and the `total` of its row.

    A cell has `gap`, its score less the largest of its row, and `allowed`, 1 or 0. The `pull` of
    a row, for `spreads`, is its mean gap times `total`. `of` ends the names, where a cell has two
    of each.
    """
    mass, pulled = f"mass{of}", f"pulled{of}"
    steps = calculate(**{mass: f"exp(sharp * datum.gap{of}) * datum.allowed{of}"})
    sums = {mass: f"total{of}"}
    if pulls:
        steps += calculate(**{pulled: f"datum.{mass} * datum.gap{of}"})
        sums[pulled] = f"pull{of}"
    added = [{"op": "sum", "field": field, "as": name} for field, name in sums.items()]
    return [*steps, {"joinaggregate": added, "groupby": ["query"]}]


FIRST_OF_ROW = {"filter": "datum.key === 1"}  # the step from cells to rows


def spreads() -> list[Spec]:
    """Steps that give a row with `total` and `pull` its `share`, 0 copy … 1 blend, and `worth`.

    A row has `usable`, the number of its keys.
    """
    nats = "log(datum.total) - sharp * datum.pull / datum.total"
    return [
        lookup("rows", "query", "row", "moves", "chosen", "usable"),
        *calculate(
            nats=f"datum.usable > 1 ? max({nats}, 0) : 0",
            share="datum.usable < 2 ? null : min(datum.nats / log(datum.usable), 1)",
            worth="exp(datum.nats)",
        ),
    ]
