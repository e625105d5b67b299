"""The colours on the page are those of the project's theme, and mean the same on every page."""

import math
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Arrive
from tests.browser.driver import CELL, Visitor
from tests.browser.server import Server

ROOT = Path(__file__).parents[2]
THEME: dict[str, Any] = tomllib.loads(
    (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
)["theme"]
FILLS = """marks => marks.map((m) => [m.getAttribute("aria-label"), getComputedStyle(m).fill])"""
PLACES = """marks => marks.map((m) => { const b = m.getBoundingClientRect();
    return [m.getAttribute("aria-label"), getComputedStyle(m).fill,
        b.left, b.top, b.right, b.bottom]; })"""
TEXTS = """texts => texts
    .filter((t) => getComputedStyle(t).opacity > 0 && getComputedStyle(t).fillOpacity > 0)
    .map((t) => { const b = t.getBoundingClientRect();
        return [t.textContent, getComputedStyle(t).fill, b.x + b.width / 2, b.y + b.height / 2]; })
"""
Colour = tuple[float, ...]


def colour(text: str) -> Colour:
    """`#0e1320` or `rgb(14, 19, 32)` as three numbers from 0 to 255."""
    if text.startswith("#"):
        return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))
    return tuple(float(number) for number in re.findall(r"[\d.]+", text)[:3])


def mixed(stops: list[str], share: float) -> Colour:
    """The colour at a share from 0 to 1 of the way along evenly spaced stops."""
    place = share * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    pair = zip(colour(stops[low]), colour(stops[low + 1]), strict=True)
    return tuple(a + (b - a) * (place - low) for a, b in pair)


def filled(visitor: Visitor, which: int) -> list[tuple[float, Colour]]:
    """Number and colour of every cell of one matrix."""
    marks = visitor.chart(which).locator("path[aria-label]").evaluate_all(FILLS)
    cells = [(CELL.fullmatch(name), fill) for name, fill in marks]
    return [(float(c[3].replace("−", "-")), colour(fill)) for c, fill in cells if c]


def light(of: Colour) -> float:
    """Relative luminance, as WCAG defines it."""
    shares = [x / 255 for x in of]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast of two colours, 1 to 21."""
    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_cell_has_the_colour_of_its_number(arrive: Arrive, server: Server, scheme: Any) -> None:
    visitor = arrive(server, colour_scheme=scheme)
    weights, differences = (
        THEME[scheme][f"chart{kind}Colors"] for kind in ("Sequential", "Diverging")
    )

    def check_weights(which: int) -> None:
        cells = filled(visitor, which)
        assert len(cells) == 36
        for weight, fill in cells:
            assert fill == pytest.approx(mixed(weights, weight), abs=1.5), weight

    visitor.open("/edit")
    check_weights(0)
    check_weights(1)
    changes = filled(visitor, 2)
    assert len(changes) == 36
    assert {math.copysign(1, change) for change, _ in changes if change} == {-1, 1}
    for change, fill in changes:
        # Small changes stand out: the scale goes with the root of the number.
        share = 0.5 + math.copysign(math.sqrt(abs(change)), change) / 2
        assert fill == pytest.approx(mixed(differences, share), abs=3), change
    # The scale is fixed: the same weight has the same colour where the largest is another.
    visitor.open("/", {"sharpness": "0"})
    check_weights(0)
    assert len({fill for _, fill in filled(visitor, 0)}) == 1
    visitor.set_slider("Sharpness β", 16)
    check_weights(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_word_in_a_picture_stands_out(arrive: Arrive, server: Server, scheme: Any) -> None:
    # axe-core does not judge the text of a picture.
    visitor = arrive(server, colour_scheme=scheme)
    paper = colour(THEME[scheme]["backgroundColor"])
    for path in ("/", "/edit", "/order"):
        visitor.open(path)
        for chart in visitor.page.get_by_test_id("stVegaLiteChart").all():
            cells = [
                (*corners, colour(fill))
                for name, fill, *corners in chart.locator("path[aria-label]").evaluate_all(PLACES)
                if CELL.fullmatch(name)
            ]
            texts = chart.locator("svg text").evaluate_all(TEXTS)
            assert texts
            for words, ink, x, y in texts:
                under = [
                    fill
                    for left, top, right, bottom, fill in cells
                    if left <= x <= right and top <= y <= bottom
                ]
                assert contrast(colour(ink), under[0] if under else paper) >= 4.5, (path, words)
