"""What moved between two reads of one sentence, and why."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from core.attention import Attention
from core.door import BoolArray, FloatArray, Record, as_number, as_read, read_only
from core.measures import total_variation
from core.products import refuse_overflow

Kind: TypeAlias = Literal[
    "new query",
    "reads more",
    "reads less",
    "score unchanged",
    "weight unchanged",
    "masked",
    "no keys",
    "no edit",
    "other settings",
]

# Rounding of a score or a weight that did not move.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Reason:
    """Why a row moved or stayed.

    Attributes
    ----------
    kind : str
        "new query": the row's own token was edited.
        "reads more", "reads less": its query scores the edited keys otherwise than before.
        "score unchanged": its query scores the edited keys as before; the row is fixed.
        "weight unchanged": the score moved but the weight did not, as at sharpness 0.
        "masked": it may not read any edited key.
        "no keys": it may not read any key at all.
        "no edit": no token differs.
        "other settings": it moved for no edit; sharpness, mask or positions differ.
    weight_before, weight_after : float, 0 to 1
        Total weight on the edited keys.
    """

    kind: Kind
    weight_before: float
    weight_after: float


@dataclass(frozen=True, eq=False)
class Comparison(Record):
    """Two reads of n positions each, row by row.

    A part that does not fit into the number type raises ValueError.

    Attributes
    ----------
    before, after : Attention
    """

    before: Attention
    after: Attention

    @cached_property
    def edited(self) -> tuple[int, ...]:
        """Positions, counted from 0, whose key token differs."""
        pairs = zip(self.before.key_tokens, self.after.key_tokens, strict=True)
        return tuple(i for i, (old, new) in enumerate(pairs) if old != new)

    @cached_property
    def row_shift(self) -> FloatArray:
        """Total variation of each row, of shape (n,), 0 to 1; NaN where a row has no keys."""
        return read_only(total_variation(self.before.weights, self.after.weights))

    def changed(self, tolerance: float) -> BoolArray:
        """Which rows moved by more than the tolerance, and by more than rounding, of shape (n,).

        Raises
        ------
        ValueError
            If ``tolerance`` is negative or NaN.
        """
        return self.row_shift > max(as_number("tolerance", tolerance), ROUNDING)

    @cached_property
    def moved(self) -> FloatArray:
        """What the outputs moved in all, of shape (n, d_value): the sum of the two parts."""
        return read_only(_gap("moved", self.after.outputs, self.before.outputs))

    @cached_property
    def matrix_part(self) -> FloatArray:
        """What the outputs moved because the matrix moved, of shape (n, d_value)."""
        gap = self.after.weights - self.before.weights  # (n, n)
        return read_only(_product("matrix_part", gap, self.after.values))

    @cached_property
    def vector_part(self) -> FloatArray:
        """What the outputs moved because the vectors moved, of shape (n, d_value)."""
        gap = _gap("vector_part", self.after.values, self.before.values)  # (n, d_value)
        return read_only(_product("vector_part", self.before.weights, gap))

    @cached_property
    def fixed_mixer_outputs(self) -> FloatArray:
        """Outputs of a layer that keeps the old matrix on the new values, (n, d_value)."""
        return read_only(_product("fixed_mixer_outputs", self.before.weights, self.after.values))

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each row moved or stayed, n long."""
        before, after, keys = self.before, self.after, list(self.edited)
        old = before.weights[:, keys].sum(axis=1).tolist()
        new = after.weights[:, keys].sum(axis=1).tolist()
        return tuple(map(Reason, self._kinds(old, new), old, new))

    def _kinds(self, old: list[float], new: list[float]) -> list[Kind]:
        """The kind of each reason, from the weights on the edited keys before and after."""
        before, after, keys = self.before, self.after, list(self.edited)
        readable = before.allowed[:, keys]  # (n, n_edited)
        stay = self._scores_stay(slice(None), keys) | ~readable  # (n, n_edited)
        flags = (  # each (n,)
            before.allowed.any(axis=1) & after.allowed.any(axis=1),
            (before.allowed != after.allowed).any(axis=1),
            ~stay.all(axis=1),
            readable.any(axis=1),
        )
        rows = zip(
            before.query_tokens,
            after.query_tokens,
            *(np.asarray(of_rows).tolist() for of_rows in flags),
            (self.row_shift > ROUNDING).tolist(),
            old,
            new,
            strict=True,
        )
        kinds: list[Kind] = []
        for row, (was, token, some, other, scored, may, moved, first, second) in enumerate(rows):
            if not some:
                kinds.append("no keys")
            elif was != token and not self._same_vector(row):
                kinds.append("new query")
            elif other:
                kinds.append("other settings")
            elif scored and abs(second - first) <= ROUNDING:
                kinds.append("weight unchanged")
            elif scored:
                kinds.append("reads more" if second > first else "reads less")
            elif moved:
                kinds.append("other settings")
            elif not keys:
                kinds.append("no edit")
            else:
                kinds.append("score unchanged" if may else "masked")
        return kinds

    def _same_vector(self, row: int) -> bool:
        """Whether a new token has the vector of the old one, as far as a read tells."""
        old, new = self.before.values, self.after.values
        square = len(old) == len(self.before.query_tokens)
        same = square and np.array_equal(old[row], new[row])
        return same and bool(self._scores_stay(row, slice(None)).all())

    def _scores_stay(self, rows: int | slice, keys: list[int] | slice) -> BoolArray:
        """Which of some cells have the score they had before, but for rounding."""
        old, new = self.before.scores[rows, keys], self.after.scores[rows, keys]
        with np.errstate(over="ignore"):  # a gap beyond the largest float is a gap
            return np.isclose(new, old, rtol=ROUNDING, atol=ROUNDING)


