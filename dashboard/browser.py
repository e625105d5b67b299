"""What the page does by itself between two runs; the doing is in `browser.js`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from dashboard.charts.live import BEYOND
from dashboard.link import MAX_SHARPNESS, View
from dashboard.session import change, draw_all

KEY = "browser"
LIVE = "spread"  # the picture whose sharpness a hand can move

_mount = st.components.v2.component(
    "attention_browser", js=Path(__file__).with_name("browser.js").read_text(encoding="utf-8")
)


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
        on_back_change=draw_all,
        height="content",
    )


def _take_sharpness() -> None:
    """Take the sharpness at which a hand let go of the picture."""
    moved = st.session_state[KEY].sharpness
    if isinstance(moved, int | float) and 0 <= moved <= MAX_SHARPNESS:
        change(sharpness=float(moved), hard=False)
        draw_all()
