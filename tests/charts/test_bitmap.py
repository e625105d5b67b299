"""Matrices whose cells are one image that the drawing writes by itself."""

import copy
import io
import json
import math
import re
from urllib.parse import unquote_to_bytes

import numpy as np
import pytest
import scipy.special
import scipy.stats
import vl_convert
from PIL import Image

from core import LessonHead, RandomHead
from dashboard.charts.bitmap import runs
from dashboard.charts.labels import exact
from dashboard.charts.layout import layout
from dashboard.charts.live_grid import given_difference, live_difference, live_weights
from dashboard.charts.raster import palette, theme_colours
from tests.charts.gallery import GALLERY, labels_of, words
from tests.charts.seen import draw, image
from tests.charts.test_live_grid import weights_picture
from tests.charts.test_spread import drawn, told


def colours(picture, theme="light", beta=None):
    """Red, green and blue of every cell, (n, n, 3), as a reader of pictures finds them."""
    complete = copy.deepcopy({**picture.complete(), "width": 900})
    complete["config"] = {"background": theme_colours(theme)["backgroundColor"]}
    if beta is not None:
        (held,) = [param for param in complete["params"] if param["name"] == "beta"]
        held["expr"] = str(beta)
    svg = vl_convert.vegalite_to_svg(complete, allowed_base_urls=[])
    (address,) = re.findall(r'xlink:href="(data:image/bmp,[^"]*)"', svg)
    return read_bitmap(address)


def read_bitmap(address):
    """The same of the image at an address."""
    kind, written = address.split(",")
    assert kind == "data:image/bmp"
    return np.asarray(Image.open(io.BytesIO(unquote_to_bytes(written))).convert("RGB"))


def shades(numbers, allowed, kind, theme="light"):
    """The same, worked out from the numbers."""
    share = numbers if kind == "weights" else (1 + np.sign(numbers) * abs(numbers) ** 0.5) / 2
    levels = np.where(allowed, 1 + np.floor(254 * share + 0.5), 0)
    return palette(kind, theme)[levels.astype(int)]


