"""A link carries everything, from the share box, from the address bar, and through history."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from core import LessonHead
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

LESSON = ["the", "cat", "sat", "on", "the", "mat"]
ODD = "  a & b=c #d  +e 100% ?/ 😀 👩‍👩‍👧 "
# Every parameter of a page away from its default, but the sentence, which is typed.
CHANGED: dict[str, dict[str, str]] = {
    "/": {"head": "random", "seed": "7", "sharpness": "2.25", "row": "3"},
    "/edit": {"hard": "true", "causal": "true", "at": "3", "tolerance": "0.2", "row": "1"},
    "/order": {"positions": "sinusoidal", "sharpness": "0", "order": "3-1-2-4-5-6-9-8-7"},
}
PARAMETERS = ["text", "head", "seed", "sharpness", "hard", "causal", "positions"]
OWN = {"/": ["row"], "/edit": ["row", "at", "to", "tolerance"], "/order": ["order"]}


@pytest.mark.parametrize("path", list(CHANGED))
def test_a_link_carries_every_parameter_to_a_fresh_profile(
    arrive: Arrive, server: Server, path: str
) -> None:
    sender, by_link, by_address = arrive(server), arrive(server), arrive(server)
    sender.open(path, CHANGED[path] | ({} if path != "/order" else {"text": "1 2 3 4 5 6 7 8 9"}))
    sender.fill("Sentence", ODD)
    if path == "/edit":
        sender.fill("with", "&=#+%?/")
    assert sender.held("Sentence") == ODD
    link = sender.shared_link()
    by_link.arrive_at(link)
    assert set(by_link.query) == {"v", *PARAMETERS, *OWN[path]}
    assert by_link.query["text"] == ODD
    asked = CHANGED[path] | ({"to": "&=#+%?/"} if path == "/edit" else {})
    assert asked.items() <= by_link.query.items()
    assert by_link.seen() == sender.seen()
    by_address.arrive_at(sender.page.url)
    assert by_address.seen() == sender.seen()
    # A reader who changes something and changes it back has the sender's view again.
    by_link.toggle("Causal mask")
    by_link.toggle("Causal mask")
    assert by_link.seen() == sender.seen()
    assert by_link.shared_link() == link


def test_the_copy_button_copies_the_link(visitor: Visitor) -> None:
    visitor.open("/edit", {"to": "fox"})
    link = visitor.shared_link()
    page = visitor.page
    page.evaluate("navigator.clipboard.writeText('')")
    box = visitor.share_box
    box.locator("summary").click()
    box.get_by_role("button", name="Copy to clipboard").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    assert page.evaluate("navigator.clipboard.readText()") == link
    # The link follows the view while its box is open.
    visitor.toggle("Causal mask")
    expect(box.locator("code")).to_contain_text("causal=true")


def test_history_shows_every_stop_again(arrive: Arrive, server: Server) -> None:
    visitor = arrive(server)
    stops: list[tuple[str, Any]] = []

    def stop() -> None:
        stops.append((visitor.page.url, visitor.seen()))

    def is_at(which: int) -> None:
        assert visitor.page.url == stops[which][0]
        visitor.wait_until_controls_hold(stops[which][1]["controls"])
        for i, told in enumerate(stops[which][1]["charts"]):
            expect(visitor.chart(i)).to_have_attribute("aria-label", told)
        assert visitor.seen() == stops[which][1], which

    visitor.open("/")
    stop()
    visitor.set_slider("Sharpness β", 1.1)
    stop()
    visitor.select("Row looked at", "3 · \u2068sat\u2069")
    stop()
    visitor.follow("Edit: change one token")
    stop()
    visitor.fill("with", "fox")
    stop()
    for which in (3, 2):
        visitor.back()
        is_at(which)
    visitor.forward()
    is_at(3)
    visitor.back()
    visitor.back()
    is_at(1)
    for which in (2, 3, 4):
        visitor.forward()
        is_at(which)
    # An edit from the middle of the history goes on from there.
    visitor.back()
    visitor.fill("with", "king")
    visitor.back()
    is_at(3)
    reader = arrive(server)
    reader.arrive_at(stops[4][0])
    assert reader.seen() == stops[4][1]


def test_every_order_button_holds_after_a_reload(visitor: Visitor) -> None:
    visitor.open("/order", {"order": "2-1-3-4-5-6"})
    page = visitor.page

    def in_popover(opener: str, name: str) -> None:
        page.get_by_role("button", name=re.compile(f"^{opener}\\b.*expand", re.DOTALL)).or_(
            page.get_by_test_id("stPopover").get_by_role("button", name=opener)
        ).first.click()
        visitor.click(name)
        page.keyboard.press("Escape")

    field = "New order of the positions"
    for act, order in (
        (lambda: visitor.click("Rotate by one"), "6-2-1-3-4-5"),
        (lambda: visitor.click("Swap 2 and 6"), "1-6-3-4-5-2"),
        (lambda: in_popover("Swap two", "Swap them"), "1-2-6-4-5-3"),
        (lambda: in_popover("Shuffle", "Shuffle them"), None),
        (lambda: visitor.click("As it was"), "1-2-3-4-5-6"),
        (lambda: visitor.fill(field, "3 2,1 4-5-6"), "3-2-1-4-5-6"),
        (lambda: visitor.click("Reverse"), "6-5-4-3-2-1"),
    ):
        act()
        if order is not None:  # the box is shown a moment after the answer has come
            expect(page.get_by_label(field, exact=True)).to_have_value(order)
        held = str(visitor.held(field))
        assert sorted(held.split("-")) == list("123456")
        assert order in (None, held)
        assert visitor.query.get("order", "6-5-4-3-2-1") == held
        places = [int(position) - 1 for position in held.split("-")]
        weights = LessonHead().attend([LESSON[i] for i in places]).weights
        drawn = visitor.numbers(1)
        for i, row in enumerate(places):
            for k, column in enumerate(places):
                assert drawn[row + 1, column + 1] == pytest.approx(weights[i, k], abs=5.1e-5)
        shown = visitor.seen()
        visitor.reload()
        assert visitor.seen() == shown
    visitor.fill(field, "6-5-4")  # refused: nothing but the box and its message changes
    expect(page.get_by_role("alert")).to_contain_text("lacks 1, 2, 3")
    assert visitor.held(field) == "6-5-4"
    assert "order" not in visitor.query


def test_the_share_box_fits_a_telephone(arrive: Arrive, server: Server) -> None:
    visitor = arrive(server, width=390, height=844)
    visitor.open("/edit", {"text": "a " + "b" * 80, "to": "c" * 80})
    visitor.page.get_by_test_id("stExpandSidebarButton").click()
    box = visitor.share_box
    box.locator("summary").click()
    copy = box.get_by_role("button", name="Copy to clipboard")  # there without a mouse above it
    for part in (box, box.get_by_test_id("stCode"), box.locator("code"), copy):
        part.scroll_into_view_if_needed()
        place = part.bounding_box()
        assert place
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 390
    copy.click()
    visitor.page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    link = visitor.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"&to={'c' * 80}&tolerance=0.01")
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_tabs_are_two_views(visitor: Visitor, server: Server) -> None:
    visitor.open("/", {"text": "red fish swims"})
    tab = Visitor(visitor.page.context.new_page(), server)
    tab.open("/edit", {"text": "a blue bird sings", "to": "fox"})
    visitor.toggle("Causal mask")
    tab.set_slider("Sharpness β", 1.2)
    assert visitor.query == {"v": "1", "text": "red fish swims", "causal": "true"}
    assert tab.query == {"v": "1", "text": "a blue bird sings", "to": "fox", "sharpness": "1.2"}
    assert (visitor.held("Sharpness β"), tab.held("Causal mask")) == ("1", False)
    # A link of the menu that opens in a tab of its own carries the view there.
    href = visitor.page.get_by_role("link", name="Edit: change one token").get_attribute("href")
    assert href
    tab.arrive_at(f"{server.address}/{href.removeprefix(server.address).lstrip('/')}")
    assert (tab.held("Sentence"), tab.held("Causal mask")) == ("red fish swims", True)
    assert tab.problems == []


def test_an_embedded_page_and_a_heap_of_parameters_do_no_harm(visitor: Visitor) -> None:
    visitor.open("/order", {"embed": "true", "sharpness": "2.5"})
    assert visitor.held("Sharpness β") == "2.5"
    assert visitor.page.get_by_role("alert").count() == 0
    visitor.toggle("Causal mask")
    assert visitor.query["causal"] == "true"
    heap = {f"p{i}": "x" * 50 for i in range(999)}  # 60 KB: a longer one the server refuses
    visitor.open("/order", {"sharpness": "2.5", **heap})
    assert visitor.held("Sharpness β") == "2.5"
    expect(visitor.page.get_by_role("alert")).to_contain_text("and 996 more are not settings")
    # Of more the platform reads none, and says nothing.
    visitor.open("/order", {"sharpness": "2.5", **heap, "p999": "x", "embed": "true"})
    alert = visitor.page.get_by_role("alert")
    expect(alert).to_contain_text("too many parameters (1,001): nothing of it was used.")
    visitor.settle()
    assert visitor.held("Sharpness β") == "1"
    visitor.toggle("Causal mask")
    expect(alert).to_have_count(0)
    assert visitor.query == {"v": "1", "causal": "true"}


def test_visitors_at_the_same_moment_do_not_meet(arrive: Arrive, server: Server) -> None:
    one, other = arrive(server), arrive(server)
    one.open("/", {"text": "red fish swims"})
    other.open("/edit", {"text": "a blue bird sings", "to": "fox"})
    for mask in ("Causal mask", "Add positions", "Causal mask", "Add positions"):
        # Both ask before either is answered.
        for visitor in (one, other):
            visitor.page.get_by_role("switch", name=mask, exact=True).press("Space")
    for visitor in (one, other):
        visitor.page.wait_for_function("() => !/causal|positions/.test(location.search)")
        visitor.settle()
    assert (one.held("Sentence"), other.held("Sentence")) == (
        "red fish swims",
        "a blue bird sings",
    )
    assert not re.search("blue|bird|sings|fox", str(one.seen()))
    assert not re.search("red|fish|swims", str(other.seen()).replace("scored", ""))
    for visitor, words in (
        (one, ["red", "fish", "swims"]),
        (other, ["a", "blue", "bird", "sings"]),
    ):
        weights = LessonHead().attend(words).weights
        for (row, column), number in visitor.numbers(0).items():
            assert number == pytest.approx(weights[row - 1, column - 1], abs=5.1e-5)
