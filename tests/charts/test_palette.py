"""Colours: numbers readable on every cell, words on the page, in light and in dark."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dashboard import exports
from dashboard.charts.grid import STRONG, Kind, grid
from dashboard.charts.palette import ROLES

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
THEMES: dict[str, dict[str, Any]] = {
    name: tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][name]
    for name in ("light", "dark")
}
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


def ink(theme: str, role: str) -> np.ndarray:
    """The colour of a role."""
    return rgb(THEMES[theme]["chartCategoricalColors"][ROLES.index(role)])


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
    numbers = np.linspace(0 if kind == "weights" else -1, 1, 401)
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
def test_more_weight_is_always_farther_from_the_page(theme: str) -> None:
    page = rgb(THEMES[theme]["backgroundColor"])
    steps = [contrast(rgb(colour), page) for colour in scale(theme, "weights")]
    assert all(one < other for one, other in pairwise(steps))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["weights", "difference"])
def test_a_drawn_cell_has_the_colour_of_its_number(theme: exports.Theme, kind: Kind) -> None:
    numbers = np.array([[0.03, 0.25, 0.5], [0.77, 1.0, 0.0]])
    if kind == "difference":
        numbers = numbers * [[1, -1, 1], [-1, 1, 1]]
    picture = grid(numbers, ["a", "b"], ["x", "y", "z"], kind=kind, alt_text="x")
    svg = exports.picture_file(picture, "svg", theme).decode()
    fills = [
        np.array([float(part) for part in match.split(",")])
        for match in re.findall(r'aria-label="[ab] to [xyz][^>]*?fill="rgb\(([^)]*)\)"', svg)
        or re.findall(r'fill="rgb\(([^)]*)\)"[^>]*?aria-label="[ab] to [xyz]', svg)
    ]
    assert len(fills) == numbers.size
    for fill, number in zip(fills, numbers.ravel(), strict=True):
        expected = between(scale(theme, kind), share_of(number, kind))
        np.testing.assert_allclose(fill, expected, atol=1.5)
