"""Readers who do not see the picture or use no mouse: axe-core, names, the keyboard alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

PATHS = ("/", "/edit", "/order")
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}

# Violations that are the platform's and cannot be mended here: rule and part of the element, with
# the reason. The list may only shrink; none is known.
EXCEPTIONS: dict[tuple[str, str], str] = {}


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


def test_the_keyboard_alone_reaches_and_works_every_control(visitor: Visitor) -> None:
    visitor.open("/")
    order = []
    for _ in range(30):
        visitor.page.keyboard.press("Tab")
        focused = visitor.page.evaluate(
            """() => {
                const e = document.activeElement;
                const style = getComputedStyle(e);
                const ring = [e, ...(e.parentElement ? [e.parentElement] : [])].some((x) => {
                    const s = getComputedStyle(x);
                    return s.outlineStyle !== "none" || s.boxShadow !== "none"
                        || s.borderColor !== s.color;
                });
                return [e.getAttribute("aria-label") || e.innerText || e.textContent || "", ring];
            }"""
        )
        order.append(focused)
    said = " | ".join(str(words) for words, _ in order)
    for control in (
        "Weights: copy or blend?",
        "Edit: change one token",
        "Order: shuffle the tokens",
        "Sentence",
        "Sharpness β",
        "Limit β → ∞",
        "Causal mask",
        "Add positions",
        "Reset to the lesson",
        "Share this view",
        "Row looked at",
    ):
        assert control in said, (control, said)
    places = [said.index(word) for word in ("Sentence", "Sharpness", "Causal", "Row looked at")]
    assert places == sorted(places)


def test_a_row_is_chosen_by_keyboard(visitor: Visitor) -> None:
    visitor.open("/")
    box = visitor.page.get_by_role("combobox", name=re.compile("Row looked at"))
    box.focus()
    with visitor.rerun():
        visitor.page.keyboard.press("ArrowDown")
        visitor.page.keyboard.press("Home")
        visitor.page.keyboard.press("ArrowUp")
        visitor.page.keyboard.press("Enter")
    assert visitor.query["row"] in {"1", "5"}
    expect(visitor.page.locator(".finding")).to_contain_text("reads")


def test_reduced_motion_is_respected(visitor: Visitor) -> None:
    visitor.page.emulate_media(reduced_motion="reduce")
    visitor.open("/")
    moving = visitor.page.evaluate(
        """() => [...document.querySelectorAll('[data-testid="stMain"] *')].filter((e) => {
            const s = getComputedStyle(e);
            return s.animationName !== "none" || parseFloat(s.transitionDuration) > 0;
        }).length"""
    )
    assert moving == 0
