"""What a link remembers: one typed record, and its way to and from an address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import quote, urlencode

VERSION = 1
MAX_TOKENS = 2048
SHORT = 64  # tokens up to which every cell is drawn; above, pictures are pooled
WINDOW = 48  # rows and columns of a long sentence that are shown cell by cell
MAX_CHARACTERS = 20_000
MAX_SHARPNESS = 16.0
MAX_SEED = 9999

HEADS = ("lesson", "random")
POSITIONS = ("none", "sinusoidal")
POOLS = ("max", "mean")


@dataclass(frozen=True)
class View:
    """All that decides what a page shows; positions count from 1.

    `row`, `at` and `order` left at None follow the sentence: its last token, its second (or only)
    token, all of it reversed. `pool` and `window` matter where the sentence is long; `window`, the
    first row and column shown cell by cell, then follows the row looked at.
    """

    text: str = "the cat sat on the mat"
    head: str = "lesson"
    seed: int = 0
    sharpness: float = 1.0
    hard: bool = False
    causal: bool = False
    positions: str = "none"
    row: int | None = None
    at: int | None = None
    to: str = "dog"
    tolerance: float = 0.01
    order: tuple[int, ...] | None = None
    pool: str = "max"
    window: tuple[int, ...] | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence cut at white space."""
        return tuple(self.text.split())

    @property
    def is_long(self) -> bool:
        """Whether the sentence is too long to draw every cell."""
        return len(self.tokens) > SHORT

    @property
    def row_shown(self) -> int:
        """The row looked at, 1 … n; 0 where there is no token."""
        return len(self.tokens) if self.row is None else self.row

    @property
    def edited_position(self) -> int:
        """The position that the edit page replaces, 1 … n; 0 where there is no token."""
        return min(2, len(self.tokens)) if self.at is None else self.at

    @property
    def order_shown(self) -> tuple[int, ...]:
        """The order that the order page compares, positions 1 … n."""
        return tuple(range(len(self.tokens), 0, -1)) if self.order is None else self.order

    @property
    def window_shown(self) -> tuple[int, ...]:
        """First row and column shown cell by cell; empty where every cell is drawn anyway."""
        if not self.is_long:
            return ()
        start = min(max(1, self.row_shown - WINDOW // 2), last_window(len(self.tokens)))
        return (start, start) if self.window is None else self.window


# What an absent parameter means, by version of the link. A default never changes under a link
# that was made before: a new default is a new version, and this table keeps the old one.
DEFAULTS: dict[int, View] = {1: View()}


@dataclass(frozen=True)
class Note:
    """What a link asked for that could not be used: what came, why not, what is used instead.

    `used` is empty where nothing takes its place.
    """

    parameter: str
    came: str
    reason: str
    used: str


# The reason of the note that names what is no parameter at all.
UNKNOWN = "must be a known name"


class UnusableError(ValueError):
    """A value that a parameter cannot take; the message completes "… was not used: it must …"."""


# ---------------------------------------------------------------------------------------------
# One value: from text, and to text


_INTEGER = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,30}(\.[0-9]{1,30})?([eE][-+]?[0-9]{1,3})?")


def _integer(low: int, high: int) -> Callable[[str], int]:
    def read(raw: str) -> int:
        if not _INTEGER.fullmatch(raw) or not low <= int(raw) <= high:
            raise UnusableError(f"must be a whole number from {low} to {high}")
        return int(raw)

    return read


def _decimal(low: float, high: float) -> Callable[[str], float]:
    def read(raw: str) -> float:
        if not _DECIMAL.fullmatch(raw) or not low <= float(raw) <= high:
            raise UnusableError(f"must be a number from {low:g} to {high:g}")
        return float(raw)

    return read


def _choice(*allowed: str) -> Callable[[str], str]:
    def read(raw: str) -> str:
        if raw not in allowed:
            raise UnusableError(f"must be {' or '.join(allowed)}")
        return raw

    return read


def _switch(raw: str) -> bool:
    return _choice("true", "false")(raw) == "true"


def _text(raw: str) -> str:
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


def last_window(n: int) -> int:
    """The last position that a window of a sentence of n tokens can begin at."""
    return max(1, n - WINDOW + 1)


def _window(raw: str, n: int) -> tuple[int, ...]:
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


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return write_order(value)
    return value if isinstance(value, str) else write_number(value)


# ---------------------------------------------------------------------------------------------
# The whole record


@dataclass(frozen=True)
class Parameter:
    """How one field of `View` is read from a link; `read` gets the text and the token count.

    One that is only for a `long` sentence is not written for a short one.
    """

    name: str
    pages: tuple[str, ...]
    read: Callable[[str, int], Any]
    long: bool = False


PAGES = ("weights", "edit", "order")

PARAMETERS: tuple[Parameter, ...] = (
    Parameter("text", PAGES, lambda raw, n: _text(raw)),
    Parameter("head", PAGES, lambda raw, n: _choice(*HEADS)(raw)),
    Parameter("seed", PAGES, lambda raw, n: _integer(0, MAX_SEED)(raw)),
    Parameter("sharpness", PAGES, lambda raw, n: _decimal(0, MAX_SHARPNESS)(raw)),
    Parameter("hard", PAGES, lambda raw, n: _switch(raw)),
    Parameter("causal", PAGES, lambda raw, n: _switch(raw)),
    Parameter("positions", PAGES, lambda raw, n: _choice(*POSITIONS)(raw)),
    Parameter("row", ("weights", "edit"), lambda raw, n: _integer(1, n or MAX_TOKENS)(raw)),
    Parameter("at", ("edit",), lambda raw, n: _integer(1, n or MAX_TOKENS)(raw)),
    Parameter("to", ("edit",), lambda raw, n: _text(raw)),
    Parameter("tolerance", ("edit",), lambda raw, n: _decimal(0, 1)(raw)),
    Parameter("order", ("order",), read_order),
    Parameter("pool", ("weights",), lambda raw, n: _choice(*POOLS)(raw), long=True),
    Parameter("window", ("weights",), _window, long=True),
)

_SHOWN = {
    "row": "row_shown",
    "at": "edited_position",
    "order": "order_shown",
    "window": "window_shown",
}


def value_shown(view: View, name: str) -> Any:
    """The value of one parameter as the page shows it, defaults worked out."""
    return getattr(view, _SHOWN.get(name, name))


def read_link(query: Mapping[str, Sequence[str]]) -> tuple[View, tuple[Note, ...]]:
    """The view that a query asks for, and a note for every value that could not be used.

    Examples
    --------
    >>> view, notes = read_link({"sharpness": ["2.5"], "causal": ["maybe"]})
    >>> view.sharpness, view.causal
    (2.5, False)
    >>> notes[0].reason
    'must be true or false'
    """
    notes: list[Note] = []
    version = VERSION
    if "v" in query:
        try:
            version = int(_choice(*map(str, DEFAULTS))(_single(query["v"])))
        except UnusableError as fault:
            notes.append(Note("v", _came(query["v"]), str(fault), str(VERSION)))
    view = DEFAULTS[version]
    for parameter in PARAMETERS:
        if parameter.name not in query:
            continue
        came = query[parameter.name]
        try:
            value = parameter.read(_single(came), len(view.tokens))
        except UnusableError as fault:
            shown = value_shown(view, parameter.name)
            # An empty sentence has no row, no position to edit and no order.
            used = "" if parameter.name in _SHOWN and not shown else brief(_write(shown))
            notes.append(Note(parameter.name, _came(came), str(fault), used))
        else:
            for mend, reason in MENDS.get(parameter.name, ()):
                mended = mend(value) if isinstance(value, str) else value
                if mended != value:
                    notes.append(Note(parameter.name, _came(came), reason, brief(mended)))
                value = mended
            view = replace(view, **{parameter.name: value})
    known = {"v", *(parameter.name for parameter in PARAMETERS)}
    unknown = sorted(set(query) - known)
    if unknown:
        names = ", ".join(brief(name) for name in unknown[:3])
        more = f" and {len(unknown) - 3:,} more" if len(unknown) > 3 else ""
        notes.append(Note(names + more, _came(query[unknown[0]]), UNKNOWN, ""))
    return view, tuple(notes)


def _single(came: Sequence[str]) -> str:
    if len(came) != 1:
        raise UnusableError(f"must be given once, and came {len(came)} times")
    return came[0]


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


def _came(values: Sequence[str]) -> str:
    return ", ".join(brief(value) for value in values[:3]) + (" …" if len(values) > 3 else "")


def brief(text: str) -> str:
    """The beginning of a text, long enough to know it by."""
    whole = _whole(text)
    return whole if len(whole) <= 60 else whole[:59] + "…"


def fit(view: View) -> View:
    """`view` with whatever no longer fits its sentence set back to follow the sentence.

    An empty sentence changes nothing, so that emptying the box and typing again loses nothing.
    """
    n = len(view.tokens)
    if n == 0:
        return view
    return replace(
        view,
        row=view.row if view.row is None or view.row <= n else None,
        at=view.at if view.at is None or view.at <= n else None,
        order=view.order if view.order is None or len(view.order) == n else None,
        window=view.window if view.window and _window_fits(view.window, n) else None,
    )


def _window_fits(window: Sequence[int], n: int) -> bool:
    return n > SHORT and max(window) <= last_window(n)


def address(view: View) -> dict[str, str]:
    """The query of the address bar: the version, then what differs from its defaults.

    Empty for the default view. Holds every page's parameters, so a change of page keeps them.
    """
    default = DEFAULTS[VERSION]
    query = {
        field.name: _write(getattr(view, field.name))
        for field in fields(View)
        if getattr(view, field.name) != getattr(default, field.name)
    }
    return {"v": str(VERSION), **query} if query else {}


def share_query(view: View, page: str) -> str:
    """The query of a shared link: every parameter of the page written out, defaults too.

    In an empty sentence there is no row, no position to edit and no order to write.

    Examples
    --------
    >>> share_query(View(text="a b"), "order")[:21]
    'v=1&text=a%20b&head=l'
    """
    query = {
        parameter.name: _write(value_shown(view, parameter.name))
        for parameter in PARAMETERS
        if page in parameter.pages
        and (view.is_long or not parameter.long)
        and (value_shown(view, parameter.name) or parameter.name not in _SHOWN)
    }
    return urlencode({"v": str(VERSION), **query}, quote_via=quote)
