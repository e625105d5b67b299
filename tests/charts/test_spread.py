"""The first picture: cells, rows and their ways, at rest and at another sharpness."""

import copy
import html
import math
import re

import numpy as np
import pytest
import scipy.special
import scipy.stats
import vl_convert

from core import LessonHead, RandomHead, attend, travel
from dashboard import exports
from dashboard.charts.live import BEYOND
from dashboard.charts.spread import spread
from dashboard.charts.travel import END, MOST_NAMES, SHARPNESSES, START, across
from tests.charts.gallery import labels_of, words
from tests.charts.seen import draw, texts

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]


def drawn(attention, *, sharpness=1.0, chosen=1, moves=0):
    tokens = attention.query_tokens
    paths = travel(attention.scores, SHARPNESSES, allowed=attention.allowed)
    return spread(
        attention,
        labels_of(tokens),
        paths,
        sharpness=sharpness,
        chosen=chosen,
        moves=moves,
        alt_text="x",
    )


def told(picture, beta=None):
    """All that the drawing says when its sharpness is moved to `beta`: names of marks, texts."""
    complete = copy.deepcopy({**picture.complete(), "width": 900})
    if beta is not None:
        (held,) = [param for param in complete["params"] if param["name"] == "beta"]
        held["expr"] = str(beta)
    svg = vl_convert.vegalite_to_svg(complete, allowed_base_urls=[])
    names, texts = re.findall(r'aria-label="([^"]*)"', svg), re.findall(r">([^<]+)</text>", svg)
    return [html.unescape(name) for name in names], [html.unescape(text) for text in texts]


def weights_told(picture, n, beta=None):
    names, _ = told(picture, beta)
    cell = re.compile(r"(\d+) · .* to (\d+) · .*: ([\d.]+(?:e−\d+)?)")
    found = [cell.fullmatch(name) for name in names]
    cells = {(int(m[1]), int(m[2])): float(m[3].replace("−", "-")) for m in found if m}
    return np.array([[cells.get((i, k), np.nan) for k in range(1, n + 1)] for i in range(1, n + 1)])


