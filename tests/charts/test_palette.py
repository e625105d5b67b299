"""Colours: numbers readable on every cell, words on the page, in light and in dark."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import LessonHead, RandomHead
from dashboard import exports
from dashboard.charts.grid import grid
from dashboard.charts.live_grid import given_difference, live_weights
from dashboard.charts.palette import ROLES, STRONG_SIGNED, STRONG_WEIGHT
from dashboard.charts.picture import Picture
from dashboard.charts.raster import Kind
from dashboard.words import edit_legend
from tests.charts.gallery import GALLERY, labels_of, words
from tests.charts.seen import boxes, cells, draw, written

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
THEMES: dict[str, dict[str, Any]] = {
    name: tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][name]
    for name in ("light", "dark")
}
STRONG = {"weights": STRONG_WEIGHT, "difference": STRONG_SIGNED}
READABLE = 4.5  # WCAG 2.1, 1.4.3


def rgb(colour: str) -> np.ndarray:
    """Red, green, blue, 0 to 255."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def luminance(colour: np.ndarray) -> float:
    """Relative luminance as WCAG defines it."""
    part = colour / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """Contrast ratio, 1 to 21."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def between(colours: list[str], share: float) -> np.ndarray:
    """The colour at a share of a scale that runs evenly through some colours."""
    stops = np.array([rgb(colour) for colour in colours])
    places = np.linspace(0, 1, len(stops))
    return np.array([np.interp(share, places, stops[:, k]) for k in range(3)])


def share_of(number: float, kind: Kind) -> float:
    """Where a number stands on its scale, 0 to 1."""
    return number if kind == "weights" else 0.5 + 0.5 * np.sign(number) * abs(number) ** 0.5


def scale(theme: str, kind: Kind) -> list[str]:
    """The colours of a scale."""
    name = "chartSequentialColors" if kind == "weights" else "chartDivergingColors"
    colours: list[str] = THEMES[theme][name]
    return colours


def named(theme: str, role: str) -> str:
    """The colour of a role, as the settings write it."""
    colour: str = THEMES[theme]["chartCategoricalColors"][ROLES.index(role)]
    return colour


def ink(theme: str, role: str) -> np.ndarray:
    """The same as red, green and blue."""
    return rgb(named(theme, role))


def test_black_on_white_has_the_contrast_that_wcag_says() -> None:
    assert contrast(rgb("#000000"), rgb("#ffffff")) == pytest.approx(21)
    assert contrast(rgb("#777777"), rgb("#ffffff")) == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
def test_every_list_of_colours_is_as_long_as_it_must_be(theme: str) -> None:
    for name in ("chartSequentialColors", "chartDivergingColors", "chartCategoricalColors"):
        assert len(THEMES[theme][name]) == 10
    assert len(ROLES) == 10


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("kind", ["weights", "difference"])
def test_numbers_are_readable_on_every_cell_colour(theme: str, kind: Kind) -> None:
    numbers = np.linspace(0 if kind == "weights" else -1, 1, 801)
    for number in numbers:
        role = "strong" if abs(number) > STRONG[kind] else "weak"
        cell = between(scale(theme, kind), share_of(number, kind))
        assert contrast(cell, ink(theme, role)) >= READABLE, (number, role)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", ["accent", "matrix", "vectors", "ink", "muted"])
def test_words_and_marks_are_readable_on_the_page(theme: str, role: str) -> None:
    page = rgb(THEMES[theme]["backgroundColor"])
    assert contrast(ink(theme, role), page) >= READABLE


@pytest.mark.parametrize("theme", THEMES)
def test_paper_is_the_page(theme: str) -> None:
    assert (ink(theme, "paper") == rgb(THEMES[theme]["backgroundColor"])).all()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["textColor", "linkColor", "primaryColor"])
def test_words_of_the_page_are_readable(theme: str, name: str) -> None:
    for ground in (THEMES[theme], THEMES[theme]["sidebar"]):
        page = rgb(ground["backgroundColor"])
        assert contrast(rgb(THEMES[theme][name]), page) >= READABLE


@pytest.mark.parametrize("theme", THEMES)
def test_more_weight_is_always_farther_from_the_page(theme: str) -> None:
    page = rgb(THEMES[theme]["backgroundColor"])
    colours = [between(scale(theme, "weights"), share) for share in np.linspace(0, 1, 9 * 12 + 1)]
    steps = [contrast(colour, page) for colour in colours]
    assert all(one < other for one, other in pairwise(steps))


@pytest.mark.parametrize("theme", THEMES)
def test_less_is_told_from_more_without_green_and_red(theme: str) -> None:
    """Purple keeps more blue than green; green keeps less: the blue channel tells the sign."""
    for size in (0.05, 0.25, 1.0):
        less, more = (
            between(scale(theme, "difference"), share_of(number, "difference"))
            for number in (-size, size)
        )
        assert less[2] > less[1]
        assert more[2] < more[1]
        # And the legend names them: green is the least of the three in purple, the most in green.
        assert less[1] == min(less)
        assert more[1] == max(more)
    assert "purple less, green more" in edit_legend(LessonHead().attend(["a"]))


# As Vega draws them.


def _weights_pictures(weights: Sequence[float]) -> list[Picture]:
    """Twelve rows a picture, each of which has one of the weights on its first key."""
    pictures = []
    for start in range(0, len(weights), 12):
        first = np.resize(weights[start : start + 12], 12)
        with np.errstate(divide="ignore"):
            # A score far below the other has a weight of 0; one of -inf would be forbidden.
            scores = np.maximum(np.log(np.column_stack([first, 1 - first])), -800)
        pictures.append(
            live_weights(
                np.pad(scores, ((0, 0), (0, 10))),
                np.tile(np.arange(12) < 2, (12, 1)),
                labels_of(words(12)),
                sharpness=1.0,
                alt_text="x",
                labels_end=12.0,
            )
        )
    return pictures


def weights_drawn(weights: Sequence[float], theme: str) -> list[tuple[tuple[int, ...], str]]:
    """Colours of the cell of each weight and of the number on it."""
    found = []
    for picture in _weights_pictures(weights):
        svg = draw(picture, theme)
        around = {at: box for at, box in cells(svg).items() if at[1] == 1}
        on = written(svg, around)
        found += [(around[row, 1].colour, on[row, 1].colour) for row in range(1, 13)]
    return found[: len(weights)]


def differences_drawn(numbers: Sequence[float], theme: str) -> list[tuple[tuple[int, ...], str]]:
    """The same of differences."""
    found = []
    for start in range(0, len(numbers), 144):
        square = np.resize(numbers[start : start + 144], (12, 12))
        svg = draw(given_difference(square, labels_of(words(12)), alt_text="x"), theme)
        around = cells(svg)
        on = written(svg, around)
        found += [(around[at].colour, on[at].colour) for at in sorted(around)]
    return found[: len(numbers)]


def values_drawn(numbers: Sequence[float], theme: str) -> list[tuple[tuple[int, ...], str]]:
    """The same of values, whose scale ends at 4."""
    column = 4 * np.asarray(numbers)[:, None]
    names = [f"r{i}" for i in range(len(column))]
    picture = grid(column, names, ["c"], limit=4.0, row_height=14, alt_text="x")
    svg = draw(picture, theme)
    around = {name: box for name, box in boxes(svg).items() if ", c: " in name}
    on = written(svg, around)
    return [(around[name].colour, on[name].colour) for name in around]


DRAWN: dict[str, Callable[[Sequence[float], str], list[tuple[tuple[int, ...], str]]]] = {
    "weights": weights_drawn,
    "difference": differences_drawn,
    "values": values_drawn,
}


def kind_of(picture: str) -> Kind:
    return "weights" if picture == "weights" else "difference"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("picture", DRAWN)
def test_numbers_stand_out_from_their_cells_as_they_are_drawn(theme: str, picture: str) -> None:
    kind = kind_of(picture)
    numbers = np.linspace(0, 1, 201) if kind == "weights" else np.linspace(-1, 1, 401)
    drawn = DRAWN[picture](numbers, theme)
    assert {on for _, on in drawn} == {named(theme, role) for role in ("weak", "strong")}
    for number, (cell, on) in zip(numbers, drawn, strict=True):
        assert contrast(np.array(cell, dtype=float), rgb(on)) >= READABLE, number
        # and of the colour that is worked out here, but for rounding
        expected = between(scale(theme, kind), share_of(number, kind))
        assert np.abs(cell - expected).max() <= 1, number


@pytest.mark.parametrize("picture", DRAWN)
def test_the_ink_flips_where_the_palette_says(picture: str) -> None:
    kind = kind_of(picture)
    at = STRONG[kind]
    numbers = [at - 1e-9, at + 1e-9] + ([1e-9 - at, -1e-9 - at] if kind == "difference" else [])
    inks = [on for _, on in DRAWN[picture](numbers, "light")]
    assert inks == [named("light", role) for role in ("weak", "strong")] * (len(numbers) // 2)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_difference_that_counts_has_another_colour_than_none(theme: str) -> None:
    for picture in ("difference", "values"):
        none, *drawn = [cell for cell, _ in DRAWN[picture]([0, -1, 1, -0.03, 0.03], theme)]
        assert all(np.abs(np.subtract(colour, none)).max() >= 4 for colour in drawn)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["spread", "live weights", "live difference"])
def test_cells_of_two_reads_have_the_colours_of_their_numbers(theme: str, name: str) -> None:
    tokens, kind = words(6), kind_of(name.removeprefix("live ").replace("spread", "weights"))
    numbers = RandomHead(2).attend(tokens).weights
    if kind == "difference":
        numbers = RandomHead(3).attend(tokens).weights - numbers
    found = cells(draw(GALLERY[name](tokens, seed=2), theme))
    assert len(found) == numbers.size
    for (row, column), box in found.items():
        expected = between(scale(theme, kind), share_of(numbers[row - 1, column - 1], kind))
        assert np.abs(box.colour - expected).max() <= 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["weights", "difference"])
def test_a_saved_cell_has_the_colour_of_its_number(theme: exports.Theme, kind: Kind) -> None:
    numbers = np.array([[0.03, 0.25, 0.72], [0.77, 0.23, 0.0], [0.5, 0.5, 0.0]])
    if kind == "difference":
        numbers = numbers * [[1, -1, 1], [-1, 1, 1], [1, 1, -1]]
        picture = given_difference(numbers, labels_of(words(3)), alt_text="x")
    else:
        with np.errstate(divide="ignore"):
            scores = np.maximum(np.log(numbers), -800)
        picture = live_weights(
            scores,
            np.ones((3, 3), bool),
            labels_of(words(3)),
            sharpness=1.0,
            alt_text="x",
            labels_end=12.0,
        )
    found = cells(exports.picture_file(picture, "svg", theme).decode())
    assert len(found) == numbers.size
    for (row, column), box in found.items():
        number = numbers[row - 1, column - 1]
        expected = between(scale(theme, kind), share_of(number, kind))
        np.testing.assert_allclose(box.colour, expected, atol=1.5)
