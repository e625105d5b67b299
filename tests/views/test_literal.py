"""Whatever a token is made of, it is shown character for character and runs nowhere."""

import json
import re

import pytest

from tests.views.visit import PAGES, elements, htmls, opened
from tests.views.visit import names as drawn_names

HOSTILE = [
    "$x$",
    ":red[hot]",
    ":smile:",
    ":material/home:",
    "**b**",
    "`c`",
    "``d``",
    "~~s~~",
    "<b>x</b>",
    "</script>",
    "<s>",
    "->",
    '"q"',
    "it's",
    "back\\slash",
    "[a](b)",
    "![i](u)",
    "&lt;",
    "a:b:c",
    "#h",
    "{x}",
]
# The messages whose text the browser renders as Markdown, and the field that holds it.
MARKDOWN = {
    "Markdown": ["body"],
    "Alert": ["body"],
    "Heading": ["body"],
    "Button": ["label", "help"],
    "Checkbox": ["label", "help"],
    "Radio": ["label", "help", "options"],
    "Slider": ["label", "help"],
    "TextInput": ["label", "help"],
    "NumberInput": ["label", "help"],
    "Selectbox": ["label", "help"],
    "PageLink": ["label", "help"],
    "Expandable": ["label"],
    "Popover": ["label", "help"],
    "Metric": ["label", "body", "delta"],
    "Toast": ["body"],
}


def outside_code_spans(markdown: str) -> str:
    """Markdown without its code spans, cut as CommonMark cuts them."""
    return re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", markdown, flags=re.DOTALL)


def rendered(app) -> list[str]:
    """All text of a page that the browser takes for Markdown, code spans taken out."""
    found = []
    for message in elements(app):
        for field in MARKDOWN.get(message.DESCRIPTOR.name, []):
            text = getattr(message, field, "")
            found += [text] if isinstance(text, str) else list(text)
    assert len(found) > 10
    return [outside_code_spans(text) for text in found]


def test_code_spans_are_cut_as_a_browser_cuts_them():
    assert outside_code_spans("a `b` c") == "a  c"
    assert outside_code_spans("`` a`b `` c `d") == " c `d"


TAGS = re.compile(
    r"</?(div|p|em|bdi|strong|h2|h3|ol|li|small|table|caption|thead|tbody|tr|th|td)"
    r"( [a-z-]+=(\"[^\"<>]*\"|[a-z]+))*>"
)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("place", [1, 9, 17])
def test_hostile_tokens_are_shown_and_never_rendered(page, place):
    link = {"text": " ".join(HOSTILE), "to": HOSTILE[-place], "at": str(place), "row": str(place)}
    app = opened(page, **link)
    for body in rendered(app):
        assert not [token for token in HOSTILE if token in body], body
    for body in htmls(app):
        assert "<" not in TAGS.sub("", body), body
    charts = app.get("vega_lite_chart")
    assert charts
    for chart in charts:
        assert not [token for token in HOSTILE[:-1] if json.dumps(token) in chart.proto.spec]


@pytest.mark.parametrize("page", PAGES)
def test_every_hostile_token_is_there_in_full(page):
    app = opened(page, text=" ".join(HOSTILE), row="1", at="1")
    said = "\n".join(htmls(app))
    for token in HOSTILE[1:]:
        escaped = token.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert escaped.replace('"', "&quot;").replace("'", "&#x27;") in said


@pytest.mark.parametrize("token", [*HOSTILE, "`", "a``b`c", "``"])
def test_a_hostile_value_of_a_link_is_quoted_in_its_note(token):
    app = opened("weights", sharpness=token, **{f"{token}p": "1"})
    note = app.warning[0].value
    assert note.count(token) >= 2
    assert outside_code_spans(note) == (
        "This link holds something that could not be used.\n\n"
        " came as , but must be a number from 0 to 16;  is used instead.\n\n"
        " is not a setting of these pages and was left out."
    )


@pytest.mark.parametrize("token", [*HOSTILE, "`", "a``b`c", "``"])
def test_a_hostile_order_is_quoted_in_its_fault(token):
    app = opened("order")
    app.text_input(key="order").set_value(token).run()
    assert not app.exception
    assert token in app.error[0].value
    assert outside_code_spans(app.error[0].value) == (
        " was not used: an order must be positions joined by hyphens, such as 2-1-3. "
        "Below is still ."
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_name_of_every_picture_is_said_and_holds_the_token_literally(page):
    app = opened(page, text="<b>x</b> $y$ `z`", row="1", at="1", to="**w**", order="3-2-1")
    names = [*drawn_names(app).values()]
    assert len(names) >= 3
    assert all(name.strip() for name in names)
    assert not any("&lt;" in name or "<em>" in name for name in names)
    if page == "weights":
        assert "“<b>x</b>”" in " ".join(names)
