"""How far a row of weights lies between copy and blend, and how far two rows lie apart."""

import math

import numpy as np
from numpy.typing import ArrayLike

from core.attention import attention_weights
from core.door import BoolArray, FloatArray, IntArray, as_allowed, as_floats, as_number, refuse
from core.rows import row_blocks

# Half precision keeps three digits: a row that reads 0.998 is a distribution, 0.865 is none.
ROW_SUM_TOLERANCE = 0.01


def entropy(weights: ArrayLike) -> FloatArray:
    """Shannon entropy of each row, in nats.

    0 for one key, ln k for k equal keys.

    Parameters
    ----------
    weights : ndarray of shape (..., n_keys)
        Rows that sum to 1 within 0.01; nothing is rescaled.

    Returns
    -------
    ndarray of shape (...)
        0 to ln n_keys for rows that sum to 1, a little more where one sums to more. NaN where a
        row is all 0 (no keys allowed) or holds a NaN.

    Raises
    ------
    ValueError
        If a weight is negative or infinite, or a row does not sum to 1.

    References
    ----------
    Shannon, A Mathematical Theory of Communication, 1948, sec. 6.
    https://doi.org/10.1002/j.1538-7305.1948.tb01338.x

    Examples
    --------
    >>> entropy([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]).round(4)
    array([0.    , 0.6931])
    """
    return _entropy(_checked_rows("weights", weights))


def copy_blend(weights: ArrayLike, allowed: ArrayLike | None = None) -> FloatArray:
    """Entropy of each row as a share of the largest it could have.

    0 where the row copies one position, 1 where it blends all allowed ones equally.

    Parameters
    ----------
    weights : ndarray of shape (..., n_keys)
        Rows that sum to 1 within 0.01.
    allowed : boolean ndarray of shape (n_queries, n_keys) or (..., n_keys), optional
        Which keys each row may use; all of them if None.

    Returns
    -------
    ndarray of shape (...)
        0 to 1. NaN where fewer than two keys are allowed: the row is forced.

    Raises
    ------
    ValueError
        If ``weights`` are no distributions, or there is weight on a key that is not allowed, in a
        row that has others.

    Examples
    --------
    >>> copy_blend([[1.0, 0.0], [0.5, 0.5]])
    array([0., 1.])
    >>> copy_blend([[1.0, 0.0], [0.5, 0.5]], allowed=[[True, False], [True, True]])
    array([nan,  1.])
    """
    rows = _checked_rows("weights", weights, allowed)  # (..., n_keys)
    choices = np.count_nonzero(as_allowed(allowed, rows.shape), axis=-1)  # (...)
    return share_of_largest(_entropy(rows), np.asarray(choices))


def effective_positions(weights: ArrayLike) -> FloatArray:
    """How many equal keys would have the entropy of each row.

    Parameters
    ----------
    weights : ndarray of shape (..., n_keys)
        Rows that sum to 1 within 0.01.

    Returns
    -------
    ndarray of shape (...)
        1 to n_keys: exp(entropy). NaN where no key is allowed.

    Raises
    ------
    ValueError
        If ``weights`` are no distributions.

    References
    ----------
    Hill, Diversity and Evenness, Ecology 54, 1973. https://doi.org/10.2307/1934352

    Examples
    --------
    >>> effective_positions([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0]])
    array([1., 2.])
    """
    rows = _checked_rows("weights", weights)  # (..., n_keys)
    return np.asarray(np.minimum(np.exp(_entropy(rows)), rows.shape[-1]))


def total_variation(p: ArrayLike, q: ArrayLike) -> FloatArray:
    """Half the L1 distance between matching rows.

    0 where the rows are equal, 1 where they share no key.

    Parameters
    ----------
    p, q : ndarray of shape (..., n_keys)
        Rows that sum to 1 within 0.01.

    Returns
    -------
    ndarray of shape (...)
        0 to 1. NaN where either row is all 0 (no keys allowed) or holds a NaN.

    Raises
    ------
    ValueError
        If the shapes differ, or the rows are no distributions.

    References
    ----------
    Levin, Peres & Wilmer, Markov Chains and Mixing Times, ch. 4.

    Examples
    --------
    >>> total_variation([[1.0, 0.0]], [[0.5, 0.5]])
    array([0.5])
    """
    p, q = _checked_rows("p", p), _checked_rows("q", q)  # (..., n_keys)
    if p.shape != q.shape:
        raise ValueError(f"p and q must have the same shape, got {p.shape} and {q.shape}")
    p_rows, q_rows = _flat(p), _flat(q)  # (n_rows, n_keys)
    distance = np.empty(len(p_rows))
    for some in row_blocks(*p_rows.shape):
        gap = p_rows[some].astype(np.float64)  # (some rows, n_keys)
        gap -= q_rows[some]
        distance[some] = np.minimum(np.abs(gap, out=gap).sum(axis=-1) / 2, 1.0)
    return np.where(_empty(p) | _empty(q), np.nan, distance.reshape(p.shape[:-1]))


