"""Either side of the sizes at which the way of drawing changes: one look, one content."""

import re

import pytest
from playwright.sync_api import expect

from core import LessonHead
from dashboard.charts.labels import exact
from dashboard.charts.layout import LABELS, layout
from dashboard.charts.spread import CELLS_END
from tests.browser.driver import Visitor

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "ran"]


@pytest.mark.parametrize("n", [1, 31, 32, 44, 45, 64])
def test_a_picture_looks_and_tells_the_same_at_every_size(visitor: Visitor, n: int) -> None:
    tokens = (WORDS * 8)[:n]
    visitor.open("/", {"text": " ".join(tokens), "causal": "true", "sharpness": "2"})
    attention = LessonHead().attend(tokens, causal=True, sharpness=2.0)
    chart = visitor.chart(0)
    assert f"{n} row" in str(chart.get_attribute("aria-label"))
    drawing = chart.locator("svg").first
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    assert box
    # Where a cell lies, and what it tells, does not depend on the way it is drawn.
    row, column = n - 1, n // 2
    across = LABELS + (CELLS_END - LABELS) * (column + 0.5) / n
    tip = visitor.page.locator("#vg-tooltip-element.visible")
    names = [f"{place + 1} · \u2068{tokens[place]}\u2069" for place in (row, column)]
    place = layout(n, n)
    last = place.header + place.row_height * n
    for up in range(2, 60, 4):  # the last row from below, wherever the platform scaled it to
        drawing.hover(position={"x": box["width"] * across / 100, "y": last - up}, force=True)
        if tip.count() and all(name in tip.inner_text() for name in names):
            break
    for name in names:
        expect(tip).to_contain_text(name)
    expect(tip).to_contain_text(exact(attention.weights[row, column]))
    # For a reader without the picture: a line a row, which names what it reads most.
    lines = visitor.page.get_by_role("region", name="Every row in words").locator("tbody tr")
    expect(lines).to_have_count(n)
    for i in {0, n // 3, n - 1}:
        best = {
            tokens[int(k)]
            for k in (attention.weights[i] == attention.weights[i].max()).nonzero()[0]
        }
        said = re.sub("[\u2068\u2069]", "", lines.nth(i).inner_text())
        assert f"{i + 1} · {tokens[i]}" in said
        assert "positions alike" in said or any(token in said.split("reads")[1] for token in best)
