"""A head of seeded random matrices: nothing in the lesson depends on the hand-made one."""

import math

import numpy as np

from core.door import FloatArray
from core.hashing import hashed_uniform
from core.heads import ProjectedHead

D_MODEL, D_KEY, D_VALUE = 16, 8, 6
LARGEST_SEED = 9999


class RandomHead(ProjectedHead):
    """Head with token vectors and projections drawn from a hash.

    A token's vector depends on the token alone, the three projections on the seed alone; both
    are the same on every machine. Scores have a variance of about 1, so that rows lie between
    copy and blend.

    Parameters
    ----------
    seed : int, 0 to 9999

    Raises
    ------
    ValueError
        If the seed is no whole number from 0 to 9999.

    Examples
    --------
    >>> read = RandomHead(7).attend(["the", "cat", "the"])
    >>> np.array_equal(read.weights[0], read.weights[2])  # equal tokens ask alike
    True
    """

    def __init__(self, seed: int) -> None:
        whole = isinstance(seed, int | np.integer) and not isinstance(seed, bool)
        if not whole or not 0 <= seed <= LARGEST_SEED:
            raise ValueError(f"seed must be a whole number from 0 to {LARGEST_SEED}, got {seed!r}")
        self.seed = int(seed)
        self.name = f"random {self.seed}"
        self.feature_names = tuple(f"value {i}" for i in range(1, D_VALUE + 1))
        self.to_queries = self._projection("queries", D_KEY)  # (d_model, d_key)
        self.to_keys = self._projection("keys", D_KEY)  # (d_model, d_key)
        self.to_values = self._projection("values", D_VALUE)  # (d_model, d_value)

    def vector(self, token: str) -> FloatArray:
        """Vector of the token, of shape (d_model,), entries of mean 0 and variance 1."""
        return _centred(f"random head, token {token}", (D_MODEL,))

    def knows(self, token: str) -> bool:
        """Whether the head has a vector for the token: always, none is made by hand."""
        return True

    def _projection(self, role: str, width: int) -> FloatArray:
        """Matrix of shape (d_model, width) that keeps the variance of a vector's entries."""
        drawn = _centred(f"random head, seed {self.seed}, {role}", (D_MODEL, width))
        return drawn / math.sqrt(D_MODEL)


def _centred(label: str, shape: tuple[int, ...]) -> FloatArray:
    """Return entries that are uniform on ±sqrt(3): mean 0, variance 1."""
    return math.sqrt(3) * (2 * hashed_uniform(label, shape) - 1)
