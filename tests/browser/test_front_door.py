"""Addresses lead where they say, from any folder, and the look is the project's own."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.server import Server

ROOT = Path(__file__).parents[2]
CONFIG: dict[str, Any] = tomllib.loads(
    (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
)
TITLES = {"/": "Copy or blend?", "/edit": "Change one token", "/order": "Shuffle the tokens"}


def rgb(colour: str) -> str:
    """`#0e1320` as the browser tells it."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_look_is_ours_from_another_folder(arrive: Arrive, server: Server, scheme: Any) -> None:
    visitor = arrive(server, colour_scheme=scheme)
    visitor.open("/")
    theme = CONFIG["theme"][scheme]
    app = visitor.page.get_by_test_id("stApp")
    expect(app).to_have_css("background-color", rgb(theme["backgroundColor"]))
    expect(app).to_have_css("color", rgb(theme["textColor"]))
    sidebar = visitor.page.get_by_test_id("stSidebar")
    expect(sidebar).to_have_css("background-color", rgb(theme["sidebar"]["backgroundColor"]))


@pytest.mark.parametrize(
    ("path", "query", "holds"),
    [
        ("/", {"sharpness": "2.5", "row": "3"}, {"Row looked at": "3 · \u2068sat\u2069"}),
        ("/edit", {"sharpness": "2.5", "at": "3", "to": "fox"}, {"with": "fox"}),
        (
            "/order",
            {"sharpness": "2.5", "order": "2-1-3-4-5-6"},
            {"New order of the positions": "2-1-3-4-5-6"},
        ),
    ],
)
def test_reload_and_trailing_slash_keep_page_and_state(
    visitor: Visitor, path: str, query: dict[str, str], holds: dict[str, str]
) -> None:
    def check() -> None:
        assert (visitor.path.rstrip("/"), visitor.query) == (path.rstrip("/"), query)
        assert visitor.seen()["headings"][0] == TITLES[path]
        assert visitor.held("Sharpness β") == "2.5"
        assert {label: visitor.held(label) for label in holds} == holds

    visitor.open(path, query)
    check()
    visitor.reload()
    check()
    if path != "/":
        visitor.open(f"{path}/", query)
        check()


@pytest.mark.parametrize("path", ["/nothing", "/EDIT"])
def test_an_unknown_page_is_explained_and_keeps_the_state(visitor: Visitor, path: str) -> None:
    visitor.open(path, {"sharpness": "2.5", "causal": "true", "text": "a cat"})
    expect(visitor.page.get_by_role("dialog")).to_contain_text("Page not found")
    visitor.page.keyboard.press("Escape")
    assert visitor.query == {"sharpness": "2.5", "causal": "true", "text": "a cat"}
    assert visitor.held("Sharpness β") == "2.5"
    assert visitor.held("Causal mask") is True
    assert visitor.held("Sentence") == "a cat"
    # The platform says it in the console as well; nothing else may be there.
    assert [
        problem for problem in visitor.problems if "does not seem to exist" not in problem
    ] == []
    visitor.problems.clear()
