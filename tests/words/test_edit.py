"""What an edit moved is told with its reason."""

import numpy as np
import pytest

from core import (
    LessonHead,
    attention_weights,
    compare,
    compare_long,
)
from dashboard import words
from tests.words.reads import DOG, SENTENCE


@pytest.fixture
def edit():
    head = LessonHead()
    return compare(head.attend(SENTENCE), head.attend(DOG))


def test_the_lesson_of_the_edit(edit):
    assert words.moved_rows(edit, 0.01) == (
        "The rows of “dog”, “sat” and “mat” move; “the” (1), “on” and “the” (5) stay fixed."
    )


@pytest.mark.parametrize("tolerance", [0.0, 0.01, 0.05, 0.1, 1.0])
def test_the_rows_that_are_said_to_move_are_those_over_the_tolerance(edit, tolerance):
    shift = np.abs(edit.after.weights - edit.before.weights).sum(axis=1) / 2
    names = [words.name(DOG, i) for i in range(6)]
    moved = [name for name, size in zip(names, shift, strict=True) if size > tolerance]
    told = words.moved_rows(edit, tolerance)
    if moved:
        assert told.split(";")[0] == (
            f"The row{'' if len(moved) == 1 else 's'} of {words.several(moved, 6)} "
            f"move{'s' if len(moved) == 1 else ''}"
        )
    else:
        assert told == f"No row of the matrix moved by more than {tolerance:g}."


def test_an_edit_to_the_same_token_moves_nothing():
    head = LessonHead()
    same = compare(head.attend(SENTENCE), head.attend(SENTENCE))
    assert words.moved_rows(same, 0.0) == "No row of the matrix moved."
    assert words.hands(same) == "No output moved."
    assert words.row_hands(same, 1) == "The output at “cat” did not move."
    assert {words.because(reason) for reason in same.reasons} == {"no token was edited"}


def test_every_row_says_why_it_moved_or_stayed(edit):
    told = [words.because(reason) for reason in edit.reasons]
    old, new = edit.before.weights[:, 1], edit.after.weights[:, 1]
    change = [f"from {a:.3f} to {b:.3f}" for a, b in zip(old, new, strict=True)]
    assert told == [
        "scores the new token as it scored the old one",
        f"new query; weight on itself {change[1]}",
        f"reads the edited token more, {change[2]}",
        "scores the new token as it scored the old one",
        "scores the new token as it scored the old one",
        f"reads the edited token more, {change[5]}",
    ]


def test_a_masked_row_says_that_it_may_not_read_the_edited_token():
    head = LessonHead()
    edit = compare(head.attend(SENTENCE, causal=True), head.attend(DOG, causal=True))
    assert words.because(edit.reasons[0]) == "may not read the edited token"


def test_the_hands_tell_the_lengths_of_the_moves(edit):
    moved = edit.after.weights @ edit.after.values - edit.before.weights @ edit.before.values
    fixed = edit.before.weights @ (edit.after.values - edit.before.values)
    most = int(np.linalg.norm(moved, axis=1).argmax())
    assert words.hands(edit) == (
        f"The output at {words.name(DOG, most)} moved most, by {np.linalg.norm(moved[most]):.3f}; "
        "a fixed mixer, which keeps the first matrix, would have moved it by "
        f"{np.linalg.norm(fixed[most]):.3f}."
    )


@pytest.mark.parametrize(
    ("text", "makes", "total"), [("", "nothing makes 0", 5), ("hot dog", "“hot␣dog” makes 2", 7)]
)
def test_a_replacement_that_is_not_one_token_is_refused_with_the_lengths(text, makes, total):
    told = words.not_one_token(text, 6)
    assert makes in told
    assert f"would have {total} tokens instead of 6" in told


@pytest.mark.parametrize("text", ["dog", " dog ", "\tdog\n"])
def test_blanks_around_a_replacement_do_no_harm(text):
    assert words.not_one_token(text, 6) == ""


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("the cat sat on the mat", "the dog sat on the mat", "All 6 outputs moved alike, by 0.067"),
        ("the cat", "the dog", "Both outputs moved alike, by 0.200"),
    ],
)
def test_outputs_that_moved_alike_are_not_told_apart(first, second, told):
    before, after = (LessonHead().attend(text.split(), sharpness=0) for text in (first, second))
    assert words.hands(compare(before, after)).startswith(f"{told};")


def test_the_name_of_each_matrix_states_what_is_found_in_it(edit):
    before, after, moved = words.edited_names(edit, 0.01).values()
    told = "attention weights of 6 rows, from 0 to 1. Copies:"
    blends = "Blends: “the” (1), “the” (5) and “mat”."
    assert before == f"Before: {told} “on”. {blends}"
    assert after == f"After: {told} “sat” and “on”. {blends}"  # sat reads dog at 0.91
    assert moved.endswith(words.moved_rows(edit, 0.01))
    # And follows the numbers.
    head = LessonHead()
    sharp = compare(head.attend(SENTENCE, sharpness=16), head.attend(DOG, sharpness=16))
    assert "Copies: “cat”, “sat”, “on” and “mat”" in words.edited_names(sharp, 0.01)["Before"]
    assert "Copies: “dog”, “sat”, “on” and “mat”" in words.edited_names(sharp, 0.01)["After"]


def test_the_names_of_a_long_edit_tell_its_largest_weights():
    head = LessonHead()
    reads = [head.attend_long((tokens * 12)[:70], sharpness=4) for tokens in (SENTENCE, DOG)]
    names = words.edited_names(compare_long(*reads, 32), 0.01)
    for title, read in zip(words.EDITED, reads, strict=False):
        weights = attention_weights(
            read.queries @ read.keys.T / read.keys.shape[1] ** 0.5, sharpness=4
        )
        assert names[title].endswith(f"The largest weight is {weights.max():.3f}.")
