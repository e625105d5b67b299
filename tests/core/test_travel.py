"""How rows travel from blend to copy: claims, a second source, and numbers worked on paper."""

import math
import tracemalloc

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import LessonHead, attention_weights, copy_blend, travel

score_matrices = arrays(np.float64, (3, 5), elements=st.floats(-20, 20))
SHARPNESSES = [0.0, 0.25, 1.0, 3.0, 16.0, math.inf]


def test_two_keys_worked_on_paper():
    # Weights 1/2 1/2, then 1/4 3/4, then 1/10 9/10, then 0 1.
    binary = [1, 2 - 0.75 * math.log2(3), math.log2(10) - 0.9 * math.log2(9), 0]
    paths = travel([[0.0, math.log(3)]], [0, 1, 2, math.inf])
    np.testing.assert_allclose(paths, np.array(binary)[:, None], rtol=1e-14)


def test_a_tie_ends_at_its_share_and_never_at_a_copy():
    paths = travel([[1.0, 1.0, 0.0, -3.0]], [math.inf])
    np.testing.assert_allclose(paths, [[math.log(2) / math.log(4)]], rtol=1e-15)


def test_a_row_of_equal_scores_never_leaves_the_blend():
    np.testing.assert_allclose(travel(np.full((1, 7), 2.5), SHARPNESSES), 1, rtol=1e-15)


def test_the_lesson_on_paper():
    attention = LessonHead().attend(["the", "cat", "sat", "on", "the", "mat"])
    paths = travel(attention.scores, [0, 1, 16])
    np.testing.assert_allclose(paths[:, [0, 4]], 1, rtol=1e-15)  # both the
    assert paths[1, 3] < 0.25  # on is nearly a copy of mat
    assert paths[1, 5] > 0.7  # mat is a blend


def test_forced_rows_and_rows_without_keys_have_no_path():
    allowed = [[True, False, False], [False, False, False], [True, True, False]]
    paths = travel(np.zeros((3, 3)), [0, 1], allowed=allowed)
    assert np.isnan(paths).tolist() == [[True, True, False]] * 2
    np.testing.assert_array_equal(paths[:, 2], 1)


@given(scores=score_matrices)
def test_no_row_rises_as_sharpness_grows(scores):
    assert (np.diff(travel(scores, SHARPNESSES), axis=0) <= 1e-12).all()


@given(scores=score_matrices)
def test_every_row_starts_as_a_blend_and_stays_between(scores):
    paths = travel(scores, SHARPNESSES)
    np.testing.assert_allclose(paths[0], 1, rtol=1e-15)
    assert ((paths >= 0) & (paths <= 1)).all()


@given(scores=score_matrices, allowed=arrays(np.bool_, (3, 5)))
def test_paths_agree_with_scipy(scores, allowed):
    sharpnesses = [0.0, 0.7, 2.0]
    paths = travel(scores, sharpnesses, allowed=allowed)
    for step, sharpness in enumerate(sharpnesses):
        for row in range(3):
            usable = scores[row][allowed[row]]
            if len(usable) < 2:
                assert np.isnan(paths[step, row])
                continue
            nats = scipy.stats.entropy(scipy.special.softmax(sharpness * usable))
            assert paths[step, row] == pytest.approx(nats / math.log(len(usable)), abs=1e-12)


@given(scores=score_matrices)
def test_sharpnesses_may_come_in_any_order(scores):
    forth = travel(scores, SHARPNESSES)
    np.testing.assert_array_equal(travel(scores, SHARPNESSES[::-1]), forth[::-1])


@pytest.mark.parametrize(("dtype", "within"), [("float32", 1e-5), ("float64", 1e-12)])
def test_many_rows_travel_as_their_weights_say(dtype, within):
    scores = np.random.default_rng(0).normal(size=(300, 500)).astype(dtype)  # three blocks
    allowed = np.tri(300, 500, 100, dtype=bool)
    paths = travel(scores, [*SHARPNESSES, 1e300], allowed=allowed)
    for path, sharpness in zip(paths, [*SHARPNESSES, 1e300], strict=True):
        weights = attention_weights(scores, sharpness=sharpness, allowed=allowed)
        np.testing.assert_allclose(path, copy_blend(weights, allowed), atol=within)


def test_2048_rows_travel_without_a_second_matrix():
    scores = np.zeros((2048, 2048), np.float32)
    tracemalloc.start()
    travel(scores, [0.5, 1, 2])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4e6  # the scores hold 16.8 MB


def test_scores_of_one_axis_are_refused():
    with pytest.raises(ValueError, match=r"scores must have two axes, got shape \(2,\)"):
        travel([0.0, 1.0], [1.0])


def test_no_sharpness_and_no_row_give_empty_paths_of_the_right_shape():
    assert travel(np.zeros((3, 5)), []).shape == (0, 3)
    assert travel(np.zeros((0, 5)), [1.0, 2.0]).shape == (2, 0)


@pytest.mark.parametrize("sharpness", [-1.0, math.nan])
def test_an_impossible_sharpness_is_refused(sharpness):
    with pytest.raises(ValueError, match="sharpness"):
        travel(np.zeros((1, 2)), [1.0, sharpness])
