"""What follows the sharpness: all that is drawn anew when it moves, and nothing else.

Most of what a page costs is what did not change. While a page is built it reserves places for what
follows the sharpness, the slider itself among them; `draw` fills them as one fragment, which then
runs by itself whenever a control inside it moves. Every other control draws the whole page.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard import browser, session
from dashboard.blocks import picture_names
from dashboard.link import View

Draw = Callable[[View], None]
PLACES = "places"
# Seconds in which a browser paints a picture of a long text, if the rest is not sent after it at
# once: that keeps it busy for twice as long, and the picture would come last of all.
HEAD_START = 0.2


class Place(NamedTuple):
    """A place on the page, what fills it, and the field whose move it is the picture of.

    At one place of a page the fragment itself may be at home: it needs no frame of its own there.
    """

    here: DeltaGenerator
    draw: Draw
    shows: str
    home: bool = False


def begin() -> None:
    """Forget the places of the last run."""
    st.session_state[PLACES] = []


def place(draw: Draw, *, shows: str = "", home: bool = False, key: str | None = None) -> None:
    """Reserve a place here, to be filled by `draw` with the view as it is by then.

    Each place costs a message more than what it holds. A `key` names it for the style of the page.

    When the one field that moved is the one it `shows`, it is filled before the others and has a
    head start: the eye waits for it. The `home` of the fragment is in sight at all times.
    """
    st.session_state[PLACES].append(Place(st.container(key=key), draw, shows, home))


def draw(link: Callable[[View], str]) -> None:
    """Fill the places, name the pictures, and tell the address and the `link` of a view."""
    places: list[Place] = st.session_state.pop(PLACES)
    still = dict(picture_names())  # of pictures outside these places
    drawn: View | None = None  # as it was last drawn; a whole page gives no one a head start

    @st.fragment
    def follow() -> None:
        nonlocal drawn
        view, _ = session.open_view()  # a run of this alone does not pass the front door
        moved = _moved(drawn, view)
        names = picture_names()
        told: dict[int, dict[str, str]] = {}
        ahead = [i for i, one in enumerate(places) if one.shows and moved == [one.shows]]
        for i in [*ahead, *(i for i in range(len(places)) if i not in ahead)]:
            names.clear()
            with nullcontext() if places[i].home else places[i].here:
                places[i].draw(view)
            told[i] = dict(names)
            if i in ahead:
                time.sleep(HEAD_START)
        session.tell_address()
        names.clear()
        names.update(still)
        for i in sorted(told):  # in the order of the page, whatever came first
            names.update(told[i])
        browser.attend_page(names, view, link(view))
        drawn = view

    with next((one.here for one in places if one.home), nullcontext()):
        follow()


def _moved(before: View | None, view: View) -> list[str]:
    """The fields that are not as they were last drawn."""
    fields: dict[str, Any] = vars(view)
    return [name for name in fields if before and getattr(before, name) != fields[name]]
