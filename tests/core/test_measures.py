"""Copy, blend and distance: claims, a second source, and numbers worked on paper."""

import math
import tracemalloc

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import (
    attention_weights,
    causal,
    copy_blend,
    effective_positions,
    entropy,
    resharpen,
    total_variation,
)

# 3 rows, 5 keys; scores this far apart reach from a blend to a copy.
row_matrices = arrays(np.float64, (3, 5), elements=st.floats(-30, 30)).map(attention_weights)
sharpnesses = st.floats(0, 16)
measures = pytest.mark.parametrize("measure", [entropy, copy_blend, effective_positions])

ONE_HOT = [1.0, 0.0, 0.0, 0.0]
HALVES = [0.0, 0.5, 0.5]


# Worked on paper.


@pytest.mark.parametrize(
    ("row", "nats"),
    [
        (ONE_HOT, 0.0),
        (HALVES, math.log(2)),
        ([1 / 4] * 4, math.log(4)),
        # 1/2 ln 2 + 2 * 1/4 ln 4 = 3/2 ln 2
        ([1 / 2, 1 / 4, 1 / 4], 1.5 * math.log(2)),
    ],
)
def test_entropy_on_paper(row, nats):
    assert float(entropy(row)) == pytest.approx(nats, rel=1e-14)
    assert float(effective_positions(row)) == pytest.approx(math.exp(nats), rel=1e-14)
    assert float(copy_blend(row)) == pytest.approx(nats / math.log(len(row)), rel=1e-14)


def test_total_variation_on_paper():
    # (|0.7 - 0.1| + |0.2 - 0.6| + |0.1 - 0.3|) / 2 = (0.6 + 0.4 + 0.2) / 2 = 0.6
    assert float(total_variation([0.7, 0.2, 0.1], [0.1, 0.6, 0.3])) == pytest.approx(0.6)
    assert total_variation([[1.0, 0.0]], [[0.0, 1.0]]).tolist() == [1.0]


def test_copy_blend_counts_only_the_allowed_keys():
    # Row 1 of 3, causal, blends the two keys it may use: entropy ln 2 of ln 2, not of ln 3.
    weights = [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]]
    blend = copy_blend(weights, allowed=causal(3))
    assert blend == pytest.approx([np.nan, 1, math.log(2) / math.log(3)], nan_ok=True)


@pytest.mark.parametrize(
    ("sharpness", "first", "others"),
    [
        # 0.97^2 / (0.97^2 + 3 * 0.01^2) = 0.9409 / 0.9412
        (2, 0.999681, 0.000106),
        # sqrt(0.97) / (sqrt(0.97) + 3 * 0.1) = 0.984886 / 1.284886
        (0.5, 0.766516, 0.077828),
    ],
)
def test_num_08_resharpen_is_a_power_and_a_sum_of_1(sharpness, first, others):
    result = resharpen([0.97, 0.01, 0.01, 0.01], sharpness)
    assert result == pytest.approx([first, others, others, others], abs=1e-6)


# A second source.


@given(row_matrices)
def test_entropy_is_that_of_scipy(weights):
    np.testing.assert_allclose(entropy(weights), scipy.stats.entropy(weights, axis=-1), atol=1e-13)


@given(row_matrices, sharpnesses)
def test_resharpened_weights_are_the_power_renormalised(weights, sharpness):
    power = np.where(weights > 0, weights, 1) ** sharpness * (weights > 0)
    expected = power / power.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(resharpen(weights, sharpness), expected, rtol=1e-10, atol=1e-300)


# Claims.


@given(row_matrices)
def test_measures_keep_their_bounds(weights):
    assert (entropy(weights) >= 0).all()
    assert (entropy(weights) <= math.log(5) + 1e-12).all()
    assert ((copy_blend(weights) >= 0) & (copy_blend(weights) <= 1)).all()
    assert ((effective_positions(weights) >= 1) & (effective_positions(weights) <= 5)).all()


