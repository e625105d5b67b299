"""Softmax of a few rows: the steps that weights, spread and travel share."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.door import BoolArray, FloatArray

# Stands for minus infinity: exp(FLOOR) is 0 in every number type, and FLOOR * 0 is 0, not NaN.
FLOOR = -1000.0


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
        usable = allowed
        if scores.min(initial=0) == -np.inf:
            scored = scores > -np.inf  # (n_rows, n_keys)
            usable = scored if allowed is None else scored & allowed
        known = scores if usable is None else np.where(usable, scores, lowest)
        return cls(known, known.max(axis=-1, keepdims=True, initial=lowest), usable)

    def gaps(self, sharpness: float) -> FloatArray:
        """``sharpness * (score - top)``, 0 at the top and ``FLOOR`` where the weight is 0."""
        if sharpness == np.inf:
            gap = np.where(self.known < self.top, FLOOR, 0).astype(self.known.dtype)
        else:
            with np.errstate(over="ignore"):  # to -inf
                gap = self.known - self.top  # (n_rows, n_keys)
                if np.isneginf(gap.min(initial=0)):  # too wide: halves
                    gap = (self.known / 2 - self.top / 2) * sharpness * 2
                else:
                    gap *= sharpness
            np.maximum(gap, FLOOR, out=gap)
        if self.usable is not None:
            np.copyto(gap, FLOOR, where=~self.usable)
        return gap

    def weights(self, sharpness: float) -> FloatArray:
        """Rows that sum to 1, or are 0 where no key is usable."""
        mass: FloatArray = self.gaps(sharpness)  # (n_rows, n_keys)
        np.exp(mass, out=mass)  # 1 at the top
        total = mass.sum(axis=-1, keepdims=True)  # (n_rows, 1)
        mass /= np.where(total > 0, total, 1)
        return mass

    def entropy(self, sharpness: float) -> FloatArray:
        """``ln Z - Σ gap · exp(gap) / Z`` in nats, of shape (n_rows,); NaN without usable keys."""
        gap = self.gaps(sharpness)  # (n_rows, n_keys)
        mass = np.exp(gap)  # (n_rows, n_keys)
        total = mass.sum(axis=-1).astype(np.float64)  # (n_rows,), Z
        mass *= gap
        drop = mass.sum(axis=-1).astype(np.float64)  # (n_rows,), 0 or less
        held = np.where(total > 0, total, np.nan)  # (n_rows,)
        return np.log(held) - drop / held


def working_type(kind: np.dtype[Any], sharpness: float) -> np.dtype[Any]:
    """Return the number type of the scores, or float64 where float32 cannot hold the sharpness."""
    limits = np.finfo(kind)
    fits = sharpness in (0, np.inf) or limits.tiny <= sharpness <= limits.max
    return kind if fits else np.dtype(np.float64)
