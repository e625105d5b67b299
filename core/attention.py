"""One head's read: queries ask, keys answer, values are mixed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.door import (
    BoolArray,
    FloatArray,
    as_allowed,
    as_finite_matrix,
    as_floats,
    as_number,
    as_tokens,
    read_only,
    refuse,
)


@dataclass(frozen=True, eq=False)
class Attention:
    """Record of one read; row = the position that reads, column = the position that is read.

    The arrays are read-only copies.

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
        """Keep read-only copies."""
        for name in ("scores", "weights", "values", "outputs", "allowed"):
            object.__setattr__(self, name, read_only(getattr(self, name)))


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
    queries = as_finite_matrix("queries", queries)  # (n_queries, d_key)
    keys = as_finite_matrix("keys", keys)  # (n_keys, d_key)
    values = as_finite_matrix("values", values)  # (n_keys, d_value)
    if keys.shape[0] != values.shape[0]:
        raise ValueError(
            f"keys and values must have one row a key each, got {keys.shape} and {values.shape}"
        )
    d_key = queries.shape[1]
    if keys.shape[1] != d_key or d_key == 0:
        raise ValueError(
            f"queries and keys must share d_key >= 1, got {queries.shape} and {keys.shape}"
        )
    scores = _sum_products("scores", "qd,kd->qk", queries, keys) / math.sqrt(d_key)
    allowed = as_allowed(allowed, scores.shape)  # (n_queries, n_keys)
    weights = attention_weights(scores, sharpness=sharpness, allowed=allowed)
    outputs = _sum_products("outputs", "qk,kd->qd", weights, values)  # (n_queries, d_value)
    n_queries, n_keys = scores.shape
    return Attention(
        query_tokens=_names("query_tokens", query_tokens, n_queries),
        key_tokens=_names("key_tokens", key_tokens, n_keys),
        scores=scores,
        weights=weights,
        values=values,
        outputs=outputs,
        allowed=allowed,
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
        score, ties shared equally.
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
    scores = as_floats("scores", scores)  # (..., n_keys)
    if scores.ndim == 0:
        raise ValueError(f"scores must have an axis of keys, got the single number {scores}")
    refuse("scores", "finite or -inf", scores, ~(scores < np.inf))
    sharpness = as_number("sharpness", sharpness)
    usable = as_allowed(allowed, scores.shape) & (scores > -np.inf)  # (..., n_keys)
    known = np.where(usable, scores, 0).astype(np.float64)  # (..., n_keys)
    lowest = np.finfo(np.float64).min
    top = known.max(axis=-1, keepdims=True, initial=lowest, where=usable)  # (..., 1)
    if sharpness == np.inf:
        mass = ((known == top) & usable).astype(np.float64)  # (..., n_keys)
    else:
        half_gap = known / 2 - top / 2  # (..., n_keys), halves: a whole gap may overflow
        with np.errstate(over="ignore"):  # to -inf, whose weight is 0
            gap = half_gap * sharpness * 2  # (..., n_keys)
        mass = np.exp(np.where(usable, gap, -np.inf))  # (..., n_keys), 1 at the top
    total = mass.sum(axis=-1, keepdims=True)  # (..., 1), 0 where no key is allowed
    weights = np.divide(mass, total, out=np.zeros_like(mass), where=total > 0)  # (..., n_keys)
    return np.asarray(weights, dtype=scores.dtype)


def causal(n: int) -> BoolArray:
    """Which keys each position may use when none may look ahead.

    Parameters
    ----------
    n : int
        Number of positions.

    Returns
    -------
    boolean ndarray of shape (n, n)
        True on and below the diagonal.

    Examples
    --------
    >>> causal(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(n, dtype=np.bool_)


def _sum_products(name: str, axes: str, left: FloatArray, right: FloatArray) -> FloatArray:
    """Return a matrix product by einsum, refused where it overflows.

    A BLAS product sums a pair differently by its place in the matrix. einsum sums each pair
    alike: equal keys tie bit for bit, and an edit moves no other score.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # refused below
        product: FloatArray = np.einsum(axes, left, right)
    if not np.isfinite(product).all():
        raise ValueError(
            f"{name} must fit into {product.dtype}, got an overflow from products of numbers up "
            f"to {np.abs(left).max():.3g} and {np.abs(right).max():.3g}"
        )
    return product


def _names(name: str, tokens: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Return one name a position: its token, or its place counted from 1."""
    if tokens is None:
        return tuple(str(place) for place in range(1, n + 1))
    names = as_tokens(name, tokens)
    if len(names) != n:
        raise ValueError(f"{name} must name {n} positions, got {len(names)} tokens")
    return names
