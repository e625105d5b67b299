"""A text of two thousand tokens: pasted, looked at in windows, its colours and its width right."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from core import LessonHead, pool
from dashboard.charts.blocks_text import PIXELS
from dashboard.charts.raster import shade_long, theme_colours, to_bytes
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server
from tests.browser.test_colours import mixed
from tests.browser.test_screens import WIDER_THAN_THE_PAGE

WORDS = ["the", "cat", "sat", "on", "the", "mat", "dog", "ran", "house", "under"]
PLACE = re.compile(r"rows ([\d,]+) to [\d,]+, columns ([\d,]+) to")


def tokens(n: int) -> list[str]:
    return [WORDS[i * i % len(WORDS)] if i % 3 else f"w{i % 90}" for i in range(n)]


def window(visitor: Visitor) -> tuple[int, int]:
    """First row and column that the page shows cell by cell."""
    heading = visitor.page.get_by_role("heading", name=re.compile("^Cell by cell"))
    found = PLACE.search(heading.inner_text())
    assert found
    return int(found[1].replace(",", "")), int(found[2].replace(",", ""))


def paste(visitor: Visitor, label: str, text: str, confirm: str) -> None:
    """Replace the text of a field from the clipboard, as a person does."""
    field = visitor.page.get_by_label(label, exact=True)
    field.click()
    field.press("ControlOrMeta+a")
    visitor.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    with visitor.rerun():
        field.press("ControlOrMeta+v")
        field.press(confirm)


def drag(visitor: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag over the picture from one share of its width and height to another."""
    image = visitor.chart(0).locator("image").first
    image.scroll_into_view_if_needed()
    box = image.bounding_box()
    assert box
    mouse = visitor.page.mouse
    with visitor.rerun():
        for step, (across, down) in enumerate([start, end]):
            mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"], steps=4)
            if step == 0:
                mouse.down()
        mouse.up()


def test_two_thousand_tokens_are_pasted_and_looked_at(visitor: Visitor) -> None:
    words = tokens(2000)
    page = visitor.page
    visitor.open("/")
    paste(visitor, "Sentence", "\n".join(words), "Enter")
    expect(page.get_by_text("2,000 tokens of at most 2,048")).to_be_visible()
    box = page.get_by_label("Sentence", exact=True)
    assert box.input_value().split() == words
    assert visitor.query["text"].split() == words

    visitor.fill("Row looked at", "1500")
    finding = page.locator(".finding").inner_text()
    assert finding.startswith(f"{words[1499]} (1500) reads")
    assert window(visitor) == (1476, 1476)
    assert page.get_by_role("table").locator("tbody tr").count() == 20

    field = page.get_by_label("From row", exact=True)
    with visitor.rerun():
        field.press("ArrowDown")
    assert window(visitor) == (1475, 1476)
    assert visitor.query["window"] == "1475-1476"

    # In a box of many lines, line breaks are kept as they are typed.
    paste(visitor, "Sentence", "one\ntwo\n\nthree", "ControlOrMeta+Enter")
    assert page.get_by_label("Sentence", exact=True).input_value() == "one\ntwo\n\nthree"
    assert visitor.query["text"] == "one\ntwo\n\nthree"
    visitor.reload()
    assert page.get_by_label("Sentence", exact=True).input_value() == "one\ntwo\n\nthree"
    assert page.get_by_test_id("stAlert").count() == 0


def test_a_drag_moves_the_window_and_the_slider_keeps_picture_and_window(visitor: Visitor) -> None:
    visitor.open("/", {"text": " ".join(tokens(480))})
    drag(visitor, (0.2, 0.4), (0.4, 0.6))
    row, column = window(visitor)
    assert row == pytest.approx(480 * 0.5 - 24, abs=4)
    assert column == pytest.approx(480 * 0.3 - 24, abs=4)
    for which in (0, 1):
        visitor.chart(which).locator("svg").first.evaluate("(node) => { node.kept = 1; }")
    visitor.set_slider("Sharpness β", 1.3)
    assert window(visitor) == (row, column)
    for which in (0, 1):
        kept = "(node) => node.kept"
        assert visitor.chart(which).locator("svg").first.evaluate(kept) == 1
    drag(visitor, (0.85, 0.02), (0.99, 0.1))
    assert window(visitor)[0] == pytest.approx(480 * 0.06 - 24, abs=4)
    assert window(visitor)[1] == pytest.approx(480 * 0.92 - 24, abs=4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_every_pixel_has_the_colour_of_its_weights(
    arrive: Arrive, home_server: Server, scheme: Any, width: int
) -> None:
    n = 300
    visitor = arrive(home_server, colour_scheme=scheme, width=width)
    visitor.open("/", {"text": " ".join(tokens(n)), "sharpness": 3, "causal": "true", "row": 1})
    read = LessonHead().attend_long(tokens(n), sharpness=3, causal=True)
    weights = read.weights(slice(None))
    weights[~read.allowed] = np.nan
    pooled = pool(weights, PIXELS).values
    pooled = pooled if width > 500 else pool(pooled, PIXELS // 2).values
    levels = to_bytes(shade_long(pooled, n))
    image = visitor.chart(0).locator("image").first
    image.scroll_into_view_if_needed()
    box = image.bounding_box()
    assert box
    shot = np.asarray(Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")).astype(int)
    colours = theme_colours(scheme)["chartSequentialColors"]
    size = len(levels)
    different = set()
    for row, column in np.random.default_rng(0).integers(0, size, (400, 2)).tolist():
        x = box["x"] + (column + 0.5) / size * box["width"]
        y = box["y"] + (row + 0.5) / size * box["height"]
        near_window = row > size * 0.75 and column > size * 0.75
        if levels[row, column] == 0 or near_window or y > 899 or row < 3:
            continue
        expected = mixed(colours, (levels[row, column] - 1) / 254)
        found = shot[int(y), int(x)]
        assert found == pytest.approx(np.array(expected), abs=2), (row, column)
        different.add(int(levels[row, column]))
    assert len(different) > 5


@pytest.mark.parametrize("path", ["/", "/edit", "/order"])
def test_a_narrow_screen_cuts_nothing_of_a_long_text(
    arrive: Arrive, server: Server, path: str
) -> None:
    visitor = arrive(server, width=390)
    visitor.open(path, {"text": " ".join(tokens(2048))})
    assert visitor.page.evaluate(WIDER_THAN_THE_PAGE) == []
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert visitor.page.get_by_test_id("stVegaLiteChart").count() == 5
