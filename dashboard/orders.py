"""New orders of positions 1 … n, by name; the same ones on every machine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core import hashed_uniform

Order = tuple[int, ...]


def swapped(n: int, one: int, other: int) -> Order:
    """The sentence as it stands, with two positions exchanged.

    Examples
    --------
    >>> swapped(6, 2, 6)
    (1, 6, 3, 4, 5, 2)
    """
    places = {one: other, other: one}
    return tuple(places.get(position, position) for position in range(1, n + 1))


def rotated(order: Sequence[int]) -> Order:
    """The order with its last position brought to the front.

    Examples
    --------
    >>> rotated((1, 2, 3))
    (3, 1, 2)
    """
    return (*order[-1:], *order[:-1])


def shuffled(n: int, seed: int) -> Order:
    """A shuffle that the seed decides.

    Examples
    --------
    >>> sorted(shuffled(5, 7)) == [1, 2, 3, 4, 5]
    True
    """
    draws = hashed_uniform(f"shuffle {seed}", n)
    return tuple(int(position) + 1 for position in np.argsort(draws, kind="stable"))
