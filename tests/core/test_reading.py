"""One output taken apart: claims, a second source, and numbers worked on paper."""

import math

import numpy as np
import pytest
import scipy.spatial.distance
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import LessonHead, RandomHead, attend, read_row

numbers = st.floats(-9, 9)


@st.composite
def reads(draw):
    """A read of 3 queries, 5 keys and 2 value features; some keys may be forbidden."""
    allowed = draw(arrays(np.bool_, (3, 5)))
    return attend(
        draw(arrays(np.float64, (3, 4), elements=numbers)),
        draw(arrays(np.float64, (5, 4), elements=numbers)),
        draw(arrays(np.float64, (5, 2), elements=numbers)),
        sharpness=draw(st.sampled_from([0.0, 0.3, 1.0, 7.0, math.inf])),
        allowed=allowed,
    )


rows = st.integers(0, 2)


# Worked on paper.


def test_two_keys_worked_on_paper():
    # Scores 0 and ln 3, so weights 1/4 and 3/4; values (8, 0) and (0, 4).
    attention = attend([[1.0]], [[0.0], [math.log(3)]], [[8.0, 0.0], [0.0, 4.0]])
    reading = read_row(attention, 0)
    assert reading.strongest == (1,)
    np.testing.assert_allclose(reading.contributions, [[2, 0], [0, 3]], rtol=1e-15)
    np.testing.assert_allclose(reading.output, [2, 3], rtol=1e-15)
    np.testing.assert_array_equal(reading.copy, [0, 4])
    np.testing.assert_array_equal(reading.blend, [4, 2])
    assert reading.distance_to_copy == pytest.approx(math.sqrt(5), rel=1e-15)  # (2, −1)
    assert reading.distance_to_blend == pytest.approx(math.sqrt(5), rel=1e-15)  # (−2, 1)


def test_a_tie_is_copied_as_the_mean_of_its_keys():
    attention = attend([[1.0]], [[2.0], [2.0], [0.0]], [[6.0], [2.0], [100.0]], sharpness=math.inf)
    reading = read_row(attention, 0)
    assert reading.strongest == (0, 1)
    assert (reading.copy.tolist(), reading.output.tolist()) == ([4.0], [4.0])
    assert reading.distance_to_copy == 0


def test_a_forbidden_key_is_in_neither_copy_nor_blend():
    attention = attend(
        [[1.0]], [[9.0], [0.0], [0.0]], [[50.0], [1.0], [3.0]], allowed=[[False, True, True]]
    )
    reading = read_row(attention, 0)
    assert reading.strongest == (1, 2)
    assert (reading.blend.tolist(), reading.contributions.ravel().tolist()) == (
        [2.0],
        [0, 0.5, 1.5],
    )


def test_a_row_without_keys_has_neither_copy_nor_blend():
    attention = attend([[1.0]], [[1.0], [2.0]], [[1.0], [2.0]], allowed=[[False, False]])
    reading = read_row(attention, 0)
    assert reading.strongest == ()
    assert (reading.output.tolist(), reading.contributions.ravel().tolist()) == ([0.0], [0, 0])
    assert np.isnan([*reading.copy, *reading.blend]).all()
    assert np.isnan([reading.distance_to_copy, reading.distance_to_blend]).all()


def test_one_token_is_copy_and_blend_at_once():
    reading = read_row(LessonHead().attend(["cat"]), 0)
    assert (reading.distance_to_copy, reading.distance_to_blend) == (0, 0)


def test_the_lesson_on_paper():
    attention = LessonHead().attend(["the", "cat", "sat", "on", "the", "mat"])
    assert read_row(attention, 3).strongest == (5,)  # on looks at mat
    assert read_row(attention, 2).strongest == (1,)  # sat looks at cat
    assert read_row(attention, 0).strongest == (0, 1, 2, 3, 4, 5)  # the looks at nothing
    assert read_row(attention, 0).distance_to_blend == pytest.approx(0, abs=1e-15)


# Claims.


@given(attention=reads(), row=rows)
def test_the_contributions_sum_to_the_output(attention, row):
    reading = read_row(attention, row)
    np.testing.assert_allclose(reading.contributions.sum(axis=0), reading.output, atol=1e-13)
    np.testing.assert_array_equal(reading.output, attention.outputs[row])


@given(attention=reads(), row=rows)
def test_the_strongest_keys_share_the_largest_weight(attention, row):
    strongest = read_row(attention, row).strongest
    weights = attention.weights[row]
    assert all(weights[k] == weights.max() for k in strongest)
    assert all(weights[k] < weights.max() for k in set(range(5)) - set(strongest) if strongest)
    assert bool(strongest) == attention.allowed[row].any()
    assert all(attention.allowed[row][k] for k in strongest)


@given(attention=reads(), row=rows)
def test_a_sharp_read_lies_on_its_copy_and_a_flat_one_on_its_blend(attention, row):
    if not attention.allowed[row].any():
        return
    scores, values, allowed = attention.scores, attention.values, attention.allowed
    by_score = {"keys": np.eye(5), "values": values, "allowed": allowed}  # scores as they are
    queries = scores * math.sqrt(5)
    sharp = read_row(attend(queries, **by_score, sharpness=math.inf), row)
    flat = read_row(attend(queries, **by_score, sharpness=0), row)
    assert sharp.distance_to_copy == pytest.approx(0, abs=1e-13)
    assert flat.distance_to_blend == pytest.approx(0, abs=1e-13)


@given(attention=reads(), row=rows)
def test_the_output_lies_within_the_values_it_reads(attention, row):
    usable = attention.values[attention.allowed[row]]
    if len(usable):
        output = read_row(attention, row).output
        assert (output >= usable.min(axis=0) - 1e-12).all()
        assert (output <= usable.max(axis=0) + 1e-12).all()


def test_every_array_is_read_only():
    reading = read_row(LessonHead().attend(["cat", "sat"]), 0)
    for array in (reading.contributions, reading.output, reading.copy, reading.blend):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("row", [-1, 2, 99])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(ValueError, match=rf"row must be a whole number from 0 to 1, got {row}"):
        read_row(LessonHead().attend(["cat", "sat"]), row)


# A second source.


@given(attention=reads(), row=rows)
def test_distances_agree_with_scipy(attention, row):
    reading = read_row(attention, row)
    if reading.strongest:
        assert reading.distance_to_copy == pytest.approx(
            scipy.spatial.distance.euclidean(reading.output, reading.copy), abs=1e-13
        )
        assert reading.distance_to_blend == pytest.approx(
            scipy.spatial.distance.euclidean(
                reading.output, np.average(attention.values, axis=0, weights=attention.allowed[row])
            ),
            abs=1e-13,
        )


@pytest.mark.parametrize("row", range(4))
def test_another_head_is_taken_apart_alike(row):
    attention = RandomHead(3).attend(["w", "x", "y", "z"], causal=True)
    reading = read_row(attention, row)
    np.testing.assert_array_equal(
        reading.contributions, attention.weights[row][:, None] * attention.values
    )
    np.testing.assert_allclose(reading.blend, attention.values[: row + 1].mean(axis=0))
