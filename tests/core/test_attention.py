"""One head's read: claims, a second source, and numbers worked on paper."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import softmax

from core import Attention, attend, attention_weights, causal

LARGEST = np.finfo(np.float64).max

# 5 queries, 7 keys, d_key 3, d_value 2: a swapped axis cannot pass.
N_QUERIES, N_KEYS, D_KEY, D_VALUE = 5, 7, 3, 2

score_matrices = arrays(np.float64, (N_QUERIES, N_KEYS), elements=st.floats(-50, 50))
masks = arrays(np.bool_, (N_QUERIES, N_KEYS))
sharpnesses = st.floats(0, 16)


def draw(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def read(**settings) -> Attention:
    return attend(
        draw(N_QUERIES, D_KEY, seed=1),
        draw(N_KEYS, D_KEY, seed=2),
        draw(N_KEYS, D_VALUE, seed=3),
        **settings,
    )


# Worked on paper.


def test_two_keys_on_paper():
    # d_key = 4. Scores: 2 * 1 / sqrt(4) = 1 and 2 * 3 / sqrt(4) = 3, a gap of 2.
    # Weights: 1 / (1 + e^2) = 0.119203 and 0.880797. Output: 10 and 20 so mixed, 18.807971.
    # Without the square root: a gap of 4, weights 0.018 and 0.982, output 19.82.
    result = attend([[2, 0, 0, 0]], [[1, 5, 5, 5], [3, 7, 7, 7]], [[10], [20]])
    assert result.scores.tolist() == [[1.0, 3.0]]
    assert result.weights == pytest.approx(np.array([[0.119203, 0.880797]]), abs=1e-6)
    assert result.outputs == pytest.approx(np.array([[18.807971]]), abs=1e-6)


def test_sharpness_multiplies_the_scores_on_paper():
    # Scores 0 and ln 3: weights 1/4 and 3/4. Doubled: 1/10 and 9/10. Halved: 1 to sqrt(3).
    scores = [[0.0, math.log(3)]]
    assert attention_weights(scores) == pytest.approx(np.array([[1 / 4, 3 / 4]]))
    assert attention_weights(scores, sharpness=2) == pytest.approx(np.array([[1 / 10, 9 / 10]]))
    half = np.array([[1, math.sqrt(3)]]) / (1 + math.sqrt(3))
    assert attention_weights(scores, sharpness=0.5) == pytest.approx(half)


def test_queries_are_rows_and_keys_are_columns():
    # One query of two asks for the third key of three: a single large entry, at row 1, column 2.
    scores = attend([[0.0], [1.0]], [[0.0], [0.0], [1.0]], np.zeros((3, 1))).scores
    assert scores.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_a_gap_wider_than_the_largest_float_on_paper():
    # The gap is 2 * LARGEST, an overflow; times 1 / LARGEST it is 2: weights as in e^2 to 1.
    weights = attention_weights([LARGEST, -LARGEST], sharpness=1 / LARGEST)
    assert weights == pytest.approx(np.array([0.880797, 0.119203]), abs=1e-6)


# A second source.


@given(score_matrices, sharpnesses)
def test_weights_are_those_of_scipy(scores, sharpness):
    weights = attention_weights(scores, sharpness=sharpness)
    np.testing.assert_allclose(weights, softmax(sharpness * scores, axis=-1), rtol=1e-12)


@given(score_matrices, masks)
def test_allowed_weights_are_those_of_scipy_on_the_allowed_keys_alone(scores, allowed):
    weights = attention_weights(scores, allowed=allowed)
    for row, keys in enumerate(allowed):
        assert (weights[row, ~keys] == 0).all()
        if keys.any():
            np.testing.assert_allclose(weights[row, keys], softmax(scores[row, keys]), rtol=1e-12)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("sharpness", [0, 0.3, 1, 20])
@pytest.mark.parametrize("n", [50, 600])
def test_float32_weights_are_those_of_scipy_in_float64(n, sharpness, masked):
    scores = draw(n, n + 1).astype(np.float32)
    allowed = draw(n, n + 1, seed=1) < 0.5 if masked else np.ones(scores.shape, dtype=bool)
    weights = attention_weights(scores, sharpness=sharpness, allowed=allowed)
    exact = softmax(np.where(allowed, sharpness * scores.astype(float), -np.inf), axis=-1)
    assert weights.dtype == np.float32
    assert (weights[~allowed] == 0).all()
    np.testing.assert_allclose(weights, exact, rtol=2e-5, atol=1e-7)
    np.testing.assert_allclose(weights.sum(axis=-1, dtype=float), 1, atol=1e-6)


def test_large_float32_outputs_are_those_of_plain_matrix_products():
    queries, keys, values = draw(600, 8, seed=1), draw(700, 8, seed=2), draw(700, 5, seed=3)
    weights = softmax(queries @ keys.T / math.sqrt(8), axis=1)
    read = attend(*(array.astype(np.float32) for array in (queries, keys, values)))
    assert read.outputs.dtype == np.float32
    np.testing.assert_allclose(read.outputs, weights @ values, atol=1e-6)


def test_outputs_are_those_of_plain_matrix_products():
    queries, keys, values = draw(5, 3, seed=1), draw(7, 3, seed=2), draw(7, 2, seed=3)
    weights = softmax(queries @ keys.T / math.sqrt(3), axis=1)
    np.testing.assert_allclose(attend(queries, keys, values).outputs, weights @ values, atol=1e-14)


# Claims.


@pytest.mark.parametrize("sharpness", [0, 0.3, 1, 7.5, math.inf])
@pytest.mark.parametrize("masked", [False, True])
def test_the_same_read_at_another_sharpness_is_that_read_to_the_last_bit(sharpness, masked):
    rng = np.random.default_rng(5)
    given = [rng.normal(size=shape) for shape in ((7, 3), (7, 3), (7, 2))]
    allowed = causal(7) if masked else None
    first = attend(*given, allowed=allowed, query_tokens=list("abcdefg"))
    moved = first.at_sharpness(sharpness)
    anew = attend(*given, sharpness=sharpness, allowed=allowed, query_tokens=list("abcdefg"))
    for name in ("scores", "weights", "values", "outputs", "allowed"):
        np.testing.assert_array_equal(getattr(moved, name), getattr(anew, name))
    assert moved.query_tokens == anew.query_tokens
    assert not moved.weights.flags.writeable
    assert not moved.outputs.flags.writeable


@given(score_matrices, sharpnesses, masks)
def test_rows_sum_to_1_or_are_0_where_no_key_is_allowed(scores, sharpness, allowed):
    weights = attention_weights(scores, sharpness=sharpness, allowed=allowed)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), allowed.any(axis=-1), atol=1e-14)


@given(score_matrices, st.integers(-8, 8))
def test_adding_a_number_to_all_scores_of_a_row_changes_nothing(scores, shift):
    scores = scores.round()  # whole numbers shift without rounding
    np.testing.assert_array_equal(attention_weights(scores + shift), attention_weights(scores))


@given(masks)
def test_sharpness_0_is_one_kth_exactly(allowed):
    weights = attention_weights(draw(N_QUERIES, N_KEYS), sharpness=0, allowed=allowed)
    for row, keys in zip(weights, allowed, strict=True):
        assert (row[keys] == 1 / max(keys.sum(), 1)).all()


def test_sharpness_0_is_one_kth_exactly_at_the_largest_scores():
    assert attention_weights([LARGEST, -LARGEST, 0], sharpness=0).tolist() == [1 / 3] * 3


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([3, 3, 1], [0.5, 0.5, 0]),
        ([1, 2, 3], [0, 0, 1]),
        ([2, 2, 2], [1 / 3, 1 / 3, 1 / 3]),
        ([-LARGEST, LARGEST, 0], [0, 1, 0]),
        ([-5, -np.inf, -5], [0.5, 0, 0.5]),
        ([0, -np.inf, 0], [0.5, 0, 0.5]),
    ],
)
def test_infinite_sharpness_shares_among_the_largest_scores(scores, weights):
    assert attention_weights(scores, sharpness=np.inf).tolist() == weights


@given(score_matrices, st.floats(0.1, 8))
def test_sharpness_is_a_factor_of_the_queries(scores, sharpness):
    keys, values = np.eye(N_KEYS), np.zeros((N_KEYS, 1))
    sharpened = attend(scores, keys, values, sharpness=sharpness)
    scaled = attend(sharpness * scores, keys, values)
    np.testing.assert_allclose(sharpened.weights, scaled.weights, atol=1e-13)


@pytest.mark.parametrize("sharpness", [0, 1e-308, 1e-40, 1, 16, 1e39, 1e308, np.inf])
@pytest.mark.parametrize(
    ("scale", "dtype"),
    [
        (LARGEST, "float64"),
        (1e300, "float64"),
        (1.0, "float64"),
        (5e-324, "float64"),
        (float(np.finfo(np.float32).max), "float32"),
        (1.0, "float32"),
        (1e-45, "float32"),
    ],
)
def test_no_warning_for_scores_up_to_the_largest_float(scale, dtype, sharpness):
    scores = np.array([[1, -1, 0, 1], [-1, -1, -1, -1], [0, 0, -1, 1.0]]) * scale
    scores = scores.astype(dtype)
    weights = attention_weights(scores, sharpness=sharpness)
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=4 * np.finfo(dtype).eps)
    assert (weights[0, 0], weights[1, 0]) == (weights[0, 3], 0.25)


def test_num_01_a_row_without_allowed_keys_is_0_and_disturbs_no_other_row():
    scores = draw(N_QUERIES, N_KEYS)
    plain = attention_weights(scores)
    allowed = np.ones(scores.shape, dtype=bool)
    allowed[0] = False
    minus_inf, large = scores.copy(), scores.copy()
    minus_inf[0], large[0] = -np.inf, -1e9
    for weights in (
        attention_weights(minus_inf),
        attention_weights(minus_inf, allowed=allowed),
        attention_weights(large, allowed=allowed),
    ):
        assert (weights[0] == 0).all()
        np.testing.assert_array_equal(weights[1:], plain[1:])


def test_num_01_the_output_of_a_row_without_allowed_keys_is_0():
    allowed = np.ones((N_QUERIES, N_KEYS), dtype=bool)
    allowed[2] = False
    masked, plain = read(allowed=allowed), read()
    assert (masked.outputs[2] == 0).all()
    others = [0, 1, 3, 4]
    np.testing.assert_array_equal(masked.outputs[others], plain.outputs[others])


@pytest.mark.parametrize("sharpness", [1 / 1e-6, np.inf, float(np.float64(1) / 1e-300)])
def test_num_02_a_temperature_close_to_0_is_the_limit(sharpness):
    assert attention_weights([3, 3, 1], sharpness=sharpness).tolist() == [0.5, 0.5, 0]
    assert attention_weights([1, 2, 3], sharpness=sharpness).tolist() == [0, 0, 1]


@pytest.mark.parametrize("sharpness", [-1, -np.inf, np.nan, True, "1", None, 1j])
def test_num_02_a_sharpness_that_is_none_is_refused(sharpness):
    with pytest.raises(ValueError, match="sharpness must be a number from 0 to infinity, got"):
        attention_weights([3, 3, 1], sharpness=sharpness)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 2, 3, 7, 31, 64, 101])
@pytest.mark.parametrize("d_key", [1, 2, 3, 8, 9, 16, 67])
def test_equal_keys_tie_bit_for_bit(n, d_key, dtype):
    queries, keys = draw(n, d_key, seed=1).astype(dtype), draw(n, d_key, seed=2).astype(dtype)
    keys[[0, n // 2, n - 1]] = keys[0]
    scores = attend(queries, keys, keys).scores
    np.testing.assert_array_equal(scores[:, [n // 2, n - 1]], scores[:, [0, 0]])


@pytest.mark.parametrize("n", [511, 512, 700, 1027])  # BLAS from 512 on
@pytest.mark.parametrize("d_key", [1, 8, 64, 67])
@pytest.mark.parametrize("share", [1 / n for n in (2, 3, 300)])
def test_equal_keys_tie_bit_for_bit_in_large_float32_matrices(n, d_key, share):
    queries, keys = draw(n, d_key, seed=1), draw(n, d_key, seed=2)
    twins = np.random.default_rng(3).random(n) < share
    twins[[0, n // 2, n - 1]] = True
    keys[twins] = keys[0]
    read = attend(queries.astype(np.float32), keys.astype(np.float32), keys)
    np.testing.assert_array_equal(
        read.scores[:, twins], np.repeat(read.scores[:, :1], twins.sum(), axis=1)
    )
    np.testing.assert_allclose(read.scores, queries @ keys.T / math.sqrt(d_key), atol=1e-5)


def test_zero_and_minus_zero_are_one_key():
    queries, keys = draw(512, 3).astype(np.float32), draw(600, 3, seed=2).astype(np.float32)
    keys[[7, 500], 1] = 0.0, -0.0
    keys[500, [0, 2]] = keys[7, [0, 2]]
    scores = attend(queries, keys, keys).scores
    np.testing.assert_array_equal(scores[:, 7], scores[:, 500])


@pytest.mark.parametrize("n", [512, 700])
def test_in_large_float32_matrices_an_edit_moves_other_scores_by_rounding_at_most(n):
    queries, keys = draw(n, 64, seed=1).astype(np.float32), draw(n, 64, seed=2).astype(np.float32)
    keys[::3] = keys[0]  # the edit takes one of them away
    edited = keys.copy()
    edited[0] = 9.0
    before, after = attend(queries, keys, keys).scores, attend(queries, edited, keys).scores
    lengths = np.linalg.norm(queries, axis=1)[:, np.newaxis] * np.linalg.norm(keys, axis=1)
    bound = 2 * 64 * np.finfo(np.float32).eps * lengths / math.sqrt(64)
    assert (np.abs(after - before)[:, 1:] <= bound[:, 1:]).all()


@pytest.mark.parametrize("n", [2, 3, 7, 31, 64, 101])
@pytest.mark.parametrize("d_key", [1, 3, 8, 67])
def test_permuting_tokens_permutes_scores_bit_for_bit(n, d_key):
    queries, keys = draw(n, d_key, seed=1), draw(n, d_key, seed=2)
    order = np.random.default_rng(3).permutation(n)
    scores = attend(queries, keys, keys).scores
    reordered = attend(queries[order], keys[order], keys[order]).scores
    np.testing.assert_array_equal(reordered, scores[np.ix_(order, order)])


@pytest.mark.parametrize("n", [2, 3, 7, 31, 64, 101])
def test_another_key_moves_no_other_score(n):
    queries, keys = draw(n, 5, seed=1), draw(n, 5, seed=2)
    edited = keys.copy()
    edited[n // 2] = 9.0
    others = np.arange(n) != n // 2
    before, after = attend(queries, keys, keys).scores, attend(queries, edited, keys).scores
    np.testing.assert_array_equal(after[:, others], before[:, others])
    assert (after[:, n // 2] != before[:, n // 2]).all()


def test_under_a_causal_mask_each_row_reads_as_if_the_rest_were_not_written():
    vectors = draw(7, 3)
    whole = attend(vectors, vectors, vectors, allowed=causal(7))
    for n in range(1, 7):
        start = attend(vectors[:n], vectors[:n], vectors[:n], allowed=causal(n))
        np.testing.assert_allclose(whole.outputs[:n], start.outputs, atol=1e-15)


def test_a_mask_of_one_matrix_serves_all_leading_axes():
    scores, allowed = draw(2, 3, 5, 5), causal(5)
    weights = attention_weights(scores, allowed=allowed)
    for layer, head in np.ndindex(2, 3):
        alone = attention_weights(scores[layer, head], allowed=allowed)
        np.testing.assert_array_equal(weights[layer, head], alone)
