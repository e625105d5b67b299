"""What follows the numbers: the parts that are drawn anew when a number moves, and nothing else.

Most of what a page costs is what did not change. A control that changes numbers but no other
control asks for these parts alone; every other change draws the whole page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard import browser, session
from dashboard.blocks import picture_names
from dashboard.link import View

Draw = Callable[[View], None]


@st.fragment(key=session.FOLLOWS)
def part(draw: Draw) -> None:
    """Draw what follows the numbers of the view; called again by itself, with the view as it is."""
    draw(session.current_view())


def page(draw: Draw) -> None:
    """Draw the main part of a page: text, pictures, tables; name its pictures; tell the address."""
    part(partial(_page, draw))


def _page(draw: Draw, view: View) -> None:
    session.open_view()  # a run of parts alone did not pass the front door
    names = picture_names()
    names.clear()
    draw(view)
    browser.attend_pictures(names, view)
