"""Spread without weights: the plain path, a second source, and numbers worked on paper."""

import math
import tracemalloc

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import (
    attend,
    attention_weights,
    causal,
    copy_blend,
    effective_positions,
    entropy,
    spread,
    spread_of_scores,
)

# 3 rows, 5 keys; -inf is a key without weight.
score_matrices = arrays(np.float64, (3, 5), elements=st.floats(-30, 30))
masks = arrays(np.bool_, (3, 5))
sharpnesses = st.sampled_from([0.0, 1e-300, 0.3, 1.0, 7.0, 1e300, math.inf])


def draw(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def exact_entropy(scores: np.ndarray) -> np.ndarray:
    """Entropy in extended precision, straight from its definition."""
    gaps = scores.astype(np.longdouble)
    gaps -= gaps.max(axis=-1, keepdims=True)
    weights = np.exp(gaps)
    weights /= weights.sum(axis=-1, keepdims=True)
    return -scipy.special.xlogy(weights.astype(float), weights.astype(float)).sum(axis=-1)


def peak_megabytes(call) -> float:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


# Worked on paper.


def test_a_quarter_and_three_quarters_on_paper():
    # ln Z = ln 4 - ln 3 with the top at 0, and Σ w s = 1/4 · (-ln 3): H = ln 4 - 3/4 ln 3.
    rows = spread_of_scores([[0.0, math.log(3)]])
    assert rows.entropy.tolist() == pytest.approx([math.log(4) - 0.75 * math.log(3)], rel=1e-15)
    assert rows.copy_blend.tolist() == pytest.approx([2 - 0.75 * math.log2(3)], rel=1e-15)
    assert rows.effective_positions.tolist() == pytest.approx([4 / 3**0.75], rel=1e-15)
    assert rows.choices.tolist() == [2]


def test_queries_and_keys_are_divided_by_the_root_of_d_key_on_paper():
    # 2 * ln 3 / sqrt(4) = ln 3; without the root the gap would be 2 ln 3.
    rows = spread([[2.0, 0, 0, 0]], [[math.log(3), 0, 0, 0], [0, 9, 9, 9]])
    assert rows.copy_blend.tolist() == pytest.approx([2 - 0.75 * math.log2(3)], rel=1e-15)


@pytest.mark.parametrize(
    ("sharpness", "blends"),
    [(0, [1, 1, 1]), (np.inf, [0, math.log(2) / math.log(3), 1])],
)
def test_the_ends_are_exact(sharpness, blends):
    rows = spread_of_scores([[1, 2, 3], [5, 5, 1], [-4, -4, -4]], sharpness=sharpness)
    assert rows.copy_blend.tolist() == blends


# The plain path.


@given(score_matrices, sharpnesses, masks, arrays(np.bool_, (3, 5)))
def test_spread_is_that_of_the_weights(scores, sharpness, allowed, unscored):
    scores = np.where(unscored, -np.inf, scores)
    settings = {"sharpness": sharpness, "allowed": allowed}
    rows, weights = spread_of_scores(scores, **settings), attention_weights(scores, **settings)
    np.testing.assert_allclose(rows.entropy, entropy(weights), atol=1e-13)
    np.testing.assert_allclose(
        rows.effective_positions, effective_positions(weights), rtol=1e-12, atol=0
    )
    np.testing.assert_array_equal(rows.choices, allowed.sum(axis=1))
    read = weights.any(axis=1) | ~allowed.any(axis=1)  # the plain path refuses the others
    np.testing.assert_allclose(
        rows.copy_blend[read], copy_blend(weights[read], allowed[read]), atol=1e-13
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [7, 64, 600])  # einsum, and BLAS in float32
@pytest.mark.parametrize("sharpness", [0, 1, 20, np.inf])
def test_spread_of_queries_and_keys_is_that_of_attend(n, dtype, sharpness):
    queries, keys = draw(n, 5, seed=1).astype(dtype), draw(n + 1, 5, seed=2).astype(dtype)
    allowed = np.random.default_rng(3).random((n, n + 1)) < 0.5
    allowed[0], allowed[1] = False, np.arange(n + 1) == 2
    settings = {"sharpness": sharpness, "allowed": allowed}
    read, rows = attend(queries, keys, keys, **settings), spread(queries, keys, **settings)
    within = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(rows.entropy, entropy(read.weights), atol=within)
    np.testing.assert_allclose(rows.copy_blend, copy_blend(read.weights, allowed), atol=within)
    assert np.isnan(rows.copy_blend[:2]).all()
    assert np.isnan(rows.entropy).tolist() == [True] + [False] * (n - 1)


def test_a_key_without_a_score_is_still_a_choice_as_in_copy_blend():
    scores = [[0.0, 0.0, -np.inf]]
    rows = spread_of_scores(scores)
    assert rows.copy_blend == pytest.approx(copy_blend(attention_weights(scores)), rel=1e-15)
    assert rows.choices.tolist() == [3]


def test_a_row_without_any_score_has_no_measure():
    rows = spread_of_scores([[-np.inf, -np.inf], [0.0, 0.0]])
    assert np.isnan(rows.entropy).tolist() == [True, False]
    assert np.isnan(rows.copy_blend).tolist() == [True, False]


@pytest.mark.parametrize("sharpness", [0, 1e-308, 1e-40, 1.0, 1e308, np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("scale", ["max", "tiny", "smallest_subnormal"])
def test_no_warning_for_scores_up_to_the_largest_float(scale, dtype, sharpness):
    # Warnings are errors here.
    unit = np.array([[1, -1, 0, 1], [-1, -1, -1, -1], [0, 0, -1, 1], [1, 0, 0, 0]], dtype)
    scores = getattr(np.finfo(dtype), scale) * unit
    allowed = np.array([[True] * 4, [True] * 4, [True, True, True, False], [False] * 4])
    for mask in (None, allowed):
        plain = entropy(attention_weights(scores, sharpness=sharpness, allowed=mask))
        rows = spread_of_scores(scores, sharpness=sharpness, allowed=mask)
        np.testing.assert_allclose(rows.entropy, plain, atol=1e-6)


# A second source.


@given(score_matrices, st.floats(0, 16))
def test_entropy_is_that_of_scipy(scores, sharpness):
    weights = scipy.special.softmax(sharpness * scores, axis=-1)
    rows = spread_of_scores(scores, sharpness=sharpness)
    np.testing.assert_allclose(rows.entropy, scipy.stats.entropy(weights, axis=-1), atol=1e-12)


@pytest.mark.parametrize(("dtype", "within"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@pytest.mark.parametrize("sharpness", [0.1, 1, 3, 10, 20])
@pytest.mark.parametrize("n", [50, 512, 2048])
def test_entropy_is_right_to_what_is_promised(n, sharpness, dtype, within):
    queries, keys = (draw(n, 64, seed=seed).astype(dtype) for seed in (1, 2))
    some = slice(0, 200)
    scores = attend(queries[some], keys, keys).scores
    exact = exact_entropy(sharpness * scores.astype(float))
    rows = spread_of_scores(scores, sharpness=sharpness)
    np.testing.assert_allclose(rows.entropy, exact, rtol=0, atol=within)
    truth = exact_entropy(sharpness * (queries[some].astype(float) @ keys.T.astype(float)) / 8)
    rows = spread(queries[some], keys, sharpness=sharpness)
    np.testing.assert_allclose(rows.entropy, truth, rtol=0, atol=within)


# Claims.


@given(score_matrices, sharpnesses)
def test_measures_keep_their_bounds(scores, sharpness):
    rows = spread_of_scores(scores, sharpness=sharpness)
    assert (rows.entropy >= 0).all()
    assert not np.signbit(rows.entropy).any()
    assert ((rows.copy_blend >= 0) & (rows.copy_blend <= 1)).all()
    assert ((rows.effective_positions >= 1) & (rows.effective_positions <= 5)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_is_measured_alike_alone_and_among_many(dtype):
    scores, allowed = draw(700, 700).astype(dtype), draw(700, 700, seed=1) < 1
    for mask in (None, allowed):
        many = spread_of_scores(scores, sharpness=3, allowed=mask).entropy
        for row in (0, 1, 92, 93, 94, 350, 699):  # about 93 rows are a block
            one = None if mask is None else mask[[row]]
            alone = spread_of_scores(scores[[row]], sharpness=3, allowed=one).entropy
            assert alone.tolist() == [many[row]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("allowed", [None, causal(4096)], ids=["all", "causal"])
def test_4096_rows_are_measured_in_under_10_megabytes(dtype, allowed):
    scores = np.zeros((4096, 4096), dtype)
    scores[:, ::3] = 1
    assert peak_megabytes(lambda: spread_of_scores(scores, allowed=allowed)) < 10


@pytest.mark.parametrize("twins", [False, True])
@pytest.mark.parametrize("allowed", [None, causal(4096)], ids=["all", "causal"])
def test_4096_queries_and_keys_are_measured_in_under_10_megabytes(allowed, twins):
    queries, keys = (draw(4096, 64, seed=seed).astype(np.float32) for seed in (1, 2))
    keys[1::2] = keys[::2] if twins else keys[1::2]
    assert peak_megabytes(lambda: spread(queries, keys, allowed=allowed)) < 10


def test_any_leading_axes():
    scores, allowed = draw(2, 3, 5, 7), draw(5, 7, seed=1) < 0
    rows = spread_of_scores(scores, allowed=allowed)
    assert rows.entropy.shape == rows.choices.shape == rows.copy_blend.shape == (2, 3, 5)
    for layer, head in np.ndindex(2, 3):
        alone = spread_of_scores(scores[layer, head], allowed=allowed)
        np.testing.assert_array_equal(rows.entropy[layer, head], alone.entropy)
    assert spread_of_scores(scores[0, 0, 0]).entropy.shape == ()


@pytest.mark.parametrize("shape", [(0, 7), (5, 0), (0, 0)])
def test_no_queries_or_no_keys(shape):
    rows = spread_of_scores(np.zeros(shape))
    assert np.isnan(rows.entropy).tolist() == [True] * shape[0]
    rows = spread(np.zeros((shape[0], 3)), np.zeros((shape[1], 3)))
    assert np.isnan(rows.copy_blend).tolist() == [True] * shape[0]


def test_inputs_are_never_written_to_and_results_are_read_only():
    scores, queries = draw(5, 7), draw(5, 3)
    for array in (scores, queries):
        array.setflags(write=False)
    for rows in (spread_of_scores(scores, sharpness=2), spread(queries, queries)):
        for array in (rows.entropy, rows.choices):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: spread_of_scores([[0, np.nan]]), "scores must be finite or -inf, got 1 of 2"),
        (lambda: spread_of_scores([[0.0]], sharpness=-1), "sharpness must be a number from 0"),
        (lambda: spread_of_scores([[0.0]], allowed=[[1]]), "allowed must be boolean"),
        (lambda: spread([[1.0]], [[1.0, 2.0]]), "share d_key >= 1"),
        (lambda: spread([[np.nan]], [[1.0]]), "queries must be finite"),
        (lambda: spread([[1e200]], [[1e200]]), "scores must fit into float64"),
        (lambda: spread([[1.0]], [[1.0]], sharpness=np.nan), "sharpness must be a number from 0"),
    ],
)
def test_what_cannot_be_measured_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
