"""What one output is made of, and how far it lies from a copy and from a blend."""

import math
from dataclasses import dataclass

import numpy as np

from core.attention import Attention
from core.door import BoolArray, FloatArray, Record, as_read, read_only


@dataclass(frozen=True, eq=False)
class Reading(Record):
    """One row of a read, taken apart.

    Attributes
    ----------
    strongest : tuple of int
        The keys that share the row's largest weight, from 0; empty where no key is allowed.
    contributions : ndarray of shape (n_keys, d_value)
        Each key's weight times its value vector; they sum to `output`.
    output : ndarray of shape (d_value,)
    copy : ndarray of shape (d_value,)
        Value vector of the strongest key, the plain average of them where they tie.
    blend : ndarray of shape (d_value,)
        Plain average of the value vectors of all allowed keys.
    """

    strongest: tuple[int, ...]
    contributions: FloatArray
    output: FloatArray
    copy: FloatArray
    blend: FloatArray

    @property
    def distance_to_copy(self) -> float:
        """Euclidean distance of the output from the copy; NaN where no key is allowed."""
        return math.dist(self.output, self.copy)

    @property
    def distance_to_blend(self) -> float:
        """Euclidean distance of the output from the blend; NaN where no key is allowed."""
        return math.dist(self.output, self.blend)


def read_row(attention: Attention, row: int) -> Reading:
    """One row of a read, taken apart into what each key gives to the output.

    Parameters
    ----------
    attention : Attention
        Of n_queries rows.
    row : int, 0 to n_queries - 1

    Returns
    -------
    Reading

    Raises
    ------
    ValueError
        If there is no such row.

    Examples
    --------
    >>> from core import attend
    >>> attention = attend(np.eye(2), np.eye(2), np.array([[1.0], [3.0]]), sharpness=0)
    >>> reading = read_row(attention, 0)
    >>> reading.contributions.sum(axis=0), reading.blend, reading.distance_to_blend
    (array([2.]), array([2.]), 0.0)
    """
    attention = as_read("attention", attention, Attention)
    n_queries = len(attention.weights)
    if n_queries == 0:
        raise ValueError(f"row must be one of the read, which has none, got {row!r}")
    whole = isinstance(row, (int, np.integer)) and not isinstance(row, bool)
    if not (whole and 0 <= row < n_queries):
        raise ValueError(f"row must be a whole number from 0 to {n_queries - 1}, got {row!r}")
    weights = attention.weights[row]  # (n_keys,)
    contributions = weights[:, None] * attention.values  # (n_keys, d_value)
    strongest = strongest_keys(weights)
    top = list(strongest)
    return Reading(
        strongest,
        read_only(contributions),
        read_only(attention.outputs[row]),
        read_only(_average(attention.values[top])),
        read_only(_average(attention.values[attention.allowed[row]])),
    )


def strongest_keys(weights: FloatArray) -> tuple[int, ...]:
    """The keys that share the largest weight of a row of shape (n_keys,); none if all are 0.

    Weights share it that differ by rounding alone: that of the scores, made larger by the
    sharpness, up to the root of a last place.

    Examples
    --------
    >>> strongest_keys(np.array([0.1, 0.45, 0.45 - 1e-16]))
    (1, 2)
    """
    return tuple(np.flatnonzero(share_largest(weights)).tolist())


def share_largest(weights: FloatArray) -> BoolArray:
    """Which keys `strongest_keys` are, of rows of shape (..., n_keys).

    Examples
    --------
    >>> share_largest(np.array([[0.1, 0.45, 0.45], [0.0, 0.0, 0.0]])).astype(int)
    array([[0, 1, 1],
           [0, 0, 0]])
    """
    largest = weights.max(axis=-1, keepdims=True, initial=0)  # (..., 1)
    near = math.sqrt(np.finfo(weights.dtype).eps) * largest
    share: BoolArray = (weights >= largest - near) & (weights > 0)
    return share


def _average(vectors: FloatArray) -> FloatArray:
    """Plain average of vectors of shape (n, d); NaN where there are none."""
    if len(vectors) == 0:
        return np.full(vectors.shape[1], np.nan, vectors.dtype)
    with np.errstate(over="ignore"):
        average: FloatArray = vectors.mean(axis=0)  # (d,)
        if np.isinf(average).any():  # the sum overflowed; the average lies between its vectors
            parts = (vectors / len(vectors)).sum(axis=0)  # (d,)
            average = np.clip(parts, vectors.min(axis=0), vectors.max(axis=0))
    return average
