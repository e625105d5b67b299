"""One visitor's view: opened from the address, changed by controls, written back to the address.

The view is one record in the session; widgets show it and change it through `change`. The address
is read only when it moved by itself (a first visit, Back, Forward), and written only when it no
longer tells the view, so a link that was opened stays as it came until something is changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st

from dashboard.link import UNREAD, Note, View, address, fit, read_link

Kept = TypeVar("Kept")
PATIENCE = 3.0  # seconds in which an answer reaches the browser


def open_view() -> tuple[View, tuple[Note, ...]]:
    """The view to show in this run, and notes on what the address asked for in vain.

    What came of it is written by `tell_address`, later in the run: an address that changed makes
    the browser draw the page once more.
    """
    state, query = st.session_state, _asked()
    asked, notes = _read(query)
    doubtful, noticed = state.pop("doubtful", []), state.pop("noticed", False)
    if query == state.get("address") and not (noticed or state.get("moved")):
        for act, arguments in doubtful:  # nothing else was done: it was a hand, and no memory
            act(*arguments)
    # A quick visitor can be ahead of the address: a control that just moved outranks it.
    moved = state.pop("moved", False)
    moved_by_itself = query != state.get("address") and not moved
    held = state.get("view")
    view = fit(asked if held is None or moved_by_itself else held)
    if view != held:
        state.view = view
    if moved_by_itself:
        state.came = query  # what these pages wrote themselves needs no note
    if query or moved:
        state.pop("unread", None)
    if "unread" in state:
        return view, (Note("", f"{state.unread:,}", UNREAD, ""),)
    return view, notes if fit(asked) == view and query == state.came else ()


def tell_address() -> None:
    """Write the view to the address, unless the address tells it already."""
    query, view = _asked(), current_view()
    if fit(_read(query)[0]) != view:
        told = address(view)
        st.query_params.from_dict(told)
        query = {name: [value] for name, value in told.items()}
    st.session_state.address = query


def _asked() -> dict[str, list[str]]:
    return {name: st.query_params.get_all(name) for name in st.query_params}


def _read(query: dict[str, list[str]]) -> tuple[View, tuple[Note, ...]]:
    """What the address asks for, read once a run."""
    held = st.session_state.get("read")
    if held is None or held[0] != query:
        held = st.session_state.read = (query, read_link(query))
    result: tuple[View, tuple[Note, ...]] = held[1]
    return result


def current_view() -> View:
    """The view of this run; `open_view` has been called."""
    view: View = st.session_state.view
    return view


def leave_unread(parameters: int) -> None:
    """Say on the page that an address of so many parameters could not be read, until it changes."""
    st.session_state.unread = parameters


def change(**values: Any) -> None:
    """Change fields of the view; for callbacks, which run before the page does."""
    st.session_state.view = fit(replace(st.session_state.view, **values))
    st.session_state.moved = True


def change_from_widget(name: str) -> None:
    """Take the field that the widget of the same key now holds."""
    take(name, _take_field, name)


def _take_field(name: str) -> None:
    change(**{name: st.session_state[name]})


def take(key: str, act: Callable[..., None], *arguments: Any) -> None:
    """The callback of a widget that the page writes to: `act` takes what it tells.

    Whoever moves another control right after the page wrote to this one sends it along as the
    browser still shows it. What it held before it was written to is taken only if no other control
    was moved.
    """
    before, when = st.session_state.get("overtaken", {}).get(key, (None, -PATIENCE))
    if st.session_state[key] == before and time.monotonic() - when < PATIENCE:
        st.session_state.setdefault("doubtful", []).append((act, arguments))
    else:
        act(*arguments)


def notice() -> None:
    """Take note that a control was moved which changes no field of the view."""
    st.session_state.noticed = True


def draw_all() -> None:
    """Ask for the whole page, from what follows the sharpness; the last line of a callback."""
    st.rerun()


def show_in_widget(key: str, value: Any) -> None:
    """Make the widget `key`, about to be drawn, hold `value`; writes only what differs.

    Writing the same value again would send it to the browser and undo a slider still in motion.
    """
    state = st.session_state
    if state.get(key) == value:
        return
    if key in state:
        state.setdefault("overtaken", {})[key] = (state[key], time.monotonic())
    state[key] = value


@dataclass
class Shelf:
    """What is kept, each under a name and with its key, and the names that were asked for."""

    held: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)


def _shelf() -> Shelf:
    shelf: Shelf = st.session_state.setdefault("shelf", Shelf())
    return shelf


def kept(name: str, key: Any, make: Callable[[], Kept]) -> Kept:
    """What `make` returns, made anew only when `key` changes; the last one is kept, and no other.

    For what took long; it goes when a run of the whole page no longer asks for it.
    """
    shelf = _shelf()
    shelf.asked.add(name)
    held = shelf.held.get(name)
    if held is None or held[0] != key:
        held = shelf.held[name] = (key, make())
    result: Kept = held[1]
    return result


def begin() -> None:
    """Begin a run of the whole page: only what is asked for from now on stays kept."""
    _shelf().asked.clear()


def forget() -> None:
    """Drop what was kept for another page or another text; ends a run of the whole page."""
    shelf = _shelf()
    for name in shelf.held.keys() - shelf.asked:
        del shelf.held[name]
