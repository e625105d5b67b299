"""Sentences about a view, computed from its numbers; tokens are marked by the caller's hand."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from core import (
    Attention,
    Comparison,
    Head,
    LongComparison,
    LongPermutationCheck,
    PermutationCheck,
    Reason,
    attention_weights,
)
from core.compare import ROUNDING
from core.door import FloatArray
from core.reading import share_largest
from dashboard.charts.labels import decimal, percent, visible
from dashboard.kinds import kinds_of, measured, taken_apart
from dashboard.link import SHORT, write_number

Mark = Callable[[str], str]


def plain(token: str) -> str:
    """A token in running text that nobody renders, such as an accessible name: “cat”."""
    return f"“{visible(token)}”"


def emphasised(token: str) -> str:
    """A token in running HTML: emphasised, escaped, and kept from turning its neighbours."""
    return f"<em><bdi>{html.escape(visible(token))}</bdi></em>"


def name(tokens: Sequence[str], position: int, mark: Mark = plain) -> str:
    """The token at a position, with the position wherever the token alone would not tell."""
    if len(tokens) <= SHORT:
        return _names(tuple(tokens), mark)[position]
    return _name(tokens[position], position, mark, list(tokens).count(tokens[position]))


@lru_cache(maxsize=32)
def _names(tokens: tuple[str, ...], mark: Mark) -> list[str]:
    """The names of all positions of a short sentence; a page tells each several times."""
    times = Counter(tokens)
    return [_name(token, i, mark, times[token]) for i, token in enumerate(tokens)]


def _name(token: str, position: int, mark: Mark, times: int) -> str:
    return mark(token) if times == 1 else f"{mark(token)} ({position + 1})"


def _those(tokens: Sequence[str], positions: Sequence[int], mark: Mark, most: int = 3) -> str:
    """The tokens at some positions as `several` tells them; no name is made that is not told."""
    told = [name(tokens, position, mark) for position in positions[: most + 1]]
    rest = [""] * (len(positions) - len(told))
    return several([*told, *rest], most)


def several(names: Sequence[str], most: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 4 more`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


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
    strongest = rows.strongest[row].nonzero()[0].tolist()
    names = _those(attention.key_tokens, strongest, mark)
    if what == "forced":
        return f"{who} reads 100 % from {names}: forced, the only key it may use."
    positions = decimal(rows.positions[row], 1)
    worth = f"{positions} of {usable} positions’ worth"
    share = percent(rows.largest[row])
    if len(strongest) == usable:
        return f"{who} reads all {usable} positions alike, {share} each: a blend, {worth}."
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


BECAUSE = {
    "score unchanged": "scores the new token as it scored the old one",
    "weight unchanged": "its weights did not move",
    "masked": "may not read the edited token",
    "no keys": "no keys allowed",
    "no edit": "no token was edited",
    "other settings": "the settings differ",
}


def because(reason: Reason) -> str:
    """Why a row moved or stayed, in a few words."""
    old, new = decimal(reason.weight_before), decimal(reason.weight_after)
    change = f"from {old} to {new}" if old != new else f"by less than 0.001, still {new}"
    itself = f"from {old} to {new}" if old != new else f"still {new}"
    match reason.kind:
        case "new query":
            return f"new query; weight on itself {itself}"
        case "reads more" | "reads less":
            return f"reads the edited token {reason.kind.removeprefix('reads ')}, {change}"
        case _:
            return BECAUSE[reason.kind]


def moved_rows(
    comparison: Comparison | LongComparison, tolerance: float, mark: Mark = plain
) -> str:
    """Which rows an edit moved, and which it left, as one sentence."""
    tokens = comparison.after.query_tokens
    changed = comparison.changed(tolerance)
    moved, fixed = np.flatnonzero(changed).tolist(), np.flatnonzero(~changed).tolist()
    small = (comparison.row_shift > ROUNDING) & ~changed  # moved, yet within the tolerance
    limit = write_number(tolerance)
    if not moved:
        over = f" by more than {limit}" if small.any() else ""
        return f"No row of the matrix moved{over}."
    if not fixed:
        return "Every row of the matrix moved."
    rows = "row" if len(moved) == 1 else "rows"
    stay = "stays" if len(fixed) == 1 else "stay"
    move = "moves" if len(moved) == 1 else "move"
    still = f"{stay} within {limit}" if small.any() else f"{stay} fixed"
    who, others = _those(tokens, moved, mark, 6), _those(tokens, fixed, mark, 6)
    return f"The {rows} of {who} {move}; {others} {still}."


def verdicts(comparison: Comparison | LongComparison, tolerance: float) -> list[str]:
    """Whether each row moved, stayed, or moved too little to count."""
    changed = comparison.changed(tolerance).tolist()
    some = (comparison.row_shift > ROUNDING).tolist()
    return [
        "moved" if moved else "within" if little else "fixed"
        for moved, little in zip(changed, some, strict=True)
    ]


def shift(size: float) -> str:
    """How far a row moved; rounding is told as what it is."""
    return "≈0" if 0 < size <= ROUNDING else decimal(size)


def spread_name(attention: Attention) -> str:
    """Accessible name of the first picture: the copies and the blends among its rows."""
    n = len(attention.query_tokens)
    kinds = measured(attention).kinds
    found = []
    for what, plural in (
        ("copy", "Copies"),
        ("tie", "Ties"),
        ("blend", "Blends"),
        ("forced", "Forced"),
        ("no keys allowed", "No keys allowed"),
    ):
        rows = [name(attention.query_tokens, row) for row in range(n) if kinds[row] == what]
        if rows:
            found.append(f"{plural}: {several(rows, 4)}")
    finding = ". ".join(found) or "All rows lie between copy and blend"
    rows_named = f"{n} row{'' if n == 1 else 's'}"
    return f"Attention weights of {rows_named}, each on a scale from copy to blend. {finding}."


def legend(attention: Attention) -> str:
    """What colour and signs mean in the first picture."""
    text = "Colour and number: the weight with which a row reads a column, from 0 to 1."
    if not attention.allowed.all():
        text += " A dot: the mask does not allow it."
    return text


def unknown(head: Head, tokens: Sequence[str], mark: Mark = plain) -> str:
    """Which words the head does not know; empty where it knows them all."""
    words = [mark(token) for token in dict.fromkeys(tokens) if not head.knows(token)]
    if not words:
        return ""
    what = "a vector of its own" if len(words) == 1 else "vectors of their own"
    return f"The lesson does not know {several(words, 6)} and gives {what}, the same every time."


def between(attention: Attention, row: int, mark: Mark = plain) -> str:
    """How far a row's output lies from its copy and from its blend."""
    reading = taken_apart(attention, row)
    if not reading.strongest:
        return "No key is allowed, so there is nothing to copy or to blend; the output is 0."
    names = _those(attention.key_tokens, reading.strongest, mark)
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


