"""A visitor walks through the lesson: every page, by mouse and by keyboard, and by link."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from core import LessonHead, RandomHead, compare
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

LESSON = ["the", "cat", "sat", "on", "the", "mat"]
PATHS = ("/", "/edit", "/order")


def assert_drawn(visitor: Visitor, which: int, weights: np.ndarray) -> None:
    """The picture tells these weights, to the four digits it tells; masked cells tell nothing."""
    numbers = visitor.numbers(which)
    drawn = np.zeros_like(weights)
    for (row, column), number in numbers.items():
        drawn[row - 1, column - 1] = number
    assert len(numbers) >= np.count_nonzero(weights) > 0
    np.testing.assert_allclose(drawn, weights, atol=5.1e-5)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/", {"sharpness": 2.5, "row": 3}),
        ("/edit", {"at": 6, "to": "hat", "row": 4}),
        ("/order", {"order": "2-1-3-4-5-6", "causal": "true"}),
    ],
)
def test_a_deep_link_may_be_the_first_visit_of_a_server(
    arrive: Arrive, fresh_server: Server, path: str, query: dict[str, object]
) -> None:
    visitor = arrive(fresh_server)
    visitor.open(path, query)
    head = LessonHead()
    settings = {"sharpness": query.get("sharpness", 1.0), "causal": "causal" in query}
    assert_drawn(visitor, 0, head.attend(LESSON, **settings).weights)
    assert visitor.query == {name: str(value) for name, value in query.items()}


def test_an_edit_moves_the_rows_it_should(visitor: Visitor) -> None:
    visitor.open("/edit")
    head = LessonHead()
    before = head.attend(LESSON)
    for token in ("king", "hat"):
        visitor.fill("with", token)
        after = head.attend(["the", token, *LESSON[2:]])
        assert_drawn(visitor, 0, before.weights)
        assert_drawn(visitor, 1, after.weights)
        assert_drawn(visitor, 2, after.weights - before.weights)
        moved = compare(before, after).changed(0.01).sum()
        table = visitor.page.locator("table.numbers").first
        expect(table.get_by_text("moved", exact=True)).to_have_count(int(moved))
    visitor.fill("with", "hot dog")
    expect(visitor.page.locator(".finding")).to_contain_text("7 tokens instead of 6")
    assert visitor.page.get_by_test_id("stVegaLiteChart").count() == 0


def test_a_tour_of_the_pages_keeps_every_setting(visitor: Visitor) -> None:
    visitor.open("/edit", {"text": "a cat ran", "at": 1, "to": "the", "row": 2, "causal": "true"})
    start = visitor.seen()
    visitor.follow("Order: shuffle the tokens")
    visitor.click("Rotate by one")
    visitor.follow("Weights: copy or blend?")
    assert str(visitor.held("Row looked at")).startswith("2 · ")
    visitor.follow("Edit: change one token")
    assert visitor.seen()["controls"] == start["controls"]
    assert visitor.query["order"] == "1-3-2"
    address = visitor.page.url
    visitor.reload()
    assert visitor.page.url == address
    assert visitor.seen()["controls"] == start["controls"]


def test_buttons_hold_after_a_reload(visitor: Visitor) -> None:
    visitor.open("/", {"head": "random", "sharpness": 2})
    visitor.click("New head")
    visitor.reload()
    assert_drawn(visitor, 0, RandomHead(1).attend(LESSON, sharpness=2.0).weights)
    visitor.click("Reset to the lesson")
    visitor.reload()
    assert visitor.query == {}
    assert_drawn(visitor, 0, LessonHead().attend(LESSON).weights)


def test_pictures_and_numbers_are_saved_under_telling_names(visitor: Visitor) -> None:
    visitor.open("/")
    with visitor.rerun():
        visitor.page.get_by_text("Save pictures and numbers").click()
    for button, file in {
        "Weights as PNG": "weights-the-cat-sat-on-the-mat.png",
        "Weights as SVG": "weights-the-cat-sat-on-the-mat.svg",
        "Numbers as CSV": "weights-the-cat-sat-on-the-mat.csv",
        "Numbers, settings and link as JSON": "weights-the-cat-sat-on-the-mat.json",
    }.items():
        with visitor.page.expect_download() as download:
            visitor.page.get_by_role("button", name=button, exact=True).click()
        assert download.value.suggested_filename == file
        assert download.value.path().stat().st_size > 100
