"""A matrix too large to draw, as blocks that a screen can hold."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from core.door import (
    BoolArray,
    FloatArray,
    IntArray,
    Record,
    as_floats,
    as_whole,
    read_only,
)

How: TypeAlias = Literal["max", "mean"]


@dataclass(frozen=True, eq=False)
class Pooled(Record):
    """A matrix in blocks; block (i, j) holds the cells between its edges.

    Attributes
    ----------
    values : ndarray of shape (n_row_blocks, n_column_blocks)
        NaN where every cell of the block is missing.
    row_edges : ndarray of int of shape (n_row_blocks + 1,)
    column_edges : ndarray of int of shape (n_column_blocks + 1,)
        Block i holds positions ``edges[i]`` to ``edges[i + 1] - 1``, counted from 0.
    """

    values: FloatArray
    row_edges: IntArray
    column_edges: IntArray

    def __post_init__(self) -> None:
        """Keep what nobody can write to."""
        for name in ("values", "row_edges", "column_edges"):
            object.__setattr__(self, name, read_only(getattr(self, name)))


def pool(matrix: ArrayLike, size: int, how: How = "max") -> Pooled:
    """Matrix in at most ``size`` blocks a side, as equal as whole positions allow.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_columns)
        NaN is a missing cell, left out of its block.
    size : int, 1 or more
        Most blocks a side. An axis of no more positions than that is left as it is.
    how : {"max", "mean"}
        Largest cell of each block, so that a single strong weight never vanishes, or the plain
        average of its cells.

    Returns
    -------
    Pooled
        float32 for a float32 matrix.

    Raises
    ------
    ValueError
        If the matrix has not two axes, ``size`` is no whole number of 1 or more, or ``how`` is
        none of the two.

    Examples
    --------
    >>> pooled = pool([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.25, 0.25, 0.5]], 2)
    >>> pooled.values
    array([[1.  , 0.  ],
           [0.25, 0.5 ]])
    >>> pooled.row_edges  # position 0 alone, then 1 and 2
    array([0, 1, 3])
    """
    cells = as_floats("matrix", matrix)  # (n_rows, n_columns)
    if cells.ndim != 2:
        raise ValueError(f"matrix must have two axes, got shape {cells.shape}")
    check_how(how)
    rows, columns = (edges(n, size) for n in cells.shape)
    values = _reduce(np.fmax, cells, rows, columns) if how == "max" else _mean(cells, rows, columns)
    return Pooled(values, rows, columns)


def mask_blocks(pooled: Pooled, allowed: BoolArray | None) -> Pooled:
    """Pooled matrix with NaN in the blocks that hold no allowed cell.

    Parameters
    ----------
    pooled : Pooled
        Of a matrix of shape (n_rows, n_columns).
    allowed : boolean ndarray of that shape, or None if every cell is allowed

    Examples
    --------
    >>> pooled = pool(np.zeros((2, 2)), 2)
    >>> mask_blocks(pooled, np.array([[True, False], [True, True]])).values
    array([[ 0., nan],
           [ 0.,  0.]])
    """
    if allowed is None:
        return pooled
    kind = np.dtype(np.bool_)
    across = reduce_blocks(np.logical_or, allowed, pooled.column_edges, 1, kind)
    there = reduce_blocks(np.logical_or, across, pooled.row_edges, 0, kind)
    values = np.where(there, pooled.values, np.nan).astype(pooled.values.dtype)
    return Pooled(values, pooled.row_edges, pooled.column_edges)


def check_how(how: How) -> None:
    """Refuse a way of pooling that there is not."""
    if how not in get_args(How):
        raise ValueError(f'how must be "max" or "mean", got {how!r}')


def edges(n: int, size: int) -> IntArray:
    """Return where blocks of n positions begin, and n: sizes differ by one at most."""
    n_blocks = min(n, as_whole("size", size, 1))
    starts: IntArray = np.arange(n_blocks + 1, dtype=np.intp) * n // max(1, n_blocks)
    return starts


def _mean(cells: FloatArray, rows: IntArray, columns: IntArray) -> FloatArray:
    """Return the average of the cells that are there, summed in float64."""
    there = np.multiply.outer(np.diff(rows), np.diff(columns))  # (n_row_blocks, n_column_blocks)
    missing = np.isnan(cells)  # (n_rows, n_columns)
    if missing.any():
        cells = np.where(missing, 0, cells)
        there = there - _reduce(np.add, missing, rows, columns)
    with np.errstate(invalid="ignore", over="ignore"):
        # Infinities of both signs have no average; a sum that overflows is taken by parts.
        sums = _reduce(np.add, cells, rows, columns)
        means = np.divide(sums, there, out=np.full_like(sums, np.nan), where=there > 0)
        over = np.isinf(sums)  # (n_row_blocks, n_column_blocks)
        if over.any():
            parts = _reduce(np.add, cells / there.max(), rows, columns)
            means[over] = parts[over] / there[over] * there.max()
            low, high = (_reduce(rule, cells, rows, columns) for rule in (np.fmin, np.fmax))
            means = np.clip(means, low, high)
    return np.asarray(means, dtype=cells.dtype)


def _reduce(
    rule: np.ufunc, cells: FloatArray | BoolArray, rows: IntArray, columns: IntArray
) -> FloatArray:
    """Return one number a block, by a rule for two cells; sums in float64."""
    kind = np.dtype(np.float64) if rule is np.add else cells.dtype
    return reduce_blocks(rule, reduce_blocks(rule, cells, rows, 0, kind), columns, 1, kind)


def reduce_blocks(
    rule: np.ufunc, cells: FloatArray | BoolArray, edges: IntArray, axis: int, kind: np.dtype[Any]
) -> FloatArray:
    """One row a block of rows (axis 0), or one column a block of columns (axis 1).

    The first of every block, then by the rule the second of every block, and so on: for the few
    positions of a block that is several times quicker than ``reduceat``.
    """
    starts, widths = edges[:-1], np.diff(edges)  # (n_blocks,) each
    reduced: FloatArray = cells.take(starts, axis).astype(kind, copy=False)
    for step in range(1, widths.max(initial=0)):
        longer = np.flatnonzero(widths > step)
        if len(longer) == len(widths):
            rule(reduced, cells.take(starts + step, axis), out=reduced)
            continue
        some = (longer, slice(None)) if axis == 0 else (slice(None), longer)
        reduced[some] = rule(reduced[some], cells.take(starts[longer] + step, axis))
    return reduced