def not_one_token(text: str, n: int, mark: Mark = plain) -> str:
    """Why a replacement is refused; empty where it is exactly one token."""
    parts = text.split()
    if len(parts) == 1:
        return ""
    came = mark(text) if parts else "nothing"
    return (
        f"One token must take the place of one token, and {came} makes {len(parts)}: the sentence "
        f"would have {n - 1 + len(parts)} tokens instead of {n}, and matrices of different size "
        "cannot be subtracted. Type one word without spaces."
    )


def matrix_name(kind: str, comparison: Comparison | LongComparison, tolerance: float) -> str:
    """Accessible name of one of the edit page's matrices."""
    if kind == "weights":
        return f"attention weights of {len(comparison.after.query_tokens)} rows, from 0 to 1."
    return f"change of every weight, from −1 to 1. {moved_rows(comparison, tolerance)}"


def edit_legend(attention: Attention) -> str:
    """What colour and signs mean in the three matrices."""
    text = (
        "Before and after: weights from 0 to 1. Difference: purple less, green more, from −1 to 1."
    )
    if not attention.allowed.all():
        text += " A dot: the mask does not allow it."
    return text


def _length(vector: FloatArray) -> str:
    return decimal(float(np.linalg.norm(vector)))


def hands(comparison: Comparison | LongComparison, mark: Mark = plain) -> str:
    """Whose output moved most, and what a fixed mixer would have moved."""
    tokens = comparison.after.query_tokens
    lengths = np.linalg.norm(comparison.moved, axis=1)
    matrix = np.linalg.norm(comparison.matrix_part, axis=1)
    fixed = np.linalg.norm(comparison.vector_part, axis=1)
    if lengths.max() <= ROUNDING:
        cancel = max(matrix.max(), fixed.max()) > ROUNDING
        return "No output moved" + (": matrix and vectors cancel." if cancel else ".")
    most = int(lengths.argmax())
    still = int((lengths <= ROUNDING).sum())
    alike = int(np.isclose(lengths, lengths[most], rtol=1e-6, atol=ROUNDING).sum())
    by = decimal(lengths[most])
    moved = f"The output at {name(tokens, most, mark)} moved most, by {by}"
    if alike > 1:
        moved = f"{alike} outputs moved most, by {by} each, {name(tokens, most, mark)} among them"
    if alike == len(lengths) > 1:
        moved = f"All {alike} outputs moved alike, by {by}"
    text = (
        f"{moved}; a fixed mixer, which keeps the first matrix, would have moved "
        f"{'that of ' + name(tokens, most, mark) if alike > 1 else 'it'} by {decimal(fixed[most])}."
    )
    if still:
        text += f" {still} of {len(lengths)} outputs did not move at all."
    return text


