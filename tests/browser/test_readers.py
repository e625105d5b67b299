"""Readers who do not see the picture or use no mouse: axe-core, names, the keyboard alone."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from core import LessonHead
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

PATHS = ("/", "/edit", "/order")
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}

# Violations that are the platform's and cannot be mended here: rule and part of the element, with
# the reason. The list may only shrink; none is known.
EXCEPTIONS: dict[tuple[str, str], str] = {}

# Where the keyboard stands: its name, whether its look says so, and whether it is the last stop.
STOP = """async () => {
    const e = document.activeElement;
    if (e === document.body) return ["", true, true];
    const around = [...e.parentElement.querySelectorAll("*")].slice(0, 60);
    for (let up = e.parentElement, i = 0; up && i < 4; up = up.parentElement, i++) around.push(up);
    const look = () => around.map((x) => {
        const s = getComputedStyle(x);
        const box = x.getBoundingClientRect();
        return [s.outline, s.boxShadow, s.borderColor, s.backgroundColor, box.x, box.y].join();
    }).join(";");
    const name = e.getAttribute("aria-label") || e.labels?.[0]?.innerText || e.innerText || "";
    const rest = () => new Promise((done) => setTimeout(done, 60));  // React answers later
    await rest();
    const focused = look();
    e.blur();
    await rest();
    const blurred = look();
    e.focus({preventScroll: true});
    await rest();
    return [name.trim().slice(0, 60), focused !== blurred, false];
}"""
SIDEBAR = [
    "Weights: copy or blend?",
    "Edit: change one token",
    "Order: shuffle the tokens",
    "Sentence",
    "Sharpness β",
    "Limit β → ∞",
    "Causal mask",
    "Add positions",
    "lesson",
    "Reset to the lesson",
    "Share this view",
]
STOPS = {
    "/": [*SIDEBAR, "Row looked at", "Every row in words", "The numbers as tables", "Save"],
    "/edit": [*SIDEBAR, "Replace", "with", "Row looked at", "Moved means over", "Rows by", "Save"],
    "/order": [*SIDEBAR, "New order of the positions", "Reverse", "As it was", "Save"],
}
MOVING = """() => [...document.querySelectorAll("*")].filter((e) => {
    const s = getComputedStyle(e);
    const takes = s.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    return s.animationName !== "none" || takes;
}).map((e) => e.outerHTML.slice(0, 80))"""


def violations(visitor: Visitor) -> list[tuple[str, str]]:
    """What axe-core finds on the page as it stands: rule and element."""
    found: dict[str, Any] = Axe().run(visitor.page, options=RULES).response
    assert len(found["passes"]) > 5, "axe looked at nothing"
    return [
        (violation["id"], node["html"])
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_no_violation(
    arrive: Arrive, server: Server, path: str, width: int, scheme: Any
) -> None:
    visitor = arrive(server, width=width, colour_scheme=scheme)
    visitor.open(path)
    visitor.page.get_by_text("The numbers as tables").click()
    visitor.settle()
    found = violations(visitor)
    if width < 600:
        visitor.page.get_by_test_id("stExpandSidebarButton").click()
        visitor.settle()
        found += violations(visitor)
    excused = [
        (rule, element)
        for rule, element in found
        if any(rule == known and part in element for known, part in EXCEPTIONS)
    ]
    assert [fault for fault in found if fault not in excused] == []


def test_axe_would_find_a_violation(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.page.evaluate("document.body.append(document.createElement('img'))")
    assert "image-alt" in {rule for rule, _ in violations(visitor)}


@pytest.mark.parametrize("path", PATHS)
def test_every_picture_has_a_name_that_follows_the_view(visitor: Visitor, path: str) -> None:
    def names() -> list[str | None]:
        charts = visitor.page.get_by_test_id("stVegaLiteChart").all()
        return [chart.get_attribute("aria-label") for chart in charts]

    visitor.open(path, {"positions": "none"})
    before = names()
    assert before
    assert all(name and name.strip() for name in before)
    visitor.toggle("Limit β → ∞")
    visitor.toggle("Causal mask")
    after = names()
    assert len(after) == len(before)
    assert after != before


def test_names_follow_beside_a_picture_whose_data_are_shown(visitor: Visitor) -> None:
    """The platform puts a table in the place of a picture: the others are still theirs."""
    page = visitor.page
    visitor.open("/", {"row": 6})
    first = page.get_by_test_id("stFullScreenFrame").first
    first.hover()
    first.get_by_role("button", name="Show data").click()
    page.get_by_test_id("stDataFrame").first.wait_for()
    visitor.toggle("Causal mask")
    parts = page.get_by_test_id("stVegaLiteChart").first
    before = parts.get_attribute("aria-label")
    assert before
    assert "“mat”" in before
    visitor.toggle("Limit β → ∞")
    page.wait_for_function(
        "old => document.querySelector('[data-testid=stVegaLiteChart]').ariaLabel !== old",
        arg=before,
    )
    after = parts.get_attribute("aria-label")
    assert after
    assert after.startswith("The output at “mat”")


@pytest.mark.parametrize("path", PATHS)
def test_every_stop_of_the_keyboard_can_be_seen_and_they_come_in_order(
    visitor: Visitor, path: str
) -> None:
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.open(path)
    stops: list[str] = []
    unseen: list[str] = []
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        name, seen, is_last = visitor.page.evaluate(STOP)
        stops.append(name)
        if not seen:
            unseen.append(name)
        if is_last:
            break
    assert unseen == []
    expected = iter(STOPS[path])
    wanted = next(expected)
    for stop in stops:
        if wanted in stop:
            wanted = next(expected, "")
        if not wanted:
            return
    raise AssertionError(f"{wanted!r} does not come in its turn: {stops}")


def test_the_lesson_by_keyboard_alone(visitor: Visitor) -> None:
    visitor.open("/")
    page, keyboard = visitor.page, visitor.page.keyboard

    def go(target: Locator) -> None:
        for _ in range(80):
            keyboard.press("Tab")
            if target.evaluate("e => e === document.activeElement"):
                return
        raise AssertionError(f"no Tab reaches {target}")

    def follow(title: str) -> None:
        go(page.get_by_role("link", name=title, exact=True))
        with visitor.rerun():
            keyboard.press("Enter")

    def choose(label: str, typed: str) -> None:
        go(page.get_by_role("combobox", name=label, exact=True))
        with visitor.rerun():
            keyboard.type(typed)  # the list opens, and keeps what holds this
            expect(page.get_by_role("option")).to_have_count(1)
            keyboard.press("Enter")

    def write(label: str, text: str) -> None:
        go(page.get_by_label(label, exact=True))
        with visitor.rerun():
            keyboard.press("ControlOrMeta+a")
            keyboard.type(text)
            keyboard.press("Enter")

    # Sharpness, a row, and one weight.
    go(page.get_by_role("group", name="Sharpness β", exact=True).get_by_role("slider"))
    with visitor.rerun():
        keyboard.press("ArrowRight")
    choose("Row looked at", "3")
    assert visitor.query == {"v": "1", "sharpness": "1.1", "row": "3"}
    weights = LessonHead().attend(["the", "cat", "sat", "on", "the", "mat"], sharpness=1.1).weights
    go(page.locator("summary", has_text="The numbers as tables"))
    with visitor.rerun():
        keyboard.press("Enter")
    numbers = page.get_by_role("region", name="Weights: row reads from column")
    go(numbers)
    expect(numbers.locator("tbody tr").nth(2).locator("td").nth(1)).to_have_text(
        f"{weights[2, 1]:.4f}"
    )
    # An edit.
    follow("Edit: change one token")
    choose("Replace", "6")
    write("with", "hat")
    assert visitor.query | {"at": "6", "to": "hat"} == visitor.query
    # An order, by a button and typed.
    follow("Order: shuffle the tokens")
    go(page.get_by_role("button", name="As it was", exact=True))
    with visitor.rerun():
        keyboard.press("Space")
    assert visitor.query["order"] == "1-2-3-4-5-6"
    write("New order of the positions", "2-1-3-4-5-6")
    assert visitor.query["order"] == "2-1-3-4-5-6"
    # The link: its box opens in place, and the next stops are in it.
    go(visitor.share_box.locator("summary"))
    keyboard.press("Enter")
    copy = visitor.share_box.get_by_role("button", name="Copy to clipboard")
    expect(copy).to_be_visible()
    keyboard.press("Tab")
    keyboard.press("Tab")
    expect(copy).to_be_focused()
    keyboard.press("Enter")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('2-1-3')")


def test_a_large_table_is_a_grid_to_a_screen_reader(visitor: Visitor) -> None:
    tokens = ["the", "cat", "sat"] * 15
    visitor.open("/", {"text": " ".join(tokens)})
    with visitor.rerun():
        visitor.page.locator("summary", has_text="The numbers as tables").click()
    grid = visitor.page.locator("[role=grid]").first
    grid.locator("[role=gridcell]").nth(20).wait_for(state="attached")
    assert grid.get_attribute("aria-rowcount") == "46"
    assert grid.get_attribute("aria-colcount") == "46"
    first = grid.locator("[role=row]").nth(2).locator("[role=gridcell]").all_text_contents()
    assert first[0] == "2 · \u2068cat\u2069"
    weights = LessonHead().attend(tokens).weights
    for told, weight in zip(first[1:6], weights[1], strict=False):
        assert float(told) == pytest.approx(weight, abs=1e-9)


def test_reduced_motion_is_respected(visitor: Visitor) -> None:
    visitor.page.emulate_media(reduced_motion="reduce")
    for path in PATHS:
        visitor.open(path)
        assert visitor.page.evaluate(MOVING) == [], path
    visitor.page.emulate_media(reduced_motion="no-preference")
    assert visitor.page.evaluate(MOVING) != []  # the platform does move where nobody minds


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_switches_show_where_the_system_sets_the_colours(
    arrive: Arrive, server: Server, scheme: Any
) -> None:
    visitor = arrive(server, colour_scheme=scheme)
    visitor.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    visitor.open("/")
    boxes = visitor.page.get_by_test_id("stSidebar")
    switch = boxes.get_by_test_id("stCheckbox").filter(has_text="Causal mask")
    radio = boxes.get_by_test_id("stRadio")
    off, lesson = switch.screenshot(), radio.screenshot()
    visitor.toggle("Causal mask")
    visitor.choose("Head", "random")
    visitor.page.get_by_label("Sentence", exact=True).focus()
    visitor.page.mouse.move(600, 5)
    assert switch.screenshot() != off
    assert radio.screenshot() != lesson
