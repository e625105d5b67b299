"""Numbers and tokens as short text that a person can read, and that hides nothing."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence

FORBIDDEN = "not allowed by the mask"  # what a cell tells that the mask forbids
FIRST_STRONG, POP = "\u2068", "\u2069"  # keep a right-to-left token from turning its neighbours


def visible(token: str) -> str:
    r"""The token with a stand-in for whatever would not show.

    Examples
    --------
    >>> visible("cat"), visible(""), visible(" "), visible("a\tb")
    ('cat', '⟨empty⟩', '␣', 'a␉b')
    """
    if token.isascii() and token.isalnum():
        return token
    if not token:
        return "⟨empty⟩"
    shown = "".join(_visible_character(character) for character in token)
    if _shapes_another(token[0]):  # with nothing before it to shape
        shown = f"⟨U+{ord(token[0]):04X}⟩" + shown[1:]
    return "◌" + shown if unicodedata.category(shown[0]).startswith("M") else shown


def _shapes_another(character: str) -> bool:
    """Whether it is unseen by nature: a joiner, or a choice between two looks of a character."""
    return character in "\u200c\u200d\u180b\u180c\u180d\u180f" or (
        "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    )


# Letters, marks and one symbol that Unicode draws as nothing.
_HOLLOW = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def _visible_character(character: str) -> str:
    code = ord(character)
    if _shapes_another(character):
        return character
    if character == " ":
        return "␣"
    if code < 0x20:
        return chr(0x2400 + code)  # the control pictures ␀ … ␟
    if code == 0x7F:
        return "␡"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    unseen = unicodedata.category(character) in ("Cc", "Cf", "Zs", "Zl", "Zp", "Cn", "Co")
    if unseen or character in _HOLLOW:
        return f"⟨U+{code:04X}⟩"
    return character


def label(position: int, token: str) -> str:
    r"""Position, counted from 1 on screen, then the token: `2 · cat`.

    Examples
    --------
    >>> label(1, "cat")
    '2 · \u2068cat\u2069'
    """
    return f"{position + 1} · {FIRST_STRONG}{visible(token)}{POP}"


def labels_of(tokens: Sequence[str]) -> list[str]:
    r"""The label of every position.

    Examples
    --------
    >>> labels_of(["the", "cat"])
    ['1 · \u2068the\u2069', '2 · \u2068cat\u2069']
    """
    return [label(i, token) for i, token in enumerate(tokens)]


def decimal(value: float, digits: int = 3) -> str:
    """A number to `digits` decimals; never `-0.000`, and never 0 for what is not 0.

    Examples
    --------
    >>> decimal(0.25), decimal(0.0), decimal(-0.0), decimal(4e-5), decimal(-4e-5)
    ('0.250', '0', '0', '<0.001', '>−0.001')
    """
    value = float(value)
    if math.isnan(value):
        return "–"
    least = 10.0**-digits
    if value == 0:
        return "0"
    if abs(value) < least / 2:
        return f"<{least:.{digits}f}" if value > 0 else f">−{least:.{digits}f}"
    return f"{value:.{digits}f}".replace("-", "−")


def signed_decimal(value: float, digits: int = 3) -> str:
    """A difference with its sign always written.

    Examples
    --------
    >>> signed_decimal(0.25), signed_decimal(-0.25), signed_decimal(0.0)
    ('+0.250', '−0.250', '0')
    """
    text = decimal(value, digits)
    return f"+{text}" if value > 0 and not text.startswith("<") else text


def exact(value: float) -> str:
    """A number as a tooltip tells it: four decimals, or as many as it takes to not be 0.

    Examples
    --------
    >>> exact(0.25), exact(0.0), exact(-2e-17)
    ('0.2500', '0', '−2.0e−17')
    """
    value = float(value)
    if value != 0 and abs(value) < 0.00005:
        return f"{value:.1e}".replace("e-0", "e-").replace("-", "−")
    return decimal(value, 4)


def signed_cell(value: float) -> str:
    """A signed number as it fits on a cell: two decimals, `≈0` for what is nearly 0.

    Examples
    --------
    >>> [signed_cell(d) for d in (0.0, 0.25, -0.25, 1e-17, 1.5)]
    ['0', '+.25', '−.25', '≈0', '+1.50']
    """
    value = float(value)
    if math.isnan(value):
        return "×"
    if value == 0:
        return "0"
    if abs(value) < 0.005:
        return "≈0"
    digits = f"{abs(value):.2f}"
    return ("+" if value > 0 else "−") + digits.removeprefix("0")


def share(value: float) -> str:
    """A weight as a short share for a label: `77 %`, `<1 %`.

    Examples
    --------
    >>> [share(w) for w in (0.0, 0.773, 0.004, 0.996, 1.0)]
    ['0 %', '77 %', '<1 %', '>99 %', '100 %']
    """
    return percent(value).replace("less than ", "<").replace("more than ", ">")


def percent(value: float) -> str:
    """A weight as a share: `77 %`, with the ends told from what is nearly them.

    Examples
    --------
    >>> [percent(w) for w in (0.0, 0.773, 1.0, 0.004, 0.996)]
    ['0 %', '77 %', '100 %', 'less than 1 %', 'more than 99 %']
    """
    value = float(value)
    text = f"{value * 100:.0f} %"
    if value > 0 and text == "0 %":
        return "less than 1 %"
    if value < 1 and text == "100 %":
        return "more than 99 %"
    return text
