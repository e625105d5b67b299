"""What another order of the tokens does to a read: the same numbers in another order, or not."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from core.attention import Attention
from core.door import BoolArray, FloatArray, Record, as_floats, as_head, as_tokens, read_only
from core.heads import Head, Positions
from core.order import check_order, inverse_order
from core.products import refuse_overflow

# How many units in the last place a sum may stray and still count as equal.
SLACK = 1024


class Verdicts:
    """What residuals and their tolerance say; for a check of any size."""

    order: tuple[int, ...]
    weights_residual: float
    outputs_residual: float
    pooled_residual: float
    tolerance: float

    @property
    def weights_hold(self) -> bool:
        """Whether the weights are the same ones in the new order (equivariance)."""
        return self.weights_residual <= self.tolerance

    @property
    def outputs_hold(self) -> bool:
        """Whether the outputs are the same ones in the new order (equivariance)."""
        return self.outputs_residual <= self.tolerance

    @property
    def pooled_hold(self) -> bool:
        """Whether the sum of the outputs is the same (invariance)."""
        return self.pooled_residual <= self.tolerance

    @property
    def identity(self) -> bool:
        """Whether the order changes nothing."""
        return self.order == tuple(range(len(self.order)))


@dataclass(frozen=True, eq=False)
class PermutationCheck(Record, Verdicts):
    """A read in two orders, and how far the second is from the first put in that order.

    Attributes
    ----------
    before, after : Attention
        The tokens as they came, and in the new order.
    order : tuple of int, n long
        Positions counted from 0: the new sentence is ``[tokens[i] for i in order]``.
    restored_weights : ndarray of shape (n, n)
    restored_outputs : ndarray of shape (n, d_value)
        The second read, put back into the order of the first.
    pooled_before, pooled_after : ndarray of shape (d_value,)
        Sum of the outputs.
    weights_residual, outputs_residual, pooled_residual : float
        Largest absolute difference; 0 would be exact.
    tolerance : float
        Largest residual that still counts as rounding.
    """

    before: Attention
    after: Attention
    order: tuple[int, ...]
    restored_weights: FloatArray
    restored_outputs: FloatArray
    pooled_before: FloatArray
    pooled_after: FloatArray
    weights_residual: float
    outputs_residual: float
    pooled_residual: float
    tolerance: float

    def __post_init__(self) -> None:
        """Keep read-only copies."""
        for name in ("restored_weights", "restored_outputs", "pooled_before", "pooled_after"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def restored_allowed(self) -> BoolArray:
        """Which keys the second read may use, put back into the order of the first: (n, n)."""
        back = np.array(inverse_order(self.order), dtype=np.intp)  # (n,)
        return self.after.allowed[np.ix_(back, back)]

    @property
    def trivial(self) -> bool:
        """Whether the new sentence reads like the old one, so that the check proves nothing."""
        return self.before.key_tokens == self.after.key_tokens


def check_permutation(
    head: Head, tokens: Sequence[str], order: Sequence[int], **settings: Any
) -> PermutationCheck:
    """Read the tokens in two orders and compare.

    Without positions and mask: the weights of the second read are those of the first with rows
    and columns in the new order, the outputs likewise, and their sum is the same.

    Parameters
    ----------
    head : Head
    tokens : sequence of str, n long
    order : sequence of int, n long
        Positions counted from 0: the new sentence is ``[tokens[i] for i in order]``.
    **settings
        Of ``head.attend``: ``sharpness``, ``causal``, ``positions``.

    Returns
    -------
    PermutationCheck

    Raises
    ------
    ValueError
        If ``order`` is no order of the n positions, or the sum of the outputs overflows.

    References
    ----------
    Lee et al., Set Transformer, 2019, sec. 3. https://arxiv.org/abs/1810.00825

    Examples
    --------
    >>> from core import LessonHead
    >>> check = check_permutation(LessonHead(), ["cat", "sat", "on"], (2, 0, 1))
    >>> check.after.key_tokens
    ('on', 'cat', 'sat')
    >>> check.weights_hold, check.outputs_hold, check.pooled_hold
    (True, True, True)
    """
    head, tokens = as_head(head), as_tokens("tokens", tokens)
    order = check_order(order, len(tokens))
    places = np.array(order, dtype=np.intp)  # (n,)
    back = np.array(inverse_order(order), dtype=np.intp)  # (n,)
    before = head.attend(tokens, **settings)
    after = head.attend([tokens[i] for i in order], **settings)
    pooled_before, pooled_after = _pooled(before), _pooled(after)  # (d_value,) each
    return PermutationCheck(
        before=before,
        after=after,
        order=order,
        restored_weights=after.weights[np.ix_(back, back)],  # (n, n)
        restored_outputs=after.outputs[back],  # (n, d_value)
        pooled_before=pooled_before,
        pooled_after=pooled_after,
        weights_residual=permuted_residual(before.weights, after.weights, order),
        outputs_residual=_residual(after.outputs, before.outputs[places]),
        pooled_residual=_residual(pooled_after, pooled_before),
        tolerance=rounding_of(before.outputs, pooled_before),
    )


def permuted_residual(before: ArrayLike, after: ArrayLike, order: Sequence[int]) -> float:
    """Largest difference between a matrix and another with rows and columns in a new order.

    max |W_B - P W_A Pᵀ|, where P puts positions into the order.

    Parameters
    ----------
    before, after : ndarray of shape (n, n)
        W_A and W_B.
    order : sequence of int, n long
        Positions counted from 0.

    Returns
    -------
    float
        0 where W_B is exactly W_A in the new order.

    Raises
    ------
    ValueError
        If the matrices are not square and of one shape, or ``order`` is no order.

    Examples
    --------
    >>> permuted_residual([[1, 2], [3, 4]], [[4, 3], [2, 1]], (1, 0))
    0.0
    >>> permuted_residual([[1, 2], [3, 4]], [[3, 4], [1, 2]], (1, 0))  # rows alone
    1.0
    """
    before, after = as_floats("before", before), as_floats("after", after)  # (n, n)
    if before.ndim != 2 or before.shape[0] != before.shape[1] or before.shape != after.shape:
        raise ValueError(
            f"before and after must be square and of one shape, got "
            f"{before.shape} and {after.shape}"
        )
    places = np.array(check_order(order, len(before)), dtype=np.intp)  # (n,)
    return _residual(after, before[np.ix_(places, places)])


def permutation_causes(
    head: Head,
    tokens: Sequence[str],
    order: Sequence[int],
    *,
    sharpness: float = 1.0,
    causal: bool = False,
    positions: Positions = "none",
) -> tuple[str, ...]:
    """Which settings break the equalities when each is on alone.

    Parameters
    ----------
    head : Head
    tokens : sequence of str, n long
    order : sequence of int, n long
        Positions counted from 0.
    sharpness, causal, positions
        The settings of the check in question.

    Returns
    -------
    tuple of str
        Of "positions" and "causal" those that are on and, alone, break one equality or more.

    Raises
    ------
    ValueError
        If ``order`` is no order of the n positions.

    Examples
    --------
    >>> from core import LessonHead
    >>> permutation_causes(LessonHead(), ["cat", "sat", "on"], (2, 0, 1), causal=True)
    ('causal',)
    """
    suspects: list[tuple[str, dict[str, Any]]] = []
    if positions != "none":
        suspects.append(("positions", {"positions": positions}))
    if causal:
        suspects.append(("causal", {"causal": causal}))
    checks = {
        name: check_permutation(head, tokens, order, sharpness=sharpness, **setting)
        for name, setting in suspects
    }
    return tuple(
        name
        for name, check in checks.items()
        if not (check.weights_hold and check.outputs_hold and check.pooled_hold)
    )


def _pooled(read: Attention) -> FloatArray:
    """Return the sum of the outputs, of shape (d_value,), refused where it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        pooled: FloatArray = read.outputs.sum(axis=0)
    refuse_overflow("pooled outputs", pooled, read.weights, read.values)
    return pooled


def _residual(after: FloatArray, before: FloatArray) -> float:
    """Return the largest difference; equal infinities have none, too large a one is infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        gap = np.abs(after - before)
    return float(gap.max(initial=0.0, where=after != before))


def largest(difference: FloatArray) -> float:
    """Return the largest absolute value, 0 where there is none."""
    return float(np.abs(difference).max(initial=0.0))


def rounding_of(outputs: FloatArray, pooled: FloatArray) -> float:
    """Return the rounding to expect, by number type and by size."""
    return float(SLACK * np.finfo(outputs.dtype).eps * max(1, largest(outputs), largest(pooled)))
