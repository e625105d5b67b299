"""Sharpness moves inside the picture with the hand, and reaches the page when it lets go."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Route, expect

from core import LessonHead, RandomHead, copy_blend
from dashboard.charts import travel
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

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
