"""A long comparison says what a short one says of the same reads, and fixed rows stay exact."""

import numpy as np
import pytest

from core import LessonHead, RandomHead, attend, attend_long, compare, compare_long, pool

WORDS = ["the", "cat", "sat", "on", "the", "mat", "dog", "ran", "house"]
SETTINGS = [
    {},
    {"causal": True},
    {"positions": "sinusoidal"},
    {"sharpness": 0},
    {"sharpness": 16.0},
    {"sharpness": np.inf},
]
HEADS = {"lesson": LessonHead(), "random": RandomHead(11)}


def sentence(n: int) -> list[str]:
    return [WORDS[i * i % len(WORDS)] if i % 3 else f"w{i % 40}" for i in range(n)]


def edited(tokens: list[str], at: int, new: str) -> list[str]:
    return [*tokens[:at], new, *tokens[at + 1 :]]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(("n", "at"), [(70, 1), (530, 265)])
def test_it_agrees_with_the_comparison_of_whole_matrices(n, at, head, settings):
    tokens = sentence(n)
    after = edited(tokens, at, "dog")
    whole = compare(*(HEADS[head].attend(t, **settings) for t in (tokens, after)))
    long = compare_long(*(HEADS[head].attend_long(t, **settings) for t in (tokens, after)), 64)
    close = {"rtol": 0, "atol": 2e-5}
    assert long.edited == whole.edited == (at,)
    np.testing.assert_allclose(long.row_shift, whole.row_shift, **close)
    for name in ("moved", "matrix_part", "vector_part", "fixed_mixer_outputs"):
        np.testing.assert_allclose(getattr(long, name), getattr(whole, name), **close)
    assert long.changed(0.01).tolist() == whole.changed(0.01).tolist()
    assert [long.reason(i).kind for i in range(n)] == [r.kind for r in whole.reasons]
    weights = [whole.before.weights, whole.after.weights]
    np.testing.assert_allclose(long.pooled_before.values, pool(weights[0], 64).values, **close)
    np.testing.assert_allclose(long.pooled_after.values, pool(weights[1], 64).values, **close)
    gap = weights[1] - weights[0]
    size = pool(np.abs(gap), 64).values
    np.testing.assert_allclose(np.abs(long.pooled_difference.values), size, **close)


@pytest.mark.parametrize("head", HEADS)
def test_rows_before_the_edit_are_fixed_exactly_under_a_mask(head):
    tokens = sentence(300)
    reads = [HEADS[head].attend_long(t, causal=True) for t in (tokens, edited(tokens, 200, "dog"))]
    comparison = compare_long(*reads, 256)
    assert (comparison.row_shift[:200] == 0).all()
    assert (comparison.moved[:200] == 0).all()
    assert (comparison.row_shift[200:] > 0).any()


def test_rows_that_score_the_new_token_as_the_old_one_are_fixed_exactly():
    tokens = sentence(2048)
    reads = [HEADS["lesson"].attend_long(t) for t in (tokens, edited(tokens, 1, "dog"))]
    comparison = compare_long(*reads, 256)
    the = [i for i, token in enumerate(tokens) if token == "the" and i != 1]
    assert len(the) > 100
    assert (comparison.row_shift[the] == 0).all()
    assert {comparison.reason(i).kind for i in the} == {"score unchanged"}


def test_a_difference_keeps_the_sign_of_what_is_largest_in_size():
    tokens = ["cat", *["the"] * 99]
    reads = [
        HEADS["lesson"].attend_long(t) for t in (["sat", *tokens], ["sat", "dog", *tokens[1:]])
    ]
    comparison = compare_long(*reads, 50)
    gap = reads[1].weights(slice(None)) - reads[0].weights(slice(None))
    block = gap[:3, :3]
    assert comparison.pooled_difference.values[0, 0] == pytest.approx(
        block.ravel()[np.abs(block).argmax()], abs=1e-6
    )


def test_reads_that_do_not_match_are_refused():
    head = HEADS["random"]
    one = head.attend_long(sentence(70))
    with pytest.raises(ValueError, match="must have the same shapes"):
        compare_long(one, head.attend_long(sentence(71)), 8)
    with pytest.raises(ValueError, match=r"must have one sharpness, got 1\.0 and 2\.0"):
        compare_long(one, head.attend_long(sentence(70), sharpness=2), 8)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_token_with_the_vector_of_the_old_one_keeps_its_weight(settings):
    tokens = ["the", "cat", "sat", "on", "the", "mat"] * 12
    other = edited(tokens, 1, "Cat")
    head = LessonHead()
    short = compare(head.attend(tokens, **settings), head.attend(other, **settings))
    long = compare_long(
        head.attend_long(tokens, **settings), head.attend_long(other, **settings), 64
    )
    assert short.edited == long.edited == (1,)
    assert [long.reason(i).kind for i in range(len(tokens))] == [r.kind for r in short.reasons]
    assert "new query" not in {reason.kind for reason in short.reasons}
    on_it = [reason.weight_before for reason in short.reasons]
    np.testing.assert_allclose(long.edited_before, on_it, atol=1e-6)
    np.testing.assert_allclose(long.edited_after, on_it, atol=1e-6)
    assert max(on_it) > 0.01


def test_short_and_long_agree_on_ties_in_the_limit():
    tokens = ["on", "bed", "house", "tree"] + ["the"] * 70
    other = edited(tokens, 10, "big")
    head = LessonHead()
    settings = {"sharpness": np.inf}
    short = compare(head.attend(tokens, **settings), head.attend(other, **settings))
    long = compare_long(
        head.attend_long(tokens, **settings), head.attend_long(other, **settings), 64
    )
    np.testing.assert_allclose(long.row_shift, short.row_shift, atol=1e-6)


def test_weight_on_the_edited_keys_leaves_out_keys_that_only_moved():
    """Vectors may differ where tokens do not; those are not what was edited."""
    rng = np.random.default_rng(5)
    queries, keys, values = rng.normal(size=(3, 8, 4))
    other = keys.copy()
    other[[2, 5]] += 1
    tokens = [str(i) for i in range(8)]
    named = {"query_tokens": tokens, "key_tokens": tokens}
    new = {**named, "key_tokens": edited(tokens, 2, "new")}
    short = compare(attend(queries, keys, values, **named), attend(queries, other, values, **new))
    long = compare_long(
        attend_long(queries, keys, values, **named), attend_long(queries, other, values, **new), 8
    )
    on_it = [(reason.weight_before, reason.weight_after) for reason in short.reasons]
    np.testing.assert_allclose(
        np.column_stack([long.edited_before, long.edited_after]), on_it, atol=1e-6
    )
