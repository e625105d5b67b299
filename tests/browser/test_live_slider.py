"""The slider of the page moves every picture at once, and the server follows."""

import re

import pytest
from playwright.sync_api import Route, expect

from core import LessonHead
from tests.browser.driver import Visitor
from tests.browser.live import (
    BEHIND,
    SENTENCE,
    agree,
    page_slider,
    reads,
    take_thumb,
)


def test_the_slider_of_the_page_moves_the_picture_under_the_hand(visitor: Visitor) -> None:
    visitor.open("/", {"v": 1, "sharpness": 2.25})
    slider = page_slider(visitor)
    reruns = visitor.reruns
    x, y = take_thumb(visitor)
    for way in (20, 60, -15):
        visitor.page.mouse.move(x + way, y, steps=3)
        moved = float(slider.input_value())
        assert moved != 2.25
        reads(visitor, moved)
        agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)
    assert visitor.reruns == reruns
    with visitor.rerun():
        visitor.page.mouse.up()
    assert float(visitor.query["sharpness"]) == moved
    assert visitor.stays_silent(1500)
    # By keys from a sharpness between two steps, too.
    visitor.open("/", {"v": 1, "sharpness": 0.37})
    with visitor.rerun():
        slider.press("ArrowRight")
    moved = float(slider.input_value())
    assert float(visitor.query["sharpness"]) == moved != 0.37
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)


def test_the_slider_brought_back_brings_the_picture_back(visitor: Visitor) -> None:
    visitor.open("/", {"v": 1, "sharpness": 2})
    reruns = visitor.reruns
    x, y = take_thumb(visitor)
    for way, back in ((40, False), (0, True)):
        visitor.page.mouse.move(x + way, y, steps=3)
        moved = float(page_slider(visitor).input_value())
        assert (moved == 2) == back
        reads(visitor, moved)
        agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)
    expect(visitor.page.locator("body")).not_to_have_class(re.compile("moving"))
    assert visitor.reruns == reruns


def test_a_slider_that_came_after_its_picture_moves_it_too(visitor: Visitor) -> None:
    # The browser loads the slider's own script late on a slow line.
    late: list[Route] = []
    visitor.page.route(re.compile(r"/Slider\.[^/]*\.js$"), lambda route: late.append(route))
    visitor.page.goto(visitor.server.address)
    expect(visitor.chart(0)).to_have_attribute("aria-label", re.compile("^Attention weights"))
    reads(visitor, 1)
    assert page_slider(visitor).count() == 0
    late.pop().continue_()
    visitor.settle()
    reruns = visitor.reruns
    x, y = take_thumb(visitor)
    visitor.page.mouse.move(x + 20, y, steps=3)
    moved = float(page_slider(visitor).input_value())
    assert moved != 1
    reads(visitor, moved)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)
    assert visitor.reruns == reruns
    with visitor.rerun():
        visitor.page.mouse.up()


MATRICES = {"/edit": 3, "/order": 3}


@pytest.mark.parametrize(("path", "n"), MATRICES.items())
def test_the_slider_moves_every_matrix_before_the_server_answers(
    visitor: Visitor, path: str, n: int
) -> None:
    visitor.open(path)
    svgs = [visitor.chart(i).locator("svg").first for i in range(n)]
    for svg in svgs:
        svg.evaluate("svg => { svg.kept = true }")
    slider = page_slider(visitor)
    slider.focus()
    with visitor.rerun():
        for _ in range(3):
            visitor.page.keyboard.press("ArrowRight")
    expect(visitor.chart(0).locator(".vega-bind input + span")).to_have_text("1.3")
    visitor.settle()
    old = LessonHead().attend(SENTENCE, sharpness=1.3).weights
    if path == "/edit":
        new = LessonHead().attend(["the", "dog", *SENTENCE[2:]], sharpness=1.3).weights
        expected = [old, new, new - old]
    else:
        expected = [old, old[::-1, ::-1], old]
    for i, (svg, numbers) in enumerate(zip(svgs, expected, strict=True)):
        cells = svg.evaluate(BEHIND)["weights"]
        assert len(cells) == 36
        for row, column, drawn in cells:
            assert drawn == pytest.approx(numbers[row - 1, column - 1], abs=1e-6)
        assert svg.evaluate("svg => svg.kept") is True
        assert visitor.chart(i).locator(".vega-bind input").is_hidden()


def test_a_reset_leads_every_picture_back(visitor: Visitor) -> None:
    visitor.open("/edit")
    slider = page_slider(visitor)
    slider.focus()
    with visitor.rerun():
        visitor.page.keyboard.press("End")
    for i in range(3):
        expect(visitor.chart(i).locator(".vega-bind input + span")).to_have_text("16")
    with visitor.rerun():
        visitor.page.get_by_role("button", name="Reset to the lesson").click()
    for i in range(3):
        expect(visitor.chart(i).locator(".vega-bind input + span")).to_have_text("1")
