"""One head's read: what it takes, what it refuses, and whose arrays its record holds."""

import tracemalloc

import numpy as np
import pytest

from core import Attention, attend, attention_weights, causal
from tests.core.test_attention import D_KEY, D_VALUE, N_KEYS, N_QUERIES, draw, read


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
