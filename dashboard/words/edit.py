"""What an edit moved, and why."""

from __future__ import annotations

import numpy as np

from core import (
    Attention,
    Comparison,
    LongComparison,
    Reason,
)
from core.compare import ROUNDING
from core.door import FloatArray
from dashboard.charts.labels import decimal
from dashboard.link import write_number
from dashboard.words.matrix import found, largest, thinned, weights_name
from dashboard.words.tokens import Mark, counted, every, name, plain, those

EDITED = "Before", "After", "After − before"  # the titles of the matrices

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
    if reason.kind in BECAUSE:
        return BECAUSE[reason.kind]
    old, new = decimal(reason.weight_before), decimal(reason.weight_after)
    change = f"from {old} to {new}" if old != new else f"still {new}"
    if reason.kind == "new query":
        return f"new query; weight on itself {change}"
    little = "by less than 0.001, " if old == new else ""
    return f"{reason.kind.replace('reads', 'reads the edited token')}, {little}{change}"


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
    who, others = those(tokens, moved, mark, 6), those(tokens, fixed, mark, 6)
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


def not_one_token(text: str, n: int, mark: Mark = plain) -> str:
    """Why a replacement is refused; empty where it is exactly one token."""
    parts = text.split()
    if len(parts) == 1:
        return ""
    came = mark(text) if parts else "nothing"
    return (
        f"One token must take the place of one token, and {came} makes {len(parts)}: the sentence "
        f"would have {counted(n - 1 + len(parts), 'token')} instead of {n}, and matrices of "
        "different size cannot be subtracted. Type one word without spaces."
    )


def edited_names(comparison: Comparison | LongComparison, tolerance: float) -> dict[str, str]:
    """Accessible names of the matrices before and after, and of what moved, by their titles."""
    weights = weights_name(len(comparison.after.query_tokens))
    if isinstance(comparison, LongComparison):
        told = [largest(comparison.pooled_before), largest(comparison.pooled_after)]
    else:
        told = [found(comparison.before), found(comparison.after)]
    moved = f"change of every weight, from −1 to 1. {moved_rows(comparison, tolerance)}"
    names = (f"{weights} {told[0]}.", f"{weights} {told[1]}.", moved)
    return {title: f"{title}: {name}" for title, name in zip(EDITED, names, strict=True)}


def edit_legend(attention: Attention) -> str:
    """What colour and signs mean in the three matrices."""
    text = (
        "Before and after: weights from 0 to 1. Difference: purple less, green more, from −1 to 1."
    )
    if not attention.allowed.all():
        text += " A dot: the mask does not allow it."
    return text + thinned(len(attention.key_tokens))


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
        moved = f"{every(alike, 'output').capitalize()} moved alike, by {by}"
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