def resharpen(weights: ArrayLike, sharpness: float, allowed: ArrayLike | None = None) -> FloatArray:
    """Weights as they would be at another sharpness: w**sharpness, back to a sum of 1.

    For recorded weights without scores. Softmax is for scores, never for weights.

    Parameters
    ----------
    weights : ndarray of shape (..., n_keys)
        Rows that sum to 1 within 0.01.
    sharpness : float, 0 to infinity
        Relative to the recording: 1 returns an unchanged copy, 0 gives 1/k on the k allowed keys,
        ``numpy.inf`` all to the largest weight, ties shared equally.
    allowed : boolean ndarray of shape (n_queries, n_keys) or (..., n_keys), optional
        Which keys each row may use; those with weight above 0 if None.

    Returns
    -------
    ndarray of shape (..., n_keys)
        0 where no key is allowed, NaN in rows that hold a NaN.

    Raises
    ------
    ValueError
        If ``weights`` are no distributions, there is weight on a key that is not allowed, in a
        row that has others, or ``sharpness`` is negative or NaN.

    Examples
    --------
    >>> resharpen([[0.97, 0.01, 0.01, 0.01]], 0.5).round(6)
    array([[0.766516, 0.077828, 0.077828, 0.077828]])
    """
    sharpness = as_number("sharpness", sharpness)
    rows = _checked_rows("weights", weights, allowed)  # (..., n_keys)
    if sharpness == 1:
        return rows.copy()
    given, rows = rows, rows.astype(np.float64)  # (..., n_keys)
    scores = np.log(rows, out=np.full_like(rows, -np.inf), where=rows > 0)  # (..., n_keys)
    if sharpness == 0 and allowed is not None:
        scores = np.zeros_like(rows)  # (..., n_keys), keys of weight 0 are let in again
    mixed = attention_weights(scores, sharpness=sharpness, allowed=allowed)  # (..., n_keys)
    missing = np.isnan(rows).any(axis=-1, keepdims=True)  # (..., 1)
    return np.where(missing, np.nan, mixed).astype(given.dtype)


def share_of_largest(entropy: FloatArray, choices: IntArray) -> FloatArray:
    """Entropy over that of equal weights on all choices; NaN where there are fewer than two."""
    share = np.minimum(entropy / np.log(np.maximum(choices, 2)), 1.0)
    return np.where(choices < 2, np.nan, share)


def _checked_rows(name: str, weights: ArrayLike, allowed: ArrayLike | None = None) -> FloatArray:
    """Return the rows in float32 or float64, each a distribution, all 0, or with a NaN."""
    rows = as_floats(name, weights)  # (..., n_keys)
    if rows.ndim == 0:
        raise ValueError(f"{name} must have an axis of keys, got the single number {rows}")
    refuse(name, "finite", rows, np.isinf(rows))
    refuse(name, "0 or more", rows, rows < 0)
    must_sum: BoolArray = ~_empty(rows)  # (...)
    if allowed is not None:
        usable = as_allowed(allowed, rows.shape)  # (..., n_keys)
        must_sum = np.asarray(usable.any(axis=-1))  # (...)
        # Of a row without any key some tools tell an even spread, others 0 or NaN: it has none.
        none = ~must_sum[..., None] & (rows > 0)  # (..., n_keys)
        rows = np.where(none, rows.dtype.type(0), rows) if none.any() else rows
        refuse(name, "0 where a key is not allowed", rows, ~usable & (rows > 0))
    with np.errstate(over="ignore"):  # refused below
        sums = rows.sum(axis=-1, dtype=np.float64)  # (...)
    wrong = must_sum & (np.abs(sums - 1) > ROW_SUM_TOLERANCE)  # (...)
    if wrong.any():
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"{name} must sum to 1 within {ROW_SUM_TOLERANCE} in every row, got "
            f"{np.count_nonzero(wrong)} of {wrong.size} that do not; "
            f"row {first} sums to {sums[first]:.6g}"
        )
    return rows


def _entropy(weights: FloatArray) -> FloatArray:
    """Entropy of checked rows, in float64 a few rows at a time."""
    flat = _flat(weights)  # (n_rows, n_keys)
    nats = np.empty(len(flat))
    for some in row_blocks(*flat.shape):
        rows = flat[some].astype(np.float64)  # (some rows, n_keys)
        logs = np.log(rows, out=np.zeros_like(rows), where=rows > 0)  # 0 ln 0 = 0
        logs *= rows
        nats[some] = np.maximum(0.0 - logs.sum(axis=-1), 0.0)  # never -0.0
    return np.where(_empty(weights), np.nan, nats.reshape(weights.shape[:-1]))


def _flat(rows: FloatArray) -> FloatArray:
    """Return the rows under each other, of shape (n_rows, n_keys)."""
    return rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])


def _empty(rows: FloatArray) -> BoolArray:
    """Return which rows are all 0: no keys allowed."""
    return np.asarray((rows == 0).all(axis=-1))
