"""A matrix as a picture: every cell in its place, whatever is in it, and readable everywhere."""

import itertools
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
import vl_convert
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import LessonHead
from dashboard.charts.grid import STRONG, cells_frame, columns_frame, grid, layout, rows_frame
from dashboard.charts.palette import ROLES
from dashboard.words import edit_legend
from tests.charts.gallery import labels_of

CONFIG = tomllib.loads(
    (Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8")
)
THEMES = {name: CONFIG["theme"][name] for name in ("light", "dark")}
themes = pytest.mark.parametrize("theme", THEMES)

SHAPES = [(1, 1), (2, 3), (6, 6), (5, 9), (9, 5), (3, 12), (3, 13), (13, 2), (71, 71)]
shapes = pytest.mark.parametrize("shape", SHAPES)
kinds = pytest.mark.parametrize("kind", ["weights", "difference", "values"])


def numbers_of(shape):
    """Every cell another number between 0 and 1."""
    return (np.arange(1, np.prod(shape) + 1) / (np.prod(shape) + 1)).reshape(shape)


def picture_of(numbers, kind="weights", **more):
    rows, columns = numbers.shape
    names = labels_of([f"r{i}" for i in range(rows)]), labels_of([f"c{k}" for k in range(columns)])
    return grid(numbers, *names, kind=kind, alt_text="a matrix", **more)


def cells_of(numbers, kind="weights", **more):
    return picture_of(numbers, kind, **more).frame("cells")


# Every cell in its place.


@shapes
@kinds
def test_every_cell_holds_the_number_of_its_row_and_column(shape, kind):
    numbers = numbers_of(shape)
    cells = cells_of(numbers, kind)
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


def test_repeated_tokens_keep_rows_of_their_own():
    names = labels_of(["the", "cat", "sat", "on", "the", "mat"])
    numbers = np.full((6, 6), 0.02)
    numbers[0, 0], numbers[4, 4] = 0.9, 0.3
    cells = grid(numbers, names, names, kind="weights", alt_text="x").frame("cells")
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
    cells = cells_frame(np.zeros((rows, columns)), ["r"] * rows, names, place, "weights")
    labels = columns_frame(names, place)
    np.testing.assert_allclose(cells["x"][:columns], labels["x"])
    np.testing.assert_allclose(cells["y"][::columns], rows_frame(["r"] * rows, None)["y"])


@pytest.mark.parametrize("chosen", [None, 0, 2])
def test_at_most_one_row_is_chosen(chosen):
    rows = picture_of(numbers_of((3, 4)), chosen=chosen).frame("rows")
    assert rows.index[rows["chosen"]].tolist() == ([] if chosen is None else [chosen])


# What is missing or forbidden keeps its place, with a sign.


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


def test_forbidden_cells_keep_their_place_with_a_dot_and_no_colour():
    allowed = np.tri(4, dtype=bool)
    picture = picture_of(np.where(allowed, numbers_of((4, 4)), 0.0), allowed=allowed)
    cells = picture.frame("cells")
    forbidden = ~allowed.ravel()
    assert (cells["sign"] == np.where(forbidden, "·", "")).all()
    assert (cells["text"][forbidden] == "").all()
    assert (cells["exact"][forbidden] == "not allowed by the mask").all()
    assert cells["number"].isna().tolist() == forbidden.tolist()
    svg = vl_convert.vegalite_to_svg({**picture.complete(), "width": 600}, allowed_base_urls=[])
    assert svg.count(">·<") == 6


def test_a_true_zero_is_a_number_and_no_sign():
    cells = cells_of(np.array([[0.0, 1.0]]))
    assert cells["text"].tolist() == ["0", "1"]
    assert cells["sign"].tolist() == ["", ""]


@kinds
@given(numbers=arrays(np.float64, (3, 4), elements=st.floats(-1, 1) | st.just(np.nan)))
def test_every_cell_says_something(kind, numbers):
    cells = cells_of(np.abs(numbers) if kind == "weights" else numbers, kind)
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
    assert cells["words"][1] == f"{cells['row'][1]} to {cells['column'][1]}: {cells['exact'][1]}"


# Scales are fixed by meaning.


def color_scale(picture):
    return picture.spec["layer"][0]["encoding"]["color"]["scale"]


@pytest.mark.parametrize("largest", [0.001, 0.3, 1.0])
def test_weights_are_coloured_from_0_to_1_whatever_they_are(largest):
    scale = color_scale(picture_of(largest * numbers_of((3, 3))))
    assert (scale["domain"], scale["range"]) == ([0, 1], "heatmap")


@pytest.mark.parametrize("limit", [1.0, 2.0, 8.0])
@pytest.mark.parametrize("kind", ["difference", "values"])
def test_signed_numbers_are_coloured_by_equal_arms_around_0(kind, limit):
    numbers = np.array([[limit, -limit, 0.0, limit / 4, -limit / 4]])
    picture = picture_of(numbers, kind, limit=limit)
    scale = color_scale(picture)
    assert (scale["domain"], scale["range"]) == ([-1, 1], "diverging")
    assert picture.data["cells"]["shade"].tolist() == [1.0, -1.0, 0.0, 0.5, -0.5]


# Colours: read from the settings, worked out as Vega does it.


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def along(colours, share):
    """Colour at a share of the way, straight lines in RGB from one colour to the next."""
    stops = np.linspace(0, 1, len(colours))
    return np.array(
        [np.interp(share, stops, channel) for channel in zip(*map(rgb, colours), strict=True)]
    )


def luminance(colour):
    share = np.asarray(colour) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    """WCAG 2 contrast ratio of two colours, 1 … 21."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def role(theme, name):
    return rgb(THEMES[theme]["chartCategoricalColors"][ROLES.index(name)])


def weight_colour(theme, weight):
    return along(THEMES[theme]["chartSequentialColors"], weight)


def signed_colour(theme, share):
    return along(
        THEMES[theme]["chartDivergingColors"], 0.5 + 0.5 * np.sign(share) * abs(share) ** 0.5
    )


def test_the_contrast_of_black_on_white_worked_on_paper():
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#767676"), rgb("#ffffff")) == pytest.approx(4.54, abs=0.01)


@themes
def test_there_are_ten_colours_of_each_kind(theme):
    for kind in ("Sequential", "Diverging", "Categorical"):
        assert len(THEMES[theme][f"chart{kind}Colors"]) == 10
    assert len(ROLES) == 10


@themes
@pytest.mark.parametrize("name", ["accent", "ink", "muted"])
def test_words_of_a_picture_stand_out_from_the_page(theme, name):
    assert contrast(role(theme, name), rgb(THEMES[theme]["backgroundColor"])) >= 4.5


@themes
@pytest.mark.parametrize("name", ["accent", "matrix", "vectors"])
def test_marks_of_a_picture_stand_out_from_the_page(theme, name):
    assert contrast(role(theme, name), rgb(THEMES[theme]["backgroundColor"])) >= 3


@themes
def test_paper_is_the_page(theme):
    assert (role(theme, "paper") == rgb(THEMES[theme]["backgroundColor"])).all()


@themes
@pytest.mark.parametrize("name", ["textColor", "linkColor", "primaryColor"])
def test_words_of_the_page_stand_out(theme, name):
    for ground in (THEMES[theme], CONFIG["theme"][theme]["sidebar"]):
        assert contrast(rgb(THEMES[theme][name]), rgb(ground["backgroundColor"])) >= 4.5


@themes
def test_numbers_stand_out_from_their_cells_over_the_whole_scale(theme):
    steps = np.linspace(0, 1, 401)
    cells = cells_of(steps.reshape(-1, 1))
    for weight, ink in zip(steps, cells["ink"], strict=True):
        assert contrast(role(theme, ink), weight_colour(theme, weight)) >= 4.5, (weight, ink)
    assert set(cells["ink"]) == {"weak", "strong"}


@themes
@pytest.mark.parametrize(("kind", "limit"), [("difference", 1.0), ("values", 4.0)])
def test_signed_numbers_stand_out_from_their_cells_over_the_whole_scale(theme, kind, limit):
    steps = np.linspace(-limit, limit, 801)
    cells = cells_of(steps.reshape(-1, 1), kind, limit=limit)
    for number, ink in zip(steps, cells["ink"], strict=True):
        ratio = contrast(role(theme, ink), signed_colour(theme, number / limit))
        assert ratio >= 4.5, (number, ink)
    assert set(cells["ink"]) == {"weak", "strong"}


@themes
def test_more_weight_is_always_further_from_the_page(theme):
    page = luminance(rgb(THEMES[theme]["backgroundColor"]))
    away = [abs(luminance(weight_colour(theme, w)) - page) for w in np.linspace(0, 1, 101)]
    assert all(a < b for a, b in itertools.pairwise(away))


@themes
def test_less_is_told_from_more_without_green_and_red(theme):
    """Purple keeps more blue than green; green keeps less: the blue channel tells the sign."""
    for share in (0.05, 0.25, 1.0):
        less, more = signed_colour(theme, -share), signed_colour(theme, share)
        assert less[2] > less[1]
        assert more[2] < more[1]
        # And the legend names them: green is the least of the three in purple, the most in green.
        assert less[1] == min(less)
        assert more[1] == max(more)
    assert "purple less, green more" in edit_legend(LessonHead().attend(["a"]))


def drawn_colours(theme, numbers, kind):
    """The colour of every cell of one row, as Vega draws it in this theme."""
    ranges = {"heatmap": "chartSequentialColors", "diverging": "chartDivergingColors"}
    config = {"range": {name: THEMES[theme][colours] for name, colours in ranges.items()}}
    complete = picture_of(np.array([numbers]), kind).complete()
    svg = vl_convert.vegalite_to_svg(
        {**complete, "width": 900, "config": config}, allowed_base_urls=[]
    )
    found = re.findall(r'fill="rgb\((\d+), (\d+), (\d+)\)"', svg)
    assert len(found) == len(numbers)
    return np.array(found, dtype=float)


@themes
def test_vega_draws_weights_in_the_colours_worked_out_here(theme):
    steps = np.linspace(0, 1, 201)
    drawn = drawn_colours(theme, steps, "weights")
    worked_out = np.array([weight_colour(theme, weight) for weight in steps])
    assert np.abs(drawn - worked_out).max() <= 1  # rounding


@themes
@pytest.mark.parametrize("kind", ["weights", "difference"])
def test_numbers_stand_out_from_their_cells_as_vega_draws_them(theme, kind):
    steps = np.linspace(0 if kind == "weights" else -1, 1, 201)
    inks = cells_of(np.array([steps]), kind)["ink"]
    for number, ink, colour in zip(steps, inks, drawn_colours(theme, steps, kind), strict=True):
        assert contrast(role(theme, ink), colour) >= 4.5, (number, ink)


@themes
def test_a_difference_that_counts_has_another_colour_than_none(theme):
    none, *drawn = drawn_colours(theme, np.array([0, -1, 1, -0.03, 0.03]), "difference")
    assert all(np.abs(colour - none).max() >= 4 for colour in drawn)


def test_the_ink_flips_where_the_picture_says():
    assert cells_of(np.array([[0.5, 0.5001]]))["ink"].tolist() == ["weak", "strong"]
    at = STRONG["difference"]
    signed = cells_of(np.array([[at, -at, at + 1e-9, -at - 1e-9]]), "difference")
    assert signed["ink"].tolist() == ["weak", "weak", "strong", "strong"]
