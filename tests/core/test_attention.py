"""One head's read: claims, a second source, and numbers worked on paper."""

import math
import tracemalloc

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


# What comes in, and what goes out.


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("float64", "float64"),
        (">f8", "float64"),
        ("float32", "float32"),
        (">f4", "float32"),
        ("float16", "float32"),
        ("int8", "float64"),
        ("uint64", "float64"),
        ("bool", "float64"),
    ],
)
def test_number_types(given, kept):
    vectors = np.array([[1, 0, 1], [0, 1, 1]], dtype=given)
    result = attend(vectors, vectors, vectors)
    for array in (result.scores, result.weights, result.values, result.outputs):
        assert array.dtype == np.dtype(kept)
        assert array.dtype.isnative


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([[1j]]), "queries must hold real numbers, got complex numbers"),
        (np.array([["1"]]), "queries must hold real numbers, got text"),
        (np.array([[None]]), "queries must hold real numbers, got Python objects"),
        ([1.0, 2.0], r"queries must have two axes, got shape \(2,\)"),
        ([[0.0, np.nan]], r"queries must be finite, got 1 of 2 .* first is nan at \(0, 1\)"),
        ([[np.inf, -np.inf]], r"queries must be finite, got 2 of 2 .* first is inf at \(0, 0\)"),
    ],
)
def test_queries_that_are_none_are_refused(array, message):
    with pytest.raises(ValueError, match=message):
        attend(array, [[1.0, 2.0]], [[1.0]])


@pytest.mark.parametrize("name", ["queries", "keys", "values"])
def test_a_number_that_is_not_finite_is_refused_by_name(name):
    vectors = {"queries": draw(5, 3), "keys": draw(7, 3), "values": draw(7, 2)}
    vectors[name][1, 1] = np.nan
    with pytest.raises(ValueError, match=rf"{name} must be finite, .* nan at \(1, 1\)"):
        attend(**vectors)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((5, 3), (7, 2), (7, 2)), r"share d_key >= 1, got \(5, 3\) and \(7, 2\)"),
        (((5, 0), (7, 0), (7, 2)), r"share d_key >= 1, got \(5, 0\) and \(7, 0\)"),
        (((5, 3), (7, 3), (5, 2)), r"one row a key each, got \(7, 3\) and \(5, 2\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes, message):
    with pytest.raises(ValueError, match=message):
        attend(*(np.ones(shape) for shape in shapes))


def test_scores_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"scores must fit into float64, got .* 1e\+200 and 1e"):
        attend([[1e200]], [[1e200]], [[1.0]])
    with pytest.raises(ValueError, match="scores must fit into float32"):
        attend(np.float32([[1e30]]), np.float32([[1e30]]), [[1.0]])


@pytest.mark.parametrize("score", [np.nan, np.inf])
def test_a_score_of_nan_or_infinity_is_refused(score):
    with pytest.raises(ValueError, match="scores must be finite or -inf, got 1 of 2"):
        attention_weights([[0.0, score]])


