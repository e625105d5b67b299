"""What no one should pass, and some do: told in one sentence, or answered without a warning."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

from core import (
    LessonHead,
    RandomHead,
    attend,
    attention_weights,
    causal,
    check_order,
    check_permutation,
    compare,
    compare_long,
    entropy,
    hashed_uniform,
    inverse_order,
    permuted_residual,
    pool,
    read_row,
    sinusoidal,
    spread_of_scores,
    travel,
)

EYE = np.eye(2)
EVEN = np.full((2, 2), 0.5)
MASKED = np.ma.masked_array(EVEN, mask=[[False, True], [False, False]])
# Beyond float64 where the machine has a longer float, infinite where it has none.
LONG = np.array([[1, np.finfo(np.longdouble).max]])
BIG = np.finfo(np.float64).max
LARGER = "must be infinity or fit into float64, got a larger number"
WHOLE = "must be a whole number of 0 or more, got"


def reads(values_before, values_after):
    """Two reads that differ in their values alone."""
    return [attend(EYE, EYE, values) for values in (values_before, values_after)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: travel(np.zeros(3), [1]), r"scores must have two axes, got shape \(3,\)"),
        (lambda: travel(EVEN, 1.0), r"sharpnesses must have one axis, got shape \(\)"),
        (lambda: travel(EVEN, [[1.0]]), r"sharpnesses must have one axis, got shape \(1, 1\)"),
        (lambda: travel(EVEN, ["a"]), "sharpnesses must hold real numbers, got text"),
        (lambda: travel(EVEN, [1j]), "sharpnesses must hold real numbers, got complex numbers"),
        (lambda: travel(EVEN, [10**400]), "sharpnesses must hold real numbers, got Python objects"),
        (lambda: travel(EVEN, [1.0, -1.0]), "sharpness must be a number from 0 to infinity"),
        (lambda: attend(EYE, EYE, EYE, sharpness=10**400), f"sharpness {LARGER}"),
        (lambda: attend(EYE, EYE, EYE, sharpness=10**5000), f"sharpness {LARGER}"),
        (lambda: attend(EYE, EYE, EYE, sharpness=Fraction(10**400)), f"sharpness {LARGER}"),
        (lambda: compare(*reads(EYE, EYE)).changed(10**400), f"tolerance {LARGER}"),
        (lambda: check_order(iter([1, 0]), 2), "order must be a sequence of whole numbers, got <"),
        (lambda: check_order({1, 0}, 2), "order must be a sequence of whole numbers, got {0, 1}"),
        (lambda: check_order({1: 0, 0: 1}, 2), "order must be a sequence of whole numbers"),
        (lambda: check_order(None, 2), "order must be a sequence of whole numbers, got None"),
        (lambda: check_order(3, 2), "order must be a sequence of whole numbers, got 3"),
        (lambda: check_order(np.eye(2, dtype=int), 2), "order must be a sequence of whole numbers"),
        (lambda: check_order([0, 1], -2), f"n {WHOLE} -2"),
        (lambda: check_order([0, 1], 2.0), f"n {WHOLE} 2.0"),
        (lambda: inverse_order(iter([1, 0])), "order must be a sequence of whole numbers, got <"),
        (lambda: hashed_uniform("a", -1), f"shape {WHOLE} -1"),
        (lambda: hashed_uniform("a", (2, -1)), f"shape {WHOLE} -1"),
        (lambda: hashed_uniform("a", (-2, -1)), f"shape {WHOLE} -2"),
        (lambda: hashed_uniform("a", 2.5), f"shape {WHOLE} 2.5"),
        (lambda: hashed_uniform("a", True), f"shape {WHOLE} True"),
        (lambda: hashed_uniform(b"a", 2), "label must be a str, got b'a'"),
        (lambda: causal(-2), f"n {WHOLE} -2"),
        (lambda: causal(2.5), f"n {WHOLE} 2.5"),
        (lambda: causal(True), f"n {WHOLE} True"),
        (lambda: causal("2"), f"n {WHOLE} '2'"),
        (lambda: sinusoidal(2.5, 3), f"n {WHOLE} 2.5"),
        (lambda: sinusoidal(2, "3"), f"d_model {WHOLE} '3'"),
        (lambda: LessonHead().attend(None), "tokens must be a sequence of tokens, got None"),
        (lambda: LessonHead().attend({"cat"}), "tokens must be a sequence of tokens, got {'cat'}"),
        (lambda: LessonHead().attend(3), "tokens must be a sequence of tokens, got 3"),
        (lambda: entropy(MASKED), "weights must have no masked cells, got 1 of 4"),
        (lambda: attention_weights(MASKED), "scores must have no masked cells, got 1 of 4"),
        (lambda: attend(EYE, MASKED, EYE), "keys must have no masked cells, got 1 of 4"),
        (
            lambda: attend(EYE, EYE, EYE, allowed=MASKED > 0),
            "allowed must have no masked cells, got 1 of 4",
        ),
        (lambda: pool(MASKED, 1), "matrix must have no masked cells, got 1 of 4"),
        (lambda: attend(EYE, [[1.0, 2.0], [3.0]], EYE), "keys must be an array, got rows that"),
        (lambda: entropy([[1.0], [0.5, 0.5]]), "weights must be an array, got rows that differ"),
        (
            lambda: attend(EYE, EYE, EYE, allowed=[[True], [True, True]]),
            "allowed must be an array, got rows that differ in length",
        ),
        (lambda: compare(EVEN, EVEN), "before must be an Attention, got ndarray"),
        (
            lambda: compare(attend(EYE, EYE, EYE), LessonHead().attend_long(["a", "b"])),
            "after must be an Attention, got LongAttention",
        ),
        (
            lambda: compare_long(attend(EYE, EYE, EYE), attend(EYE, EYE, EYE), 2),
            "before must be a LongAttention, got Attention",
        ),
        (lambda: entropy(attend(EYE, EYE, EYE)), "weights must be an array, got Attention"),
        (
            lambda: check_permutation(LessonHead, ["a"], [0]),
            r"head must be a head, such as LessonHead\(\), got the class itself",
        ),
        (lambda: read_row(attend(EYE, EYE, EYE), "0"), "row must be a whole number from 0 to 1"),
        (lambda: read_row(EVEN, 0), "attention must be an Attention, got ndarray"),
        (lambda: read_row(LessonHead().attend([]), 0), "row must be one of the read, which has no"),
        (lambda: entropy([[BIG, BIG]]), "weights must sum to 1 within 0.01 in every row"),
    ],
)
def test_what_cannot_be_used_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_masked_array_without_a_masked_cell_is_an_array():
    plain = np.ma.masked_array(EVEN, mask=False)
    assert entropy(plain).tolist() == entropy(EVEN).tolist()


@pytest.mark.parametrize(
    "use", [attention_weights, lambda x: attend(x, x, x), lambda x: pool(x, 1), entropy]
)
def test_a_longer_float_that_float64_cannot_hold_is_refused(use):
    with pytest.raises(ValueError, match=r"must be (small enough for float64|finite), got 1 of 2"):
        use(LONG)


def test_a_longer_float_that_float64_can_hold_is_taken():
    assert attention_weights(LONG[:, :1] * np.ones(2)).tolist() == [[0.5, 0.5]]
    assert attention_weights(np.array([[1, 1]], np.longdouble)).dtype == np.float64


# Near the largest float: right, or refused, and never a warning.


def test_distances_near_the_largest_float_are_right_or_infinite():
    reading = read_row(attend(EYE, EYE, [[BIG], [-BIG]], sharpness=np.inf), 0)
    assert (reading.distance_to_copy, reading.distance_to_blend) == (0, BIG)
    plane = read_row(attend(EYE, EYE, [[BIG, BIG], [-BIG, -BIG]], sharpness=np.inf), 0)
    assert plane.distance_to_blend == math.inf
    third = read_row(attend(EYE, EYE, [[BIG / 4] * 2, [0, 0]], sharpness=np.inf), 0)
    assert third.distance_to_blend == pytest.approx(BIG / 8 * math.sqrt(2))


def test_an_average_of_large_numbers_lies_between_them():
    flat = read_row(attend(np.zeros((3, 1)), np.zeros((3, 1)), [[BIG], [BIG], [BIG]]), 0)
    assert flat.blend.tolist() == flat.copy.tolist() == [BIG]
    assert pool(np.full((3, 3), BIG), 1, "mean").values.tolist() == [[BIG]]
    mixed = [[BIG, BIG, BIG], [-BIG, BIG, 0.0], [np.nan, np.inf, 1.0]]
    assert pool(mixed, 3, "mean").values[1].tolist() == mixed[1]
    assert pool([[BIG, BIG, 1.0], [BIG, BIG, 3.0]], 2, "mean").values.tolist() == [
        [BIG, BIG / 2],
        [BIG, BIG / 2],
    ]


def test_residuals_near_the_largest_float_are_infinite_and_equal_infinities_have_none():
    assert permuted_residual([[BIG]], [[-BIG]], (0,)) == math.inf
    assert permuted_residual([[-math.inf, 0], [0, 0]], [[-math.inf, 0], [0, 2]], (0, 1)) == 2
    assert math.isnan(permuted_residual([[math.nan]], [[math.nan]], (0,)))


@pytest.mark.parametrize("part", ["moved", "vector_part"])
def test_a_move_that_overflows_is_refused(part):
    before, after = (
        attend(EYE, EYE, values, sharpness=np.inf) for values in ([[BIG], [0]], [[-BIG], [0]])
    )
    moved = compare(before, after)
    with pytest.raises(ValueError, match=f"{part} must fit into float64, got an overflow"):
        getattr(moved, part)
    assert moved.matrix_part.tolist() == [[0], [0]]
    assert moved.fixed_mixer_outputs.tolist() == [[-BIG], [0]]


def test_scores_near_the_largest_float_are_compared():
    keys = [[BIG], [1]], [[-BIG], [1]]
    before, after = (
        attend([[0.9], [0.5]], key, EYE, key_tokens=[name, "b"])
        for name, key in zip(("old", "new"), keys, strict=True)
    )
    assert [reason.kind for reason in compare(before, after).reasons] == ["reads less"] * 2


def test_a_sum_of_outputs_that_overflows_is_refused():
    class Large(RandomHead):
        def attend(self, tokens, **settings):
            n = len(tokens)
            return attend(EYE[:n, :n], EYE[:n, :n], [[BIG]] * n, query_tokens=tokens)

    with pytest.raises(ValueError, match="pooled outputs must fit into float64"):
        check_permutation(Large(0), ["a", "b"], (1, 0))


# A copy of a record is a record.


RECORDS = {
    "attention": lambda: LessonHead().attend(["the", "cat"]),
    "causal": lambda: LessonHead().attend(["the", "cat"], causal=True),
    "comparison": lambda: compare(*reads(EYE, EVEN)),
    "check": lambda: check_permutation(LessonHead(), ["the", "cat"], (1, 0)),
    "reading": lambda: read_row(LessonHead().attend(["the", "cat"]), 0),
    "spread": lambda: spread_of_scores(EVEN),
    "pooled": lambda: pool(EVEN, 1),
}


def arrays(record):
    """All arrays of a record, those of the records in it too."""
    for value in vars(record).values():
        if isinstance(value, np.ndarray):
            yield value
        elif hasattr(value, "__dict__"):
            yield from arrays(value)


@pytest.mark.parametrize("again", [lambda r: pickle.loads(pickle.dumps(r)), copy.deepcopy])
@pytest.mark.parametrize("name", RECORDS)
def test_a_copy_of_a_record_holds_the_same_and_is_read_only_too(name, again):
    record = RECORDS[name]()
    if name == "comparison":
        assert record.row_shift.shape == (2,)  # a property that is kept once asked for
    first, second = list(arrays(record)), list(arrays(again(record)))
    assert len(first) == len(second) > 0
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)
        assert not other.flags.writeable
