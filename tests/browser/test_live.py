"""Sharpness moves inside the picture with the hand, and reaches the page when it lets go."""

import math

import pytest
from playwright.sync_api import expect

from core import LessonHead, RandomHead
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.live import (
    SENTENCE,
    agree,
    drag,
    drawing,
    live,
    page_slider,
    reading,
    reads,
)
from tests.browser.server import Server


@pytest.mark.parametrize("causal", [False, True])
def test_keys_move_the_whole_picture_and_ask_the_server_nothing(
    visitor: Visitor, causal: bool
) -> None:
    visitor.open("/", {"v": 1, "causal": "true"} if causal else None)
    drawing(visitor).evaluate("svg => { svg.kept = true }")
    reruns = visitor.reruns
    live(visitor).focus()
    for sharpness in (1.1, 1.2, 1.3):
        visitor.page.keyboard.down("ArrowRight")
        reads(visitor, sharpness)
        attention = LessonHead().attend(SENTENCE, sharpness=sharpness, causal=causal)
        agree(visitor, attention, sharpness)
    assert visitor.reruns == reruns
    visitor.page.keyboard.press("Home")
    reads(visitor, 0)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=0, causal=causal), 0)
    visitor.page.keyboard.press("End")
    reads(visitor, 16)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=16, causal=causal), 16)
    with visitor.rerun():
        visitor.page.keyboard.press("Enter")
    assert visitor.query["sharpness"] == "16"
    assert visitor.held("Sharpness β") == "16"
    assert drawing(visitor).evaluate("svg => svg.kept") is True
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=16, causal=causal), 16)


def test_keys_that_were_let_go_reach_the_page_by_themselves(visitor: Visitor) -> None:
    visitor.open("/")
    with visitor.rerun():
        live(visitor).press("ArrowRight")
    assert visitor.query["sharpness"] == "1.1"
    assert visitor.stays_silent()


def test_a_hand_on_the_picture_moves_it_and_letting_go_reaches_the_page(visitor: Visitor) -> None:
    visitor.open("/")
    said = visitor.seen()["prose"]
    drawing(visitor).evaluate("svg => { svg.kept = true }")
    reruns = visitor.reruns
    drag(visitor, 1, 4, 2.25)
    moved = reading(visitor)
    assert moved == pytest.approx(2.25, abs=0.05)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)
    assert visitor.reruns == reruns
    assert visitor.seen()["prose"] == said
    with visitor.rerun():
        visitor.page.mouse.up()
    assert float(visitor.query["sharpness"]) == moved
    assert visitor.seen()["prose"] != said
    assert drawing(visitor).evaluate("svg => svg.kept") is True
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=moved), moved)
    shared = visitor.shared_link()
    assert f"sharpness={moved:g}" in shared


def test_a_hand_that_leaves_the_picture_still_holds_it(visitor: Visitor) -> None:
    visitor.open("/")
    drag(visitor, 1, 2)
    visitor.page.mouse.move(2, 2, steps=3)
    reads(visitor, 0)
    with visitor.rerun():
        visitor.page.mouse.up()
    assert visitor.query["sharpness"] == "0"


def test_the_slider_of_the_page_takes_the_picture_with_it_after_a_hand_did(
    visitor: Visitor,
) -> None:
    visitor.open("/")
    drag(visitor, 1, 9)
    with visitor.rerun():
        visitor.page.mouse.up()
    visitor.set_slider("Sharpness β", 0)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=0), 0)
    reads(visitor, 0)
    visitor.set_slider("Sharpness β", 0.5)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=0.5), 0.5)
    reads(visitor, 0.5)


def test_from_the_limit_a_hand_comes_back_to_a_number(visitor: Visitor) -> None:
    visitor.open("/", {"v": 1, "hard": "true"})
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=math.inf), 16)
    with visitor.rerun():
        live(visitor).press("Home")
        visitor.page.keyboard.press("Enter")
    assert (visitor.query["sharpness"], visitor.query.get("hard")) == ("0", None)
    agree(visitor, LessonHead().attend(SENTENCE, sharpness=0), 0)


@pytest.mark.parametrize("hard", ["false", "true"])
@pytest.mark.parametrize("control", ["Causal mask", "Add positions"])
def test_who_moves_the_next_control_at_once_does_not_lose_what_the_hand_did(
    visitor: Visitor, hard: str, control: str
) -> None:
    visitor.open("/", {"sharpness": "10", "hard": hard})
    live(visitor).focus()
    for _ in range(3):
        visitor.page.keyboard.press("ArrowLeft")
    box = visitor.page.get_by_text(control, exact=True).first.bounding_box()
    assert box is not None
    # The press takes the hand's sharpness to the server, the release the next control: between
    # them there is no time for an answer.
    visitor.page.mouse.move(box["x"] + 5, box["y"] + 5)
    visitor.page.mouse.down()
    visitor.page.wait_for_timeout(60)  # as long as a hand presses
    visitor.page.mouse.up()
    moved = "9.7" if hard == "false" else "15.7"
    expect(page_slider(visitor)).to_have_attribute("aria-valuetext", moved)
    visitor.page.wait_for_function(f"location.search.includes('sharpness={moved}')")
    visitor.settle()
    changed = {"Causal mask": ("causal", "true"), "Add positions": ("positions", "sinusoidal")}
    name, value = changed[control]
    assert visitor.query == {"v": "1", "sharpness": moved, name: value}
    assert page_slider(visitor).get_attribute("aria-valuetext") == moved
    reads(visitor, float(moved))


def test_a_click_on_a_row_still_chooses_it_and_a_drag_below_does_not(visitor: Visitor) -> None:
    visitor.open("/")
    drag(visitor, 1, 3)
    with visitor.rerun():
        visitor.page.mouse.up()
    assert "row" not in visitor.query
    with visitor.rerun():
        visitor.cell(0, 3, 2).click(force=True)  # its number lies on it
    assert visitor.query["row"] == "3"


def test_the_name_of_a_picture_follows_and_its_node_stays(visitor: Visitor) -> None:
    visitor.open("/")
    for which in range(len(visitor.seen()["charts"])):
        visitor.chart(which).locator("svg").first.evaluate("svg => { svg.kept = true }")
    before = visitor.seen()["charts"]
    visitor.set_slider("Sharpness β", 3)
    after = visitor.seen()["charts"]
    assert all(one and one != other for one, other in zip(before, after, strict=True))
    for which in range(len(after)):
        kept = visitor.chart(which).locator("svg").first.evaluate("svg => svg.kept")
        assert kept is True


def test_thirty_words_move_alike(arrive: Arrive, server: Server) -> None:
    visitor = arrive(server)
    words = [f"w{i}" for i in range(30)]
    visitor.open("/", {"v": 1, "text": " ".join(words), "head": "random", "seed": 3})
    live(visitor).focus()
    visitor.page.keyboard.down("ArrowRight")
    reads(visitor, 1.1)
    agree(visitor, RandomHead(3).attend(words, sharpness=1.1), 1.1)
