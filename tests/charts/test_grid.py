"""A matrix of signed numbers: every cell in its place, whatever is in it."""

import altair as alt
import numpy as np
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dashboard.charts.grid import cells_frame, grid
from dashboard.charts.layout import (
    MOST_UPRIGHT,
    column_layer,
    columns_frame,
    layout,
    rows_frame,
)
from tests.charts.gallery import labels_of

SHAPES = [(1, 1), (2, 3), (6, 6), (5, 9), (9, 5), (3, 12), (3, 13), (13, 2), (71, 71)]
shapes = pytest.mark.parametrize("shape", SHAPES)


def numbers_of(shape):
    """Every cell another number between 0 and 1."""
    return (np.arange(1, np.prod(shape) + 1) / (np.prod(shape) + 1)).reshape(shape)


def picture_of(numbers, **more):
    rows, columns = numbers.shape
    names = labels_of([f"r{i}" for i in range(rows)]), labels_of([f"c{k}" for k in range(columns)])
    return grid(numbers, *names, alt_text="a matrix", **more)


def cells_of(numbers, **more):
    return picture_of(numbers, **more).frame("cells")


# Every cell in its place.


@shapes
def test_every_cell_holds_the_number_of_its_row_and_column(shape):
    numbers = numbers_of(shape)
    cells = cells_of(numbers)
    assert len(cells) == numbers.size
    for cell in cells.itertuples():
        assert cell.number == numbers[cell.query - 1, cell.key - 1]
        assert f"r{cell.query - 1}\u2069" in cell.row
        assert f"c{cell.key - 1}\u2069" in cell.column
        assert (cell.y0, cell.y1) == (cell.query - 1, cell.query)


@shapes
def test_the_first_cell_is_top_left_and_cells_tile_the_grid(shape):
    numbers = numbers_of(shape)
    picture = picture_of(numbers)
    cells = picture.frame("cells")
    assert (cells["query"][0], cells["key"][0]) == (1, 1)
    assert cells["x0"][0] == cells["x0"].min()
    np.testing.assert_allclose(cells["x1"] - cells["x0"], (100 - 12) / shape[1])
    assert cells["x1"].max() == pytest.approx(100)
    assert len(cells.drop_duplicates(["x0", "y0"])) == numbers.size
    y = picture.spec["layer"][0]["encoding"]["y"]["scale"]
    assert y["reverse"]  # rows run down
    assert y["domain"][1] == shape[0]


def test_equal_labels_keep_rows_of_their_own():
    names = labels_of(["the", "cat", "sat", "on", "the", "mat"])
    numbers = np.full((6, 6), 0.02)
    numbers[0, 0], numbers[4, 4] = 0.9, 0.3
    cells = grid(numbers, names, names, alt_text="x").frame("cells")
    the = cells[cells["row"].str.contains("the") & cells["column"].str.contains("the")]
    assert the["number"].tolist() == [0.9, 0.02, 0.02, 0.3]
    assert the[["query", "key"]].to_numpy().tolist() == [[1, 1], [1, 5], [5, 1], [5, 5]]
    assert cells["row"].nunique() == 6


def test_twelve_positions_stand_in_the_order_of_numbers_not_of_text():
    columns = picture_of(numbers_of((12, 12))).frame("columns")
    assert columns.sort_values("x")["key"].tolist() == list(range(1, 13))
    rows = picture_of(numbers_of((12, 12))).frame("rows")
    assert rows.sort_values("y")["query"].tolist() == list(range(1, 13))


@given(rows=st.integers(1, 70), columns=st.integers(1, 70))
def test_labels_stand_at_the_middle_of_their_cells(rows, columns):
    place = layout(rows, columns)
    names = [f"c{k}" for k in range(columns)]
    cells = cells_frame(np.zeros((rows, columns)), ["r"] * rows, names, place, 1.0)
    labels = columns_frame(names, place)
    np.testing.assert_allclose(cells["x"][:columns], labels["x"])
    np.testing.assert_allclose(cells["y"][::columns], rows_frame(["r"] * rows, None)["y"])


@pytest.mark.parametrize(
    ("columns", "turned", "angle"),
    [(1, False, None), (MOST_UPRIGHT, False, None), (MOST_UPRIGHT + 1, False, 270), (2, True, 270)],
)
def test_column_labels_are_turned_where_there_are_many_or_where_asked(columns, turned, angle):
    place = layout(3, columns, turned=turned)
    labels = column_layer(place, alt.X("x:Q")).to_dict(context={"top_level": False})
    assert labels["mark"].get("angle") == angle
    features = picture_of(numbers_of((3, columns))).spec["layer"][-1]
    assert features["mark"]["angle"] == 270


@pytest.mark.parametrize("chosen", [None, 0, 2])
def test_at_most_one_row_is_chosen(chosen):
    rows = picture_of(numbers_of((3, 4)), chosen=chosen).frame("rows")
    assert rows.index[rows["chosen"]].tolist() == ([] if chosen is None else [chosen])


# What is missing keeps its place, with a sign.


def test_a_missing_row_and_column_keep_their_place_with_a_cross():
    numbers = numbers_of((5, 5))
    numbers[3], numbers[:, 1] = np.nan, np.nan
    picture = picture_of(numbers)
    cells = picture.frame("cells")
    gone = np.isnan(numbers).ravel()
    assert len(cells) == 25
    assert (cells["sign"] == np.where(gone, "×", "")).all()
    assert (cells["exact"][gone] == "missing").all()
    assert (cells["text"][gone] == "").all()
    assert len(picture.frame("rows")) == len(picture.frame("columns")) == 5
    svg = vl_convert.vegalite_to_svg({**picture.complete(), "width": 600}, allowed_base_urls=[])
    assert svg.count(">×<") == 9


def test_a_true_zero_is_a_number_and_no_sign():
    cells = cells_of(np.array([[0.0, 1.0]]))
    assert cells["text"].tolist() == ["0", "+1.00"]
    assert cells["sign"].tolist() == ["", ""]


@given(numbers=arrays(np.float64, (3, 4), elements=st.floats(-1, 1) | st.just(np.nan)))
def test_every_cell_says_something(numbers):
    cells = cells_of(numbers)
    assert ((cells["text"] != "") ^ (cells["sign"] != "")).all()
    assert (cells["exact"].str.strip() != "").all()
    assert not cells["text"].str.fullmatch(r"[-−+]0?\.?0*").any()
    zero = cells["text"] == "0"
    assert (cells["number"][zero] == 0).all()


@pytest.mark.parametrize(("columns", "printed"), [(12, True), (13, False)])
def test_numbers_are_printed_up_to_twelve_columns_and_always_told(columns, printed):
    cells = cells_of(numbers_of((2, columns)))
    assert (cells["text"] != "").all() == printed
    assert (cells["text"] == "").all() == (not printed)
    assert (cells["exact"] != "").all()


# The scale is fixed by meaning.


@pytest.mark.parametrize("limit", [1.0, 2.0, 8.0])
def test_numbers_are_coloured_by_equal_arms_around_0(limit):
    numbers = np.array([[limit, -limit, 0.0, limit / 4, -limit / 4]])
    picture = picture_of(numbers, limit=limit)
    scale = picture.spec["layer"][0]["encoding"]["color"]["scale"]
    assert (scale["domain"], scale["range"]) == ([-1, 1], "diverging")
    assert picture.data["cells"]["shade"].tolist() == [1.0, -1.0, 0.0, 0.5, -0.5]
