"""A long read: rows as attend has them, an overview as pool and spread have it, little memory."""

import tracemalloc

import numpy as np
import pytest

from core import (
    LessonHead,
    RandomHead,
    attend,
    attend_long,
    causal,
    pool,
    spread_of_scores,
    travel,
)

SIZES = [(5, 7, 3), (67, 61, 9), (521, 523, 8)]  # few, some, and enough for BLAS
TOKENS = [f"w{i * i % 37}" for i in range(150)]
SETTINGS = [{}, {"causal": True}, {"positions": "sinusoidal"}, {"sharpness": np.inf}]


def vectors(n_queries, n_keys, d_key, kind="float64", seed=0):
    rng = np.random.default_rng(seed)
    queries, keys = rng.normal(size=(n_queries, d_key)), rng.normal(size=(n_keys, d_key))
    queries[3:] = queries[rng.integers(0, 3, n_queries - 3)]  # most queries are equal to others
    return [array.astype(kind) for array in (queries, keys, rng.normal(size=(n_keys, 2)))]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("head", [LessonHead(), RandomHead(11)], ids=["lesson", "random"])
def test_rows_of_a_long_read_are_those_of_a_whole_one(head, settings):
    whole, long = head.attend(TOKENS, **settings), head.attend_long(TOKENS, **settings)
    assert long.query_tokens == long.key_tokens == tuple(TOKENS)
    for rows in (slice(None), slice(40, 88), [149, 0, 7]):
        assert np.array_equal(long.scores(rows), whole.scores[rows])
        assert np.array_equal(long.weights(rows), whole.weights[rows])
        np.testing.assert_allclose(long.outputs(rows), whole.outputs[rows], rtol=0, atol=1e-15)
    assert np.array_equal(long.weights(17), whole.weights[17:18])


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_float32_rows_agree_up_to_rounding_and_stay_float32(size, masked):
    arrays = vectors(*size, "float32")
    allowed = np.random.default_rng(1).random(size[:2]) < 0.5 if masked else None
    whole = attend(*arrays, allowed=allowed)
    rows = attend_long(*arrays, allowed=allowed).weights(slice(1, 4))
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, whole.weights[1:4], rtol=0, atol=1e-6)


@pytest.mark.parametrize("sharpness", [0, 1e-40, 1, 16, np.inf])
@pytest.mark.parametrize("how", ["max", "mean"])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_the_overview_is_the_pooled_matrix_and_the_spread_of_every_row(
    size, masked, how, sharpness
):
    arrays = vectors(*size)
    if sharpness == np.inf:  # float32 cannot tell apart what float64 can: whole numbers it can
        arrays = [array.round() for array in arrays]
    allowed = np.random.default_rng(1).random(size[:2]) < 0.5 if masked else None
    whole = attend(*arrays, allowed=allowed, sharpness=sharpness)
    seen = attend_long(*arrays, allowed=allowed, sharpness=sharpness).overview(50, how)
    expected = pool(whole.weights, 50, how)
    assert seen.pooled.values.dtype == np.float32
    assert np.array_equal(seen.pooled.row_edges, expected.row_edges)
    assert np.array_equal(seen.pooled.column_edges, expected.column_edges)
    np.testing.assert_allclose(seen.pooled.values, expected.values, rtol=0, atol=2e-5)
    spread = spread_of_scores(whole.scores, allowed=allowed, sharpness=sharpness)
    np.testing.assert_allclose(seen.spread.entropy, spread.entropy, rtol=0, atol=1e-4)
    assert np.array_equal(seen.spread.choices, spread.choices)


def test_the_overview_is_exact_where_the_row_is_uniform_or_a_copy():
    read = attend_long([[0.0], [1.0]], [[0.0], [5.0], [0.0], [0.0]], np.eye(4), sharpness=np.inf)
    assert read.overview(4).pooled.values.tolist() == [[0.25] * 4, [0, 1, 0, 0]]
    assert read.overview(2).pooled.values.tolist() == [[0.25, 0.25], [1, 0]]
    assert read.overview(2, "mean").pooled.values.tolist() == [[0.25, 0.25], [0.5, 0]]
    assert read.overview(1).spread.copy_blend.tolist() == [1, 0]


