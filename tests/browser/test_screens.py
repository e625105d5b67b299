"""What fits on which screen: the first screen of every page, wide and narrow, light and dark."""

from typing import Any

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

PICTURES = '[data-testid="stVegaLiteChart"] svg'
WIDER_THAN_THE_PAGE = """() => {
    const wide = document.documentElement.clientWidth;
    return [...document.querySelectorAll("body *")]
        .filter((e) => e.checkVisibility() && e.closest('[data-testid="stMain"]'))
        .filter((e) => {
            const b = e.getBoundingClientRect();
            return b.width && b.right > wide + 1;
        })
        // what is scrolled inside itself does not widen the page
        .filter((e) => !e.closest('.scroll, [data-testid="stDataFrame"], [data-testid="stCode"]'))
        .map((e) => `${e.tagName} ${e.className} ${e.textContent.slice(0, 40)}`);
}"""


def inside(visitor: Visitor, *parts: Locator) -> None:
    size = visitor.page.viewport_size
    assert size
    for part in parts:
        box = part.bounding_box()
        assert box, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= size["width"], part
        assert box["y"] + box["height"] <= size["height"], part


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_screen_needs_no_scrolling(arrive: Arrive, server: Server, scheme: Any) -> None:
    visitor = arrive(server, colour_scheme=scheme)
    visitor.open("/")
    page = visitor.page
    inside(
        visitor,
        page.get_by_label("Sentence", exact=True),
        page.locator(".finding"),
        visitor.chart(0),
        page.get_by_role("group", name="Sharpness β", exact=True),
        page.get_by_role("combobox", name="Row looked at", exact=True),
        visitor.share_box,
    )
    # The slider can be used in the light of the picture: both stay while it moves.
    visitor.set_slider("Sharpness β", 1.2)
    inside(visitor, visitor.chart(0))


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (390, "dark"), (1280, "light")])
def test_a_page_scrolls_one_way_only(
    arrive: Arrive, server: Server, width: int, scheme: Any
) -> None:
    visitor = arrive(server, width=width, height=844, colour_scheme=scheme)
    long = "a" * 60
    for path in ("/", "/edit", "/order"):
        visitor.open(path, {"text": f"the cat {long}b sat {long}c", "to": long, "causal": "true"})
        assert visitor.page.evaluate("document.documentElement.scrollWidth") <= width, path
        main = visitor.page.get_by_test_id("stMain")
        assert main.evaluate("(m) => m.scrollWidth <= m.clientWidth"), path
        assert visitor.page.evaluate(WIDER_THAN_THE_PAGE) == [], path
        for chart in visitor.page.locator(PICTURES).all():
            box = chart.bounding_box()
            assert box, path
            assert 250 < box["width"] <= width - box["x"], path
