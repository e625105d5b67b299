"""An order of positions: each of them once, and the way back."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from core.door import as_whole


def inverse_order(order: Sequence[int]) -> tuple[int, ...]:
    """Order that undoes an order.

    Parameters
    ----------
    order : sequence of int, n long
        Positions counted from 0.

    Returns
    -------
    tuple of int, n long

    Raises
    ------
    ValueError
        If ``order`` is no order of n positions.

    Examples
    --------
    >>> inverse_order((2, 0, 1))
    (1, 2, 0)
    >>> [("on", "cat", "sat")[i] for i in (1, 2, 0)]
    ['cat', 'sat', 'on']
    """
    order = _places(order)
    order = check_order(order, len(order))
    return tuple(sorted(range(len(order)), key=order.__getitem__))


def check_order(order: Sequence[int], n: int) -> tuple[int, ...]:
    """Return the order as a tuple, each of the n positions once.

    Parameters
    ----------
    order : sequence of int
        Positions counted from 0.
    n : int
        Number of positions.

    Returns
    -------
    tuple of int, n long

    Raises
    ------
    ValueError
        If a position is missing, doubled, out of range or no whole number; says which.

    Examples
    --------
    >>> check_order([2, 0, 1], 3)
    (2, 0, 1)
    >>> check_order([2, 0, 7], 3)
    Traceback (most recent call last):
    ...
    ValueError: order must hold each position from 0 to 2 once, got 1 missing, 7 out of range
    """
    n, places = as_whole("n", n), _places(order)
    if sorted(places) == [*range(n)]:
        return places
    count = Counter(places)
    faults = [f"{i} missing" for i in range(n) if i not in count]
    faults += [f"{i} doubled" for i in sorted(count) if count[i] > 1 and 0 <= i < n]
    faults += [f"{i} out of range" for i in sorted(count) if not 0 <= i < n]
    whole = f"each position from 0 to {n - 1} once" if n else "no position"
    raise ValueError(f"order must hold {whole}, got {', '.join(faults)}")


def _places(order: Sequence[int]) -> tuple[int, ...]:
    """Return the order as a tuple of ints; an iterator would be used up, a set has no order."""
    in_order = isinstance(order, Sequence | np.ndarray)
    kinds = {type(i) for i in order} if in_order else set()
    if not in_order or not all(issubclass(k, int | np.integer) and k is not bool for k in kinds):
        raise ValueError(f"order must be a sequence of whole numbers, got {order!r}")
    return tuple(int(i) for i in order)
