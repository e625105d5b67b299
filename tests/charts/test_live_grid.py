"""Matrices that work out their cells by themselves: weights, and what an edit moved."""

import html
import math
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import vl_convert
from hypothesis import example, given
from hypothesis import strategies as st

import dashboard
from core import LessonHead, RandomHead
from dashboard import exports
from dashboard.charts.bitmap import CELLS
from dashboard.charts.labels import exact, signed_cell
from dashboard.charts.layout import LABELS, layout
from dashboard.charts.live import BEYOND, cells, given_cells
from dashboard.charts.live_grid import WRITTEN, given_difference, live_difference, live_weights
from tests.charts.gallery import GALLERY, labels_of, words
from tests.charts.seen import WIDTH, draw, image, texts, written
from tests.charts.seen import cells as cells_seen
from tests.charts.test_pictures import layers
from tests.charts.test_raster import mixed
from tests.charts.test_spread import told

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
DOG = ["the", "dog", "sat", "on", "the", "mat"]
CELL = re.compile(r"(\d+) · .* to (\d+) · .*: (.+)")
LABELS_END = 20.0


def weights_picture(attention, sharpness=1.0, chosen=1):
    return live_weights(
        attention.scores,
        attention.allowed,
        labels_of(attention.query_tokens),
        sharpness=sharpness,
        alt_text="x",
        chosen=chosen,
        labels_end=LABELS_END,
    )


def difference_picture(before, after, sharpness=1.0):
    return live_difference(
        before,
        after,
        labels_of(after.query_tokens),
        sharpness=sharpness,
        alt_text="x",
        labels_end=LABELS_END,
    )


def given_picture(numbers):
    return given_difference(numbers, labels_of(words(len(numbers))), alt_text="x")


def numbers_of(*shape):
    """Every cell another number between 0 and 1."""
    return (np.arange(1, np.prod(shape) + 1) / (np.prod(shape) + 1)).reshape(shape)


def cell(weight):
    """A weight as it fits on a cell, written a second time."""
    if weight in (0, 1):
        return f"{weight:.0f}"
    if weight < 0.005:
        return "<.01"
    return ">.99" if weight >= 0.995 else f"{weight:.2f}".removeprefix("0")


def cells_told(picture, beta=None):
    """What each cell says of itself, by row and column."""
    names, texts = told(picture, beta)
    found = [CELL.fullmatch(name) for name in names]
    return {(int(m[1]), int(m[2])): m[3] for m in found if m}, texts


# Every cell in its place.


@pytest.mark.parametrize("n", [1, 2, 6, 8, 9, 12, 13, 31])
@pytest.mark.parametrize("kind", ["live weights", "live difference", "given difference"])
def test_cells_tile_the_grid_each_in_its_row_and_column_under_its_labels(kind, n):
    svg = draw(GALLERY[kind](words(n)))
    found = cells_seen(svg)
    assert set(found) == {(i, k) for i in range(1, n + 1) for k in range(1, n + 1)}
    start = WIDTH * (LABELS if kind == "given difference" else LABELS_END) / 100
    place = layout(n, n)
    step = (WIDTH - start) / n
    for (row, column), box in found.items():
        corner = box.left, box.top, box.width, box.height
        left, top = start + (column - 1) * step, place.header + (row - 1) * place.row_height
        np.testing.assert_allclose(corner, (left, top, step, place.row_height), atol=0.05)
    assert_labels_at_the_middle(svg, start, place)


def assert_labels_at_the_middle(svg, start, place):
    """Of their rows and columns, in the order of positions, whatever is written on the cells."""
    labels = labels_of(words(place.n_rows))
    for kept, along, size, first in (
        ([text for text in texts(svg) if text.x < start], "y", place.row_height, place.header),
        (
            [text for text in texts(svg) if text.y < place.header],
            "x",
            (WIDTH - start) / place.n_columns,
            start,
        ),
    ):
        found = {text.text: getattr(text, along) for text in kept}
        assert [*sorted(found, key=found.__getitem__)] == labels
        middles = first + size * (np.arange(place.n_rows) + 0.5)
        # The letters of a text stand on its point.
        np.testing.assert_allclose([found[label] for label in labels], middles, atol=4.5)