def test_a_single_strong_weight_never_vanishes_from_the_overview():
    keys = np.zeros((2048, 1))
    keys[1234] = 20
    queries = np.zeros((2048, 1))
    queries[777] = 1
    pooled = attend_long(queries, keys, keys).overview(128).pooled
    block = np.searchsorted(pooled.row_edges, 777, "right") - 1
    column = np.searchsorted(pooled.column_edges, 1234, "right") - 1
    assert np.argwhere(pooled.values > 0.5).tolist() == [[block, column]]
    assert pooled.values[block, column] == pytest.approx(1 / (1 + 2047 * np.exp(-20)), abs=1e-6)


def test_rows_without_an_allowed_key_are_zero_and_have_no_spread():
    allowed = np.array([[False, False, False], [True, True, False]])
    seen = attend_long(np.ones((2, 1)), np.ones((3, 1)), np.ones((3, 1)), allowed=allowed)
    overview = seen.overview(3)
    assert overview.pooled.values.tolist() == [[0, 0, 0], [0.5, 0.5, 0]]
    assert np.isnan(overview.spread.entropy[0])
    assert overview.spread.choices.tolist() == [0, 2]


@pytest.mark.parametrize("settings", [{}, {"causal": True}])
def test_travel_of_some_rows_is_that_of_the_whole_matrix(settings):
    whole, long = (
        LessonHead().attend(TOKENS, **settings),
        LessonHead().attend_long(TOKENS, **settings),
    )
    steps = [0, 0.5, 1, 4, np.inf]
    expected = travel(whole.scores, steps, allowed=whole.allowed)
    np.testing.assert_allclose(
        long.travel(steps, [3, 100]), expected[:, [3, 100]], rtol=0, atol=1e-12
    )


def test_no_question_to_a_long_read_needs_a_matrix_of_it():
    tokens = [f"w{i}" for i in range(2048)]
    long = RandomHead(3).attend_long(tokens, causal=True)
    matrix = 4 * 2048**2  # bytes, in float32
    questions = {
        "max": lambda: long.overview(512),
        "mean": lambda: long.overview(512, "mean"),
        "window": lambda: long.weights(slice(1000, 1048)),
        "row": lambda: long.weights(2047),
        "travel": lambda: long.travel(np.linspace(0, 12, 9), slice(0, 48)),
    }
    for name, ask in questions.items():
        ask()
        tracemalloc.start()
        ask()
        held, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 1.5 * matrix, name
        assert held < 0.01 * matrix, f"{name} keeps something"


def test_the_record_cannot_be_written_to():
    queries = np.ones((2, 1))
    read = attend_long(queries, np.ones((3, 1)), np.ones((3, 1)), allowed=np.ones((2, 3), bool))
    queries[0] = 9
    assert read.queries[0] == 1
    for array in (read.queries, read.keys, read.values, read.allowed):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_bad_questions_are_refused():
    read = attend_long(np.ones((2, 1)), np.ones((3, 1)), np.ones((3, 1)))
    with pytest.raises(IndexError):
        read.weights(2)
    with pytest.raises(ValueError, match="size must be a whole number of 1 or more, got 0"):
        read.overview(0)
    with pytest.raises(ValueError, match='how must be "max" or "mean"'):
        read.overview(2, "median")
    with pytest.raises(ValueError, match="one row a key each"):
        attend_long(np.ones((2, 1)), np.ones((3, 1)), np.ones((2, 1)))
    with pytest.raises(ValueError, match="sharpness"):
        attend_long(np.ones((2, 1)), np.ones((3, 1)), np.ones((3, 1)), sharpness=-1)


def test_numbers_too_large_for_float32_are_refused_in_the_overview_alone():
    read = attend_long([[1e30, 1e-30]], [[0.0, 1e30]], [[1.0]])
    assert read.weights(0).tolist() == [[1.0]]
    with pytest.raises(ValueError, match="queries must be finite"):
        attend_long([[1e60]], [[1e-60]], [[1.0]]).overview(1)


def test_an_empty_read_has_an_empty_overview():
    seen = LessonHead().attend_long([]).overview(4)
    assert seen.pooled.values.shape == (0, 0)
    assert seen.spread.entropy.shape == (0,)


def test_a_square_mask_of_positions_takes_no_matrix():
    read = LessonHead().attend_long(["a"] * 9, causal=True)
    assert np.array_equal(read.allowed, causal(9))
    assert read.allowed.strides == causal(9).strides
