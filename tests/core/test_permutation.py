"""Another order of the tokens: when it is the same read, when it is not, and why."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import (
    Attention,
    LessonHead,
    RandomHead,
    attend,
    attention_weights,
    check_permutation,
    permutation_causes,
    permuted_residual,
)

SENTENCE = ("the", "cat", "sat", "on", "the", "mat")
REVERSED = (5, 4, 3, 2, 1, 0)
IDENTITY = (0, 1, 2, 3, 4, 5)
SWAP_THE = (4, 1, 2, 3, 0, 5)

HEADS = [LessonHead(), RandomHead(0), RandomHead(9999)]
heads = pytest.mark.parametrize("head", HEADS, ids=lambda head: head.name)
orders = st.integers(0, 11).flatmap(lambda n: st.permutations(range(n)))


class NumberedHead:
    """A head of 12 fixed vectors, one a token, in a number type of its own."""

    name = "numbered"
    feature_names = ("a", "b", "c")

    def __init__(self, dtype: type) -> None:
        draw = np.random.default_rng(0).normal
        self.queries = draw(size=(12, 5)).astype(dtype)
        self.keys = draw(size=(12, 5)).astype(dtype)
        self.values = draw(size=(12, 3)).astype(dtype)

    def attend(self, tokens: Sequence[str], **settings) -> Attention:
        rows = [int(token) for token in tokens]
        return attend(
            self.queries[rows],
            self.keys[rows],
            self.values[rows],
            query_tokens=tokens,
            key_tokens=tokens,
            **settings,
        )

    def knows(self, token: str) -> bool:
        return token in map(str, range(12))


def holds(check) -> tuple[bool, bool, bool]:
    return check.weights_hold, check.outputs_hold, check.pooled_hold


# Worked on paper.


def test_three_positions_on_paper():
    # The new sentence is c a b. Row c, column a of the new matrix (0, 1) is the old (2, 0) = 7.
    before = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    after = [[9, 7, 8], [3, 1, 2], [6, 4, 5]]
    assert permuted_residual(before, after, (2, 0, 1)) == 0
    after[0][1] = 7.5
    assert permuted_residual(before, after, (2, 0, 1)) == 0.5


def test_the_residual_is_that_of_permutation_matrices():
    rng = np.random.default_rng(0)
    before, after, order = rng.random((7, 7)), rng.random((7, 7)), rng.permutation(7)
    p = np.eye(7)[order]
    expected = np.abs(after - p @ before @ p.T).max()
    assert permuted_residual(before, after, order) == pytest.approx(expected)


# Claims.


@heads
@given(order=orders, sharpness=st.floats(0, 16))
def test_permuting_tokens_permutes_weights_and_outputs_and_keeps_their_sum(head, order, sharpness):
    words = ("the", "cat", "sat", "on", "zyzzyva", "mat", "the", "big", "", "dog", "Mat.")
    tokens = words[: len(order)]
    check = check_permutation(head, tokens, order, sharpness=sharpness)
    assert holds(check) == (True, True, True)
    assert check.after.key_tokens == tuple(tokens[i] for i in order)


@heads
def test_at_infinite_sharpness_too(head):
    assert holds(check_permutation(head, SENTENCE, REVERSED, sharpness=np.inf)) == (True,) * 3


@heads
def test_the_restored_read_is_the_first_one(head):
    check = check_permutation(head, SENTENCE, (2, 0, 1, 5, 3, 4))
    np.testing.assert_allclose(check.restored_weights, check.before.weights, atol=1e-14)
    np.testing.assert_allclose(check.restored_outputs, check.before.outputs, atol=1e-14)


@heads
@pytest.mark.parametrize("settings", [{"positions": "sinusoidal"}, {"causal": True}])
@pytest.mark.parametrize("order", [REVERSED, (1, 0, 2, 3, 4, 5), (2, 0, 1, 5, 3, 4)])
def test_positions_break_all_three_and_a_mask_alone_does_too(head, settings, order):
    check = check_permutation(head, SENTENCE, order, **settings)
    assert holds(check) == (False, False, False)
    assert check.weights_residual > 0.01


@heads
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", ["none", "sinusoidal"])
def test_the_identity_holds_always(head, causal, positions):
    check = check_permutation(head, SENTENCE, IDENTITY, causal=causal, positions=positions)
    assert holds(check) == (True, True, True)
    assert (check.weights_residual, check.outputs_residual, check.pooled_residual) == (0, 0, 0)
    assert check.identity
    assert check.trivial


@heads
def test_swapping_two_equal_tokens_holds_trivially(head):
    check = check_permutation(head, SENTENCE, SWAP_THE)
    assert holds(check) == (True, True, True)
    assert check.trivial
    assert not check.identity


def test_an_order_that_changes_the_sentence_is_not_trivial():
    check = check_permutation(LessonHead(), SENTENCE, REVERSED)
    assert not check.trivial
    assert not check.identity


def test_the_cat_and_the_mat_cannot_be_told_apart_by_the_sum_until_positions_are_added():
    swap_nouns = (0, 5, 2, 3, 4, 1)
    plain = check_permutation(LessonHead(), SENTENCE, swap_nouns)
    assert plain.after.key_tokens == ("the", "mat", "sat", "on", "the", "cat")
    np.testing.assert_allclose(plain.pooled_before, plain.pooled_after, atol=1e-14)
    placed = check_permutation(LessonHead(), SENTENCE, swap_nouns, positions="sinusoidal")
    assert placed.pooled_residual > 0.1


@pytest.mark.parametrize(("dtype", "rounding"), [(np.float64, 2e-15), (np.float32, 2e-6)])
def test_num_13_the_residual_and_its_tolerance_follow_the_number_type(dtype, rounding):
    tokens = [str(i) for i in range(12)]
    order = np.random.default_rng(1).permutation(12)
    check = check_permutation(NumberedHead(dtype), tokens, order)
    assert check.before.weights.dtype == dtype
    assert holds(check) == (True, True, True)
    assert max(check.weights_residual, check.outputs_residual, check.pooled_residual) < rounding
    eps = np.finfo(dtype).eps
    largest = max(1, np.abs(check.before.outputs).max(), np.abs(check.pooled_before).max())
    assert check.tolerance == pytest.approx(1024 * eps * largest)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_num_13_permuting_rows_alone_fails_plainly(dtype):
    rng = np.random.default_rng(2)
    scores = (5 * rng.normal(size=(12, 12))).astype(dtype)
    order = rng.permutation(12)
    before = attention_weights(scores)
    both, rows = attention_weights(scores[np.ix_(order, order)]), attention_weights(scores[order])
    assert permuted_residual(before, both, order) < 10 * np.finfo(dtype).eps
    assert permuted_residual(before, rows, order) > 0.9


def test_num_06_one_token_has_one_order():
    check = check_permutation(LessonHead(), ["cat"], [0])
    assert holds(check) == (True, True, True)
    assert check.identity


def test_no_tokens_have_one_order_too():
    check = check_permutation(LessonHead(), [], [])
    assert holds(check) == (True, True, True)
    assert check.restored_outputs.shape == (0, 9)


# Why it does not hold.


@heads
def test_each_cause_is_named_when_it_breaks_the_equalities_alone(head):
    def causes(order: Sequence[int], **settings) -> tuple[str, ...]:
        return permutation_causes(head, SENTENCE, order, **settings)

    assert causes(REVERSED) == ()
    assert causes(REVERSED, positions="sinusoidal") == ("positions",)
    assert causes(REVERSED, causal=True) == ("causal",)
    assert causes(REVERSED, causal=True, positions="sinusoidal") == ("positions", "causal")
    # The plain average of all tokens and all positions is the same in every order.
    assert causes(REVERSED, positions="sinusoidal", sharpness=0) == ()
    assert causes(IDENTITY, causal=True, positions="sinusoidal") == ()


# What comes in, and what goes out.


def test_an_order_of_another_length_is_refused_by_the_check():
    with pytest.raises(ValueError, match="from 0 to 5 once, got 5 missing"):
        check_permutation(LessonHead(), SENTENCE, (0, 1, 2, 3, 4))


@pytest.mark.parametrize(("before", "after"), [((2, 3), (2, 3)), ((3, 3), (2, 2)), ((2,), (2,))])
def test_matrices_that_do_not_fit_are_refused(before, after):
    with pytest.raises(ValueError, match="square and of one shape, got"):
        permuted_residual(np.ones(before), np.ones(after), (0, 1))


@pytest.mark.parametrize(
    "name", ["restored_weights", "restored_outputs", "pooled_before", "pooled_after"]
)
def test_arrays_are_read_only(name):
    check = check_permutation(LessonHead(), SENTENCE, REVERSED)
    with pytest.raises(ValueError, match="read-only"):
        getattr(check, name)[:] = 0
