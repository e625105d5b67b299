"""What the page does by itself between two runs; the doing is in `browser.js`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from dashboard.charts.live import BEYOND
from dashboard.link import MAX_SHARPNESS
from dashboard.session import change

KEY = "browser"

_mount = st.components.v2.component(
    "attention_browser", js=Path(__file__).with_name("browser.js").read_text(encoding="utf-8")
)


def attend_pictures(
    names: Mapping[str, str], live: str | None = None, sharpness: float = 0.0
) -> None:
    """Keep the accessible names of pictures, by key, and listen to the one that is `live`.

    A name that states the finding changes with every number. Inside the drawing it would make the
    platform draw the picture anew; so it is put on the picture from outside.
    """
    data = {"names": dict(names), "live": live, "given": min(sharpness, BEYOND)}
    _mount(
        key=KEY,
        data=data,
        on_sharpness_change=_take_sharpness,
        on_back_change=_do_nothing,
        height="content",
    )


def _do_nothing() -> None:
    """The run itself is what was asked for."""


def _take_sharpness() -> None:
    """Take the sharpness at which a hand let go of the picture."""
    moved = st.session_state[KEY].sharpness
    if isinstance(moved, int | float) and 0 <= moved <= MAX_SHARPNESS:
        change(sharpness=float(moved), hard=False)