@pytest.mark.parametrize(
    ("allowed", "message"),
    [
        (np.ones((5, 7)), "allowed must be boolean, got float64"),
        (np.ones((7, 5), dtype=bool), r"shape \(5, 7\), got \(7, 5\)"),
        (np.ones(7, dtype=bool), r"shape \(5, 7\), got \(7,\)"),
        (np.ones((1, 7), dtype=bool), r"shape \(5, 7\), got \(1, 7\)"),
    ],
)
def test_an_allowed_that_does_not_fit_is_refused(allowed, message):
    with pytest.raises(ValueError, match=message):
        read(allowed=allowed)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("catsa", "query_tokens must be a sequence of tokens, got the str 'catsa'"),
        (["cat"], "query_tokens must name 5 positions, got 1 tokens"),
        (["cat", "sat", 3, "on", "it"], "query_tokens must all be str, got 3"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(tokens, message):
    with pytest.raises(ValueError, match=message):
        read(query_tokens=tokens)


def test_inputs_are_never_written_to():
    given = [draw(5, 3), draw(7, 3), draw(7, 2), np.ones((5, 7), dtype=bool)]
    copies = [array.copy() for array in given]
    for array in given:
        array.setflags(write=False)
    attend(*given[:3], allowed=given[3], sharpness=2)
    attention_weights(given[0], sharpness=np.inf)
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_the_record_is_read_only_and_apart_from_the_input():
    values = draw(N_KEYS, D_VALUE)
    result = attend(draw(N_QUERIES, D_KEY), draw(N_KEYS, D_KEY), values)
    values[:] = 0
    assert result.values.all()
    for name in ("scores", "weights", "values", "outputs", "allowed"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(result, name)[:] = 0


def test_a_record_holds_two_matrices_and_makes_no_third():
    # Scores and weights of 1024 x 1024 float32 take 8.4 MB; a mask of all keys, or causal, none.
    queries = draw(1024, 64).astype(np.float32)
    for allowed in (None, causal(1024)):
        tracemalloc.start()
        record = attend(queries, queries[::-1], queries, allowed=allowed)
        held, peak = (size / 1e6 for size in tracemalloc.get_traced_memory())
        tracemalloc.stop()
        assert record.weights.nbytes == 4 * 1024**2
        assert held < 9.5
        assert peak < 11


def test_a_record_shares_what_nobody_can_write_to_and_copies_all_else():
    shape = (2, 2)
    own, view, seen = np.eye(2), np.eye(2), np.eye(2)
    own.setflags(write=False)
    behind = view[:]
    behind.setflags(write=False)  # but `view` can be written to
    store = bytearray(seen.tobytes())
    foreign = np.frombuffer(store).reshape(shape)
    foreign.setflags(write=False)  # but `store` can be written to
    record = Attention(("a", "b"), ("a", "b"), own, behind, foreign, own[::-1], causal(2))
    view[:] = 7
    store[:] = bytes(len(store))
    assert record.scores is own
    assert np.shares_memory(record.outputs, own)
    assert (record.weights == np.eye(2)).all()
    assert (record.values == np.eye(2)).all()


def test_a_mask_lent_to_a_read_stays_its_owners():
    allowed = np.ones((N_QUERIES, N_KEYS), dtype=bool)
    record = read(allowed=allowed)
    allowed[:] = False
    assert record.allowed.all()


def test_a_record_made_by_hand_leaves_its_arrays_to_their_owner():
    weights, tokens = np.eye(2), ("a", "b")
    record = Attention(tokens, tokens, weights, weights, weights, weights, weights > 0)
    weights[:] = 7
    assert (record.weights == np.eye(2)).all()


def test_the_record_says_which_keys_were_allowed_and_names_positions_from_1():
    result = read()
    assert result.allowed.shape == (N_QUERIES, N_KEYS)
    assert result.allowed.dtype == bool
    assert result.allowed.all()
    assert result.query_tokens == ("1", "2", "3", "4", "5")
    assert result.key_tokens == ("1", "2", "3", "4", "5", "6", "7")


@pytest.mark.parametrize(("n_queries", "n_keys"), [(0, 7), (5, 0), (0, 0)])
@pytest.mark.parametrize("sharpness", [0, 1, np.inf])
def test_no_queries_or_no_keys_give_empty_results(n_queries, n_keys, sharpness):
    result = attend(
        np.ones((n_queries, 3)), np.ones((n_keys, 3)), np.ones((n_keys, 2)), sharpness=sharpness
    )
    assert result.weights.shape == (n_queries, n_keys)
    assert result.outputs.shape == (n_queries, 2)
    assert (result.outputs == (1 if n_keys else 0)).all()


@pytest.mark.parametrize("n", [0, 1, 5])
def test_causal_is_the_lower_triangle(n):
    assert causal(n).tolist() == [[key <= query for key in range(n)] for query in range(n)]


def test_causal_is_read_only_and_takes_no_matrix():
    mask = causal(4096)
    with pytest.raises(ValueError, match="read-only"):
        mask[0, 0] = False
    assert [abs(stride) for stride in mask.strides] == [1, 1]  # 8191 cells serve all rows
