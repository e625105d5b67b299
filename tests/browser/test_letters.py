"""What a person types is shown letter for letter: in pictures, lists and tips, and runs nowhere."""

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Visitor

HOSTILE = [
    "$x$",
    "$y$",
    ":smile:",
    ":red[hot]",
    ":material/home:",
    "**b**",
    "`c`",
    "~~s~~",
    "->",
    "_i_",
    "<b>x</b>",
    "</script>",
    "</s>",
    "\\n",
    "{{x}}",
    "null",
    "NaN",
    "<img/src=x/onerror=alert(1)>",
    '"q"\'s',
    "שלום",
    "e\u0301x",
    "a\u200bb",
]
SHOWN = [token.replace("\u200b", "⟨U+200B⟩") for token in HOSTILE]
RUN_OR_DRAWN = """() => [...document.querySelectorAll(
    '[data-testid="stMain"] :is(b, img, .katex, strong, code, s, del, [data-testid*="Icon"])')]
    .filter((e) => e.checkVisibility() && /[xyb]|home|smile/.test(e.textContent + (e.src ?? "")))
    .filter((e) => !e.closest("summary, button"))
    .map((e) => e.outerHTML)"""


def label(position: int) -> str:
    """A position, counted from 1, as pictures and lists name it."""
    return f"{position} · \u2068{SHOWN[position - 1]}\u2069"


def stands_for(text: str, whole: str) -> bool:
    """Whether a drawn text is the whole label, or its beginning with a sign that it was cut."""
    begun = text.removesuffix("…")
    return text == whole or (begun != text and len(begun) > 5 and whole.startswith(begun))


@pytest.mark.parametrize("path", ["/", "/edit", "/order"])
def test_hostile_tokens_stay_letters(visitor: Visitor, path: str) -> None:
    n = len(HOSTILE)
    visitor.open(path, {"text": " ".join(HOSTILE), "at": "1", "to": "</style>$z$", "row": "6"})
    page = visitor.page
    assert page.evaluate(RUN_OR_DRAWN) == []
    seen = visitor.seen()
    replaced = path == "/edit"
    for position in range(1, n + 1):
        # A picture may cut a long label; the name of every cell of its row tells it in full.
        assert any(stands_for(text, label(position)) for text in seen["drawn"]), position
        named = [name for name in seen["marks"] if name.startswith(f"{label(position)} to ")]
        assert len(named) >= n, position
    # The names of cells, which a screen reader says, and the tip over a cell.
    which = 1 if replaced else 0
    visitor.cell(0, 12, 11).hover(force=True)
    tip = page.locator("#vg-tooltip-element")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(label(12))
    expect(tip).to_contain_text(label(11))
    assert tip.locator("b, img").count() == 0
    if replaced:
        assert any(stands_for(text, "1 · \u2068</style>$z$\u2069") for text in seen["drawn"])
        page.mouse.move(5, 5)
        visitor.cell(which, 2, 1).hover(force=True)
        expect(tip).to_contain_text("1 · \u2068</style>$z$\u2069")
    if path != "/order":
        expect(page.locator(".finding")).to_contain_text("**b**" if path == "/" else "$y$")
        expect(page.get_by_role("heading", level=2).filter(has_text="**b**")).not_to_have_count(0)
        page.get_by_role("combobox", name="Row looked at", exact=True).click()
        options = page.get_by_role("option").all_inner_texts()
        expected = [label(position) for position in range(1, n + 1)]
        assert options[: len(expected)] == expected[: len(options)]
        assert len(options) > 5  # a long list is drawn as far as it shows
        page.keyboard.press("Escape")