@pytest.mark.parametrize("n", [32, 45, 64])
@pytest.mark.parametrize("kind", ["live weights", "live difference", "given difference"])
def test_an_image_lies_where_its_cells_would_under_the_same_labels(kind, n):
    svg = draw(GALLERY[kind](words(n)))
    start = WIDTH * (LABELS if kind == "given difference" else LABELS_END) / 100
    place, box = layout(n, n), image(svg)
    assert (box.left, box.top) == pytest.approx((start, place.header))
    assert (box.width, box.height) == pytest.approx((WIDTH - start, n * place.row_height))
    assert_labels_at_the_middle(svg, start, place)


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (9, 5), (3, 12), (13, 2), (71, 71)])
def test_a_line_a_cell_row_by_row(shape):
    numbers = numbers_of(*shape)
    allowed = np.indices(shape).sum(axis=0) % 3 > 0
    for table, name, expected in (
        (given_cells(numbers), "number", numbers),
        (cells(numbers, np.ones(shape, bool)), "gap", numbers - numbers.max(axis=1)[:, None]),
        (cells(numbers, allowed), "allowed", allowed),
    ):
        assert len(table[name]) == numbers.size
        rows, columns = table["query"] - 1, table["key"] - 1
        assert (np.diff(rows * shape[1] + columns) == 1).all()
        np.testing.assert_array_equal(table[name], expected[rows, columns])


def test_repeated_tokens_keep_rows_of_their_own():
    numbers = np.full((6, 6), 0.02)
    numbers[0, 0], numbers[4, 4] = 0.9, 0.3
    picture = given_difference(numbers, labels_of(SENTENCE), alt_text="x")
    names, _ = told(picture)
    assert [name for name in names if name.count("the") == 2] == [
        "1 · \u2068the\u2069 to 1 · \u2068the\u2069: 0.9000",
        "1 · \u2068the\u2069 to 5 · \u2068the\u2069: 0.0200",
        "5 · \u2068the\u2069 to 1 · \u2068the\u2069: 0.0200",
        "5 · \u2068the\u2069 to 5 · \u2068the\u2069: 0.3000",
    ]
    assert len({name for name in names if " to " in name}) == 36
    assert len({(box.left, box.top) for box in cells_seen(draw(picture)).values()}) == 36


@pytest.mark.parametrize("chosen", [None, 0, 2])
def test_at_most_one_row_is_chosen(chosen):
    rows = weights_picture(RandomHead(1).attend(words(4)), chosen=chosen).frame("rows")
    assert rows.index[rows["chosen"]].tolist() == ([] if chosen is None else [chosen])


# What each cell tells.


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
    folder = Path(dashboard.__file__).parent
    assert f'const BEYOND = "{BEYOND}";' in (folder / "browser.js").read_text(encoding="utf-8")
    assert f"const BEYOND = {BEYOND};" in (folder / "pooled.js").read_text(encoding="utf-8")


def test_scores_that_tie_but_for_rounding_tie_in_the_picture():
    read = LessonHead().attend(["on", "bed", "house", "tree"], sharpness=math.inf)
    assert len(set(read.scores[0, 1:])) > 1
    said, _ = cells_told(weights_picture(read, math.inf))
    assert [said[1, key] for key in (1, 2, 3, 4)] == ["0", "0.3333", "0.3333", "0.3333"]


@pytest.mark.parametrize("change", [0.995, 0.9950001, 0.99, 1.0, 0.005, 0.0049])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_given_difference_is_written_as_every_signed_number_on_a_cell(change, sign):
    picture = given_difference(np.array([[sign * change]]), labels_of(["cat"]), alt_text="one")
    assert signed_cell(sign * change) in [text.text for text in texts(draw(picture))]


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


@pytest.mark.parametrize("kind", ["live weights", "live difference"])
def test_forbidden_cells_keep_their_place_with_a_dot_and_no_colour(kind):
    svg = draw(GALLERY[kind](words(4), causal=True))
    everywhere = cells_seen(draw(GALLERY[kind](words(4))))
    forbidden = {(i, k) for i, k in everywhere if k > i}
    assert set(cells_seen(svg)) == set(everywhere) - forbidden
    on = {at: text.text for at, text in written(svg, everywhere).items()}
    assert {at for at in on if on[at] == "·"} == forbidden
    assert set(on) == set(everywhere)
    said, _ = cells_told(GALLERY[kind](words(4), causal=True))
    assert {at for at in said if said[at] == "not allowed by the mask"} == forbidden


def test_a_true_zero_is_a_number_and_no_sign():
    read = LessonHead().attend(SENTENCE, sharpness=math.inf)
    picture = weights_picture(read, math.inf)
    on = written(draw(picture), cells_seen(draw(picture)))
    row = [on[4, key].text for key in range(1, 7)]  # "on" reads "mat" and nothing else
    assert row == ["0", "0", "0", "0", "0", "1"]
    unmoved = given_picture(np.zeros((2, 2)))
    assert {text.text for text in written(draw(unmoved), cells_seen(draw(unmoved))).values()} == {
        "0"
    }