@given(arrays(np.float64, 5, elements=st.floats(-30, 30)), sharpnesses, sharpnesses)
def test_entropy_never_rises_with_sharpness(scores, one, other):
    blunt, sharp = sorted((one, other))
    at_blunt = entropy(attention_weights(scores, sharpness=blunt))
    at_sharp = entropy(attention_weights(scores, sharpness=sharp))
    assert at_sharp <= at_blunt + 1e-12


@pytest.mark.parametrize("n", [2, 3, 6, 7, 49, 64])
def test_a_uniform_row_is_a_blend_of_all_and_no_more(n):
    row = np.full(n, 1 / n)
    assert float(copy_blend(row)) == pytest.approx(1, abs=1e-14)
    assert float(copy_blend(row)) <= 1
    assert float(effective_positions(row)) <= n


@given(row_matrices, row_matrices, row_matrices)
def test_total_variation_is_a_distance(p, q, r):
    assert (total_variation(p, p) == 0).all()
    np.testing.assert_array_equal(total_variation(p, q), total_variation(q, p))
    assert (total_variation(p, r) <= total_variation(p, q) + total_variation(q, r) + 1e-14).all()
    assert (total_variation(p, q) <= 1).all()


@given(row_matrices)
def test_total_variation_is_the_largest_gap_over_sets_of_keys(weights):
    p, q = weights[0], weights[1]
    gaps = [sum(p[key] - q[key] for key in range(5) if subset >> key & 1) for subset in range(2**5)]
    assert float(total_variation(p, q)) == pytest.approx(max(gaps), abs=1e-14)


@given(row_matrices)
def test_num_08_resharpen_at_1_returns_an_unchanged_copy(weights):
    result = resharpen(weights, 1)
    np.testing.assert_array_equal(result, weights)
    assert not np.shares_memory(result, weights)


@given(arrays(np.float64, (3, 5), elements=st.floats(-9, 9)), st.floats(0, 4))
def test_resharpened_weights_are_those_of_sharpened_scores(scores, sharpness):
    recorded = resharpen(attention_weights(scores), sharpness)
    np.testing.assert_allclose(recorded, attention_weights(scores, sharpness=sharpness), atol=1e-13)


@given(row_matrices, st.floats(0.1, 4), st.floats(0.1, 4))
def test_resharpening_twice_is_resharpening_by_the_product(weights, first, second):
    twice = resharpen(resharpen(weights, first), second)
    np.testing.assert_allclose(twice, resharpen(weights, first * second), atol=1e-9)


def test_resharpen_at_0_is_one_kth_of_the_allowed_keys_or_of_those_with_weight():
    row = [[0.9, 0.1, 0.0, 0.0]]
    assert resharpen(row, 0).tolist() == [[1 / 2, 1 / 2, 0, 0]]
    allowed = np.array([[True, True, True, False]])
    assert resharpen(row, 0, allowed=allowed).tolist() == [[1 / 3, 1 / 3, 1 / 3, 0]]


