"""A long check of an order says what a short one says, by the same numbers."""

import numpy as np
import pytest

from core import (
    LessonHead,
    RandomHead,
    check_long_permutation,
    check_permutation,
    long_permutation_causes,
    permutation_causes,
    pool,
)

WORDS = ["the", "cat", "sat", "on", "the", "mat", "dog", "ran", "house"]
SETTINGS = [
    {},
    {"causal": True},
    {"positions": "sinusoidal"},
    {"causal": True, "positions": "sinusoidal"},
    {"sharpness": 0},
    {"sharpness": 16.0},
    {"sharpness": np.inf},
]
HEADS = {"lesson": LessonHead(), "random": RandomHead(11)}


def sentence(n: int) -> list[str]:
    return [WORDS[i * i % len(WORDS)] if i % 3 else f"w{i % 40}" for i in range(n)]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("n", [71, 522])
def test_it_agrees_with_the_check_of_whole_matrices(n, head, settings):
    tokens = sentence(n)
    order = tuple(int(i) for i in np.random.default_rng(n).permutation(n))
    whole = check_permutation(HEADS[head], tokens, order, **settings)
    long = check_long_permutation(HEADS[head], tokens, order, 64, **settings)
    for name in ("weights", "outputs", "pooled"):
        assert getattr(long, f"{name}_hold") == getattr(whole, f"{name}_hold")
        one, other = getattr(long, f"{name}_residual"), getattr(whole, f"{name}_residual")
        assert one == pytest.approx(other, abs=whole.tolerance)
    assert long.tolerance == pytest.approx(whole.tolerance)
    close = {"rtol": 0, "atol": 1e-6}
    for name in ("restored_outputs", "pooled_before", "pooled_after"):
        np.testing.assert_allclose(getattr(long, name), getattr(whole, name), **close)
    pictures = {
        "before": whole.before.weights,
        "after": whole.after.weights,
        "restored": whole.restored_weights,
    }
    for name, matrix in pictures.items():
        drawn = getattr(long, f"{name}_blocks").values
        np.testing.assert_allclose(drawn, pool(matrix, 64).values, **close)
    gap = np.abs(whole.restored_weights - whole.before.weights)
    np.testing.assert_allclose(np.abs(long.gap_blocks.values), pool(gap, 64).values, **close)


@pytest.mark.parametrize("settings", SETTINGS[:4], ids=str)
def test_it_finds_the_causes_that_the_short_check_finds(settings):
    tokens, order = sentence(90), tuple(reversed(range(90)))
    check = check_long_permutation(HEADS["lesson"], tokens, order, 64, **settings)
    causes = long_permutation_causes(HEADS["lesson"], check, **settings)
    assert causes == permutation_causes(HEADS["lesson"], tokens, order, **settings)
    assert set(causes) <= set(settings)


def test_without_positions_a_long_shuffle_holds_and_with_them_it_does_not():
    tokens = [f"w{i}" for i in range(2048)]
    order = tuple(reversed(range(2048)))
    plain = check_long_permutation(HEADS["random"], tokens, order, 256)
    assert (plain.weights_hold, plain.outputs_hold, plain.pooled_hold) == (True, True, True)
    assert 0 < plain.weights_residual < 1e-15
    placed = check_long_permutation(HEADS["random"], tokens, order, 256, positions="sinusoidal")
    assert (placed.weights_hold, placed.outputs_hold, placed.pooled_hold) == (False, False, False)


def test_the_order_as_it_was_and_swapped_equal_tokens_are_told():
    tokens = ["the", "cat", "the", *sentence(97)]
    same = check_long_permutation(HEADS["lesson"], tokens, range(100), 64)
    assert (same.identity, same.weights_residual) == (True, 0)
    swapped = check_long_permutation(HEADS["lesson"], tokens, [2, 1, 0, *range(3, 100)], 64)
    assert (swapped.identity, swapped.trivial) == (False, True)
    with pytest.raises(ValueError, match="order must hold"):
        check_long_permutation(HEADS["lesson"], tokens, [0, 0], 64)
