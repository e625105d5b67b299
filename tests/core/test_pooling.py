"""A matrix in blocks: claims, a second source, and numbers worked on paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import pool

cells = st.floats(-9, 9) | st.just(np.nan)
matrices = st.tuples(st.integers(1, 11), st.integers(1, 13)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=cells)
)
sizes = st.integers(1, 15)
hows = pytest.mark.parametrize("how", ["max", "mean"])


# Worked on paper.


def test_five_by_three_in_two_blocks_a_side_on_paper():
    # Rows 0-1 and 2-4, columns 0 and 1-2.
    matrix = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 16]]
    pooled = pool(matrix, 2)
    assert pooled.row_edges.tolist() == [0, 2, 5]
    assert pooled.column_edges.tolist() == [0, 1, 3]
    assert pooled.values.tolist() == [[4, 6], [13, 16]]
    # (1 + 4) / 2, (2 + 3 + 5 + 6) / 4, (7 + 10 + 13) / 3, (8 + 9 + 11 + 12 + 14 + 16) / 6
    assert pool(matrix, 2, "mean").values == pytest.approx(np.array([[2.5, 4], [10, 70 / 6]]))


def test_missing_cells_are_left_out_on_paper():
    matrix = [[1, np.nan, np.nan, np.nan], [np.nan, 3, np.nan, np.nan]]
    assert pool(matrix, 1).values.tolist() == [[3]]
    assert pool(matrix, 1, "mean").values.tolist() == [[2]]
    halves = pool(matrix, 2, "mean").values
    assert halves == pytest.approx(np.array([[1, np.nan], [3, np.nan]]), nan_ok=True)


# Claims.


@given(matrices, sizes)
def test_blocks_share_out_the_positions_as_equally_as_they_can(matrix, size):
    pooled = pool(matrix, size)
    for edges, n in zip((pooled.row_edges, pooled.column_edges), matrix.shape, strict=True):
        assert (edges[0], edges[-1], len(edges) - 1) == (0, n, min(n, size))
        widths = np.diff(edges)
        assert widths.min() >= 1
        assert np.ptp(widths) <= 1


@given(matrices, sizes)
def test_the_largest_cell_is_somewhere_and_nothing_else_is_made_up(matrix, size):
    values = pool(matrix, size).values
    assert np.fmax.reduce(values, axis=None) == pytest.approx(
        np.fmax.reduce(matrix, axis=None), nan_ok=True
    )
    assert np.isin(values[~np.isnan(values)], matrix).all()


@pytest.mark.parametrize("n", [64, 65, 100, 127, 1000])
def test_a_single_strong_weight_never_vanishes(n):
    weights = np.full((n, n), 1e-6, dtype=np.float32)
    weights[n // 3, n // 2] = 1
    pooled = pool(weights, 64)
    (row, column) = np.argwhere(pooled.values == 1)[0]
    assert pooled.row_edges[row] <= n // 3 < pooled.row_edges[row + 1]
    assert pooled.column_edges[column] <= n // 2 < pooled.column_edges[column + 1]
    assert np.count_nonzero(pooled.values == 1) == 1


@hows
@given(matrix=matrices)
def test_a_matrix_that_fits_is_left_as_it_is(how, matrix):
    np.testing.assert_array_equal(pool(matrix, 15, how).values, matrix)


@given(matrices)
def test_one_block_of_all_is_the_mean_of_all(matrix):
    there = matrix[~np.isnan(matrix)]
    mean = there.mean() if there.size else np.nan
    assert float(pool(matrix, 1, "mean").values[0, 0]) == pytest.approx(
        mean, abs=1e-12, nan_ok=True
    )


# A second source: each block cut out by itself.


@hows
@given(matrix=matrices, size=sizes)
def test_each_block_is_that_of_its_own_cells(how, matrix, size):
    pooled = pool(matrix, size, how)
    rule = np.max if how == "max" else np.mean
    for row, column in np.ndindex(pooled.values.shape):
        rows = slice(*pooled.row_edges[row : row + 2])
        columns = slice(*pooled.column_edges[column : column + 2])
        block = matrix[rows, columns]
        there = block[~np.isnan(block)]
        expected = rule(there) if there.size else np.nan
        np.testing.assert_allclose(pooled.values[row, column], expected, atol=1e-12)


# What comes in, and what goes out.


@hows
@pytest.mark.parametrize(("given_", "kept"), [("float32", "float32"), ("int8", "float64")])
def test_number_types(how, given_, kept):
    assert pool(np.ones((5, 7), given_), 3, how).values.dtype == kept


@hows
@pytest.mark.parametrize("shape", [(0, 7), (5, 0), (0, 0)])
def test_nothing_to_pool_is_empty(how, shape):
    pooled = pool(np.ones(shape), 3, how)
    assert pooled.values.shape == tuple(min(n, 3) for n in shape)
    assert (pooled.row_edges[-1], pooled.column_edges[-1]) == shape


def test_infinities_are_numbers():
    assert pool([[-np.inf, 1.0]], 1).values.tolist() == [[1]]
    assert pool([[-np.inf, 1.0]], 1, "mean").values.tolist() == [[-np.inf]]
    assert np.isnan(pool([[-np.inf, np.inf]], 1, "mean").values).all()


def test_what_is_pooled_is_apart_from_the_input_and_read_only():
    matrix = np.eye(3)
    pooled = pool(matrix, 3)
    matrix[:] = 7
    assert (pooled.values == np.eye(3)).all()
    for array in (pooled.values, pooled.row_edges, pooled.column_edges):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize(
    ("matrix", "size", "how", "message"),
    [
        ([1.0, 2.0], 1, "max", r"two axes, got shape \(2,\)"),
        ([[1.0]], 0, "max", "size must be a whole number of 1 or more, got 0"),
        ([[1.0]], 2.0, "max", "size must be a whole number of 1 or more, got 2.0"),
        ([[1.0]], True, "max", "size must be a whole number of 1 or more, got True"),
        ([[1.0]], 1, "median", 'how must be "max" or "mean", got \'median\''),
        ([["a"]], 1, "max", "matrix must hold real numbers, got text"),
    ],
)
def test_what_cannot_be_pooled_is_refused(matrix, size, how, message):
    with pytest.raises(ValueError, match=message):
        pool(matrix, size, how)