def row_hands(comparison: Comparison | LongComparison, row: int, mark: Mark = plain) -> str:
    """How one output's move splits into the matrix's part and the vectors' part."""
    who = name(comparison.after.query_tokens, row, mark)
    if np.linalg.norm(comparison.moved[row]) <= ROUNDING:
        cancel = np.linalg.norm(comparison.matrix_part[row]) > ROUNDING
        parts = f": the two parts, {_length(comparison.matrix_part[row])} each, cancel"
        return f"The output at {who} did not move{parts if cancel else ''}."
    return (
        f"The output at {who} moved by {_length(comparison.moved[row])}: "
        f"{_length(comparison.matrix_part[row])} because the matrix moved, "
        f"{_length(comparison.vector_part[row])} because the vectors moved. "
        "The two add up feature by feature."
    )


CAUSES = {
    "positions": ("position vectors", "tell a token where it stands"),
    "causal": ("causal mask", "lets a token read only itself and what stands before it"),
}


def shuffle_finding(
    check: PermutationCheck | LongPermutationCheck,
    causes: Sequence[str],
    active: tuple[str, ...] = (),
) -> str:
    """What the shuffle shows, in one sentence; `active` are the settings that are on."""
    if check.identity:
        return "This is the order as it was, so everything is the same; it proves nothing."
    if check.trivial:
        return (
            "Only equal tokens changed places: the sentence is the same, and that proves nothing."
        )
    holds = (check.weights_hold, check.outputs_hold, check.pooled_hold)
    if all(holds):
        same = "Same weights, same outputs, in another order"
        if active:
            on = " and ".join(f"the {CAUSES[setting][0]}" for setting in active)
            return f"{same}: here {on} make{'s' if active == ('causal',) else ''} no difference."
        return f"{same}: this layer does not see the order."
    why = " and ".join(f"the {CAUSES[cause][0]}" for cause in causes) or "something in this head"
    return f"The order shows: {why} told the two sentences apart."


def checks(check: PermutationCheck | LongPermutationCheck) -> list[tuple[str, str, str, str]]:
    """The three checks as lines of a table: what, verdict, residual, tolerance."""
    lines = (
        ("The weights, put back in order", check.weights_hold, check.weights_residual),
        ("Each token’s output", check.outputs_hold, check.outputs_residual),
        ("The pooled output: the sum over positions", check.pooled_hold, check.pooled_residual),
    )
    return [
        (
            what,
            "holds" if hold else "does not hold",
            scientific(residual),
            scientific(check.tolerance),
        )
        for what, hold, residual in lines
    ]


def shuffle_meaning(
    check: PermutationCheck | LongPermutationCheck,
    causes: Sequence[str],
    active: tuple[str, ...] = (),
) -> list[str]:
    """What the verdicts mean for a task that depends on order."""
    holds = check.weights_hold and check.outputs_hold and check.pooled_hold
    if check.trivial:
        if holds:
            return []
        why = " and ".join(f"the {CAUSES[cause][0]}" for cause in causes) or "this head"
        return [f"What fails compares equal tokens in each other’s place: {why} told them apart."]
    if holds:
        until = "" if active else " until positions or a mask are added"
        return [
            "A readout that sums the outputs gives both sentences the same number. No task that "
            f"depends on who did what to whom can be solved from it{until}."
        ]
    cause = [f"The {CAUSES[name][0]} {CAUSES[name][1]}." for name in causes]
    cause += ["Each of the two alone is enough."] if len(causes) == 2 else []
    end = (
        "The pooled output differs, so a task that depends on order can be solved."
        if not check.pooled_hold
        else "The pooled output is still the same, so a summed readout cannot use the difference."
    )
    return [" ".join([*cause, end])]


def gap_finding(check: PermutationCheck | LongPermutationCheck) -> str:
    """The largest gap between the weights of A and those of B put back."""
    if check.weights_residual == 0:
        return "There is no gap: the two matrices are the same to the last bit."
    size = scientific(check.weights_residual)
    if check.weights_hold:
        return f"The largest gap is {size}: rounding, nothing else."
    return f"The largest gap is {size}, far above rounding."


def pooled_finding(check: PermutationCheck | LongPermutationCheck) -> str:
    """Whether the summed outputs agree."""
    size = scientific(check.pooled_residual)
    if check.pooled_hold:
        return f"A and B have the same sum; the largest gap is {size}."
    return f"A and B have different sums; the largest gap is {size}."


def scientific(value: float) -> str:
    """A residual: `0`, `2.2e−16`, `0.31`.

    Examples
    --------
    >>> scientific(0.0), scientific(2.2e-16), scientific(0.3141)
    ('0', '2.2e−16', '0.314')
    """
    if value == 0:
        return "0"
    return decimal(value) if value >= 0.001 else f"{value:.1e}".replace("-", "−")
