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


def test_the_first_picture_tells_the_weights_of_the_lesson(visitor: Visitor) -> None:
    visitor.open("/")
    assert_drawn(visitor, 0, LessonHead().attend(LESSON).weights)


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


def test_the_slider_moves_the_picture_and_the_address(visitor: Visitor) -> None:
    visitor.open("/")
    svg = visitor.chart(0).locator("svg")
    svg.evaluate("(node) => { node.kept = true; }")
    below = visitor.page.get_by_role("heading", name="As sharpness grows")
    before = below.bounding_box()
    visitor.set_slider("Sharpness β", 1.1)
    assert_drawn(visitor, 0, LessonHead().attend(LESSON, sharpness=1.1).weights)
    assert visitor.query == {"v": "1", "sharpness": "1.1"}
    assert svg.evaluate("(node) => node.kept") is True
    assert below.bounding_box() == before


def test_holding_an_arrow_key_ends_with_everything_in_agreement(visitor: Visitor) -> None:
    visitor.open("/")
    slider = visitor.page.get_by_role("group", name="Sharpness β", exact=True).get_by_role("slider")
    slider.focus()
    with visitor.rerun():
        for _ in range(30):
            visitor.page.keyboard.press("ArrowRight")
    assert float(slider.input_value()) == pytest.approx(4.0)
    assert float(visitor.query["sharpness"]) == pytest.approx(4.0)
    assert_drawn(visitor, 0, LessonHead().attend(LESSON, sharpness=4.0).weights)


def test_an_opened_link_is_left_as_it_came_and_nothing_runs_on(visitor: Visitor) -> None:
    visitor.open("/", {"text": "a b c", "sharpness": 1, "seed": 0})
    address = visitor.page.url
    assert visitor.stays_silent()
    assert visitor.page.url == address


def test_a_click_on_a_row_chooses_it_again_and_again(visitor: Visitor) -> None:
    visitor.open("/")

    def click(row: int) -> None:
        with visitor.rerun():
            visitor.cell(0, row, 1).click(force=True)  # its number lies on top of it
        assert visitor.query["row"] == str(row)
        assert str(visitor.held("Row looked at")).startswith(f"{row} · ")

    click(3)
    expect(visitor.page.locator(".finding")).to_contain_text("sat reads 77 % from cat")
    click(1)
    visitor.select("Row looked at", "6 · \u2068mat\u2069")
    click(1)
    click(5)


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


def test_an_order_is_taken_from_a_button_or_typed(visitor: Visitor) -> None:
    visitor.open("/order")
    head = LessonHead()
    visitor.click("Swap 2 and 6")
    assert visitor.query["order"] == "1-6-3-4-5-2"
    swapped = head.attend([LESSON[i] for i in (0, 5, 2, 3, 4, 1)]).weights
    drawn = sorted(visitor.numbers(1).values())
    np.testing.assert_allclose(drawn, sorted(swapped.ravel()), atol=5.1e-5)
    visitor.click("Rotate by one")
    assert visitor.query["order"] == "2-1-6-3-4-5"
    visitor.fill("New order of the positions", "6-5-4")
    expect(visitor.page.get_by_role("alert")).to_contain_text("lacks 1, 2, 3")
    assert visitor.held("New order of the positions") == "6-5-4"
    assert visitor.query["order"] == "2-1-6-3-4-5"
    visitor.click("Reverse")
    assert "order" not in visitor.query
    assert visitor.held("New order of the positions") == "6-5-4-3-2-1"
    visitor.toggle("Causal mask")
    expect(visitor.page.locator(".finding")).to_contain_text("the causal mask told")


def test_back_and_forward_keep_everything_in_agreement(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.set_slider("Sharpness β", 2.0)
    visitor.follow("Edit: change one token")
    assert (visitor.path, visitor.query) == ("/edit", {"v": "1", "sharpness": "2"})
    visitor.fill("with", "king")
    stops = [(visitor.page.url, visitor.seen())]
    visitor.back()
    assert (visitor.path, visitor.query) == ("/edit", {"v": "1", "sharpness": "2"})
    assert visitor.held("with") == "dog"
    visitor.back()
    assert (visitor.path, visitor.query) == ("/", {"v": "1", "sharpness": "2"})
    assert_drawn(visitor, 0, LessonHead().attend(LESSON, sharpness=2.0).weights)
    visitor.forward()
    visitor.forward()
    assert [(visitor.page.url, visitor.seen())] == stops


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


@pytest.mark.parametrize("n", [1, 31, 32, 44, 45, 64])
def test_every_length_is_drawn_and_named(visitor: Visitor, n: int) -> None:
    visitor.open("/", {"text": " ".join(["cat"] * n), "causal": "true"})
    name = visitor.chart(0).get_attribute("aria-label")
    assert name
    assert f"{n} row" in name
    assert visitor.chart(0).locator("svg, canvas").count() == 1
    assert visitor.page.locator("table.numbers tbody tr").count() >= n


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
