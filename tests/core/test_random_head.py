"""A head of seeded random matrices: pinned, well scaled, and never in need of a known word."""

import numpy as np
import pytest

from core import RandomHead, copy_blend

SENTENCE = ("the", "cat", "sat", "on", "the", "mat")
SEEDS = range(0, 10_000, 199)


def test_numbers_are_pinned():
    head = RandomHead(0)
    assert head.vector("cat")[:2].tolist() == [-0.5110622032635718, -1.229251674126041]
    assert head.to_queries[0, :2].tolist() == [-0.156263595845872, -0.3713212324122372]


def test_widths_differ_so_that_none_stands_for_another():
    head = RandomHead(0)
    assert head.to_queries.shape == head.to_keys.shape == (16, 8)
    assert head.to_values.shape == (16, 6)
    assert len(head.feature_names) == 6
    assert head.attend(SENTENCE).outputs.shape == (6, 6)


def test_token_vectors_are_centred_with_variance_1():
    head = RandomHead(0)
    vectors = np.array([head.vector(str(i)) for i in range(1000)])
    assert vectors.mean() == pytest.approx(0, abs=0.02)
    assert vectors.var() == pytest.approx(1, abs=0.02)
    assert np.abs(vectors).max() <= np.sqrt(3)


def test_scores_have_a_variance_of_about_1():
    # A missing / sqrt(d_key) would make it 8.
    tokens = [str(i) for i in range(31)]
    scores = [RandomHead(seed).attend(tokens).scores for seed in SEEDS]
    assert np.mean(scores) == pytest.approx(0, abs=0.1)
    assert np.var(scores) == pytest.approx(1, abs=0.2)


def test_rows_lie_between_copy_and_blend():
    blends = np.concatenate([copy_blend(RandomHead(s).attend(SENTENCE).weights) for s in SEEDS])
    assert np.quantile(blends, 0.05) > 0.4
    assert np.quantile(blends, 0.95) < 0.995


def test_seeds_give_different_heads_for_the_same_token_vectors():
    one, other = RandomHead(0), RandomHead(1)
    np.testing.assert_array_equal(one.vector("cat"), other.vector("cat"))
    assert (one.attend(SENTENCE).weights != other.attend(SENTENCE).weights).all()
    assert one.name != other.name


def test_queries_keys_and_values_are_drawn_apart():
    head = RandomHead(0)
    assert (head.to_queries != head.to_keys).all()
    assert (head.to_queries[:, :6] != head.to_values).all()


@pytest.mark.parametrize("n", [2, 5, 6, 7, 31, 64])
def test_equal_tokens_read_alike_and_are_read_alike_bit_for_bit(n):
    # Fails at odd n where the projections are BLAS products.
    twins = ["the", *(str(i) for i in range(2, n)), "the"]
    read = RandomHead(3).attend(twins)
    np.testing.assert_array_equal(read.scores[0], read.scores[-1])
    np.testing.assert_array_equal(read.scores[:, 0], read.scores[:, -1])
    np.testing.assert_array_equal(read.values[0], read.values[-1])
    np.testing.assert_array_equal(read.outputs[0], read.outputs[-1])


@pytest.mark.parametrize("token", ["", " ", "猫", "\ud83d", "zyzzyva"])
def test_every_token_is_known(token):
    assert RandomHead(0).knows(token)
    assert np.isfinite(RandomHead(0).attend([token, "cat"]).outputs).all()


def test_tokens_are_taken_as_they_are():
    head = RandomHead(0)
    assert (head.vector("cat") != head.vector("Cat")).all()


@pytest.mark.parametrize("seed", [0, 9999, np.int64(7)])
def test_seeds_from_0_to_9999(seed):
    assert RandomHead(seed).seed == seed


@pytest.mark.parametrize("seed", [-1, 10_000, 1.0, "1", None, True, np.nan])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(ValueError, match="seed must be a whole number from 0 to 9999, got"):
        RandomHead(seed)


def test_no_tokens_give_an_empty_read():
    empty = RandomHead(0).attend([])
    assert empty.weights.shape == (0, 0)
    assert empty.outputs.shape == (0, 6)
