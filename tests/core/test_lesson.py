"""The lesson's head shows the lesson: its promises, its words, its numbers on paper."""

import math
import os
import subprocess
import sys
import unicodedata
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from core import LessonHead, RandomHead, attention_weights, compare, copy_blend
from core.lesson import FEATURES, LOOKS_FOR, UNKNOWN_UP_TO, WORDS
from core.reading import strongest_keys

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = ("the", "cat", "sat", "on", "the", "mat")
THE, CAT, SAT, ON, THE_2, MAT = range(6)

head = LessonHead()
read = head.attend(SENTENCE)


# Worked on paper, with a division by sqrt(9) = 3 in every score.


def test_sat_on_paper():
    # sat looks for who acts, 8.5; cat acts, 1: score 8.5 / 3 = 2.8333, the others 0.
    # Weight e^2.8333 / (e^2.8333 + 5) = 17.0021 / 22.0021 = 0.77275.
    assert read.scores[SAT].tolist() == pytest.approx([0, 8.5 / 3, 0, 0, 0, 0])
    assert read.weights[SAT, CAT] == pytest.approx(0.77275, abs=1e-5)


def test_on_on_paper():
    # on looks for things, 14; mat is one: e^(14 / 3) = 106.343, of 111.343: 0.95509.
    assert read.weights[ON, MAT] == pytest.approx(0.95509, abs=1e-5)


def test_cat_on_paper():
    # An animal looks for an action, 3, and so does what acts, 3: e^2 = 7.38906, of 12.38906.
    assert read.weights[CAT, SAT] == pytest.approx(0.59642, abs=1e-5)


def test_mat_on_paper():
    # Scores cat 3 / 3, sat 2 / 3, on 1 / 3: e = 2.71828, 1.94773, 1.39561, three times 1:
    # 9.06162 in all.
    expected = np.array([1, 2.71828, 1.94773, 1.39561, 1, 1]) / 9.06162
    assert read.weights[MAT] == pytest.approx(expected, abs=1e-5)


def test_values_are_the_features_so_outputs_can_be_read():
    # sat reads 0.77 of cat, and with it 0.77 of an animal.
    assert read.outputs[SAT, FEATURES.index("animal")] == read.weights[SAT, CAT]
    assert head.feature_names == FEATURES
    np.testing.assert_array_equal(read.values[CAT], head.vector("cat"))


# The promises, at sharpness 1 on the cat sat on the mat.


@pytest.mark.parametrize("sharpness", [0, 0.3, 1, 2, 16, 1e300, np.inf])
def test_both_the_are_uniform_exactly_at_every_sharpness(sharpness):
    weights = head.attend(SENTENCE, sharpness=sharpness).weights
    assert (weights[[THE, THE_2]] == 1 / 6).all()


def test_on_nearly_copies_mat():
    assert read.weights[ON].argmax() == MAT
    assert read.weights[ON, MAT] > 0.9
    assert copy_blend(read.weights)[ON] < 0.25


def test_sat_is_sharp_on_cat_and_lies_between():
    assert read.weights[SAT, CAT] == pytest.approx(0.77, abs=0.01)
    assert 0.25 < copy_blend(read.weights)[SAT] < 0.7


def test_mat_is_a_true_blend_in_which_cat_counts():
    assert copy_blend(read.weights)[MAT] > 0.7
    assert read.weights[MAT].argmax() == CAT
    assert read.weights[MAT, CAT] == pytest.approx(0.3, abs=0.01)


def test_cat_to_dog_moves_three_rows_and_fixes_three():
    edited = head.attend(["the", "dog", "sat", "on", "the", "mat"])
    shift = compare(read, edited).row_shift
    assert (shift[[CAT, SAT, MAT]] > 0.02).all()
    assert (shift[[THE, ON, THE_2]] < 1e-12).all()
    np.testing.assert_array_equal(edited.scores[ON], read.scores[ON])


def test_two_equal_best_keys_end_at_one_half_each_never_at_a_copy():
    hard = head.attend(["on", "the", "mat", "the", "mat"], sharpness=np.inf)
    assert hard.weights[0].tolist() == [0, 0, 1 / 2, 0, 1 / 2]


# The words.


def test_about_sixty_words_are_known():
    assert 60 <= len(WORDS) <= 70
    assert all(head.knows(word) for word in WORDS)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_written_as_it_is_looked_up_and_has_only_named_features(word):
    assert word == word.casefold().strip()
    assert WORDS[word]
    assert set(WORDS[word]) <= set(FEATURES)
    assert all(0 < amount <= 1.5 for amount in WORDS[word].values())


def test_no_two_words_are_alike():
    assert len({tuple(head.vector(word)) for word in WORDS}) == len(WORDS)


def test_each_feature_looks_for_named_features():
    assert tuple(LOOKS_FOR) == FEATURES
    assert {name for wanted in LOOKS_FOR.values() for name in wanted} <= set(FEATURES)


@pytest.mark.parametrize("word", [word for word in WORDS if "acts" in WORDS[word]])
def test_any_other_who_acts_in_place_of_cat_shows_something(word):
    shift = compare(read, head.attend(["the", word, "sat", "on", "the", "mat"])).row_shift
    assert word == "cat" or shift.max() > 0.01


