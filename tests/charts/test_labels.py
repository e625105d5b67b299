"""Tokens and numbers as text: nothing invisible, nothing rounded to a lie."""

import math
import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.charts.labels import (
    decimal,
    exact,
    label,
    percent,
    share,
    signed_cell,
    signed_decimal,
    visible,
)

ODD_TOKENS = [
    "",
    " ",
    "  ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\x00",
    "\x1b",
    "\x7f",
    "\x85",
    "\u00a0",
    "\u00ad",
    "\u2003",
    "\u2028",
    "\u2029",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u2060",
    "\ufeff",
    "\u200e",
    "\u200f",
    "\u202a",
    "\u202e",
    "\u2066",
    "\u2069",
    "\u0301",
    "\u20dd",
    "\ufe0f",
    "\u034f",
    "\u180b",
    "\u115f",
    "\u3164",
    "\uffa0",
    "\u2800",
    "\ue000",
    "\U000e0001",
    "\U000e0100",
    "\ud800",
    "e\u0301",
    "\u0301\u0301",
    "a\u200bb",
    "ab",
]

# Unicode's Default_Ignorable_Code_Point and the blanks that are no Zs: what a screen leaves empty.
EMPTY = (
    {chr(c) for c in (0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFEFF, 0xFFA0)}
    | {
        chr(c)
        for span in ((0x180B, 0x1810), (0x200B, 0x2010), (0x202A, 0x202F))
        for c in range(*span)
    }
    | {
        chr(c)
        for span in ((0x2060, 0x2070), (0xFE00, 0xFE10), (0xFFF0, 0xFFF9))
        for c in range(*span)
    }
    | {chr(c) for c in range(0xE0000, 0xE1000)}
    | {"\u2800"}
)


def shows(text: str) -> bool:
    """Whether at least one character of the text leaves a mark of its own on a screen."""
    return any(
        character not in EMPTY and unicodedata.category(character)[0] not in "CZM"
        for character in text
    )


@pytest.mark.parametrize("token", ODD_TOKENS, ids=ascii)
def test_every_odd_token_is_seen(token):
    assert shows(visible(token))


def test_odd_tokens_are_told_from_each_other():
    assert len({visible(token) for token in ODD_TOKENS}) == len(ODD_TOKENS)


@given(token=st.text(st.characters()))
@example("\u200d")
@example("\ufe0f")
def test_every_token_is_seen_and_can_be_sent(token):
    shown = visible(token)
    assert shows(shown)
    shown.encode("utf-8")
    assert not any(unicodedata.category(c) in ("Cc", "Zs", "Zl", "Zp", "Cs") for c in shown)
    assert not re.search("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", shown)


@pytest.mark.parametrize(
    "token",
    [
        "cat",
        "naïve",
        "👩‍🚀",
        "👩🏽‍🚀",
        "❤️",
        "می‌خواهم",
        "नमस्ते",
        "القطة",
        "猫",
        "$x$",
        "<b>x</b>",
        "⟨empty⟩",
    ],
)
def test_what_shows_by_itself_stays_as_it_is(token):
    assert visible(token) == token


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("", "⟨empty⟩"),
        (" ", "␣"),
        ("\n", "␊"),
        ("\t", "␉"),
        ("\u00a0", "⟨U+00A0⟩"),
        ("\u200b", "⟨U+200B⟩"),
        ("\u202e", "⟨U+202E⟩"),
        ("\ud800", "\ufffd"),
        ("\u0301", "◌\u0301"),
        ("a b", "a␣b"),
    ],
    ids=ascii,
)
def test_stand_ins_are_these(token, shown):
    assert visible(token) == shown


@given(tokens=st.lists(st.text(st.characters()), max_size=8))
def test_labels_of_a_sentence_all_differ(tokens):
    labels = [label(i, token) for i, token in enumerate(tokens)]
    assert len(set(labels)) == len(tokens)
    assert all(text.startswith(f"{i + 1} · ") for i, text in enumerate(labels))


def test_tokens_that_differ_in_the_last_letter_have_labels_that_differ():
    assert label(0, "x" * 59 + "a") != label(0, "x" * 59 + "b")


# Numbers.

WRITERS = {
    "decimal": decimal,
    "decimal 1": lambda value: decimal(value, 1),
    "decimal 2": lambda value: decimal(value, 2),
    "signed_decimal": signed_decimal,
    "exact": exact,
    "signed_cell": signed_cell,
}
WEIGHT_WRITERS = {"percent": percent, "share": share}

numbers = st.floats(-20, 20, allow_subnormal=True) | st.sampled_from(
    [sign * m * 10.0**-d for sign in (-1, 1) for m in (1, 4.9, 5, 5.1) for d in range(8)]
)
weights = st.floats(0, 1, allow_subnormal=True) | st.sampled_from(
    [0.005, 0.0050001, 0.004999, 0.995, 0.994999, 0.015, 0.5, 1 - 2**-53]
)


def assert_tells(text, value):
    digits = [float(d) for d in re.findall(r"\d*\.?\d+", text)]
    assert digits
    if value == 0:
        assert digits == [0]
        assert text in ("0", "0 %")
    else:
        assert any(digits) or text == "≈0", f"{value!r} is told as 0: {text}"
    assert "-" not in text  # a hyphen is no minus


@pytest.mark.parametrize("name", WRITERS)
@given(value=numbers)
@example(0.0)
@example(-0.0)
def test_no_number_is_told_as_minus_0_nor_as_0_unless_it_is(name, value):
    text = WRITERS[name](value)
    assert_tells(text, value)
    assert ("−" in text) == (value < 0) or text == "≈0" or "e−" in text


@pytest.mark.parametrize("name", WEIGHT_WRITERS)
@given(value=weights)
@example(0.005)
@example(0.995)
def test_no_weight_is_told_as_0_or_1_unless_it_is(name, value):
    text = WEIGHT_WRITERS[name](value)
    assert_tells(text, value)
    assert (text in ("1", "100 %")) == (value == 1)
    assert (text in ("0", "0 %")) == (value == 0)


@given(value=st.floats(-20, 20))
def test_decimals_are_right_to_half_a_digit(value):
    text = decimal(value)
    if text[0] not in "<>":
        assert float(text.replace("−", "-")) == pytest.approx(value, abs=0.00050001)


@pytest.mark.parametrize(
    ("write", "value", "text"),
    [
        (decimal, math.nan, "–"),
        (exact, math.nan, "–"),
        (signed_cell, math.nan, "×"),
        (exact, 1e-17, "1.0e−17"),
        (exact, -0.00004, "−4.0e−5"),
        (signed_cell, -1e-3, "≈0"),
        (signed_cell, 0.005, "+.01"),
        (percent, 0.0051, "1 %"),
        (decimal, 1.0000001, "1.000"),
    ],
)
def test_numbers_on_the_edge(write, value, text):
    assert write(value) == text
