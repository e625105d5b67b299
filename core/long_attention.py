"""One head's read of a long input: no matrix is kept, the rows asked for are computed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from core.attention import Attention, as_read, attention_weights
from core.door import (
    BoolArray,
    FloatArray,
    IntArray,
    as_allowed,
    as_finite_matrix,
    as_number,
    read_only,
)
from core.pooling import How, Pooled, check_how, edges, reduce_blocks
from core.products import PairScores, distinct, mix
from core.rows import block_shape, cut
from core.softmax import Rows, nats, working_type
from core.spread import Spread, choices
from core.travel import travel

Positions: TypeAlias = slice | int | Sequence[int] | IntArray


@dataclass(frozen=True, eq=False)
class Overview:
    """What a screen can hold of a large matrix of weights.

    Attributes
    ----------
    pooled : Pooled
        The weights in blocks.
    spread : Spread
        How far every row lies between copy and blend.
    """

    pooled: Pooled
    spread: Spread


@dataclass(frozen=True, eq=False)
class LongAttention:
    """Record of one read that keeps its vectors, and computes rows when they are asked for.

    The arrays are read-only. No method keeps anything, or holds more than the rows it returns and
    a few megabytes.

    Attributes
    ----------
    query_tokens : tuple of str, n_queries long
    key_tokens : tuple of str, n_keys long
    queries : ndarray of shape (n_queries, d_key)
    keys : ndarray of shape (n_keys, d_key)
    values : ndarray of shape (n_keys, d_value)
    sharpness : float
    allowed : boolean ndarray of shape (n_queries, n_keys), or None if every key is allowed
    """

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    queries: FloatArray
    keys: FloatArray
    values: FloatArray
    sharpness: float
    allowed: BoolArray | None

    def __post_init__(self) -> None:
        """Keep what nobody can write to."""
        for name in ("queries", "keys", "values"):
            object.__setattr__(self, name, read_only(getattr(self, name)))
        if self.allowed is not None:
            object.__setattr__(self, "allowed", read_only(self.allowed))

    def scores(self, rows: Positions) -> FloatArray:
        """Scores of some rows, as `Attention.scores` has them.

        Parameters
        ----------
        rows : int, slice, or sequence of int
            Positions that read, counted from 0.

        Returns
        -------
        ndarray of shape (n_rows, n_keys)
            One row for an int.

        Raises
        ------
        IndexError
            If there is no such position.
        """
        asking = self._rows(rows)  # (n_rows,)
        scores = np.empty((len(asking), len(self.keys)), self.queries.dtype)
        self._pairs.write(scores, asking)
        return scores

    def weights(self, rows: Positions) -> FloatArray:
        """Weights of some rows, of shape (n_rows, n_keys), as `Attention.weights` has them.

        Equal to the last bit, but for float32 vectors of 512 × 512 scores and more, where it is up
        to rounding. See `scores` for ``rows``.
        """
        asking = self._rows(rows)  # (n_rows,)
        return attention_weights(
            self.scores(asking), sharpness=self.sharpness, allowed=self._allowed(asking)
        )

    def outputs(self, rows: Positions) -> FloatArray:
        """``weights @ values`` of some rows, of shape (n_rows, d_value)."""
        return mix(self.weights(rows), self.values)

    def row(self, position: int) -> Attention:
        """One row as a read of its own: one query, all keys.

        Examples
        --------
        >>> read = attend_long(np.eye(3), np.eye(3), np.eye(3))
        >>> read.row(2).weights.shape, read.row(2).query_tokens
        ((1, 3), ('3',))
        """
        weights = self.weights(position)  # (1, n_keys)
        return Attention(
            query_tokens=(self.query_tokens[position],),
            key_tokens=self.key_tokens,
            scores=self.scores(position),
            weights=weights,
            values=self.values,
            outputs=mix(weights, self.values),
            allowed=as_allowed(self._allowed(self._rows(position)), weights.shape),
        )

    def travel(self, sharpnesses: ArrayLike, rows: Positions) -> FloatArray:
        """Copy-to-blend measure of some rows at every sharpness, (n_sharpnesses, n_rows)."""
        asking = self._rows(rows)  # (n_rows,)
        return travel(self.scores(asking), sharpnesses, allowed=self._allowed(asking))

    def overview(self, size: int, how: How = "max") -> Overview:
        """All weights in at most ``size`` blocks a side, and the spread of every row.

        One pass in float32: of weights to about 1e-6, and of rows that are asked alike only once.

        Parameters
        ----------
        size : int, 1 or more
            Most blocks a side, as in `pool`.
        how : {"max", "mean"}
            Largest weight of each block, so that a single strong one never vanishes, or the plain
            average.

        Returns
        -------
        Overview
            ``pooled`` in float32. Rows without an allowed key have weights of 0.

        Raises
        ------
        ValueError
            As `pool` does; or if a number does not fit into float32.

        Examples
        --------
        >>> read = attend_long([[1.0], [0.0]], [[0.0], [np.log(3.0)]], [[1.0], [2.0]])
        >>> read.overview(1).pooled.values  # the largest of 1/4 3/4 and 1/2 1/2
        array([[0.75]], dtype=float32)
        """
        check_how(how)
        shape = len(self.queries), len(self.keys)
        row_edges, column_edges = edges(shape[0], size), edges(shape[1], size)
        queries, keys = _small("queries", self.queries), _small("keys", self.keys)
        alike: IntArray | None = None
        if self.allowed is None:
            queries, alike = distinct(queries)  # (n_distinct, d_key), (n_queries,)
        rule, kind = (np.maximum, np.float32) if how == "max" else (np.add, np.float64)
        strips = np.empty((len(queries), len(column_edges) - 1), kind)
        entropy = np.empty(len(queries))
        working = working_type(queries.dtype, self.sharpness)
        room = np.empty((2, *block_shape(len(queries), shape[1])), working)
        for rows, scores in PairScores(queries, keys).blocks():
            ready = Rows.of(scores.astype(working, copy=False), cut(self.allowed, rows))
            gap, mass = room[:, : len(scores)]  # each (n_rows, n_keys)
            total = ready.masses(self.sharpness, gap, mass)  # (n_rows,)
            blocks = reduce_blocks(rule, mass, column_edges, 1, strips.dtype)
            np.divide(blocks, np.where(total > 0, total, 1)[:, None], out=strips[rows])
            entropy[rows] = nats(gap, mass, total)
        if alike is not None:
            strips, entropy = strips[alike], entropy[alike]
        blocks = reduce_blocks(rule, strips, row_edges, 0, strips.dtype)
        if how == "mean":
            blocks /= np.multiply.outer(np.diff(row_edges), np.diff(column_edges))
        return Overview(
            Pooled(blocks.astype(np.float32, copy=False), row_edges, column_edges),
            Spread(entropy, choices(self.allowed, shape)),
        )

    @cached_property
    def _pairs(self) -> PairScores:
        return PairScores(self.queries, self.keys)

    def _rows(self, rows: Positions) -> IntArray:
        """Return the positions as numbers from 0."""
        return np.atleast_1d(np.arange(len(self.queries))[rows])

    def _allowed(self, rows: IntArray) -> BoolArray | None:
        return None if self.allowed is None else self.allowed[rows]


def attend_long(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    sharpness: float = 1.0,
    allowed: ArrayLike | None = None,
    query_tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
) -> LongAttention:
    """Scaled dot-product attention of one head over an input too long to keep its matrix.

    Parameters
    ----------
    queries, keys, values, sharpness, allowed, query_tokens, key_tokens
        As in `attend`.

    Returns
    -------
    LongAttention

    Raises
    ------
    ValueError
        As `attend` does; where scores overflow, when they are asked for.

    Examples
    --------
    >>> read = attend_long(np.eye(3), np.eye(3), np.eye(3), sharpness=np.inf)
    >>> read.weights(1)
    array([[0., 1., 0.]])
    """
    queries, keys, values, names = as_read(queries, keys, values, query_tokens, key_tokens)
    usable = None if allowed is None else as_allowed(allowed, (len(queries), len(keys)))
    return LongAttention(
        *names,
        queries=queries,
        keys=keys,
        values=values,
        sharpness=as_number("sharpness", sharpness),
        allowed=usable,
    )


def _small(name: str, vectors: FloatArray) -> FloatArray:
    """Return the vectors in float32."""
    with np.errstate(over="ignore"):  # refused below
        small: np.ndarray[Any, np.dtype[np.float32]] = vectors.astype(np.float32, copy=False)
    return as_finite_matrix(name, small)
