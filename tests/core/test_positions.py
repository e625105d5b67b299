"""Sinusoidal positions: the formula of the paper, entry by entry."""

import math

import numpy as np
import pytest

from core import sinusoidal


@pytest.mark.parametrize("d_model", [1, 2, 5, 8, 9, 16])
def test_entries_are_those_of_the_paper(d_model):
    # PE(pos, 2i) = sin(pos / 10000^(2i / d_model)), PE(pos, 2i + 1) = cos(the same)
    expected = [
        [
            math.sin(pos / 10000 ** (column / d_model))
            if column % 2 == 0
            else math.cos(pos / 10000 ** ((column - 1) / d_model))
            for column in range(d_model)
        ]
        for pos in range(7)
    ]
    np.testing.assert_allclose(sinusoidal(7, d_model), expected, atol=1e-14)


def test_the_first_position_is_0():
    assert sinusoidal(1, 5).tolist() == [[0, 1, 0, 1, 0]]


def test_position_1_of_4_columns_on_paper():
    # sin 1, cos 1, sin 0.01, cos 0.01
    assert sinusoidal(2, 4)[1] == pytest.approx([0.841471, 0.540302, 0.01, 0.99995], abs=1e-6)


def test_no_two_positions_are_alike():
    waves = sinusoidal(64, 9)
    gaps = np.abs(waves[:, np.newaxis] - waves).max(axis=-1)
    assert gaps[~np.eye(64, dtype=bool)].min() > 0.01


def test_a_step_of_the_same_length_has_the_same_product_everywhere():
    # The product of two even-width encodings depends on the distance alone.
    waves = sinusoidal(31, 8)
    products = waves @ waves.T
    for distance in (1, 5, 11):
        assert np.ptp(np.diagonal(products, distance)) < 1e-12


@pytest.mark.parametrize(("n", "d_model"), [(0, 5), (5, 0), (0, 0)])
def test_nothing_to_encode_is_empty(n, d_model):
    assert sinusoidal(n, d_model).shape == (n, d_model)


def test_negative_sizes_are_refused():
    with pytest.raises(ValueError, match="n must be a whole number of 0 or more, got -1"):
        sinusoidal(-1, 4)