def test_resharpen_at_infinity_shares_among_the_largest():
    result = resharpen([[0.4, 0.4, 0.2], [0.2, 0.3, 0.5]], np.inf)
    assert result.tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_resharpen_keeps_empty_rows_empty_and_missing_rows_missing():
    weights = np.array([[0.0, 0, 0], [np.nan, 0.5, 0.5], [0.5, 0.25, 0.25]])
    for sharpness in (0, 0.5, 2, np.inf):
        result = resharpen(weights, sharpness)
        assert result[0].tolist() == [0, 0, 0]
        assert np.isnan(result[1]).all()
        assert result[2].sum() == pytest.approx(1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sharpness", [0, 0.5, 1, np.inf])
def test_resharpen_keeps_the_number_type(dtype, sharpness):
    assert resharpen(np.array([0.5, 0.5], dtype=dtype), sharpness).dtype == dtype


def test_measures_take_any_leading_axes():
    weights = attention_weights(np.random.default_rng(0).normal(size=(2, 3, 5, 7)))
    other = attention_weights(np.random.default_rng(1).normal(size=(2, 3, 5, 7)))
    for measure in (entropy, copy_blend, effective_positions):
        assert measure(weights).shape == (2, 3, 5)
        assert measure(weights)[1, 2, 4] == measure(weights[1, 2, 4])
    assert total_variation(weights, other).shape == (2, 3, 5)
    assert resharpen(weights, 2).shape == (2, 3, 5, 7)


# Special rows.


@measures
def test_num_01_a_row_without_allowed_keys_has_no_measure(measure):
    result = measure([[0.0, 0.0, 0.0], [0.5, 0.25, 0.25]])
    assert np.isnan(result).tolist() == [True, False]
    assert result[1] == measure([0.5, 0.25, 0.25])


def test_num_01_a_row_without_allowed_keys_has_no_distance():
    empty, row = [[0.0, 0.0]], [[0.5, 0.5]]
    assert np.isnan(total_variation(empty, row)).all()
    assert np.isnan(total_variation(row, empty)).all()


def test_num_04_entropy_of_rows_with_zeros():
    assert float(entropy(ONE_HOT)) == 0
    assert float(entropy(HALVES)) == pytest.approx(0.6931, abs=5e-5)
    rows = attention_weights(np.zeros((5, 5)), allowed=causal(5))
    assert entropy(rows) == pytest.approx(np.log([1, 2, 3, 4, 5]))


def test_num_06_one_choice_is_no_choice():
    assert entropy([[1.0]]).tolist() == [0.0]
    assert effective_positions([[1.0]]).tolist() == [1.0]
    assert np.isnan(copy_blend([[1.0]])).all()


@pytest.mark.parametrize("row", [ONE_HOT, [1.0000001, 0], [0.999, 0], [1.0]])
def test_num_15_entropy_is_never_minus_zero(row):
    assert not np.signbit(entropy(row))
    assert f"{float(entropy(ONE_HOT)):.2f}" == "0.00"


def test_num_15_small_weights_count():
    # 64 keys, 63 of them 0.00004: entropy 63 * 0.00004 * ln(25000) + about 0.00252 = 0.02804
    row = np.array([1 - 63 * 0.00004] + [0.00004] * 63)
    assert float(entropy(row)) == pytest.approx(0.02804, abs=1e-5)


@measures
def test_a_row_with_a_missing_cell_has_no_measure(measure):
    result = measure([[np.nan, 0.5, 0.5], [0.25, 0.5, 0.25]])
    assert np.isnan(result).tolist() == [True, False]


@measures
def test_half_precision_is_measured_in_double(measure):
    row = np.full(7, 1 / 7, dtype=np.float16)
    result = measure(row)
    assert result.dtype == np.float64
    assert result == pytest.approx(measure(row.astype(np.float64)))


@measures
@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 5), (0, 0), (2, 3, 0)])
def test_no_rows_or_no_keys_give_empty_or_missing_results(measure, shape):
    result = measure(np.zeros(shape))
    assert result.shape == shape[:-1]
    assert np.isnan(result).all()
    assert resharpen(np.zeros(shape), 2).shape == shape
    assert total_variation(np.zeros(shape), np.zeros(shape)).shape == shape[:-1]


# What is refused.


@measures
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[0.5, 0.5], [1.1, -0.1]], r"must be 0 or more, got 1 of 4 .* first is -0.1 at \(1, 1\)"),
        ([[0.5, np.inf]], r"must be finite, got 1 of 2 .* first is inf at \(0, 1\)"),
        ([[0.5, 0.5], [0.465, 0.4]], r"1 of 2 that do not; row \(1,\) sums to 0.865"),
        ([[[1.0, 1.0]]], r"row \(0, 0\) sums to 2"),
        (0.5, "must have an axis of keys"),
        ([["a"]], "must hold real numbers, got text"),
    ],
)
def test_rows_that_are_no_distributions_are_refused(measure, weights, message):
    with pytest.raises(ValueError, match=f"weights .*{message}"):
        measure(weights)


