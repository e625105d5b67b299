"""What an edit moves: the exact laws of a softmax row, and a reason for every row."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Attention, Comparison, LessonHead, RandomHead, attend, causal, compare

SENTENCE = ("the", "cat", "sat", "on", "the", "mat")
WORDS = ("the", "cat", "dog", "sat", "on", "mat", "zyzzyva", "")


@st.composite
def edits(draw, **settings) -> Comparison:
    """One token of a sentence of 2 to 7 replaced by another, under a random head."""
    head = RandomHead(draw(st.integers(0, 9999)))
    tokens = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=7))
    position = draw(st.integers(0, len(tokens) - 1))
    word = draw(st.sampled_from([word for word in WORDS if word != tokens[position]]))
    edited = [*tokens[:position], word, *tokens[position + 1 :]]
    return compare(head.attend(tokens, **settings), head.attend(edited, **settings))


def edit(position: int, word: str, **settings) -> Comparison:
    """An edit of the lesson's sentence under the lesson's head."""
    edited = [*SENTENCE[:position], word, *SENTENCE[position + 1 :]]
    head = LessonHead()
    return compare(head.attend(SENTENCE, **settings), head.attend(edited, **settings))


def kinds(comparison: Comparison) -> list[str]:
    return [reason.kind for reason in comparison.reasons]


# Worked on paper.


def test_two_positions_on_paper():
    # Before: weights 1/2, 1/2 on values 0 and 4. After: key 1 scores ln 3 for query 0, so
    # weights 1/4, 3/4, on values 0 and 8. Outputs 2 -> 6.
    # The matrix: (3/4 - 1/2) * 8 = 2. The vectors: 1/2 * (8 - 4) = 2. Together 4 = 6 - 2.
    before = attend([[1.0]], [[0.0], [0.0]], [[0.0], [4.0]], key_tokens=["a", "b"])
    after = attend([[1.0]], [[0.0], [np.log(3)]], [[0.0], [8.0]], key_tokens=["a", "c"])
    moved = compare(before, after)
    assert moved.edited == (1,)
    assert moved.row_shift == pytest.approx([1 / 4])
    assert moved.matrix_part == pytest.approx(np.array([[2.0]]))
    assert moved.vector_part == pytest.approx(np.array([[2.0]]))
    assert moved.fixed_mixer_outputs == pytest.approx(np.array([[4.0]]))
    (reason,) = moved.reasons
    assert reason.kind == "reads more"
    assert (reason.weight_before, reason.weight_after) == pytest.approx((1 / 2, 3 / 4))


# Claims.


@given(edits())
def test_the_two_parts_sum_to_what_the_outputs_moved(moved):
    shift = moved.after.outputs - moved.before.outputs
    np.testing.assert_allclose(moved.matrix_part + moved.vector_part, shift, atol=1e-13)
    np.testing.assert_allclose(
        moved.fixed_mixer_outputs, moved.before.outputs + moved.vector_part, atol=1e-13
    )


@given(edits())
def test_every_other_column_is_rescaled_by_one_factor(moved):
    (p,) = moved.edited
    n = len(moved.before.key_tokens)
    for row in set(range(n)) - {p}:
        old, new = moved.before.weights[row], moved.after.weights[row]
        factor = (1 - new[p]) / (1 - old[p])
        others = np.arange(n) != p
        np.testing.assert_allclose(new[others], factor * old[others], atol=1e-13)


@given(edits())
def test_the_shift_of_a_row_is_the_change_of_its_weight_on_the_edited_key(moved):
    (p,) = moved.edited
    for row, reason in enumerate(moved.reasons):
        if row != p:
            change = abs(reason.weight_after - reason.weight_before)
            assert moved.row_shift[row] == pytest.approx(change, abs=1e-14)
            assert reason.weight_before == moved.before.weights[row, p]


@given(edits())
def test_the_reason_says_where_the_weight_went(moved):
    for reason in moved.reasons:
        if reason.kind == "reads more":
            assert reason.weight_after > reason.weight_before
        elif reason.kind == "reads less":
            assert reason.weight_after < reason.weight_before
        else:
            assert reason.kind == "new query"


@given(edits(causal=True))
def test_under_a_causal_mask_rows_before_the_edit_are_fixed_exactly(moved):
    (p,) = moved.edited
    assert (moved.row_shift[:p] == 0).all()
    assert (moved.after.outputs[:p] == moved.before.outputs[:p]).all()
    assert kinds(moved)[:p] == ["masked"] * p


@given(edits(sharpness=0))
def test_at_sharpness_0_only_the_vectors_move(moved):
    assert (moved.row_shift == 0).all()
    assert (moved.matrix_part == 0).all()
    assert set(kinds(moved)) <= {"new query", "weight unchanged"}


# A reason for every row.


def test_cat_to_dog_moves_some_rows_and_leaves_others():
    moved = edit(1, "dog")
    assert moved.edited == (1,)
    assert moved.changed(0.01).tolist() == [False, True, True, False, False, True]
    assert kinds(moved) == [
        "score unchanged",
        "new query",
        "reads more",
        "score unchanged",
        "score unchanged",
        "reads more",
    ]


def test_a_calmer_animal_is_read_less():
    assert kinds(edit(1, "mouse"))[2] == "reads less"


def test_a_row_whose_score_is_unchanged_is_fixed_exactly():
    moved = edit(1, "dog")
    assert moved.row_shift[[0, 3, 4]].tolist() == [0, 0, 0]


def test_rows_that_may_not_read_the_edit_are_masked():
    assert kinds(edit(1, "dog", causal=True)) == [
        "masked",
        "new query",
        "reads more",
        "score unchanged",
        "score unchanged",
        "reads more",
    ]


def test_without_an_edit_nothing_moves():
    moved = edit(1, "cat")
    assert moved.edited == ()
    assert kinds(moved) == ["no edit"] * 6
    assert (moved.row_shift == 0).all()
    assert moved.reasons[0].weight_before == 0


def test_rows_that_move_without_an_edit_have_other_settings():
    head = LessonHead()
    plain = head.attend(SENTENCE)
    sharp = compare(plain, head.attend(SENTENCE, sharpness=2))
    assert kinds(sharp)[2] == "other settings"
    assert kinds(sharp)[0] == "no edit"  # uniform at every sharpness
    masked = compare(plain, head.attend(SENTENCE, causal=True))
    assert kinds(masked) == ["other settings"] * 5 + ["no edit"]


def test_a_row_whose_mask_differs_has_other_settings_though_it_reads_more():
    head = LessonHead()
    edited = head.attend(["the", "dog", "sat", "on", "the", "mat"], causal=True)
    assert kinds(compare(head.attend(SENTENCE), edited)) == [
        "other settings",
        "new query",
        "other settings",
        "other settings",
        "other settings",
        "reads more",
    ]


def test_several_edits_at_once_are_weighed_together():
    head = LessonHead()
    moved = compare(
        head.attend(["the", "cat", "saw", "the", "dog"]),
        head.attend(["the", "fish", "saw", "the", "cow"]),
    )
    assert moved.edited == (1, 4)
    reason = moved.reasons[2]
    assert reason.kind == "reads less"
    assert reason.weight_before == pytest.approx(moved.before.weights[2, [1, 4]].sum())


def test_num_01_rows_without_keys_have_no_shift_and_say_so():
    head = LessonHead()
    allowed = np.ones((6, 6), dtype=bool)
    allowed[2] = False

    def emptied(read: Attention) -> Attention:
        weights = np.where(allowed, read.weights, 0)
        return replace(read, weights=weights, allowed=allowed)

    before = emptied(head.attend(SENTENCE))
    moved = compare(before, emptied(head.attend(["the", "dog", "sat", "on", "the", "mat"])))
    assert moved.reasons[2].kind == "no keys"
    assert np.isnan(moved.row_shift).tolist() == [False, False, True, False, False, False]
    assert not moved.changed(0)[2]


def test_num_06_one_token_compares():
    head = LessonHead()
    moved = compare(head.attend(["cat"]), head.attend(["dog"]))
    assert moved.row_shift.tolist() == [0.0]
    assert kinds(moved) == ["new query"]


def test_no_tokens_compare():
    empty = LessonHead().attend([])
    moved = compare(empty, empty)
    assert (moved.edited, moved.reasons) == ((), ())
    assert moved.matrix_part.shape == (0, 9)


def test_changed_counts_what_lies_above_the_tolerance():
    moved = edit(1, "dog")
    largest = moved.row_shift.max()
    assert not moved.changed(largest).any()
    assert moved.changed(np.nextafter(largest, 0)).sum() == 1
    assert moved.changed(0).sum() == 3


# What is refused, and what goes out.


def test_different_lengths_are_refused():
    head = LessonHead()
    longer = head.attend(["the", "hot", "dog", "sat", "on", "the", "mat"])
    with pytest.raises(ValueError, match="same number of tokens, got 6 and 7"):
        compare(head.attend(SENTENCE), longer)


def test_different_value_features_are_refused():
    with pytest.raises(ValueError, match=r"values of one shape, got \(6, 9\) and \(6, 6\)"):
        compare(LessonHead().attend(SENTENCE), RandomHead(0).attend(SENTENCE))


@pytest.mark.parametrize("tolerance", [-0.01, np.nan, "0.01"])
def test_a_tolerance_that_is_none_is_refused(tolerance):
    with pytest.raises(ValueError, match="tolerance must be a number from 0 to infinity"):
        edit(1, "dog").changed(tolerance)


def test_queries_and_keys_may_differ_in_number():
    # 2 queries, 3 keys, d_value 5; the mask hides the edited key from query 0.
    queries, keys, values = np.ones((2, 1)), np.zeros((3, 1)), np.ones((3, 5))
    settings = {"allowed": causal(3)[1:, :]}
    before = attend(queries, keys, values, key_tokens=["a", "b", "c"], **settings)
    keys[2] = 1
    after = attend(queries, keys, values, key_tokens=["a", "b", "d"], **settings)
    assert kinds(compare(before, after)) == ["masked", "reads more"]


@pytest.mark.parametrize("name", ["row_shift", "matrix_part", "vector_part", "fixed_mixer_outputs"])
def test_arrays_are_read_only(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(edit(1, "dog"), name)[:] = 0


@pytest.mark.parametrize("sharpness", [1.0, 16.0, np.inf])
@pytest.mark.parametrize(
    ("sentence", "at", "new"),
    [
        ("garden bird bird", 1, "stood"),
        ("on bed house tree", 1, "tree"),
        ("on bed the", 2, "house"),
    ],
)
def test_no_row_is_said_to_have_other_settings_where_there_are_none(sentence, at, new, sharpness):
    """Scores that tie but for rounding once moved a row whose scores had stayed."""
    tokens = sentence.split()
    edited = [*tokens[:at], new, *tokens[at + 1 :]]
    head = LessonHead()
    moved = compare(
        head.attend(tokens, sharpness=sharpness), head.attend(edited, sharpness=sharpness)
    )
    for row, kind in enumerate(kinds(moved)):
        assert kind != "other settings", row
        if kind == "score unchanged":
            assert moved.row_shift[row] <= 1e-12
