"""What a new order shows is told with what breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import (
    LessonHead,
    check_permutation,
    permutation_causes,
)
from dashboard import words
from tests.words.reads import SENTENCE


def checked(order, **settings):
    check = check_permutation(LessonHead(), SENTENCE, order, **settings)
    return check, permutation_causes(LessonHead(), SENTENCE, order, **settings)


REVERSED = (5, 4, 3, 2, 1, 0)


def test_a_layer_without_positions_does_not_see_the_order():
    check, causes = checked(REVERSED)
    assert words.shuffle_finding(check, causes) == (
        "Same weights, same outputs, in another order: this layer does not see the order."
    )
    assert [line[1] for line in words.checks(check)] == ["holds"] * 3
    assert "until positions or a mask are added" in words.shuffle_meaning(check, causes)[0]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"positions": "sinusoidal"}, ["the position vectors"]),
        ({"causal": True}, ["the causal mask"]),
        (
            {"positions": "sinusoidal", "causal": True},
            ["the position vectors", "the causal mask"],
        ),
    ],
)
def test_what_breaks_the_checks_is_named(settings, named):
    check, causes = checked(REVERSED, **settings)
    finding = words.shuffle_finding(check, causes)
    assert finding == f"The order shows: {' and '.join(named)} told the two sentences apart."
    assert [line[1] for line in words.checks(check)] == ["does not hold"] * 3
    meaning = words.shuffle_meaning(check, causes)[0].lower()
    assert all(name in meaning for name in named)
    assert ("each of the two alone is enough" in meaning) == (len(named) == 2)


@pytest.mark.parametrize(
    ("order", "words_found"),
    [
        ((0, 1, 2, 3, 4, 5), "This is the order as it was"),
        ((4, 1, 2, 3, 0, 5), "Only equal tokens"),
    ],
)
def test_an_order_that_changes_nothing_is_said_to_prove_nothing(order, words_found):
    check, causes = checked(order)
    finding = words.shuffle_finding(check, causes)
    assert finding.startswith(words_found)
    assert "proves nothing" in finding
    assert words.shuffle_meaning(check, causes) == []


def test_the_residuals_are_told_as_they_are():
    check, _ = checked(REVERSED, causal=True)
    told = [float(line[2].replace("−", "-")) for line in words.checks(check)]
    expected = [check.weights_residual, check.outputs_residual, check.pooled_residual]
    assert told == pytest.approx(expected, abs=5.1e-4)
    assert words.gap_finding(check).endswith("far above rounding.")
    assert "different sums" in words.pooled_finding(check)


@given(value=st.floats(1e-300, 1e3))
def test_a_residual_is_never_told_as_0(value):
    told = float(words.scientific(value).replace("−", "-"))
    assert told == pytest.approx(value, rel=0.06)


@pytest.mark.parametrize(("positions", "same"), [("none", True), ("sinusoidal", False)])
def test_the_name_of_each_matrix_states_what_is_found_in_it(positions, same):
    check, _ = checked(REVERSED, positions=positions)
    a, b, back = words.ordered_names(check).values()
    assert a.startswith("A: attention weights of 6 rows, from 0 to 1. ")
    assert "Copies: “on”" in a
    assert b.endswith("it is the matrix of A." if same else "it is another than that of A.")
    assert back.endswith(words.gap_finding(check))
