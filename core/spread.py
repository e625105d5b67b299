"""How far each row spreads its weight, measured without keeping the weights."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.door import (
    BoolArray,
    FloatArray,
    IntArray,
    Record,
    as_allowed,
    as_number,
    as_queries_and_keys,
    as_scores,
    read_only,
)
from core.measures import share_of_largest
from core.products import PairScores
from core.rows import block_shape, cut, row_blocks
from core.softmax import Rows, working_type


@dataclass(frozen=True, eq=False)
class Spread(Record):
    """How far rows of weights lie between copy and blend; row = the position that reads.

    Attributes
    ----------
    entropy : ndarray of float64 of shape (n_queries,) or (...)
        In nats: 0 for one key, ln k for k equal keys; NaN where no key is allowed.
    choices : ndarray of int of the same shape
        Number of allowed keys.
    """

    entropy: FloatArray
    choices: IntArray

    def __post_init__(self) -> None:
        """Keep what nobody can write to."""
        for name in ("entropy", "choices"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def copy_blend(self) -> FloatArray:
        """0 copy … 1 blend, one number a row; NaN where fewer than two keys are allowed."""
        return share_of_largest(self.entropy, self.choices)

    @property
    def effective_positions(self) -> FloatArray:
        """exp(entropy), one number a row, 1 to the number of allowed keys; NaN where 0 are."""
        return np.minimum(np.exp(self.entropy), self.choices)


def spread(
    queries: ArrayLike,
    keys: ArrayLike,
    *,
    sharpness: float = 1.0,
    allowed: ArrayLike | None = None,
) -> Spread:
    """Spread of the weights that queries give to keys; neither weights nor scores are kept.

    What `entropy` and `copy_blend` say of ``attend(...).weights``, in a few megabytes at any
    number of queries.

    Parameters
    ----------
    queries : ndarray of shape (n_queries, d_key)
    keys : ndarray of shape (n_keys, d_key)
        All finite.
    sharpness : float, 0 to infinity
        Multiplies the scores.
    allowed : boolean ndarray of shape (n_queries, n_keys), optional
        Which keys each query may use; all of them if None.

    Returns
    -------
    Spread
        Entropy right to 1e-12 nats for float64 scores, to 1e-5 for float32 up to sharpness 20.

    Raises
    ------
    ValueError
        As `attend` does.

    Examples
    --------
    >>> rows = spread([[1.0], [0.0]], [[0.0], [np.log(3.0)]])  # weights 1/4 3/4 and 1/2 1/2
    >>> rows.entropy.round(4), rows.copy_blend.round(4)
    (array([0.5623, 0.6931]), array([0.8113, 1.    ]))
    """
    queries, keys = as_queries_and_keys(queries, keys)  # (n_queries, d_key), (n_keys, d_key)
    shape = len(queries), len(keys)
    usable = None if allowed is None else as_allowed(allowed, shape)
    blocks = PairScores(queries, keys).blocks()
    nats = entropies(blocks, shape, [as_number("sharpness", sharpness)], usable)
    return Spread(nats[0], choices(usable, shape))


def spread_of_scores(
    scores: ArrayLike, *, sharpness: float = 1.0, allowed: ArrayLike | None = None
) -> Spread:
    """Spread of the weights that scores turn into; the weights are not kept.

    Parameters
    ----------
    scores : ndarray of shape (..., n_keys)
        Before softmax and before sharpness. -inf takes the weight of a key but leaves it among
        the choices, as `copy_blend` does: only ``allowed`` says what could be chosen.
    sharpness : float, 0 to infinity
    allowed : boolean ndarray of shape (n_queries, n_keys) or (..., n_keys), optional
        Which keys each row may use; all of them if None.

    Returns
    -------
    Spread
        Of shape (...), one number a row. Accurate as in `spread`.

    Raises
    ------
    ValueError
        As `attention_weights` does.

    Examples
    --------
    >>> spread_of_scores([[0.0, np.log(3.0)]], sharpness=np.inf).copy_blend
    array([0.])
    """
    scores = as_scores(scores)  # (..., n_keys)
    usable = None if allowed is None else as_allowed(allowed, scores.shape)
    rows = scores.reshape(math.prod(scores.shape[:-1]), scores.shape[-1])  # (n_rows, n_keys)
    blocks = ((some, rows[some]) for some in row_blocks(*rows.shape))
    flat = None if usable is None else usable.reshape(rows.shape)
    nats = entropies(blocks, rows.shape, [as_number("sharpness", sharpness)], flat)
    return Spread(nats[0].reshape(scores.shape[:-1]), choices(usable, scores.shape))


def entropies(
    blocks: Iterable[tuple[slice, FloatArray]],
    shape: tuple[int, ...],
    sharpnesses: Sequence[float],
    usable: BoolArray | None,
) -> FloatArray:
    """Entropy of each row at each sharpness, of shape (n_sharpnesses, n_rows).

    Parameters
    ----------
    blocks : iterable of (slice, ndarray of shape (some rows, n_keys))
        Scores, a few rows at a time.
    shape : (n_rows, n_keys)
        Of all blocks together.
    sharpnesses : sequence of float, 0 to infinity
    usable : boolean ndarray of shape (n_rows, n_keys), or None if every key is

    Returns
    -------
    ndarray of float64
        In nats; NaN where no key has weight.
    """
    n_rows, n_keys = shape
    nats = np.empty((len(sharpnesses), n_rows))
    room: dict[np.dtype[Any], FloatArray] = {}
    for rows, scores in blocks:
        ready: dict[np.dtype[Any], Rows] = {}
        for step, sharpness in enumerate(sharpnesses):
            kind = working_type(scores.dtype, sharpness)
            if kind not in ready:
                ready[kind] = Rows.of(scores.astype(kind, copy=False), cut(usable, rows))
                room.setdefault(kind, np.empty((2, *block_shape(n_rows, n_keys)), kind))
            nats[step, rows] = ready[kind].entropy(sharpness, room[kind][:, : len(scores)])
    return nats


def choices(usable: BoolArray | None, shape: tuple[int, ...]) -> IntArray:
    """Number of allowed keys of each row."""
    if usable is None:
        return np.full(shape[:-1], shape[-1], dtype=np.intp)
    return np.asarray(np.count_nonzero(usable, axis=-1), dtype=np.intp)
