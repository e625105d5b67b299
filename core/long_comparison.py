"""What moved between two reads of a long input: one pass over the rows, no matrix is kept."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.compare import ROUNDING, Kind, Reason
from core.door import BoolArray, FloatArray, IntArray, as_number, as_read, read_only
from core.long_attention import LongAttention
from core.pooling import Pooled, edges
from core.products import PairScores, distinct
from core.rows import block_shape, cut, row_blocks
from core.softmax import write_weights
from core.strips import Strips


@dataclass(frozen=True, eq=False)
class LongComparison:
    """Two long reads of n positions each, row by row; see `Comparison`.

    Attributes
    ----------
    before, after : LongAttention
    edited : tuple of int
        Positions, counted from 0, whose key token differs.
    row_shift : ndarray of shape (n,)
        Total variation of each row, 0 to 1; exactly 0 where no score moved.
    matrix_part, vector_part : ndarray of shape (n, d_value)
        What the outputs moved because the matrix moved, and because the vectors moved.
    fixed_mixer_outputs : ndarray of shape (n, d_value)
        Outputs of a layer that keeps the old matrix on the new values.
    edited_before, edited_after : ndarray of shape (n,)
        Total weight of each row on the edited keys.
    rescored : boolean ndarray of shape (n,)
        Whether the row's query scores an edited key that it may read otherwise than before.
    pooled_before, pooled_after, pooled_difference : Pooled
        The matrices in blocks: the largest weight of each, the difference that is largest in size.
    """

    before: LongAttention
    after: LongAttention
    edited: tuple[int, ...]
    row_shift: FloatArray
    matrix_part: FloatArray
    vector_part: FloatArray
    fixed_mixer_outputs: FloatArray
    edited_before: FloatArray
    edited_after: FloatArray
    rescored: BoolArray
    pooled_before: Pooled
    pooled_after: Pooled
    pooled_difference: Pooled

    def changed(self, tolerance: float) -> BoolArray:
        """Which rows moved by more than the tolerance, and by more than rounding, of shape (n,)."""
        return self.row_shift > max(as_number("tolerance", tolerance), ROUNDING)

    @cached_property
    def moved(self) -> FloatArray:
        """What the outputs moved in all, of shape (n, d_value)."""
        return read_only(self.matrix_part + self.vector_part)

    def reason(self, row: int) -> Reason:
        """Why a row moved or stayed."""
        old, new = float(self.edited_before[row]), float(self.edited_after[row])
        return Reason(self._kind(row, old, new), old, new)

    def _kind(self, row: int, old: float, new: float) -> Kind:
        allowed = self.after.allowed
        if allowed is not None and not allowed[row].any():
            return "no keys"
        if (self.before.queries[row] != self.after.queries[row]).any():
            return "new query"
        if self.rescored[row]:
            if abs(new - old) <= ROUNDING:
                return "weight unchanged"
            return "reads more" if new > old else "reads less"
        if not self.edited:
            return "no edit"
        readable = allowed is None or allowed[row, list(self.edited)].any()
        return "score unchanged" if readable else "masked"


def compare_long(before: LongAttention, after: LongAttention, size: int) -> LongComparison:
    """Two long reads of the same positions under the same settings, told apart row by row.

    What `compare` says of the same reads, in float32: weights to about 1e-6. A row whose query
    scores the edited keys as before is fixed exactly.

    Parameters
    ----------
    before, after : LongAttention
        Of the same number of positions and value features, of one sharpness and one mask.
    size : int, 1 or more
        Most blocks a side of the pooled matrices, as in `pool`.

    Returns
    -------
    LongComparison

    Raises
    ------
    ValueError
        If the two differ in length, in the number of value features, or in sharpness.

    Examples
    --------
    >>> from core import LessonHead
    >>> head = LessonHead()
    >>> moved = compare_long(
    ...     head.attend_long(["the", "cat", "sat"]), head.attend_long(["the", "dog", "sat"]), 256
    ... )
    >>> moved.edited, moved.changed(0.01).tolist()
    ((1,), [False, True, True])
    >>> moved.reason(2).kind
    'reads more'
    """
    before = as_read("before", before, LongAttention)
    after = as_read("after", after, LongAttention)
    shapes = [(read.queries.shape, read.keys.shape, read.values.shape) for read in (before, after)]
    if shapes[0] != shapes[1]:
        raise ValueError(
            f"before and after must have the same shapes, got {shapes[0]} and {shapes[1]}"
        )
    if before.sharpness != after.sharpness:
        raise ValueError(
            "before and after must have one sharpness, "
            f"got {before.sharpness} and {after.sharpness}"
        )
    return _compare(before, after, size)


def _compare(before: LongAttention, after: LongAttention, size: int) -> LongComparison:
    n, n_keys = len(before.queries), len(before.keys)
    edited = tuple(
        i
        for i, (one, other) in enumerate(zip(before.key_tokens, after.key_tokens, strict=True))
        if one != other
    )
    differ = (before.keys != after.keys).any(axis=1)
    differ[list(edited)] = True  # a new token may have the old one's vector, and has weight too
    keys = np.flatnonzero(differ)
    on_edited = np.isin(keys, edited)  # (n_different,): without keys that only moved
    old, new = _columns(before, keys), _columns(after, keys)  # (n, n_different) each
    same = np.isclose(old, new, rtol=ROUNDING, atol=ROUNDING)  # (n, n_different)
    # Rows of equal queries are equal, but for a mask.
    pairs = np.concatenate([before.queries, after.queries], axis=1)
    _, alike = distinct(pairs) if before.allowed is None else (pairs, np.arange(n))
    first = np.unique(alike, return_index=True)[1]  # (n_distinct,): where each stands first
    queries = before.queries[first].astype(np.float32)
    asks_anew = np.flatnonzero((before.queries != after.queries).any(axis=1)[first])
    fresh = _scores(after, first[asks_anew])  # (n_asking_anew, n_keys)

    column_edges, row_edges = edges(n_keys, size), edges(n, size)
    strips = {
        name: Strips(np.minimum if name == "less" else np.maximum, len(first), column_edges)
        for name in ("before", "after", "more", "less")
    }
    shift = np.empty(len(first))
    matrix_part = np.empty((len(first), after.values.shape[1]))
    fixed = np.empty_like(matrix_part)
    values = after.values.astype(np.float32)
    columns = np.empty((2, len(first), len(keys)))
    room = np.empty((3, *block_shape(len(first), n_keys)), np.float32)
    # The new keys stand beside the old ones, so that a new key ties with its equals.
    both = np.concatenate([before.keys, after.keys[keys]]).astype(np.float32)
    for rows, scores in PairScores(queries, both).blocks():
        at = first[rows]
        mask = cut(before.allowed, rows)
        weights, moved, scored = room[:, : len(scores)]  # each (n_rows, n_keys)
        scored[...] = scores[:, :n_keys]
        write_weights(weights, scored, before.sharpness, mask)
        strips["before"].put(rows, weights)
        fixed[rows] = weights @ values
        columns[0, rows] = weights[:, keys]
        scored[:, keys] = np.where(same[at], scored[:, keys], scores[:, n_keys:])
        mine = (asks_anew >= rows.start) & (asks_anew < rows.stop)
        scored[asks_anew[mine] - rows.start] = fresh[mine]
        write_weights(moved, scored, after.sharpness, mask)
        strips["after"].put(rows, moved)
        columns[1, rows] = moved[:, keys]
        moved -= weights
        strips["more"].put(rows, moved)
        strips["less"].put(rows, moved)
        matrix_part[rows] = moved @ values
        shift[rows] = np.abs(moved, out=moved).sum(axis=-1, dtype=np.float64) / 2
    pooled = {name: strip.pooled(alike, row_edges) for name, strip in strips.items()}
    more, less = pooled["more"].values, pooled["less"].values
    edit = after.values[keys] - before.values[keys]  # (n_different, d_value)
    readable = True if before.allowed is None else before.allowed[:, keys]
    return LongComparison(
        before=before,
        after=after,
        edited=edited,
        row_shift=read_only(np.minimum(shift, 1)[alike]),
        matrix_part=read_only(matrix_part[alike]),
        vector_part=read_only((columns[0] @ edit)[alike]),
        fixed_mixer_outputs=read_only(fixed[alike]),
        edited_before=read_only(columns[0][:, on_edited].sum(axis=1)[alike]),
        edited_after=read_only(columns[1][:, on_edited].sum(axis=1)[alike]),
        rescored=np.asarray((~same & readable).any(axis=1)),
        pooled_before=pooled["before"],
        pooled_after=pooled["after"],
        pooled_difference=Pooled(
            np.where(-less > more, less, more), row_edges, pooled["more"].column_edges
        ),
    )


def _columns(read: LongAttention, keys: IntArray) -> FloatArray:
    """Scores of all queries for a few keys, in float64, each pair summed alike."""
    scores: FloatArray = np.einsum("qd,kd->qk", read.queries, read.keys[keys])
    return scores / math.sqrt(read.queries.shape[1])


def _scores(read: LongAttention, rows: IntArray) -> FloatArray:
    """Scores of a few rows in float32."""
    scores = np.empty((len(rows), len(read.keys)), np.float32)
    keys = read.keys.astype(np.float32)
    for some in row_blocks(*scores.shape):
        PairScores(read.queries[rows[some]].astype(np.float32), keys).write(
            scores[some], slice(None)
        )
    return scores