@pytest.mark.parametrize("token", ["Mat.", "MAT", " mat ", '"mat"', "**mat**", "«mat»", "mat\n"])
def test_case_and_punctuation_around_a_word_do_not_matter(token):
    assert head.knows(token)
    np.testing.assert_array_equal(head.vector(token), head.vector("mat"))
    assert head.attend([token]).key_tokens == (token,)


@pytest.mark.parametrize("token", ["", " ", "\n", "...", "zyzzyva", "ma t", "mats", "猫", "\ud83d"])
def test_any_other_token_is_unknown_and_has_mild_features_of_its_own(token):
    assert not head.knows(token)
    features = head.vector(token)
    assert features.shape == (9,)
    assert ((features >= 0) & (features < UNKNOWN_UP_TO)).all()
    assert (features != head.vector(token + "x")).all()


def test_an_unknown_word_is_pinned():
    assert head.vector("zyzzyva")[:3].tolist() == [
        0.48878151091041794,
        0.05217260546653557,
        0.31413175201944954,
    ]


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_another_process_gives_the_same_bits(seed):
    program = (
        "from core import LessonHead, RandomHead\n"
        "for head in LessonHead(), RandomHead(7):\n"
        "    print(head.attend(['the', 'zyzzyva', 'sat']).weights.tobytes().hex())"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        check=True,
        text=True,
    )
    here = [
        one.attend(["the", "zyzzyva", "sat"]).weights.tobytes().hex()
        for one in (LessonHead(), RandomHead(7))
    ]
    assert told.stdout.split() == here


# Settings.


def test_no_tokens_give_an_empty_read():
    empty = head.attend([])
    assert empty.weights.shape == (0, 0)
    assert empty.outputs.shape == (0, 9)


def test_num_06_one_token_reads_itself():
    one = head.attend(["cat"])
    assert one.weights.tolist() == [[1.0]]
    np.testing.assert_array_equal(one.outputs, one.values)


def test_causal_reads_only_what_came_before():
    causal = head.attend(SENTENCE, causal=True)
    assert (np.triu(causal.weights, 1) == 0).all()
    assert causal.allowed.sum() == 21
    assert causal.weights[SAT, CAT] == pytest.approx(math.exp(8.5 / 3) / (math.exp(8.5 / 3) + 2))


def test_positions_tell_the_two_the_apart():
    placed = head.attend(SENTENCE, positions="sinusoidal")
    assert (placed.weights[THE] != placed.weights[THE_2]).any()


@pytest.mark.parametrize(
    ("tokens", "settings", "message"),
    [
        ("the cat", {}, "tokens must be a sequence of tokens, got the str 'the cat'"),
        (["cat", None], {}, "tokens must all be str, got None"),
        (["cat"], {"positions": "learned"}, 'must be "none" or "sinusoidal", got \'learned\''),
        (["cat"], {"positions": None}, 'must be "none" or "sinusoidal", got None'),
        (["cat"], {"causal": "false"}, "causal must be True or False, got 'false'"),
        (["cat"], {"sharpness": -1}, "sharpness must be a number from 0 to infinity, got -1"),
    ],
)
def test_what_cannot_be_used_is_refused(tokens, settings, message):
    with pytest.raises(ValueError, match=message):
        head.attend(tokens, **settings)


# Ties that are exact on paper are ties here, though floats round their sums apart.


def exact_scores(asks):
    """Three times the score of every word, as a fraction of whole numbers."""
    wants = {name: Fraction(0) for name in FEATURES}
    for feature, amount in WORDS[asks].items():
        for name, much in LOOKS_FOR[feature].items():
            wants[name] += Fraction(str(amount)) * Fraction(str(much))
    return {
        word: sum(Fraction(str(amount)) * wants[name] for name, amount in features.items())
        for word, features in WORDS.items()
    }


@pytest.mark.parametrize("asks", WORDS)
def test_words_that_tie_on_paper_share_the_weight_in_the_limit(asks):
    scores = exact_scores(asks)
    alike = {}
    for word, score in scores.items():
        alike.setdefault(score, []).append(word)
    for group in alike.values():
        lower = [word for word in scores if scores[word] < scores[group[0]]][:2]
        sentence = [asks, *(word for word in (*group, *lower) if word != asks)]
        if scores[asks] > scores[group[0]]:
            continue
        tied = [i for i, word in enumerate(sentence) if scores[word] == scores[group[0]]]
        for sharpness in (math.inf, 16.0):
            row = head.attend(sentence, sharpness=sharpness)
            assert strongest_keys(row.weights[0]) == tuple(tied), (sentence, sharpness)
        limit = head.attend(sentence, sharpness=math.inf).weights[0, tied]
        assert limit.tolist() == [1 / len(tied)] * len(tied), sentence


def test_scores_apart_by_more_than_rounding_do_not_tie():
    top = 14 * 1.3 / 3
    near = top * (1 - 1e-12)
    assert attention_weights([[top, near]], sharpness=math.inf).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("token", ["á", "cat\u0308", "o\u0301n"])
def test_an_accent_makes_another_word(token):
    assert not head.knows(token)
    assert not head.knows(unicodedata.normalize("NFC", token))


@pytest.mark.parametrize("token", ["Mat.", "«cat»", "(on)", "_the_", "mat…"])
def test_punctuation_around_a_word_does_not(token):
    assert head.knows(token)
