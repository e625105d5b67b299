"""Matrices that work out their cells by themselves: weights, and what an edit moved."""

import html
import math
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import vl_convert

import dashboard
from core import LessonHead, RandomHead
from dashboard.charts.labels import cell, exact, signed_cell
from dashboard.charts.live import BEYOND
from dashboard.charts.live_grid import given_difference, live_difference, live_weights
from tests.charts.gallery import labels_of, words
from tests.charts.test_spread import told

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
DOG = ["the", "dog", "sat", "on", "the", "mat"]
CELL = re.compile(r"(\d+) · .* to (\d+) · .*: (.+)")


def weights_picture(attention, sharpness=1.0):
    return live_weights(
        attention.scores,
        attention.allowed,
        labels_of(attention.query_tokens),
        sharpness=sharpness,
        alt_text="x",
        chosen=1,
        labels_end=20.0,
    )


def difference_picture(before, after, sharpness=1.0):
    return live_difference(
        before,
        after,
        labels_of(after.query_tokens),
        sharpness=sharpness,
        alt_text="x",
        labels_end=20.0,
    )


def cells_told(picture, beta=None):
    """What each cell says of itself, by row and column."""
    names, texts = told(picture, beta)
    found = [CELL.fullmatch(name) for name in names]
    return {(int(m[1]), int(m[2])): m[3] for m in found if m}, texts


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("beta", [None, 0, 0.3, 2.5, 16])
def test_a_cell_tells_its_weight_at_the_sharpness_of_the_picture(causal, beta):
    attention = RandomHead(4).attend(words(5), causal=causal)
    scores = (1 if beta is None else beta) * attention.scores
    weights = scipy.special.softmax(np.where(attention.allowed, scores, -np.inf), axis=1)
    said, texts = cells_told(weights_picture(attention), beta)
    for (row, column), text in said.items():
        if attention.allowed[row - 1, column - 1]:
            assert text == exact(weights[row - 1, column - 1])
            assert cell(weights[row - 1, column - 1]) in texts
        else:
            assert text == "not allowed by the mask"
    assert len(said) == 25


def test_in_the_limit_ties_are_shared():
    attention = LessonHead().attend(SENTENCE, sharpness=math.inf)
    said, _ = cells_told(weights_picture(attention, math.inf))
    assert {at: exact(attention.weights[at[0] - 1, at[1] - 1]) for at in said} == said
    here = weights_picture(attention, math.inf).frame("here")
    assert here["beta"].tolist() == [BEYOND]


def test_the_browser_knows_what_stands_for_the_limit():
    script = (Path(dashboard.__file__).parent / "browser.js").read_text(encoding="utf-8")
    assert f'const BEYOND = "{BEYOND}";' in script


def test_scores_that_tie_but_for_rounding_tie_in_the_picture():
    read = LessonHead().attend(["on", "bed", "house", "tree"], sharpness=math.inf)
    assert len(set(read.scores[0, 1:])) > 1
    said, _ = cells_told(weights_picture(read, math.inf))
    assert [said[1, key] for key in (1, 2, 3, 4)] == ["0", "0.3333", "0.3333", "0.3333"]


@pytest.mark.parametrize("beta", [None, 0, 0.3, 2.5, 16])
def test_a_difference_is_what_the_edit_moved(beta):
    before, after = LessonHead().attend(SENTENCE), LessonHead().attend(DOG)
    sharpness = 1 if beta is None else beta
    moved = scipy.special.softmax(sharpness * after.scores, axis=1) - scipy.special.softmax(
        sharpness * before.scores, axis=1
    )
    said, texts = cells_told(difference_picture(before, after), beta)
    assert len(said) == 36
    for (row, column), text in said.items():
        change = moved[row - 1, column - 1]
        if abs(change) > 1e-12:
            assert text == exact(change)
            assert signed_cell(change) in texts
        elif np.array_equal(before.scores[row - 1], after.scores[row - 1]):
            assert text == "0"


def test_a_whole_weight_that_moves_is_written_in_full():
    before = LessonHead().attend(["mat", "on", "mat"], sharpness=math.inf)
    after = LessonHead().attend(["cat", "on", "mat"], sharpness=math.inf)
    moved = after.weights - before.weights
    said, texts = cells_told(difference_picture(before, after, math.inf))
    assert {at: exact(moved[at[0] - 1, at[1] - 1]) for at in said} == said
    assert {signed_cell(change) for change in moved.ravel()} <= set(texts)
    assert {"+1.00", "−.67", "−.50"} <= set(texts)


def test_small_changes_show_by_their_root():
    before, after = LessonHead().attend(SENTENCE), LessonHead().attend(DOG)
    picture = difference_picture(before, after)
    assert "sqrt(abs(datum.w))" in str(picture.spec)


@pytest.mark.parametrize(("n", "images"), [(31, 0), (32, 1)])
def test_a_thousand_cells_and_more_are_one_image(n, images):
    picture = weights_picture(RandomHead(1).attend(words(n)))
    assert len(cells_told(picture)[0]) == (0 if images else n * n)
    svg = vl_convert.vegalite_to_svg(picture.complete(), allowed_base_urls=[])
    assert svg.count("data:image/bmp") == images
    assert picture.spec["usermeta"]["embedOptions"]["renderer"] == "svg"


@pytest.mark.parametrize(("sharpness", "other"), [(0, 16), (1, 2.5)])
def test_its_tables_are_the_same_at_every_sharpness_but_for_the_sharpness(sharpness, other):
    pictures = [
        difference_picture(
            LessonHead().attend(SENTENCE, sharpness=s), LessonHead().attend(DOG, sharpness=s), s
        )
        for s in (sharpness, other)
    ]
    first, second = ({key: picture.frame(key) for key in picture.data} for picture in pictures)
    assert pictures[0].spec is pictures[1].spec
    assert {key for key in first if not first[key].equals(second[key])} == {"here"}


def test_given_numbers_are_told_as_they_are():
    numbers = np.array([[0.0, 1.1e-16, -2.5e-7], [0.5, -0.0049, 1.0], [-1.0, 0.0626, -3e-300]])
    said, texts = cells_told(given_difference(numbers, labels_of(words(3)), alt_text="x"))
    assert {(i + 1, j + 1): exact(numbers[i, j]) for i in range(3) for j in range(3)} == said
    assert {signed_cell(number) for number in numbers.ravel()} <= set(texts)


def test_labels_are_literal():
    attention = RandomHead(1).attend(["<b>x</b>", "datum.w", "*y*"])
    names, _ = told(weights_picture(attention))
    assert any("<b>x</b>" in html.unescape(name) for name in names)
