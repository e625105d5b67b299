"""What one read shows: each row between copy and blend, and what its output is made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core import (
    Attention,
    Head,
    attention_weights,
)
from core.compare import ROUNDING
from core.door import FloatArray
from core.reading import share_largest
from dashboard.charts.labels import decimal, percent
from dashboard.kinds import kinds_of, measured, taken_apart
from dashboard.words.matrix import found, thinned
from dashboard.words.tokens import Mark, counted, every, name, plain, several, those


def reads(attention: Attention, row: int, mark: Mark = plain, who: str = "") -> str:
    """What one row reads, as a sentence; `who` names a row that its record names too shortly.

    Examples
    --------
    >>> from core import LessonHead
    >>> reads(LessonHead().attend("the cat sat on the mat".split()), 2)
    '“sat” reads 77 % from “cat”: between copy and blend, 2.5 of 6 positions’ worth.'
    """
    who = who or name(attention.query_tokens, row, mark)
    rows = measured(attention)
    what, usable = rows.kinds[row], rows.usable[row]
    if what == "no keys allowed":
        return f"{who} may read nothing: no keys allowed, so its output is 0."
    strongest = rows.strongest[row]
    names = those(attention.key_tokens, strongest, mark)
    if what == "forced":
        return f"{who} reads 100 % from {names}: forced, the only key it may use."
    positions = decimal(rows.positions[row], 1)
    worth = f"{positions} of {usable} positions’ worth"
    share = percent(rows.largest[row])
    if len(strongest) == usable:
        return f"{who} reads {every(usable, 'position')} alike, {share} each: a blend, {worth}."
    if len(strongest) > 1:
        share = f"{share} each"
    tail = {
        "copy": f"nearly a copy, {worth}",
        "between": f"between copy and blend, {worth}",
        "blend": f"a blend, {worth}",
        "tie": f"a tie, {worth}",
    }[what]
    if what == "copy" and len(strongest) == 1 and rows.largest[row] == 1:
        tail = f"a copy, {worth}"
    return f"{who} reads {share} from {names}: {tail}."


def spread_name(attention: Attention) -> str:
    """Accessible name of the first picture: the copies and the blends among its rows."""
    rows = counted(len(attention.query_tokens), "row")
    return f"Attention weights of {rows}, each on a scale from copy to blend. {found(attention)}."


def legend(attention: Attention) -> str:
    """What colour and signs mean in the first picture."""
    text = "Colour and number: the weight with which a row reads a column, from 0 to 1."
    if not attention.allowed.all():
        text += " A dot: the mask does not allow it."
    return text + thinned(len(attention.key_tokens))


def unknown(head: Head, tokens: Sequence[str], mark: Mark = plain) -> str:
    """Which words the head does not know; empty where it knows them all."""
    words = [mark(token) for token in dict.fromkeys(tokens) if not head.knows(token)]
    if not words:
        return ""
    what = "it a vector of its own" if len(words) == 1 else "them vectors of their own"
    return f"The lesson does not know {several(words, 6)} and gives {what}, the same every time."


def between(attention: Attention, row: int, mark: Mark = plain) -> str:
    """How far a row's output lies from its copy and from its blend."""
    reading = taken_apart(attention, row)
    if not reading.strongest:
        return "No key is allowed, so there is nothing to copy or to blend; the output is 0."
    names = those(attention.key_tokens, reading.strongest, mark)
    copied = f"the copy of {names}" if len(reading.strongest) == 1 else f"the mean of {names}"
    return (
        f"The output lies {_distance(reading.distance_to_copy)} from {copied} "
        f"and {_distance(reading.distance_to_blend)} from the plain average."
    )


def _distance(size: float) -> str:
    """A distance to two decimals, rounding told as 0."""
    return "0" if size <= ROUNDING else decimal(size, 2)


def parts_name(attention: Attention, row: int, who: str = "") -> str:
    """Accessible name of the contributions: who gives most to this output."""
    order = np.argsort(-attention.weights[row], kind="stable")[:3]
    given = [
        f"{percent(attention.weights[row, k])} of {name(attention.key_tokens, int(k))}"
        for k in order
        if attention.weights[row, k] > 0
    ]
    who = who or name(attention.query_tokens, row)
    return f"The output at {who} as a sum over positions: {several(given) or 'nothing'}."


def travelling(attention: Attention, paths: FloatArray, row: int, mark: Mark = plain) -> str:
    """Where rows stand at the sharp end, and which never leave the blend.

    `paths` has shape (n_sharpnesses, n_rows), the largest sharpness last.
    """
    tokens = attention.query_tokens
    last = paths[-1]
    choosing = attention.allowed.sum(axis=-1) > 1
    if not choosing.any():
        return "No row has more than one key to choose from, so none travels."
    sharpest = attention_weights(attention.scores, sharpness=16.0, allowed=attention.allowed)
    kinds = kinds_of(sharpest, attention.allowed, last, share_largest(sharpest))

    def those(what: str) -> list[str]:
        return [name(tokens, i, mark) for i in range(len(tokens)) if kinds[i] == what]

    stay = [name(tokens, int(i), mark) for i in np.flatnonzero(last > 1 - 1e-9)]
    copies, ties = those("copy"), those("tie")
    every = "every row" if choosing.all() else "every row with more than one key"
    parts = [f"At sharpness 0 {every} is a blend."]
    if ties:
        parts.append(f"At 16, {several(ties, 6)} {'ends' if len(ties) == 1 else 'end'} in a tie.")
    if copies:
        is_copy = "is nearly a copy" if len(copies) == 1 else "are nearly copies"
        parts.append(f"At 16, {several(copies, 6)} {is_copy}.")
    if stay:
        looks = (
            "scores all keys alike and stays" if len(stay) == 1 else "score all keys alike and stay"
        )
        parts.append(f"{several(stay, 6)} {looks} a blend at every sharpness.")
    return " ".join(parts)