def softmax(scores, allowed, sharpness):
    return scipy.special.softmax(np.where(allowed, sharpness * scores, -np.inf), axis=1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("causal", [False, True])
# Rows of a file end at multiples of four; over 5,000 cells are drawn whole.
@pytest.mark.parametrize("n", [32, 33, 34, 35, 64, 71])
def test_every_cell_has_the_colour_of_its_weight(n, causal, theme):
    attention = RandomHead(3).attend(words(n), causal=causal)
    found = colours(weights_picture(attention), theme)
    expected = shades(attention.weights, attention.allowed, "weights", theme)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("beta", [0, 0.3, 2.5, 16])
def test_it_follows_the_sharpness_of_the_picture(beta):
    attention = RandomHead(3).attend(words(40), causal=True)
    weights = softmax(attention.scores, attention.allowed, beta)
    found = colours(weights_picture(attention), beta=beta)
    np.testing.assert_array_equal(found, shades(weights, attention.allowed, "weights"))


def test_in_the_limit_ties_are_shared():
    attention = LessonHead().attend(["the", "cat", "sat", "on"] * 9, sharpness=math.inf)
    found = colours(weights_picture(attention, math.inf))
    np.testing.assert_array_equal(found, shades(attention.weights, True, "weights"))


@pytest.mark.parametrize("beta", [None, 0.3, 16])
@pytest.mark.parametrize("causal", [False, True])
def test_a_difference_is_what_the_edit_moved(causal, beta):
    tokens = [*words(36), "cat"]
    before, after = (
        RandomHead(2).attend([*tokens[:9], new, *tokens[10:]], causal=causal)
        for new in ("cat", "dog")
    )
    picture = live_difference(
        before, after, labels_of(tokens), sharpness=1.0, alt_text="x", labels_end=20.0
    )
    sharpness = 1 if beta is None else beta
    moved = np.subtract(
        *(softmax(read.scores, read.allowed, sharpness) for read in (after, before))
    )
    found = colours(picture, beta=beta)
    np.testing.assert_array_equal(found, shades(moved, after.allowed, "difference"))


def test_given_numbers_have_their_colours():
    numbers = np.random.default_rng(5).uniform(-1, 1, (33, 33)) ** 5
    found = colours(given_difference(numbers, labels_of(words(33)), alt_text="x"))
    np.testing.assert_array_equal(found, shades(numbers, True, "difference"))


@pytest.mark.parametrize("beta", [None, 0, 7.25])
@pytest.mark.parametrize("causal", [False, True])
def test_rows_stand_where_core_puts_them(causal, beta):
    attention = RandomHead(1).attend(words(40), causal=causal)
    _, texts = told(drawn(attention), beta)
    weights = softmax(attention.scores, attention.allowed, 1 if beta is None else beta)
    worth = np.exp(scipy.stats.entropy(weights, axis=1))
    expected = [
        "forced" if keys == 1 else f"{number:.1f} of {keys}"
        for number, keys in zip(worth, attention.allowed.sum(axis=1), strict=True)
    ]
    assert [text for text in texts if re.fullmatch(r"forced|[\d.]+ of \d+", text)] == expected


def test_a_score_of_minus_infinity_forbids_as_a_mask_does():
    attention = RandomHead(1).attend(words(40))
    scores = attention.scores.copy()
    scores[:, 3] = -np.inf
    picture = live_weights(
        scores,
        attention.allowed,
        labels_of(words(40)),
        sharpness=1.0,
        alt_text="x",
        labels_end=20.0,
    )
    usable = attention.allowed & (scores > -np.inf)
    weights = softmax(scores, usable, 1)
    np.testing.assert_array_equal(colours(picture), shades(weights, usable, "weights"))


@pytest.mark.parametrize("beta", [None, 0, 16])
def test_the_cell_under_the_pointer_tells_its_number(beta):
    attention = RandomHead(1).attend(words(40), causal=True)
    weights = softmax(attention.scores, attention.allowed, 1 if beta is None else beta)
    for row, column in [(0, 0), (5, 2), (39, 20), (3, 30)]:
        complete = copy.deepcopy(weights_picture(attention).complete())
        for param in complete["params"]:
            if param["name"] == "spot":
                param["value"] = 40 * row + column
            if param["name"] == "beta" and beta is not None:
                param["expr"] = str(beta)
        written = json.dumps({**complete, "width": 900}).replace(
            '"tooltip": {"expr": "datum.words"}',
            '"aria": true, "description": {"expr": "datum.words"}',
        )
        svg = vl_convert.vegalite_to_svg(json.loads(written), allowed_base_urls=[])
        (said,) = re.findall(r'aria-label="([^"]* reads from [^"]*)"', svg)
        told = exact(weights[row, column])
        if column > row:
            told = "not allowed by the mask"
        names = labels_of(words(40))
        assert said == f"{names[row]} reads from {names[column]}: {told}"


def test_what_a_mask_forbids_is_told_as_runs():
    allowed = np.array([[1, 0, 0, 1], [1, 1, 1, 1], [0, 1, 0, 0]], dtype=bool)
    found = {name: values.tolist() for name, values in runs(allowed).items()}
    assert found == {"y": [0.5, 2.5, 2.5], "first": [1.5, 0.5, 2.5], "last": [2.5, 0.5, 3.5]}


@pytest.mark.parametrize("kind", ["live weights", "live difference"])
def test_the_dots_of_what_a_mask_forbids_stand_on_the_middle_of_their_cells(kind):
    n = 33
    svg = draw(GALLERY[kind](words(n), causal=True))
    box, place = image(svg), layout(n, n)
    step = box.width / n
    dashes = re.findall(
        r'<line transform="translate\(([\d.]+),([\d.]+)\)" x2="([\d.]+)" y2="0"[^>]*'
        r'stroke-linecap="round" stroke-dasharray="0,([\d.]+)"',
        svg,
    )
    found = np.array(dashes, dtype=float)  # from where, how long, how far apart
    rows = np.arange(n - 1)
    np.testing.assert_allclose(found[:, 0], box.left + (rows + 1.5) * step, atol=0.01)
    np.testing.assert_allclose(found[:, 1], box.top + (rows + 0.5) * place.row_height, atol=0.01)
    np.testing.assert_array_equal(found[:, 2] // found[:, 3] + 1, n - 1 - rows)
    np.testing.assert_allclose(found[:, 3], step, atol=0.001)


def test_a_picture_without_a_mask_does_not_ask_for_one():
    attention = RandomHead(1).attend(words(33))
    assert "may0" not in str(weights_picture(attention).spec)
    assert "forbidden" not in weights_picture(attention).data