@measures
@pytest.mark.parametrize("total", [0.998, 1.002, 0.991, 1.009])
def test_rows_a_little_off_are_accepted(measure, total):
    assert np.isfinite(measure([total / 2, total / 2]))


def test_sums_are_taken_in_double_precision():
    # 4096 float16 weights of 1/4096 sum to 1; summed in half precision they stall far below.
    row = np.full(4096, 1 / 4096, dtype=np.float16)
    assert float(entropy(row)) == pytest.approx(math.log(4096))


@pytest.mark.parametrize("function", [copy_blend, lambda w, a: resharpen(w, 2, a)])
def test_weight_on_a_key_that_is_not_allowed_is_refused(function):
    allowed = np.array([[True, False], [True, True]])
    with pytest.raises(ValueError, match=r"0 where a key is not allowed, .* 0.5 at \(0, 1\)"):
        function([[0.5, 0.5], [0.5, 0.5]], allowed)


def test_an_empty_row_with_allowed_keys_is_refused():
    with pytest.raises(ValueError, match=r"row \(0,\) sums to 0"):
        copy_blend([[0.0, 0.0]], allowed=[[True, True]])


def test_total_variation_of_different_shapes_is_refused():
    with pytest.raises(ValueError, match=r"same shape, got \(1, 2\) and \(1, 3\)"):
        total_variation([[0.5, 0.5]], [[0.5, 0.5, 0.0]])


@pytest.mark.parametrize("sharpness", [-1, np.nan, False, "2"])
def test_resharpen_refuses_what_is_no_sharpness(sharpness):
    with pytest.raises(ValueError, match="sharpness must be a number from 0 to infinity"):
        resharpen([0.5, 0.5], sharpness)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_are_measured_alike_alone_and_among_many(dtype):
    scores = np.random.default_rng(0).normal(size=(700, 700)).astype(dtype)
    weights, others = attention_weights(scores), attention_weights(-scores)
    for row in (0, 92, 93, 94, 699):  # about 93 rows are a block
        assert float(entropy(weights)[row]) == float(entropy(weights[row]))
        alone = float(total_variation(weights[row], others[row]))
        assert float(total_variation(weights, others)[row]) == alone


@measures
def test_a_large_matrix_is_measured_without_a_second_one(measure):
    weights = np.full((1024, 1024), 1 / 1024, np.float32)
    tracemalloc.start()
    measure(weights)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4e6  # the weights hold 4.2 MB, as float64 8.4


@pytest.mark.parametrize("measure", [entropy, copy_blend, effective_positions])
def test_one_row_gives_one_number_in_an_array_like_many_do(measure):
    one = measure([0.5, 0.5])
    assert isinstance(one, np.ndarray)
    assert one.shape == ()
    assert one == measure([[0.5, 0.5]])[0]


@pytest.mark.parametrize("told", [np.nan, 1 / 3, 0.0])
def test_a_row_without_any_key_has_no_measure_however_a_tool_tells_it(told):
    allowed = np.array([[False] * 3, [True, True, False]])
    weights = np.array([[told] * 3, [0.25, 0.75, 0.0]])
    share = copy_blend(weights, allowed)
    assert np.isnan(share[0])
    assert share[1] == copy_blend(weights[1:], allowed[1:])[0]
    for sharpness in (0, 0.5, 1, 2, np.inf):
        again = resharpen(weights, sharpness, allowed)
        assert np.isnan(again[0]).all() if np.isnan(told) else not again[0].any()
        assert again[1].tobytes() == resharpen(weights[1:], sharpness, allowed[1:])[0].tobytes()


def test_weight_on_a_forbidden_key_beside_others_is_still_refused():
    with pytest.raises(ValueError, match="weights must be 0 where a key is not allowed, got 1 of"):
        copy_blend([[0.5, 0.5]], [[True, False]])
