"""What each row of a read is, copy, blend or between; worked out once for all its rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from core import Attention, Reading, entropy, read_row
from core.door import BoolArray, FloatArray
from core.measures import share_of_largest
from core.reading import share_largest

# A row is called a copy below the first, a blend above the second if no weight reaches a half,
# and a blend above the third in any case.
COPY_BELOW, BLEND_ABOVE, BLEND_SURELY = 0.25, 0.7, 0.95
NEARLY_ONE = 1.75  # positions' worth from which a row is no copy, however many there are


def kind(attention: Attention, row: int) -> str:
    """What a row is: copy, between, blend, tie, forced, or no keys allowed.

    A tie is a row whose largest weight is shared by some keys, yet not by all that are allowed.
    """
    return measured(attention).kinds[row]


@dataclass(frozen=True)
class Measures:
    """What sentences tell of the rows of a read, a line a row."""

    kinds: list[str]
    positions: list[float]  # effective ones
    usable: list[int]  # keys
    largest: list[float]  # weights
    sharing: BoolArray  # keys that share the largest weight
    taken_apart: dict[int, Reading]  # the rows that were asked for

    @cached_property
    def strongest(self) -> list[list[int]]:
        """The keys that share the largest weight; not every page tells them."""
        return _columns(self.sharing)


# A page tells every row several times over; its measures are worked out once.
_known: WeakKeyDictionary[Attention, Measures] = WeakKeyDictionary()


def measured(attention: Attention) -> Measures:
    """The measures of a read."""
    found = _known.get(attention)
    if found is None:
        weights, allowed = attention.weights, attention.allowed
        sharing, usable = share_largest(weights), np.asarray(allowed.sum(axis=-1))
        nats = entropy(weights)
        found = Measures(
            kinds_of(weights, allowed, share_of_largest(nats, usable), sharing),
            np.minimum(np.exp(nats), weights.shape[-1]).tolist(),
            usable.tolist(),
            weights.max(axis=-1, initial=0).tolist(),
            sharing,
            {},
        )
        _known[attention] = found
    return found


def _columns(where: BoolArray) -> list[list[int]]:
    """Where each row is true; of all rows at once, which a page of 64 of them waits for."""
    rows, columns = where.nonzero()
    ends = np.searchsorted(rows, np.arange(1, len(where)))
    return [part.tolist() for part in np.split(columns, ends)] if len(where) else []


def taken_apart(attention: Attention, row: int) -> Reading:
    """One row of a read, as `read_row` takes it apart."""
    known = measured(attention).taken_apart
    if row not in known:
        known[row] = read_row(attention, row)
    return known[row]


def kinds_of(
    weights: FloatArray, allowed: BoolArray, spreads: FloatArray, strongest: BoolArray
) -> list[str]:
    """What each row is, by its place between copy and blend and the keys that are strongest."""
    told = zip(
        allowed.sum(axis=-1).tolist(),
        spreads.tolist(),
        weights.max(axis=-1, initial=0).tolist(),
        strongest.sum(axis=-1).tolist(),
        strict=True,
    )
    kinds = []
    for row, (usable, spread, largest, sharing) in enumerate(told):
        if usable == 0:
            kinds.append("no keys allowed")
        elif usable == 1:
            kinds.append("forced")
        elif spread > BLEND_SURELY or (spread > BLEND_ABOVE and largest < 0.5):
            kinds.append("blend")
        elif 1 < sharing < usable and weights[row, strongest[row]].sum() > 0.5:
            kinds.append("tie")
        else:
            copies = spread < COPY_BELOW and usable**spread < NEARLY_ONE
            kinds.append("copy" if copies else "between")
    return kinds
