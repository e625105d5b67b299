"""Vectors and moves, parts and travel: each number on its place, whatever the scale."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import LessonHead, RandomHead, attend, compare, copy_blend, read_row, travel
from dashboard import exports
from dashboard.charts import dots
from dashboard.charts.dots import moves, vectors
from dashboard.charts.palette import ROLES, painted, reach
from dashboard.charts.parts import MOST, parts
from dashboard.charts.picture import tabulate, where
from dashboard.charts.spread import BLEND, COPY, spread
from dashboard.charts.travel import MOST_NAMES, SHARPNESSES, travel_picture
from dashboard.charts.travel import across as sharpness_across
from tests.charts.gallery import labels_of, words

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
FEATURES = ["f1", "f2", "f3", "f4"]

entries = arrays(np.float64, (4,), elements=st.floats(-4, 4))


def value_at(x, low, high):
    """The number at a place across, the other way round from the picture."""
    return low + (np.asarray(x) - dots.START) / (dots.END - dots.START) * (high - low)


# Vectors.


@given(first=entries, second=entries)
def test_every_entry_of_a_vector_stands_at_its_value_on_its_own_line(first, second):
    table = vectors({"a": first, "b": second}, FEATURES, largest=4, alt_text="x").frame("dots")
    np.testing.assert_allclose(value_at(table["x"], -4, 4), [*first, *second], atol=1e-12)
    assert table["y"].tolist() == [0.5, 1.5, 2.5, 3.5] * 2
    assert table["row"].tolist() == FEATURES * 2
    assert table["series"].tolist() == ["a"] * 4 + ["b"] * 4


def test_vectors_differ_in_colour_shape_and_size():
    three = {"a": np.zeros(4), "b": np.ones(4), "c": np.ones(4)}
    table = vectors(three, FEATURES, largest=1, alt_text="x").frame("dots")
    for look in ("role", "shape", "size"):
        assert table.groupby("series")[look].nunique().tolist() == [1, 1, 1]
        assert table[look].nunique() == 3
    assert table["size"].is_monotonic_decreasing  # equal values still all show


def test_ticks_and_zero_stand_where_the_numbers_say():
    picture = vectors({"a": np.zeros(4), "b": np.ones(4)}, FEATURES, largest=1.5, alt_text="x")
    axis = picture.frame("axis")
    assert axis["text"].tolist() == ["−2", "−1", "0", "1", "2"]
    np.testing.assert_allclose(value_at(axis["x"], -2, 2), [-2, -1, 0, 1, 2])
    assert picture.frame("dots")["x"][0] == pytest.approx(axis["x"][2])


def test_a_missing_entry_has_no_dot():
    picture = vectors({"a": np.array([1, np.nan, 0, 0])}, FEATURES, largest=1, alt_text="x")
    assert picture.frame("dots")["row"].tolist() == ["f1", "f3", "f4"]
    assert len(picture.frame("lines")) == 4


# Moves.


@pytest.fixture
def edit():
    head = LessonHead()
    return compare(head.attend(SENTENCE), head.attend(["the", "dog", *SENTENCE[2:]]))


def test_moves_are_the_lengths_of_the_three_parts(edit):
    table = moves(edit, labels_of(SENTENCE), chosen=3, alt_text="x").frame("dots")
    lengths = [
        math.dist(part[row], np.zeros(9))
        for part in (
            edit.after.outputs - edit.before.outputs,
            (edit.after.weights - edit.before.weights) @ edit.after.values,
            edit.before.weights @ (edit.after.values - edit.before.values),
        )
        for row in range(6)
    ]
    limit = reach(max(lengths), least=0.25)
    np.testing.assert_allclose(value_at(table["x"], 0, limit), lengths, atol=1e-12)
    assert table["row"].tolist() == labels_of(SENTENCE) * 3
    assert (table["zero"] == dots.START).all()
    assert [int(y) for y in table["y"]] == [*range(6)] * 3


def test_the_chosen_row_is_marked(edit):
    lines = moves(edit, labels_of(SENTENCE), chosen=3, alt_text="x").frame("lines")
    assert np.flatnonzero(lines["chosen"]).tolist() == [3]


# Scales that move seldom.


@given(largest=st.floats(0, 1e6))
def test_a_scale_reaches_every_number_and_not_twice_as_far(largest):
    limit = reach(largest, least=0.25)
    assert largest <= limit
    assert limit == 0.25 or limit < 2 * largest


@pytest.mark.parametrize(("largest", "limit"), [(0, 1), (1, 1), (1.01, 2), (5, 8)])
def test_a_scale_ends_at_a_power_of_two(largest, limit):
    assert reach(largest) == limit


# Parts.


def drawn_parts(n, row=0, sharpness=1.0):
    head = RandomHead(2)
    attention = head.attend(words(n), sharpness=sharpness)
    reading = read_row(attention, row)
    picture = parts(
        reading,
        attention.weights[row],
        labels_of(words(n)),
        head.feature_names,
        largest=3.0,
        alt_text="x",
    )
    cells = picture.frame("cells")
    return attention, picture, cells["number"].to_numpy().reshape(-1, 6)


@pytest.mark.parametrize("n", [1, 2, 12, 13, 64])
def test_the_rows_above_add_up_to_the_last(n):
    attention, picture, numbers = drawn_parts(n)
    np.testing.assert_allclose(numbers[:-1].sum(axis=0), numbers[-1], atol=1e-12)
    np.testing.assert_allclose(numbers[-1], attention.weights[0] @ attention.values, atol=1e-12)
    assert picture.frame("rows")["row"].iloc[-1] == "sum = output"


@pytest.mark.parametrize("n", [1, 12])
def test_a_short_sentence_shows_every_position(n):
    attention, picture, numbers = drawn_parts(n)
    np.testing.assert_allclose(
        numbers[:-1], attention.weights[0][:, None] * attention.values, atol=1e-15
    )
    assert len(picture.frame("rows")) == n + 1


@pytest.mark.parametrize("n", [13, 64])
def test_a_long_sentence_shows_the_strongest_in_order_and_says_how_many_more(n):
    attention, picture, _ = drawn_parts(n)
    names = picture.frame("rows")["row"].tolist()
    assert len(names) == MOST + 2
    assert names[-2].startswith(f"{n - MOST} others  ")
    places = [int(name.split(" ")[0]) - 1 for name in names[:-2]]
    assert places == sorted(places)
    least = attention.weights[0][places].min()
    assert least >= np.delete(attention.weights[0], places).max()


# Travel.


def test_every_row_has_its_own_line_even_where_tokens_repeat():
    attention = LessonHead().attend(SENTENCE)
    paths = travel(attention.scores, SHARPNESSES)
    now = copy_blend(attention.weights)
    picture = travel_picture(
        paths, labels_of(SENTENCE), chosen=2, sharpness=1, now=now, alt_text="x"
    )
    lines = picture.frame("lines")
    assert lines.groupby("query").size().tolist() == [len(SHARPNESSES)] * 6
    for query, line in lines.groupby("query"):
        np.testing.assert_array_equal(line["spread"], paths[:, query - 1])
        np.testing.assert_array_equal(line["x"], sharpness_across(SHARPNESSES))
        assert line["chosen"].all() == (query == 3)
    dot = picture.frame("dots")
    np.testing.assert_array_equal(dot["spread"], now)
    assert (dot["x"] == float(sharpness_across(1))).all()


@pytest.mark.parametrize(("sharpness", "at"), [(0, 0), (4, 0.5), (16, 1), (math.inf, 1)])
def test_the_sharpness_in_force_stands_by_its_square_root(sharpness, at):
    picture = travel_picture(
        np.ones((len(SHARPNESSES), 1)),
        ["1 · a"],
        chosen=0,
        sharpness=sharpness,
        now=np.array([1.0]),
        alt_text="x",
    )
    start, end = sharpness_across(0), sharpness_across(16)
    assert picture.frame("here")["x"][0] == pytest.approx(start + at * (end - start))


def drawn_travel(now):
    names = labels_of(words(len(now)))
    paths = np.tile(now, (len(SHARPNESSES), 1))
    return travel_picture(paths, names, chosen=0, sharpness=1, now=np.array(now), alt_text="x")


def test_a_forced_row_has_neither_line_nor_dot_but_the_others_have():
    picture = drawn_travel([np.nan, 0.5])
    assert picture.frame("lines")["query"].unique().tolist() == [2]
    assert picture.frame("dots")["row"].tolist() == labels_of(words(2))[1:]


def test_only_forced_rows_make_a_picture_that_says_so():
    picture = drawn_travel([np.nan])
    assert [len(picture.frame(name)) for name in ("lines", "dots")] == [0, 0]
    assert picture.frame("names")["name"].tolist() == ["no row can travel"]


def test_dots_that_lie_close_share_a_name_and_the_others_have_their_own():
    names = drawn_travel([0.1, 0.12, 0.9]).frame("names")
    first, second, third = labels_of(words(3))
    assert names["name"].tolist() == [f"{first}, {second}", third]
    assert names["spread"].tolist() == pytest.approx([0.11, 0.9])


def test_many_close_dots_are_counted():
    assert drawn_travel([0.5] * 5).frame("names")["name"][0].endswith(" +2")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_line_that_ends_at_a_dot_leaves_its_name_free(theme):
    svg = exports.picture_file(drawn_travel([1.0, 0.0]), "svg", theme).decode()
    for name in labels_of(words(2)):
        under, over = re.findall(rf"<text[^>]*>{name}</text>", svg)  # first drawn, then covered
        assert f'stroke="{exports._look(theme)["background"]}"' in under
        assert 'fill-opacity="0"' in under
        assert "stroke" not in over


@pytest.mark.parametrize(("n", "named"), [(MOST_NAMES, True), (MOST_NAMES + 1, False)])
def test_names_are_left_out_of_a_crowd(n, named):
    assert bool(len(drawn_travel([0.5] * n).frame("names"))) == named


# Spread.


def test_each_row_stands_between_copy_and_blend_by_its_entropy():
    attention = LessonHead().attend(SENTENCE)
    rows = spread(attention, labels_of(SENTENCE), chosen=1, moves=0, alt_text="x").frame("rows")
    share = (rows["at"] - COPY) / (BLEND - COPY)
    nats = -(attention.weights * np.log(attention.weights)).sum(axis=1)
    np.testing.assert_allclose(share, nats / math.log(6), rtol=1e-12)
    assert rows["positions"][0] == "6.0 of 6"
    assert rows["chosen"].tolist() == [False, True, False, False, False, False]


def test_one_key_that_takes_nearly_all_leaves_the_others_readable():
    # Column 1 takes .97 of every row; the rest differ by a factor of about 10.
    row = np.array([0.97, 0.027, 0.0027, 0.00027, 0.00003])
    attention = attend(np.ones((5, 1)), np.log(row)[:, None], np.eye(5))
    picture = spread(attention, labels_of(words(5)), chosen=0, moves=0, alt_text="x")
    cells, rows = picture.frame("cells"), picture.frame("rows")
    told = cells["exact"].tolist()[:5]
    assert told == ["0.9700", "0.0270", "0.0027", "0.0003", "3.0e−05"]
    assert cells["text"].tolist()[:5] == [".97", ".03", "<.01", "<.01", "<.01"]
    share = (rows["at"] - COPY) / (BLEND - COPY)  # of the whole row, the large weight included
    nats = -(row * np.log(row)).sum()
    np.testing.assert_allclose(share, nats / math.log(5), rtol=1e-9)


def test_a_forced_row_says_so_and_has_no_place():
    attention = LessonHead().attend(SENTENCE, causal=True)
    rows = spread(attention, labels_of(SENTENCE), chosen=1, moves=0, alt_text="x").frame("rows")
    assert (rows["positions"][0], math.isnan(rows["at"][0])) == ("forced", True)
    assert rows["at"][1:].notna().all()


def test_a_second_click_on_a_row_is_another_click():
    attention = LessonHead().attend(SENTENCE)
    first, second = (
        spread(attention, labels_of(SENTENCE), chosen=1, moves=moves, alt_text="x")
        for moves in (0, 1)
    )
    assert first.spec is second.spec
    for name in ("cells", "rows"):
        assert set(first.frame(name)["moves"]) == {0}
        assert set(second.frame(name)["moves"]) == {1}


# Tables and roles.


def test_a_table_repeats_single_values_and_keeps_lines_that_are_wanted():
    table = tabulate(a=[1, 2, 3], b="x")
    assert [column.tolist() for column in table.values()] == [[1, 2, 3], ["x", "x", "x"]]
    assert where(table, np.array([True, False, True]))["a"].tolist() == [1, 3]


def test_a_role_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"role must be one of accent, .*, got 'gold'"):
        painted(None, "gold")


def test_roles_keep_the_order_in_which_the_settings_list_their_colours():
    assert ROLES == (
        "accent", "matrix", "vectors", "ink", "weak", "strong", "muted", "line", "paper", "thread",
    )  # fmt: skip
