"""What follows the sharpness: all that is drawn anew when it moves, and nothing else.

Most of what a page costs is what did not change. While a page is built it reserves places for what
follows the sharpness, the slider itself among them; `draw` fills them as one fragment, which then
runs by itself whenever a control inside it moves. Every other control draws the whole page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard import browser, session
from dashboard.blocks import picture_names
from dashboard.link import View

Draw = Callable[[View], None]
PLACES = "places"


def begin() -> None:
    """Forget the places of the last run."""
    st.session_state[PLACES] = []


def place(draw: Draw) -> None:
    """Reserve a place here, to be filled by `draw` with the view as it is by then."""
    st.session_state[PLACES].append((st.container(), draw))


def draw() -> None:
    """Fill the places, name the pictures, and tell the address."""
    places = st.session_state.pop(PLACES)
    still = dict(picture_names())  # of pictures outside these places

    @st.fragment
    def follow() -> None:
        view, _ = session.open_view()  # a run of this alone does not pass the front door
        names = picture_names()
        names.clear()
        names.update(still)
        for here, draw_here in places:
            with here:
                draw_here(view)
        browser.attend_pictures(names, view)

    follow()