@pytest.mark.parametrize("causal", [False, True])
def test_at_rest_the_picture_tells_the_numbers_it_was_given(causal):
    attention = LessonHead().attend(SENTENCE, causal=causal)
    allowed = np.where(attention.allowed, attention.weights, np.nan)
    np.testing.assert_allclose(weights_told(drawn(attention), 6), allowed, atol=5.1e-5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("beta", [0, 0.3, 2.5, 16])
def test_at_another_sharpness_it_works_out_the_weights_itself(causal, beta):
    attention = RandomHead(4).attend(words(5), causal=causal)
    scores = np.where(attention.allowed, attention.scores, -np.inf)
    flat = np.where(attention.allowed, beta * attention.scores, -np.inf)
    weights = np.where(np.isinf(scores), np.nan, scipy.special.softmax(flat, axis=1))
    np.testing.assert_allclose(weights_told(drawn(attention), 5, beta), weights, atol=5.1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_in_the_limit_the_largest_scores_share_all(causal):
    attention = LessonHead().attend(SENTENCE, sharpness=math.inf, causal=causal)
    weights = np.where(attention.allowed, attention.weights, np.nan)
    picture = drawn(attention, sharpness=math.inf)
    np.testing.assert_array_equal(weights_told(picture, 6), weights.round(4))
    worth = np.exp(scipy.stats.entropy(attention.weights, axis=1))
    for row, (name, positions) in enumerate(zip(labels_of(SENTENCE), worth, strict=True)):
        if attention.allowed[row].sum() > 1:
            usable = attention.allowed[row].sum()
            assert f"{name}: {positions:.1f} of {usable}" in told(picture)[0]


def test_scores_at_the_edge_of_float64_have_weights():
    edge = np.array([[1e308], [-1e308]])
    attention = attend(np.ones((2, 1)), edge, np.eye(2), query_tokens=words(2), key_tokens=words(2))
    assert weights_told(drawn(attention), 2).tolist() == [[1, 0], [1, 0]]
    assert weights_told(drawn(attention), 2, 0).tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_its_tables_are_the_same_at_every_sharpness_but_for_the_sharpness():
    pictures = [drawn(LessonHead().attend(SENTENCE, sharpness=s), sharpness=s) for s in (1, 7.5)]
    first, second = ({key: picture.frame(key) for key in picture.data} for picture in pictures)
    assert {key for key in first if not first[key].equals(second[key])} == {"here"}


@pytest.mark.parametrize("beta", [None, 0.5, 4])
def test_each_row_tells_its_positions_worth(beta):
    attention = LessonHead().attend(SENTENCE)
    weights = scipy.special.softmax((1 if beta is None else beta) * attention.scores, axis=1)
    worth = np.exp(scipy.stats.entropy(weights, axis=1))
    names, _ = told(drawn(attention), beta)
    for name, positions in zip(labels_of(SENTENCE), worth, strict=True):
        assert f"{name}: {positions:.1f} of 6" in names


@pytest.mark.parametrize("beta", [None, 3])
def test_a_forced_row_says_so_and_has_no_place(beta):
    names, texts = told(drawn(LessonHead().attend(["cat", "sat"], causal=True)), beta)
    assert "forced" in texts
    standing = [name for name in names if re.fullmatch(r"\d · \S+: [\d.]+ of 2", name)]
    assert [name[0] for name in standing] == ["2"]
    assert "1 · \u2068cat\u2069 to 2 · \u2068sat\u2069: not allowed by the mask" in names


def test_one_token_is_a_picture_of_one_cell_without_a_way():
    names, texts = told(drawn(LessonHead().attend(["cat"]), chosen=0))
    assert "1 · \u2068cat\u2069 to 1 · \u2068cat\u2069: 1.0000" in names
    assert "forced" in texts


def test_numbers_on_cells_tell_the_ends_from_what_is_nearly_them():
    _, texts = told(drawn(LessonHead().attend(SENTENCE, sharpness=4.0), sharpness=4.0))
    assert "<.01" in texts
    assert ">.99" in texts
    _, texts = told(drawn(LessonHead().attend(SENTENCE, sharpness=math.inf), sharpness=math.inf))
    assert "1" in texts
    assert ">.99" not in texts


def test_a_second_click_on_a_row_is_another_click():
    attention = LessonHead().attend(SENTENCE)
    first, second = (drawn(attention, moves=moves) for moves in (0, 1))
    assert first.spec is second.spec
    assert set(first.frame("rows")["moves"]) == {0}
    assert set(second.frame("rows")["moves"]) == {1}


def test_the_chosen_row_is_marked():
    rows = drawn(LessonHead().attend(SENTENCE), chosen=3).frame("rows")
    assert np.flatnonzero(rows["chosen"]).tolist() == [3]


def test_one_key_that_takes_nearly_all_leaves_the_others_readable():
    # Column 1 takes .97 of every row; the rest differ by a factor of about 10.
    row = np.array([0.97, 0.027, 0.0027, 0.00027, 0.00003])
    attention = attend(
        np.ones((5, 1)), np.log(row)[:, None], np.eye(5), query_tokens=words(5), key_tokens=words(5)
    )
    names, on_cells = told(drawn(attention))
    first, *others = labels_of(words(5))
    said = ["0.9700", "0.0270", "0.0027", "0.0003", "3.0e−5"]
    for name, number in zip([first, *others], said, strict=True):
        assert f"{first} to {name}: {number}" in names
    assert {".97", ".03", "<.01"} <= set(on_cells)
    nats = -(row * np.log(row)).sum()  # of the whole row, the large weight included
    assert f"{first}: {math.exp(nats):.1f} of 5" in names


@pytest.mark.parametrize("width", [358, 600, 879, 880, 893, 1200])
def test_what_stands_above_the_columns_takes_no_room_from_the_cells(width):
    svg = draw(drawn(LessonHead().attend(SENTENCE)), width=width)
    padding = 10
    assert float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1]) == width + padding
    said = {text.text for text in texts(svg)}
    assert {"row reads column", "positions"} & said == (
        {"row reads column", "positions"} if width >= 880 else set()
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_line_that_ends_at_a_dot_leaves_its_name_free(theme):
    svg = exports.picture_file(drawn(LessonHead().attend(SENTENCE)), "svg", theme).decode()
    paper = exports._look(theme)["background"]
    rims = re.findall(rf'<text[^>]*stroke="{paper}"[^>]*>([^<]+)</text>', svg)
    assert labels_of(SENTENCE)[1] in rims


# The way from blend to copy.


def test_every_row_has_its_own_line_even_where_tokens_repeat():
    attention = LessonHead().attend(SENTENCE)
    lines = drawn(attention).frame("lines")
    paths = travel(attention.scores, SHARPNESSES)
    assert lines.groupby("query").size().tolist() == [len(SHARPNESSES)] * 6
    for query, line in lines.groupby("query"):
        np.testing.assert_array_equal(line["spread"], paths[:, query - 1])
        np.testing.assert_array_equal(line["x"], across(SHARPNESSES))


@pytest.mark.parametrize(("sharpness", "at"), [(0, 0), (4, 0.5), (16, 1)])
def test_a_sharpness_stands_by_its_square_root(sharpness, at):
    assert float(across(sharpness)) == pytest.approx(START + at * (END - START))


@pytest.mark.parametrize(("sharpness", "kept"), [(0, 0), (2.5, 2.5), (16, 16), (math.inf, BEYOND)])
def test_the_sharpness_in_force_is_given_to_the_picture(sharpness, kept):
    attention = LessonHead().attend(SENTENCE, sharpness=sharpness)
    assert drawn(attention, sharpness=sharpness).frame("here")["beta"].tolist() == [kept]


@pytest.mark.parametrize(
    ("sharpness", "reading"), [(1.0, "◂ β 1 ▸"), (0.37, "◂ β 0.37 ▸"), (math.inf, "◂ β → ∞")]
)
def test_the_picture_tells_its_sharpness(sharpness, reading):
    attention = LessonHead().attend(SENTENCE, sharpness=sharpness)
    assert reading in told(drawn(attention, sharpness=sharpness))[1]


def test_dots_that_lie_close_share_a_name_and_the_others_have_their_own():
    _, texts = told(drawn(LessonHead().attend(SENTENCE)))
    the, cat, sat, _, other, mat = labels_of(SENTENCE)
    assert f"{the}, {other}, {mat}" in texts
    assert texts.count(cat) == 4  # row, column, dot and the rim below it
    assert texts.count(sat) == 4
    _, texts = told(drawn(LessonHead().attend(SENTENCE)), 0)
    assert f"{the}, {cat}, {sat} +3" in texts


@pytest.mark.parametrize(("n", "named"), [(MOST_NAMES, True), (MOST_NAMES + 1, False)])
def test_names_are_left_out_of_a_crowd(n, named):
    _, texts = told(drawn(RandomHead(1).attend(["same"] * n)))
    assert any(text.endswith(f" +{n - 3}") for text in texts) == named
