"""Links of every kind, opened on every page: no exception, no empty page, no note missing."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.link import MAX_TOKENS, PARAMETERS, View, read_link, value_shown

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
PAGES = ("weights", "edit", "order")
CHARTS = {"weights": 3, "edit": 5, "order": 5}
# More on request: LINKS=5000 pytest tests/views/test_every_link.py
LINKS = int(os.environ.get("LINKS", "540"))
CHUNK = 30  # links a test opens in one session, as a visitor with Back and Forward does

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "mat",
    "dog",
    "$x$",
    ":smile:",
    "**b**",
    "<b>x</b>",
    "</script>",
    "`c`",
    "~~s~~",
    "a:b:c",
    "->",
    ":red[hot]",
    ":material/home:",
    "שלום",
    "é",
    "\u200b",
    "�",
    "null",
    "NaN",
    "it's",
    '"q"',
    "\\",
    "😀",
    "{x}",
    "%41",
    "#d",
    "&amp;",
]
BROKEN = {
    "text": ["x" * 20_001],
    "head": ["", "Lesson", "lesson ", "<b>"],
    "seed": ["-1", "10000", "1.5", "", "NaN", "１"],
    "sharpness": ["nan", "inf", "-1", "99", "1e400", "abc", "", "16.01", "0x1"],
    "hard": ["True", "1", "", "yes"],
    "causal": ["TRUE", "0", "maybe"],
    "positions": ["", "absolute", "None"],
    "row": ["0", "-1", "65", "2049", "x", "1e0", ""],
    "pool": ["", "Mean", "median"],
    "window": ["1-1", "0-0", "1", ""],
    "at": ["0", "99", "two"],
    "to": ["y" * 20_001],
    "tolerance": ["-0.1", "1.1", "nan", ""],
    "order": ["1-1", "0", "a-b", "1;2", "1-2-3-4-5-6-7-8-99"],
    "v": ["2", "0", "x", ""],
}


def usable(dice: random.Random, n: int) -> dict[str, str]:
    """One good value for each parameter."""
    order = dice.sample(range(1, n + 1), n)
    return {
        "v": "1",
        "head": dice.choice(["lesson", "random"]),
        "seed": str(dice.randrange(10_000)),
        "sharpness": dice.choice(["0", "1", "2.5", "16", "0.333", f"{dice.uniform(0, 16):.3f}"]),
        "hard": dice.choice(["true", "false"]),
        "causal": dice.choice(["true", "false"]),
        "positions": dice.choice(["none", "sinusoidal"]),
        "row": str(dice.randint(1, n)),
        "at": str(dice.randint(1, n)),
        "to": dice.choice([*WORDS, "", "hot dog", " dog "]),
        "tolerance": dice.choice(["0", "0.01", "1", "0.5"]),
        "order": "-".join(map(str, order)),
    }


def links(seed: int) -> Iterator[tuple[dict[str, str | list[str]], set[str]]]:
    """Random links, each with the parameters in it that cannot be used."""
    dice = random.Random(seed)
    for _ in range(CHUNK):
        n = dice.choice([1, 1, 2, 3, 6, 6, 9, 13, 20])
        query: dict[str, str | list[str]] = {"text": " ".join(dice.choices(WORDS, k=n))}
        good = usable(dice, n)
        query |= {name: good[name] for name in dice.sample(sorted(good), dice.randrange(9))}
        bad: set[str] = set()
        for name in dice.sample(sorted(BROKEN), dice.choice([0, 0, 1, 2, 4])):
            if name == "text":
                continue  # it would change what n is; a link of its own below
            query[name] = dice.choice(BROKEN[name])
            bad.add(name)
        if dice.random() < 0.2:
            query["causal"] = ["true", "false"]
            bad.add("causal")
        if dice.random() < 0.2:
            query["utm_source"] = dice.choice(WORDS)
            bad.add("utm_source")
        # What stands for bytes that are no text is used, and told.
        bad |= {name for name in ("text", "to") if "\ufffd" in query.get(name, "")}
        yield query, bad


def check(app: AppTest, page: str, query: dict[str, str | list[str]], bad: set[str]) -> None:
    """No exception, a picture for every place, a note for what could not be used, none else."""
    app.query_params = dict(query)
    app.run()
    assert not app.exception, (query, app.exception)
    notes = "\n".join(warning.value for warning in app.warning)
    for name in bad:
        assert f"` {name} `" in notes, (name, query, notes)
    assert bool(notes) == bool(bad), (query, notes)
    lists = {name: value if isinstance(value, list) else [value] for name, value in query.items()}
    view, _ = read_link(lists)
    charts = len(app.get("vega_lite_chart"))
    if page == "edit" and len(view.to.split()) != 1:
        assert charts == 0
        assert any("One token must take the place" in html.proto.body for html in app.get("html"))
    else:
        assert charts == CHARTS[page], (query, charts)
    shared = next(code.value for code in app.code)
    for parameter in PARAMETERS:
        if page in parameter.pages and not parameter.long:
            assert f"{parameter.name}=" in shared


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("seed", range(max(1, LINKS // CHUNK // len(PAGES))))
def test_random_links_open_on_every_page(page: str, seed: int) -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    if page != "weights":
        app.run()
        app.switch_page(f"views/{page}.py")
    opened = 0
    for query, bad in links(1000 * PAGES.index(page) + seed):
        check(app, page, query, bad)
        opened += 1
    assert opened == CHUNK


@pytest.mark.parametrize("text", ["", "  ", "\u00a0", "a " * (MAX_TOKENS + 1), "x" * 20_001])
def test_a_sentence_that_cannot_be_read_is_answered_kindly(text: str) -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params["text"] = text
    app.run()
    assert not app.exception
    if len(text) > 20_000:
        assert "must have at most 20,000 characters" in app.warning[0].value
        return
    assert len(app.info) == 1
    assert not app.get("vega_lite_chart")
    boxes = [*app.text_area, *app.text_input]
    next(box for box in boxes if box.label == "Sentence").set_value("a cat").run()
    assert not app.info
    assert app.get("vega_lite_chart")


def test_a_thousand_and_one_parameters_do_no_harm() -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params = {f"p{i}": "1" for i in range(1000)}
    app.run()
    assert not app.exception
    assert "and 997 more" in app.warning[0].value
    # Of more than a thousand the platform hands on none: the plain view, and all of it works.
    app.query_params = {"sharpness": "2", **{f"p{i}": "1" for i in range(1000)}}
    app.run()
    assert not app.exception
    assert app.slider(key="sharpness").value == 1
    app.toggle(key="causal").set_value(True).run()
    assert app.query_params == {"v": "1", "causal": "true"}


def test_the_default_view_shares_every_default() -> None:
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.run()
    assert value_shown(View(), "row") == 6
    assert app.code[0].value.endswith(
        "?v=1&text=the%20cat%20sat%20on%20the%20mat&head=lesson&seed=0&sharpness=1&hard=false"
        "&causal=false&positions=none&row=6"
    )


@pytest.mark.parametrize("page", PAGES)
def test_random_text_is_read_on_every_page(page: str) -> None:
    dice = random.Random(7)
    app = AppTest.from_file(str(APP), default_timeout=60)
    if page != "weights":
        app.run()
        app.switch_page(f"views/{page}.py")
    planes = [(0x20, 0x7E), (0xA0, 0x2FF), (0x590, 0x6FF), (0x2000, 0x20CF), (0x1F300, 0x1F6FF)]
    drawn = 0
    for _ in range(CHUNK):
        letters = [chr(dice.randint(*dice.choice(planes))) for _ in range(dice.randint(1, 60))]
        text = "".join(letter if dice.random() > 0.15 else " " for letter in letters)
        app.query_params = {"text": text}
        app.run()
        assert not app.exception, (text, app.exception)
        expected = CHARTS[page] if text.split() else 0
        assert len(app.get("vega_lite_chart")) == expected, text
        drawn += bool(expected)
    assert drawn > CHUNK / 2
