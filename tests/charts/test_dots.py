"""Vectors, moves and parts: each number on its place, whatever the scale."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import LessonHead, RandomHead, compare, read_row
from dashboard.charts import dots
from dashboard.charts.dots import moves, vectors
from dashboard.charts.labels import exact
from dashboard.charts.palette import ROLES, painted, reach
from dashboard.charts.parts import MOST, parts
from dashboard.charts.picture import tabulate, where
from tests.charts.gallery import labels_of, words
from tests.charts.seen import WIDTH, draw, texts
from tests.charts.seen import dots as dots_seen

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
FEATURES = ["f1", "f2", "f3", "f4"]

entries = arrays(np.float64, (4,), elements=st.floats(-4, 4))


def value_at(x, low, high):
    """The number at a place across, the other way round from the picture."""
    return low + (np.asarray(x) - dots.START) / (dots.END - dots.START) * (high - low)


def lines_of(picture):
    """One line a dot, with its place across as the drawing works it out."""
    table = picture.frame("dots").merge(picture.frame("values"), on="dot", validate="1:1")
    return table.assign(x=table["zero"] + table["unit"] * table["value"])


# Vectors.


@given(first=entries, second=entries)
def test_every_entry_of_a_vector_stands_at_its_value_on_its_own_line(first, second):
    table = lines_of(vectors({"a": first, "b": second}, FEATURES, largest=4, alt_text="x"))
    np.testing.assert_allclose(value_at(table["x"], -4, 4), [*first, *second], atol=1e-12)
    assert table["y"].tolist() == [0.5, 1.5, 2.5, 3.5] * 2
    assert table["row"].tolist() == FEATURES * 2
    assert table["series"].tolist() == ["a"] * 4 + ["b"] * 4


def test_vectors_differ_in_colour_shape_and_size():
    three = {"a": np.zeros(4), "b": np.ones(4), "c": np.ones(4)}
    table = lines_of(vectors(three, FEATURES, largest=1, alt_text="x"))
    for look in ("role", "shape", "size"):
        assert table.groupby("series")[look].nunique().tolist() == [1, 1, 1]
        assert table[look].nunique() == 3
    assert table["size"].is_monotonic_decreasing  # equal values still all show


def test_ticks_and_zero_stand_where_the_numbers_say():
    picture = vectors({"a": np.zeros(4), "b": np.ones(4)}, FEATURES, largest=1.5, alt_text="x")
    axis = picture.frame("axis")
    assert axis["text"].tolist() == ["−2", "−1", "0", "1", "2"]
    np.testing.assert_allclose(value_at(axis["x"], -2, 2), [-2, -1, 0, 1, 2])
    assert picture.frame("dots")["zero"][0] == pytest.approx(axis["x"][2])


def test_dots_are_drawn_at_their_values_with_their_words_and_a_missing_one_is_not():
    first, second = np.array([1, np.nan, 0, -0.5]), np.array([1, 2e-7, -3e-17, 0.25])
    svg = draw(vectors({"a": first, "b": second}, FEATURES, largest=1, alt_text="x"))
    drawn = dots_seen(svg)
    expected = {
        "f1, a: 1.0000": (1, 0),
        "f3, a: 0": (0, 2),
        "f4, a: −0.5000": (-0.5, 3),
        "f1, b: 1.0000": (1, 0),
        "f2, b: 2.0e−7": (0, 1),
        "f3, b: −3.0e−17": (0, 2),
        "f4, b: 0.2500": (0.25, 3),
    }
    assert [*drawn] == [*expected]
    top = drawn["f1, a: 1.0000"][1]
    for name, (value, line) in expected.items():
        x, y, *_ = drawn[name]
        assert value_at(100 * x / WIDTH, -1, 1) == pytest.approx(value, abs=1e-3)
        assert (y - top) / 28 == pytest.approx(line)
    looks = {name.split(", ")[1][0]: look for name, (_, _, *look) in drawn.items()}
    assert looks["a"][0] != looks["b"][0]
    assert looks["a"][1] != looks["b"][1]
    assert [text.text for text in texts(svg) if text.text in FEATURES] == FEATURES


@pytest.mark.parametrize("value", [0.0, 0.25, -1 / 3, 4e-5, 5e-5, -4.99e-5, 0.99996, 7.5e-12])
def test_a_dot_tells_its_number_as_the_tables_do(value):
    drawn = dots_seen(draw(vectors({"a": np.array([value])}, ["f"], largest=1, alt_text="x")))
    assert [*drawn] == [f"f, a: {exact(value)}"]


# Moves.


@pytest.fixture
def edit():
    head = LessonHead()
    return compare(head.attend(SENTENCE), head.attend(["the", "dog", *SENTENCE[2:]]))


def test_moves_are_the_lengths_of_the_three_parts(edit):
    table = lines_of(moves(edit, labels_of(SENTENCE), chosen=3, alt_text="x"))
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
    assert names[-2].endswith(f" % of {n - MOST} others")
    places = [int(name.split(" of ")[1].split(" ")[0]) - 1 for name in names[:-2]]
    assert places == sorted(places)
    least = attention.weights[0][places].min()
    assert least >= np.delete(attention.weights[0], places).max()


def test_what_a_long_token_loses_is_its_end_and_never_its_share_or_its_position():
    head = LessonHead()
    tokens = ["cat", "x" * 60]
    first, second = labels_of(tokens)
    attention = head.attend(tokens)
    picture = parts(
        read_row(attention, 0),
        attention.weights[0],
        labels_of(tokens),
        head.feature_names,
        largest=3.0,
        alt_text="x",
    )
    shares = [f"{100 * weight:.0f} %" for weight in attention.weights[0]]
    names = picture.frame("rows")["row"].tolist()
    assert names == [f"{shares[0]} of {first}", f"{shares[1]} of {second}", "sum = output"]


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
