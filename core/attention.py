"""One head's read: queries ask, keys answer, values are mixed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from core.door import (
    BoolArray,
    FloatArray,
    Record,
    as_allowed,
    as_finite_matrix,
    as_number,
    as_queries_and_keys,
    as_scores,
    as_tokens,
    as_whole,
    read_only,
)
from core.products import PairScores, mix
from core.rows import cut, row_blocks
from core.softmax import write_weights


@dataclass(frozen=True, eq=False)
class Attention(Record):
    """Record of one read; row = the position that reads, column = the position that is read.

    The arrays are read-only: copies, but of what nobody can write to.

    Attributes
    ----------
    query_tokens : tuple of str, n_queries long
    key_tokens : tuple of str, n_keys long
    scores : ndarray of shape (n_queries, n_keys)
        ``queries @ keys.T / sqrt(d_key)``, before sharpness and before ``allowed``.
    weights : ndarray of shape (n_queries, n_keys)
        Rows sum to 1; a row without an allowed key is 0.
    values : ndarray of shape (n_keys, d_value)
    outputs : ndarray of shape (n_queries, d_value)
        ``weights @ values``.
    allowed : boolean ndarray of shape (n_queries, n_keys)
        Which keys each query may use.
    """

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    scores: FloatArray
    weights: FloatArray
    values: FloatArray
    outputs: FloatArray
    allowed: BoolArray

    def __post_init__(self) -> None:
        """Keep what nobody can write to."""
        for name in ("scores", "weights", "values", "outputs", "allowed"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    def at_sharpness(self, sharpness: float) -> "Attention":
        """The same read at another sharpness; its scores do not depend on it.

        Examples
        --------
        >>> read = attend(np.eye(2), np.eye(2), np.eye(2))
        >>> read.at_sharpness(0).weights
        array([[0.5, 0.5],
               [0.5, 0.5]])
        """
        weights = attention_weights(self.scores, sharpness=sharpness, allowed=self.allowed)
        outputs = mix(weights, self.values)  # (n_queries, d_value)
        for own in (weights, outputs):
            own.setflags(write=False)  # no one else has them: the record needs no copies
        return replace(self, weights=weights, outputs=outputs)


def attend(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    sharpness: float = 1.0,
    allowed: ArrayLike | None = None,
    query_tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
) -> Attention:
    """Scaled dot-product attention of one head, with all its steps.

    Equal keys tie bit for bit, at every size. A score depends on its own query and key alone, to
    the last bit; so an edit moves no other score. From 512 × 512 scores in float32 on, that holds
    up to rounding: an edit or a new order may move a score by up to
    ``2 * d_key * eps * |query| * |key| / sqrt(d_key)``, in practice by a few last places.

    Parameters
    ----------
    queries : ndarray of shape (n_queries, d_key)
    keys : ndarray of shape (n_keys, d_key)
    values : ndarray of shape (n_keys, d_value)
        All finite. float32 stays float32, integers become float64.
    sharpness : float, 0 to infinity
        Multiplies the scores: 1 / temperature. 1 is ordinary attention, 0 the plain average,
        ``numpy.inf`` the largest score alone.
    allowed : boolean ndarray of shape (n_queries, n_keys), optional
        Which keys each query may use; all of them if None.
    query_tokens, key_tokens : sequence of str, optional
        Names of the positions; "1", "2", ... if None.

    Returns
    -------
    Attention

    Raises
    ------
    ValueError
        If shapes do not fit together, a number is not finite, the scores overflow, or
        ``sharpness`` is negative or NaN.

    References
    ----------
    Vaswani et al., Attention Is All You Need, 2017, sec. 3.2.1. https://arxiv.org/abs/1706.03762

    Examples
    --------
    >>> read = attend([[2.0, 0, 0, 0]], [[1.0, 0, 0, 0], [0, 0, 0, 0]], [[1.0], [0.0]])
    >>> read.scores  # 2 * 1 / sqrt(4)
    array([[1., 0.]])
    >>> read.outputs.round(3)  # e / (e + 1)
    array([[0.731]])
    >>> np.allclose(read.outputs, read.weights @ read.values)
    True
    """
    queries, keys, values, names = as_read(queries, keys, values, query_tokens, key_tokens)
    scores = np.empty((len(queries), len(keys)), queries.dtype)
    PairScores(queries, keys).write(scores, slice(None))
    weights = attention_weights(scores, sharpness=sharpness, allowed=allowed)
    outputs = mix(weights, values)  # (n_queries, d_value)
    for own in (scores, weights, outputs):
        own.setflags(write=False)  # no one else has them: the record needs no copies
    return Attention(
        *names,
        scores=scores,
        weights=weights,
        values=values,
        outputs=outputs,
        allowed=as_allowed(allowed, scores.shape),
    )


def attention_weights(
    scores: ArrayLike, *, sharpness: float = 1.0, allowed: ArrayLike | None = None
) -> FloatArray:
    """Softmax of ``sharpness * scores`` over the allowed keys of each row.

    Parameters
    ----------
    scores : ndarray of shape (..., n_keys)
        Up to the largest float. -inf means "not allowed".
    sharpness : float, 0 to infinity
        0 gives 1/k on the k allowed keys, exactly; ``numpy.inf`` gives all weight to the largest
        score, ties shared equally. Scores tie that differ by rounding, 8 last places, alone.
    allowed : boolean ndarray of shape (n_queries, n_keys) or (..., n_keys), optional
        Which keys each row may use; all of them if None.

    Returns
    -------
    ndarray of shape (..., n_keys)
        Each row sums to 1, or is 0 where no key is allowed. float32 for float32 scores.

    Raises
    ------
    ValueError
        If a score is NaN or +inf, ``sharpness`` is negative or NaN, or ``allowed`` does not fit.

    References
    ----------
    Blanchard, Higham & Higham, Accurately computing the log-sum-exp and softmax functions,
    IMA J. Numer. Anal. 41, 2021. https://doi.org/10.1093/imanum/draa038

    Examples
    --------
    >>> attention_weights([[0.0, np.log(3.0)]])
    array([[0.25, 0.75]])
    >>> attention_weights([[3.0, 3.0, 1.0]], sharpness=np.inf)
    array([[0.5, 0.5, 0. ]])
    """
    scores = as_scores(scores)  # (..., n_keys)
    sharpness = as_number("sharpness", sharpness)
    weights = np.empty_like(scores)  # (..., n_keys)
    shape = math.prod(scores.shape[:-1]), scores.shape[-1]  # (n_rows, n_keys)
    flat, out = scores.reshape(shape), weights.reshape(shape)
    mask = None if allowed is None else as_allowed(allowed, scores.shape).reshape(shape)
    for rows in row_blocks(*shape):
        write_weights(out[rows], flat[rows], sharpness, cut(mask, rows))
    return weights


def causal(n: int) -> BoolArray:
    """Which keys each position may use when none may look ahead.

    Parameters
    ----------
    n : int
        Number of positions.

    Returns
    -------
    boolean ndarray of shape (n, n)
        True on and below the diagonal. Read-only: all rows are views of 2n - 1 cells.

    Raises
    ------
    ValueError
        If ``n`` is no whole number of 0 or more.

    Examples
    --------
    >>> causal(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    n = as_whole("n", n)
    cells = np.arange(max(0, 2 * n - 1)) < n  # n times True, then n - 1 times False
    cells.setflags(write=False)
    return sliding_window_view(cells, n)[::-1][:n]  # each row starts one cell before the last


def as_read(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    query_tokens: Sequence[str] | None,
    key_tokens: Sequence[str] | None,
) -> tuple[FloatArray, FloatArray, FloatArray, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the three matrices checked against each other, and a name for every position."""
    queries, keys = as_queries_and_keys(queries, keys)  # (n_queries, d_key), (n_keys, d_key)
    values = as_finite_matrix("values", values)  # (n_keys, d_value)
    if keys.shape[0] != values.shape[0]:
        raise ValueError(
            f"keys and values must have one row a key each, got {keys.shape} and {values.shape}"
        )
    names = (
        _names("query_tokens", query_tokens, len(queries)),
        _names("key_tokens", key_tokens, len(keys)),
    )
    return queries, keys, values, names


def _names(name: str, tokens: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Return one name a position: its token, or its place counted from 1."""
    if tokens is None:
        return _places(n)
    names = as_tokens(name, tokens)
    if len(names) != n:
        raise ValueError(f"{name} must name {n} positions, got {len(names)} tokens")
    return names


@lru_cache(maxsize=8)
def _places(n: int) -> tuple[str, ...]:
    """Return "1", "2", ... "n"."""
    return tuple(str(place) for place in range(1, n + 1))
