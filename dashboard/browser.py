"""What the page does by itself between two runs; the doing is in `browser.js` and `greet.js`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from dashboard.charts.live import BEYOND
from dashboard.link import MAX_SHARPNESS, View
from dashboard.session import change, draw_all

KEY = "browser"
LIVE = "spread"  # the picture whose sharpness a hand can move


def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_mount = st.components.v2.component("attention_browser", js=_script("browser.js"))
_mount_greeter = st.components.v2.component("attention_greeter", js=_script("greet.js"))


def greet_servers() -> None:
    """Ask a server that came back for the whole page: it does not know what followed what."""
    _mount_greeter(key="greeter", on_back_change=_do_nothing, height="content")


def _do_nothing() -> None:
    """The run itself is what was asked for."""


def attend_pictures(names: Mapping[str, str], view: View) -> None:
    """Keep the accessible names of pictures, by key, and listen to the one that is live.

    A name that states the finding changes with every number. Inside the drawing it would make the
    platform draw the picture anew; so it is put on the picture from outside.
    """
    live = LIVE if LIVE in names else None
    given = BEYOND if view.hard else min(view.sharpness, BEYOND)
    data = {"names": dict(names), "live": live, "given": given}
    _mount(
        key=KEY,
        data=data,
        on_sharpness_change=_take_sharpness,
        height="content",
    )


def _take_sharpness() -> None:
    """Take the sharpness at which a hand let go of the picture."""
    moved = st.session_state[KEY].sharpness
    if isinstance(moved, int | float) and 0 <= moved <= MAX_SHARPNESS:
        change(sharpness=float(moved), hard=False)
        draw_all()
