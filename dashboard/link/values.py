"""One value of a link: read from text, written as text, and what of it cannot be used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from dashboard.link.view import MAX_CHARACTERS, MAX_TOKENS, SHORT, last_window


class UnusableError(ValueError):
    """A value that a parameter cannot take; the message completes "… was not used: it must …"."""


_INTEGER = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?")


def integer(low: int, high: int) -> Callable[[str], int]:
    """Reader of a whole number from `low` to `high`."""

    def read(raw: str) -> int:
        if not _INTEGER.fullmatch(raw) or not low <= int(raw) <= high:
            raise UnusableError(f"must be a whole number from {low} to {high}")
        return int(raw)

    return read


def decimal(low: float, high: float) -> Callable[[str], float]:
    """Reader of a number from `low` to `high`."""

    def read(raw: str) -> float:
        if not _DECIMAL.fullmatch(raw) or not low <= float(raw) <= high:
            raise UnusableError(f"must be a number from {low:g} to {high:g}")
        if float(raw) == 0 and re.search("[1-9]", raw.lower().partition("e")[0]):
            raise UnusableError("must be 0, or large enough to be told from it")
        return float(raw)

    return read


def choice(*allowed: str) -> Callable[[str], str]:
    """Reader of one of the words that are `allowed`."""

    def read(raw: str) -> str:
        if raw not in allowed:
            raise UnusableError(f"must be {' or '.join(allowed)}")
        return raw

    return read


def read_switch(raw: str) -> bool:
    """Whether something is on, from `true` or `false`."""
    return choice("true", "false")(raw) == "true"


def read_text(raw: str) -> str:
    """The text itself, which must not be too long."""
    if len(raw) > MAX_CHARACTERS:
        raise UnusableError(
            f"must have at most {MAX_CHARACTERS:,} characters, and has {len(raw):,}"
        )
    return raw


def read_order(raw: str, n: int) -> tuple[int, ...]:
    """Positions 1 … n in a new order, from text such as `6-5-4-3-2-1`.

    Spaces and commas may stand between them too. Raises `UnusableError` with what is wrong.
    """
    parts = [part for part in re.split(r"[-\s,]+", raw.strip()) if part]
    if not all(_INTEGER.fullmatch(part) for part in parts):
        raise UnusableError("must be positions joined by hyphens, such as 2-1-3")
    order = tuple(int(part) for part in parts)
    n = n or len(order)  # with no sentence there is nothing to hold it against but itself
    doubled = sorted(position for position, times in Counter(order).items() if times > 1)
    strange = sorted({position for position in order if not 1 <= position <= n})
    missing = sorted(set(range(1, n + 1)) - set(order))
    faults = [
        f"{name} {', '.join(map(str, found[:5]))}{' …' if len(found) > 5 else ''}"
        for name, found in (("repeats", doubled), ("has no token at", strange), ("lacks", missing))
        if found
    ]
    if faults:
        raise UnusableError(f"must name each position from 1 to {n} once, and {', '.join(faults)}")
    return order


def read_window(raw: str, n: int) -> tuple[int, ...]:
    """First row and column of a window of a sentence of n tokens, from text such as `253-1`."""
    parts = raw.split("-")
    if n and n <= SHORT:
        raise UnusableError(f"must go with more than {SHORT} tokens")
    last = last_window(n or MAX_TOKENS)
    whole = len(parts) == 2 and all(_INTEGER.fullmatch(part) for part in parts)
    if not whole or not all(1 <= int(part) <= last for part in parts):
        raise UnusableError(f"must be a row and a column from 1 to {last}, such as 1-{last}")
    return tuple(int(part) for part in parts)


def write_order(order: Sequence[int]) -> str:
    """`6-5-4-3-2-1` for (6, 5, 4, 3, 2, 1)."""
    return "-".join(map(str, order))


def write_number(value: float) -> str:
    """The shortest decimal that reads back as the same number: `1`, `0.01`, `2.5`."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def write_value(value: Any) -> str:
    """The value of any parameter as a link has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return write_order(value)
    return value if isinstance(value, str) else write_number(value)


def _whole(text: str) -> str:
    """Text with U+FFFD for every half of a surrogate pair: no other program could take those."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _one_line(text: str) -> str:
    """Text with a space for every line break: a box of one line would drop them."""
    return re.sub(r"\r\n|[\r\n]", " ", text)


def _line_feeds(text: str) -> str:
    """Text in which every line break is a line feed, as a box of many lines keeps them."""
    return re.sub(r"\r\n?", "\n", text)


# What is mended in text that a link brings, each told in a note.
_HALVES = (_whole, "must not hold half a surrogate pair")
MENDS = {
    "text": (_HALVES, (_line_feeds, "must not hold carriage returns")),
    "to": (_HALVES, (_one_line, "must not hold line breaks")),
}


def brief(text: str) -> str:
    """The beginning of a text, long enough to know it by."""
    whole = _whole(text)
    return whole if len(whole) <= 60 else whole[:59] + "…"