def compare(before: Attention, after: Attention) -> Comparison:
    """Two reads of the same positions, told apart row by row.

    ``after.outputs - before.outputs`` is ``matrix_part + vector_part``: what moved because the
    matrix moved, and what moved because the vectors moved. A fixed mixer has only the second.

    Parameters
    ----------
    before, after : Attention
        Of the same number of positions and value features.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the two differ in length, or in the number of value features, or are no such reads.

    Examples
    --------
    >>> from core import LessonHead
    >>> head = LessonHead()
    >>> moved = compare(head.attend(["the", "cat", "sat"]), head.attend(["the", "dog", "sat"]))
    >>> moved.edited
    (1,)
    >>> moved.changed(0.01)
    array([False,  True,  True])
    >>> [reason.kind for reason in moved.reasons]
    ['score unchanged', 'new query', 'reads more']
    """
    before, after = as_read("before", before, Attention), as_read("after", after, Attention)
    if before.weights.shape != after.weights.shape:
        raise ValueError(
            f"before and after must have the same number of tokens, got "
            f"{_length(before)} and {_length(after)}"
        )
    if before.values.shape != after.values.shape:
        raise ValueError(
            f"before and after must have values of one shape, got "
            f"{before.values.shape} and {after.values.shape}"
        )
    return Comparison(before, after)


def _gap(name: str, after: FloatArray, before: FloatArray) -> FloatArray:
    """Return after - before, refused where it overflows."""
    with np.errstate(over="ignore"):
        gap: FloatArray = after - before
    refuse_overflow(name, gap, after, before)
    return gap


def _product(name: str, weights: FloatArray, vectors: FloatArray) -> FloatArray:
    """Return weights @ vectors, refused where it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        product: FloatArray = weights @ vectors
    refuse_overflow(name, product, weights, vectors)
    return product


def _length(read: Attention) -> str:
    """Return the number of tokens, as a person would say it."""
    n_queries, n_keys = read.weights.shape
    return f"{n_keys}" if n_queries == n_keys else f"{n_queries} x {n_keys}"
