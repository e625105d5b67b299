"""The picture that moves its sharpness by itself, as the tests take hold of it."""

import re

import numpy as np
from playwright.sync_api import Locator, expect

from core import copy_blend
from dashboard.charts import travel
from tests.browser.driver import Visitor

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]


# What stands behind the drawn marks: every cell's weight, every row's place, every dot's.
BEHIND = """(svg) => {
    const data = [...svg.querySelectorAll("path")]
        .map((mark) => mark.__data__?.datum).filter((datum) => datum);
    return {
        weights: data.filter((d) => "key" in d && "w" in d).map((d) => [d.query, d.key, d.w]),
        shares: data.filter((d) => "share" in d && "at" in d).map((d) => [d.query, d.share]),
        dots: data.filter((d) => "share" in d && "x" in d && d.query).map((d) => [d.query, d.x]),
    };
}"""


def live(visitor: Visitor) -> Locator:
    """The control inside the first picture."""
    return visitor.chart(0).get_by_role("slider", name=re.compile("^Sharpness β, live"))


def page_slider(visitor: Visitor) -> Locator:
    """The control in the sidebar."""
    group = visitor.page.get_by_role("group", name="Sharpness β", exact=True)
    return group.get_by_role("slider")


def take_thumb(visitor: Visitor) -> tuple[float, float]:
    """Take hold of the control in the sidebar, and tell where."""
    thumb = page_slider(visitor).locator("xpath=ancestor::div[@data-rac][1]").bounding_box()
    assert thumb is not None
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    visitor.page.mouse.move(x, y)
    visitor.page.mouse.down()
    return x, y


def drawing(visitor: Visitor) -> Locator:
    return visitor.chart(0).locator("svg").first


def behind(visitor: Visitor, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights, places of rows and places of dots as they are drawn now."""
    found = drawing(visitor).evaluate(BEHIND)
    weights = np.full((n, n), np.nan)
    for row, column, weight in found["weights"]:
        weights[row - 1, column - 1] = weight
    shares, dots = np.full(n, np.nan), np.full(n, np.nan)
    for row, share in found["shares"]:
        shares[row - 1] = share
    for row, x in found["dots"]:
        dots[row - 1] = x
    return weights, shares, dots


def agree(visitor: Visitor, attention, sharpness: float) -> None:
    weights, shares, dots = behind(visitor, len(attention.query_tokens))
    drawn = ~np.isnan(weights)
    np.testing.assert_array_equal(drawn, attention.allowed)
    np.testing.assert_allclose(weights[drawn], attention.weights[drawn], atol=1e-6)
    spreads = copy_blend(attention.weights, attention.allowed)
    np.testing.assert_allclose(shares, spreads, atol=1e-6)
    place = np.where(np.isnan(spreads), np.nan, travel.across(sharpness))
    np.testing.assert_allclose(dots, place, atol=1e-6)


def drag(visitor: Visitor, *sharpnesses: float) -> None:
    """Take hold of the picture and pass over these, without letting go."""
    box = drawing(visitor).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] - travel.BELOW - travel.HEIGHT / 2
    xs = [box["x"] + box["width"] * float(travel.across(s)) / 100 for s in sharpnesses]
    visitor.page.mouse.move(xs[0], y)
    visitor.page.mouse.down()
    for x in xs[1:]:
        visitor.page.mouse.move(x, y, steps=4)


FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


def reading(visitor: Visitor) -> float:
    """The sharpness of the picture, once it has followed the hand."""
    said = visitor.chart(0).locator(".vega-bind input + span")
    last, now = "", said.inner_text()
    while last != now:
        visitor.page.evaluate(FRAMES)
        last, now = now, said.inner_text()
    return float(now)


def reads(visitor: Visitor, sharpness: float) -> None:
    """Wait until the control inside the picture reads so."""
    expect(visitor.chart(0).locator(".vega-bind input + span")).to_have_text(f"{sharpness:g}")
