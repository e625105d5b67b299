"""What one read shows is told from its numbers, and nothing else."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import (
    LessonHead,
    RandomHead,
    attend,
    copy_blend,
    travel,
)
from dashboard import kinds, words
from dashboard.words import long as long_words
from dashboard.words.matrix import weights_name
from tests.words.reads import SENTENCE, read_of


@pytest.mark.parametrize(
    ("attention", "kind", "sentence"),
    [
        (
            read_of(0.97, 0.01, 0.01, 0.01),
            "copy",
            "“q” reads 97 % from “a”: nearly a copy, 1.2 of 4 positions’ worth.",
        ),
        (
            read_of(0.25, 0.75),
            "between",
            "“q” reads 75 % from “b”: between copy and blend, 1.8 of 2 positions’ worth.",
        ),
        (
            read_of(0.3, 0.3, 0.2, 0.2),
            "blend",
            "“q” reads 30 % each from “a” and “b”: a blend, 3.9 of 4 positions’ worth.",
        ),
        (
            read_of(0.4, 0.3, 0.3),
            "blend",
            "“q” reads 40 % from “a”: a blend, 3.0 of 3 positions’ worth.",
        ),
        (
            read_of(0.25, 0.25, 0.25, 0.25),
            "blend",
            "“q” reads all 4 positions alike, 25 % each: a blend, 4.0 of 4 positions’ worth.",
        ),
        (
            read_of(0.5, 0.5),
            "blend",
            "“q” reads both positions alike, 50 % each: a blend, 2.0 of 2 positions’ worth.",
        ),
        (
            read_of(1.0, allowed=[True]),
            "forced",
            "“q” reads 100 % from “a”: forced, the only key it may use.",
        ),
    ],
)
def test_a_row_is_told_by_its_kind(attention, kind, sentence):
    assert kinds.kind(attention, 0) == kind
    assert words.reads(attention, 0) == sentence


def test_a_row_without_keys_says_so_in_every_sentence():
    attention = attend(
        [[1.0]], [[1.0], [2.0]], [[1.0], [2.0]], allowed=[[False, False]], query_tokens=["q"]
    )
    assert kinds.kind(attention, 0) == "no keys allowed"
    told = [words.reads(attention, 0), words.between(attention, 0), words.parts_name(attention, 0)]
    assert told[0] == "“q” may read nothing: no keys allowed, so its output is 0."
    assert told[1].startswith("No key is allowed")
    assert told[2].endswith("nothing.")
    assert not any("nan" in text.lower() for text in told)


def test_a_copy_is_exact_only_at_weight_1():
    attention = LessonHead().attend(SENTENCE, sharpness=math.inf)
    on = words.reads(attention, 3)
    assert on == "“on” reads 100 % from “mat”: a copy, 1.0 of 6 positions’ worth."
    nearly = words.reads(LessonHead().attend(SENTENCE, sharpness=3), 3)
    assert "more than 99 % from “mat”: nearly a copy" in nearly


def test_two_equal_tokens_tie_and_never_copy():
    attention = RandomHead(0).attend(["x", "y", "x"], sharpness=math.inf)
    found = {kinds.kind(attention, row) for row in range(3)}
    assert found <= {"tie", "copy"}
    for row in range(3):
        if attention.weights[row].max() < 1:
            assert kinds.kind(attention, row) == "tie"
            assert "50 % each from “x” (1) and “x” (3): a tie" in words.reads(attention, row)


scores = st.lists(st.floats(-8, 8), min_size=3, max_size=3)


@given(rows=st.lists(scores, min_size=1, max_size=4), sharpness=st.sampled_from([0.0, 1.0, 4.0]))
def test_the_sentence_tells_the_numbers_of_its_row(rows, sharpness):
    attention = attend(np.array(rows) * math.sqrt(3), np.eye(3), np.eye(3), sharpness=sharpness)
    for row, weights in enumerate(attention.weights):
        told = words.reads(attention, row)
        share = re.search(r"(\d+) %", told)
        assert abs(int(share[1]) - 100 * weights.max()) <= 1 + 1e-9
        worth = float(re.search(r"([\d.]+) of 3 positions", told)[1])
        nats = -sum(w * math.log(w) for w in weights if w > 0)
        assert worth == pytest.approx(math.exp(nats), abs=0.0501)
        for key in np.flatnonzero(weights == weights.max()):
            assert "all 3" in told or f"“{key + 1}”" in told


def test_the_sentence_changes_when_the_numbers_change():
    told = {words.reads(LessonHead().attend(SENTENCE, sharpness=s), 2) for s in (0, 0.5, 1, 2)}
    assert len(told) == 4


def test_the_first_picture_is_named_by_its_copies_and_blends():
    told = words.spread_name(LessonHead().attend(SENTENCE))
    plurals = {"Copies": "copy", "Ties": "tie", "Blends": "blend"}
    attention = LessonHead().attend(SENTENCE)
    for title, kind in plurals.items():
        rows = [words.name(SENTENCE, r) for r in range(6) if kinds.kind(attention, r) == kind]
        assert (f"{title}: {words.several(rows, 4)}" in told) == bool(rows)
    assert told.startswith("Attention weights of 6 rows")


def test_the_journey_names_who_arrives_and_who_stays():
    attention = LessonHead().attend(SENTENCE)
    paths = travel(attention.scores, [0.0, 1.0, 16.0])
    told = words.travelling(attention, paths, 0)
    assert (
        "“the” (1) and “the” (5) score all keys alike and stay a blend at every sharpness" in told
    )
    copies = [words.name(SENTENCE, r) for r in range(6) if paths[-1, r] < 0.25]
    assert f"At 16, {words.several(copies, 6)} " in told


@pytest.mark.parametrize(("others", "sharpness"), [(40, 2.0), (1000, 2.0)])
def test_two_keys_that_share_a_row_are_no_copy_however_long_the_sentence(others, sharpness):
    read = LessonHead().attend(["on", "mat", "chair"] + ["the"] * others, sharpness=sharpness)
    assert copy_blend(read.weights, read.allowed)[0] < kinds.COPY_BELOW
    assert kinds.kind(read, 0) == "between"
    assert "copy," not in words.reads(read, 0)


def test_a_long_picture_counts_no_tie_as_a_copy():
    read = LessonHead().attend_long(["on", "mat", "mat"] + ["the"] * 63, sharpness=math.inf)
    short = LessonHead().attend(["on", "mat", "mat"] + ["the"] * 63, sharpness=math.inf)
    copies = sum(kinds.kind(short, row) == "copy" for row in range(66))
    told = long_words.rows_found(read.overview(64).spread)
    assert f"Of 66 rows, {copies} lie near a copy" in told
    assert kinds.kind(short, 0) == "tie"


def test_a_window_of_no_weight_names_no_largest():
    told = long_words.window_name(["the"] * 100, np.zeros((48, 48)), 0, 52)
    assert told == "Weights of rows 1 to 48 on columns 53 to 100. All of them are 0."


def test_a_tie_is_told_as_one_at_every_sharpness():
    for sharpness in (16.0, math.inf):
        read = LessonHead().attend(["on", "bed", "house", "tree"], sharpness=sharpness)
        said = words.reads(read, 0)
        assert said.startswith("“on” reads 33 % each from “bed”, “house” and “tree”"), said


@pytest.mark.parametrize(("n", "told"), [(6, False), (16, False), (17, True), (64, True)])
def test_that_labels_may_be_left_out_is_said_where_columns_can_be_too_narrow(n, told):
    read = LessonHead().attend([f"w{i}" for i in range(n)])
    for legend in (words.legend(read), words.edit_legend(read), words.thinned(n)):
        assert ("labels stand at even steps" in legend) == told


def test_one_row_and_one_token_are_told_as_one():
    assert weights_name(1) == "attention weights of 1 row, from 0 to 1."
    assert weights_name(2048) == "attention weights of 2,048 rows, from 0 to 1."
    assert "would have 1 token instead of 2," in words.not_one_token("", 2)
    assert "would have 3 tokens instead of 2," in words.not_one_token("hot dog", 2)


def test_unknown_words_are_named_once():
    assert words.unknown(LessonHead(), SENTENCE) == ""
    told = words.unknown(LessonHead(), ["zyzzyva", "cat", "zyzzyva"])
    assert told.count("zyzzyva") == 1
    assert "a vector of its own" in told
    assert words.unknown(RandomHead(0), ["zyzzyva"]) == ""
