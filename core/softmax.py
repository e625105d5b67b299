"""Softmax of a few rows: the steps that weights, spread and travel share."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.door import BoolArray, FloatArray

# Stands for minus infinity: exp(FLOOR) is 0 in every number type, and FLOOR * 0 is 0, not NaN.
FLOOR = -1000.0

# Last places of a score within which it ties with the largest: two sums of the same terms differ
# so far by rounding alone.
TIED = 8


@dataclass(frozen=True, eq=False)
class Rows:
    """Scores of a few rows, ready for any sharpness.

    Attributes
    ----------
    known : ndarray of shape (n_rows, n_keys)
        The scores; the lowest number where a key is not usable.
    top : ndarray of shape (n_rows, 1)
        The largest score of each row.
    usable : boolean ndarray of shape (n_rows, n_keys), or None if every key is
        Allowed, and with a score above -inf.
    """

    known: FloatArray
    top: FloatArray
    usable: BoolArray | None

    @classmethod
    def of(cls, scores: FloatArray, allowed: BoolArray | None) -> "Rows":
        """Scores below +inf, and which of them count; all if None."""
        lowest = float(np.finfo(scores.dtype).min)
        usable = None if allowed is None or allowed.all() else allowed
        if scores.min(initial=0) == -np.inf:
            scored = scores > -np.inf  # (n_rows, n_keys)
            usable = scored if usable is None else scored & usable
        known = scores if usable is None else np.where(usable, scores, lowest)
        return cls(known, known.max(axis=-1, keepdims=True, initial=lowest), usable)

    def gaps(self, sharpness: float, out: FloatArray) -> FloatArray:
        """``sharpness * (score - top)``, 0 at the top and ``FLOOR`` where the weight is 0."""
        if sharpness == np.inf:
            out[...] = np.where(self.known < tied_from(self.top), FLOOR, 0)
        else:
            with np.errstate(over="ignore"):  # to -inf
                if np.isinf(self.top.max(initial=0) - self.known.min(initial=0)):  # by halves
                    out[...] = (self.known / 2 - self.top / 2) * sharpness * 2
                else:
                    np.subtract(self.known, self.top, out=out)
                    out *= sharpness
            np.maximum(out, FLOOR, out=out)
        if self.usable is not None:
            np.copyto(out, FLOOR, where=~self.usable)
        return out

    def weights(self, sharpness: float, out: FloatArray) -> None:
        """Write rows that sum to 1, or are 0 where no key is usable."""
        np.exp(self.gaps(sharpness, out), out=out)  # 1 at the top
        total = out.sum(axis=-1, keepdims=True)  # (n_rows, 1)
        out /= np.where(total > 0, total, 1)

    def masses(self, sharpness: float, gap: FloatArray, mass: FloatArray) -> FloatArray:
        """Write the gaps and their ``exp``, 1 at the top; the sums of those, of shape (n_rows,)."""
        np.exp(self.gaps(sharpness, gap), out=mass)
        total: FloatArray = mass.sum(axis=-1)
        return total

    def entropy(self, sharpness: float, room: FloatArray) -> FloatArray:
        """Entropy of each row in nats, of shape (n_rows,); NaN without usable keys.

        ``room`` holds two matrices like the scores.
        """
        gap, mass = room  # each (n_rows, n_keys)
        return nats(gap, mass, self.masses(sharpness, gap, mass))


def tied_from(top: FloatArray) -> FloatArray:
    """The least numbers that tie with the largest of their rows, but for rounding.

    Examples
    --------
    >>> np.array([14 * 1.1 + 14 * 0.2, 14 * 1.0 + 14 * 0.3]) >= tied_from(np.array(18.2))
    array([ True,  True])
    """
    with np.errstate(over="ignore"):  # to -inf
        least: FloatArray = top - TIED * np.finfo(top.dtype).eps * np.abs(top)
    return least


def nats(gap: FloatArray, mass: FloatArray, total: FloatArray) -> FloatArray:
    """``ln Z - Σ gap exp(gap) / Z`` of each row, of shape (n_rows,); NaN where Z is 0.

    ``mass`` is ``exp(gap)`` and is used up; ``total`` is Z, its sum.
    """
    mass *= gap
    drop = mass.sum(axis=-1).astype(np.float64)  # (n_rows,), 0 or less
    held = np.where(total > 0, total, np.nan).astype(np.float64)  # (n_rows,)
    entropy: FloatArray = np.log(held) - drop / held
    return entropy


def write_weights(
    out: FloatArray, scores: FloatArray, sharpness: float, allowed: BoolArray | None
) -> None:
    """Write the softmax of ``sharpness * scores``; all of shape (n_rows, n_keys)."""
    kind = working_type(scores.dtype, sharpness)
    if kind == out.dtype:
        Rows.of(scores, allowed).weights(sharpness, out)
    else:
        room = np.empty(out.shape, kind)
        Rows.of(scores.astype(kind), allowed).weights(sharpness, room)
        out[...] = room


def working_type(kind: np.dtype[Any], sharpness: float) -> np.dtype[Any]:
    """Return the number type of the scores, or float64 where float32 cannot hold the sharpness."""
    limits = np.finfo(kind)
    fits = sharpness in (0, np.inf) or float(limits.tiny) <= sharpness <= float(limits.max)
    return kind if fits else np.dtype(np.float64)
