"""What another order does to a long input: one pass over the rows, no matrix is kept."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.door import BoolArray, FloatArray, IntArray, as_head, as_tokens, read_only
from core.heads import Head, Positions
from core.long_attention import LongAttention
from core.order import check_order, inverse_order
from core.permutation import Verdicts, largest, rounding_of
from core.pooling import Pooled, edges
from core.products import distinct
from core.rows import block_shape, row_blocks
from core.softmax import write_weights
from core.strips import Strips


@dataclass(frozen=True, eq=False)
class LongPermutationCheck(Verdicts):
    """A long read in two orders, and how far the second is from the first put in that order.

    See `PermutationCheck` for what is not said here.

    Attributes
    ----------
    before, after : LongAttention
    order : tuple of int, n long
    outputs, restored_outputs : ndarray of shape (n, d_value)
        Of the first read, and of the second put back into its order.
    pooled_before, pooled_after : ndarray of shape (d_value,)
        Sum of the outputs.
    before_blocks, after_blocks, restored_blocks, gap_blocks : Pooled
        Largest weight of each block of the first read, of the second, of the second put back; and
        the gap between the last and the first, where it is largest in size.
    weights_residual, outputs_residual, pooled_residual, tolerance : float
    """

    before: LongAttention
    after: LongAttention
    order: tuple[int, ...]
    outputs: FloatArray
    restored_outputs: FloatArray
    pooled_before: FloatArray
    pooled_after: FloatArray
    before_blocks: Pooled
    after_blocks: Pooled
    restored_blocks: Pooled
    gap_blocks: Pooled
    weights_residual: float
    outputs_residual: float
    pooled_residual: float
    tolerance: float

    @property
    def trivial(self) -> bool:
        """Whether the new sentence reads like the old one, so that the check proves nothing."""
        return self.before.key_tokens == self.after.key_tokens


def check_long_permutation(
    head: Head, tokens: Sequence[str], order: Sequence[int], size: int, **settings: Any
) -> LongPermutationCheck:
    """Read many tokens in two orders and compare, in float64; see `check_permutation`.

    Parameters
    ----------
    head : Head
    tokens : sequence of str, n long
    order : sequence of int, n long
        Positions counted from 0: the new sentence is ``[tokens[i] for i in order]``.
    size : int, 1 or more
        Most blocks a side of the pooled matrices, as in `pool`.
    **settings
        Of ``head.attend_long``: ``sharpness``, ``causal``, ``positions``.

    Returns
    -------
    LongPermutationCheck

    Raises
    ------
    ValueError
        If ``order`` is no order of the n positions.

    Examples
    --------
    >>> from core import LessonHead
    >>> check = check_long_permutation(LessonHead(), ["cat", "sat", "on"], (2, 0, 1), 256)
    >>> check.after.key_tokens
    ('on', 'cat', 'sat')
    >>> check.weights_hold, check.outputs_hold, check.pooled_hold
    (True, True, True)
    """
    head, tokens = as_head(head), as_tokens("tokens", tokens)
    order = check_order(order, len(tokens))
    before = head.attend_long(tokens, **settings)
    after = head.attend_long([tokens[i] for i in order], **settings)
    n, n_values = before.values.shape
    back = np.array(inverse_order(order), dtype=np.intp)  # (n,): where each position went
    scorer = _Scorer(before, after, back)
    blocks = edges(n, size)
    strips = {
        name: Strips(np.minimum if name == "less" else np.maximum, len(scorer.first), blocks)
        for name in ("before", "after", "restored", "more", "less")
    }
    outputs = np.empty((2, len(scorer.first), n_values))
    room = np.empty((3, *block_shape(len(scorer.first), n)))
    residual = 0.0
    for rows in row_blocks(len(scorer.first), n):
        one, other, restored = room[:, : rows.stop - rows.start]  # each (n_rows, n)
        scorer.write(one, other, rows)
        strips["before"].put(rows, one)
        strips["after"].put(rows, other)
        outputs[0, rows], outputs[1, rows] = one @ before.values, other @ after.values
        np.take(other, back, axis=1, out=restored, mode="clip")
        strips["restored"].put(rows, restored)
        restored -= one
        residual = max(residual, largest(restored))
        strips["more"].put(rows, restored)
        strips["less"].put(rows, restored)
    every = scorer.alike  # (n,)
    first, second = outputs[:, every]  # (n, d_value) each
    sums = first.sum(axis=0), second[list(order)].sum(axis=0)  # each in its own order
    more, less = (strips[name].pooled(every, blocks).values for name in ("more", "less"))
    return LongPermutationCheck(
        before=before,
        after=after,
        order=order,
        outputs=read_only(first),
        restored_outputs=read_only(second),
        pooled_before=read_only(sums[0]),
        pooled_after=read_only(sums[1]),
        before_blocks=strips["before"].pooled(every, blocks),
        after_blocks=strips["after"].pooled(every[list(order)], blocks),
        restored_blocks=strips["restored"].pooled(every, blocks),
        gap_blocks=Pooled(np.where(-less > more, less, more), blocks, blocks),
        weights_residual=residual,
        outputs_residual=largest(second - first),
        pooled_residual=largest(sums[1] - sums[0]),
        tolerance=rounding_of(first, sums[0]),
    )


def long_permutation_causes(
    head: Head,
    check: LongPermutationCheck,
    *,
    sharpness: float = 1.0,
    causal: bool = False,
    positions: Positions = "none",
) -> tuple[str, ...]:
    """Which settings of a check break its equalities when each is on alone.

    Examples
    --------
    >>> from core import LessonHead
    >>> check = check_long_permutation(LessonHead(), ["cat", "sat"], (1, 0), 8, causal=True)
    >>> long_permutation_causes(LessonHead(), check, causal=True)
    ('causal',)
    """
    suspects: list[tuple[str, dict[str, Any]]] = []
    if positions != "none":
        suspects.append(("positions", {"positions": positions}))
    if causal:
        suspects.append(("causal", {"causal": causal}))
    tokens, order = check.before.key_tokens, check.order
    found = []
    for name, setting in suspects:
        alone = (
            check
            if len(suspects) == 1  # then the check is the one to make
            else check_long_permutation(head, tokens, order, 1, sharpness=sharpness, **setting)
        )
        if not (alone.weights_hold and alone.outputs_hold and alone.pooled_hold):
            found.append(name)
    return tuple(found)


class _Scorer:
    """Weights of both reads for the same rows, the second read's rows put back in order.

    A query and a key that both reads have score the same in both, to the last bit; the softmax
    sums them in the order of each read.
    """

    def __init__(self, before: LongAttention, after: LongAttention, back: IntArray) -> None:
        self.before, self.after, self.back = before, after, back
        n = len(back)
        self.keys, which = distinct(np.concatenate([before.keys, after.keys]))
        self.columns = which[:n], which[n:]
        asking = after.queries[back]  # (n, d_key)
        masked = before.allowed is not None
        pairs = np.concatenate([before.queries, asking], axis=1)
        self.alike: IntArray = np.arange(n) if masked else distinct(pairs)[1]  # (n,)
        self.first = np.unique(self.alike, return_index=True)[1]  # (n_rows,)
        self.queries = before.queries[self.first], asking[self.first]
        self.one_query = np.array_equal(*self.queries)

    def write(self, one: FloatArray, other: FloatArray, rows: slice) -> None:
        scores = self._scores(0, rows)  # (n_rows, n_distinct)
        scored = scores[:, self.columns[0]]
        write_weights(one, scored, self.before.sharpness, self._mask(self.before, self.first[rows]))
        scores = scores if self.one_query else self._scores(1, rows)
        np.take(scores, self.columns[1], axis=1, out=scored, mode="clip")
        there = self.back[self.first[rows]]
        write_weights(other, scored, self.after.sharpness, self._mask(self.after, there))

    def _scores(self, read: int, rows: slice) -> FloatArray:
        queries = self.queries[read][rows]
        scores: FloatArray = queries @ self.keys.T / math.sqrt(queries.shape[1])
        return scores

    def _mask(self, read: LongAttention, rows: IntArray) -> BoolArray | None:
        return None if read.allowed is None else read.allowed[rows]
