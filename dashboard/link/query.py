"""The query of an address: from it to a view, with a note for what cannot be used, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from urllib.parse import quote, urlencode

from dashboard.link.values import (
    MENDS,
    UnusableError,
    brief,
    choice,
    decimal,
    integer,
    read_order,
    read_switch,
    read_text,
    read_window,
    write_value,
)
from dashboard.link.view import (
    HEADS,
    MAX_SEED,
    MAX_SHARPNESS,
    MAX_TOKENS,
    POOLS,
    POSITIONS,
    View,
)

VERSION = 1

# What an absent parameter means, by version of the link. A default never changes under a link
# that was made before: a new default is a new version, and this table keeps the old one.
DEFAULTS: dict[int, View] = {1: View()}


@dataclass(frozen=True)
class Note:
    """What a link asked for that could not be used: what came, why not, what is used instead.

    `used` is empty where nothing takes its place; `several` parameters may share one note.
    """

    parameter: str
    came: str
    reason: str
    used: str
    several: bool = False


# The reason of the note that names what is no parameter at all.
UNKNOWN = "must be a known name"
# The reason of the note on an address that the platform could not read at all.
UNREAD = "must be short enough to be read"
# What bytes of an address that are no text were replaced by before anyone here could see them; a
# person may also have typed it. It is the reason of the note that says so.
REPLACED = "\ufffd"


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
    Parameter("text", PAGES, lambda raw, n: read_text(raw)),
    Parameter("head", PAGES, lambda raw, n: choice(*HEADS)(raw)),
    Parameter("seed", PAGES, lambda raw, n: integer(0, MAX_SEED)(raw)),
    Parameter("sharpness", PAGES, lambda raw, n: decimal(0, MAX_SHARPNESS)(raw)),
    Parameter("hard", PAGES, lambda raw, n: read_switch(raw)),
    Parameter("causal", PAGES, lambda raw, n: read_switch(raw)),
    Parameter("positions", PAGES, lambda raw, n: choice(*POSITIONS)(raw)),
    Parameter("row", ("weights", "edit"), lambda raw, n: integer(1, n or MAX_TOKENS)(raw)),
    Parameter("at", ("edit",), lambda raw, n: integer(1, n or MAX_TOKENS)(raw)),
    Parameter("to", ("edit",), lambda raw, n: read_text(raw)),
    Parameter("tolerance", ("edit",), lambda raw, n: decimal(0, 1)(raw)),
    Parameter("order", ("order",), read_order),
    Parameter("pool", ("weights",), lambda raw, n: choice(*POOLS)(raw), long=True),
    Parameter("window", ("weights",), read_window, long=True),
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
            version = int(choice(*map(str, DEFAULTS))(_single(query["v"])))
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
            used = "" if parameter.name in _SHOWN and not shown else brief(write_value(shown))
            notes.append(Note(parameter.name, _came(came), str(fault), used))
        else:
            if isinstance(value, str) and REPLACED in value:
                notes.append(Note(parameter.name, _came(came), REPLACED, brief(value)))
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
        came = _came(query[unknown[0]])
        notes.append(Note(names + more, came, UNKNOWN, "", several=len(unknown) > 1))
    return view, tuple(notes)


def _single(came: Sequence[str]) -> str:
    if len(came) != 1:
        raise UnusableError(f"must be given once, and came {len(came)} times")
    return came[0]


def _came(values: Sequence[str]) -> str:
    return ", ".join(brief(value) for value in values[:3]) + (" …" if len(values) > 3 else "")


def address(view: View) -> dict[str, str]:
    """The query of the address bar: the version, then what differs from its defaults.

    Empty for the default view. Holds every page's parameters, so a change of page keeps them.
    """
    default = DEFAULTS[VERSION]
    query = {
        field.name: write_value(getattr(view, field.name))
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
        parameter.name: write_value(value_shown(view, parameter.name))
        for parameter in PARAMETERS
        if page in parameter.pages
        and (view.is_long or not parameter.long)
        and (value_shown(view, parameter.name) or parameter.name not in _SHOWN)
    }
    return urlencode({"v": str(VERSION), **query}, quote_via=quote)