@pytest.mark.parametrize(("n", "printed"), [(12, True), (13, False)])
@pytest.mark.parametrize("kind", ["live weights", "live difference", "given difference"])
def test_numbers_are_printed_up_to_twelve_columns_and_always_told(kind, n, printed):
    picture = GALLERY[kind](words(n))
    svg = draw(picture)
    everywhere = cells_seen(svg)
    assert len(everywhere) == n * n
    assert set(written(svg, everywhere)) == (set(everywhere) if printed else set())
    said, _ = cells_told(picture)
    assert set(said) == set(everywhere)
    assert all(text.strip() for text in said.values())


# The numbers that are written on cells.


def as_written(kind, numbers):
    """What the formula of the picture makes of some numbers."""
    drawing = {
        "data": {"values": [{"at": at, "w": number} for at, number in enumerate(numbers)]},
        "transform": [{"calculate": WRITTEN[kind], "as": "written"}],
        "mark": "text",
        "encoding": {"text": {"field": "written"}, "x": {"field": "at", "axis": None}},
    }
    svg = vl_convert.vegalite_to_svg(drawing, allowed_base_urls=[])
    found = [html.unescape(text) for text in re.findall(r">([^<]+)</text>", svg)]
    assert len(found) == len(numbers)
    return found


def assert_right_to_half_a_digit(text, number):
    if text in ("<.01", ">.99"):
        assert number < 0.005 if text == "<.01" else number >= 0.995
    else:
        told = float(text.strip("≈+").replace("−", "-"))
        assert told == pytest.approx(number, abs=0.0050001)


many_weights = st.lists(st.floats(0, 1) | st.sampled_from([0.015, 0.5]), min_size=20, max_size=50)
many_gaps = st.lists(st.floats(-1, 1), min_size=20, max_size=50)


@given(weights=many_weights)
@example([0.0, 1.0, 5e-324, 0.004999, 0.005, 0.0050001, 0.994999, 0.995, 0.999, 1 - 2**-53])
def test_no_weight_is_written_as_0_or_1_unless_it_is(weights):
    for weight, text in zip(weights, as_written("weights", weights), strict=True):
        assert (text == "0") == (weight == 0)
        assert (text == "1") == (weight == 1)
        assert re.fullmatch(r"0|1|<\.01|>\.99|\.\d\d", text)
        assert text not in (".00", "1.00")
        assert_right_to_half_a_digit(text, weight)


@given(numbers=many_gaps)
@example(
    [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 0.004999, 0.005, -0.005, 0.995, -0.995, 1 - 2**-53]
)
def test_no_difference_is_written_as_minus_0_nor_as_0_unless_it_is(numbers):
    for number, text in zip(numbers, as_written("difference", numbers), strict=True):
        assert (text == "0") == (number == 0)
        assert re.fullmatch(r"0|≈0|[+−](\.\d\d|1\.00)", text)
        assert not re.fullmatch(r"[+−]0?\.00", text)
        assert text[0] in "0≈" or (text[0] == "−") == (number < 0)
        assert_right_to_half_a_digit(text, number)


# Scales are fixed by meaning.


@pytest.mark.parametrize(
    ("kind", "domain", "colours"),
    [
        ("live weights", [0, 1], "heatmap"),
        ("spread", [0, 1], "heatmap"),
        ("live difference", [-1, 1], "diverging"),
        ("given difference", [-1, 1], "diverging"),
    ],
)
def test_colours_run_over_the_whole_scale_whatever_the_numbers(kind, domain, colours):
    for seed in range(3):
        spec = GALLERY[kind](words(5), seed=seed).spec
        (drawn,) = [layer for layer, _, _ in layers(spec) if layer.get("name") == CELLS]
        scale = drawn["encoding"]["color"]["scale"]
        assert (scale["domain"], scale["range"]) == (domain, colours)


def test_differences_are_coloured_by_equal_arms_around_0():
    square = given_picture(np.array([[0.25, -0.25], [1.0, -1.0]]))
    found = {at: np.array(box.colour) for at, box in cells_seen(draw(square)).items()}
    scale = exports._look("light")["range"]["diverging"]
    for at, share in (((1, 1), 0.75), ((1, 2), 0.25), ((2, 1), 1.0), ((2, 2), 0.0)):
        np.testing.assert_allclose(found[at], mixed(scale, share), atol=1)
