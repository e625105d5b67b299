"""What the page does by itself between two runs; the doing is in the scripts beside this file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from core import LongAttention
from core.door import FloatArray
from core.pooling import How
from dashboard.charts.blocks_text import FEW_PIXELS
from dashboard.charts.live import BEYOND
from dashboard.charts.overview import CORNER, corner_of
from dashboard.link import MAX_SHARPNESS, View, address
from dashboard.session import change, draw_all, leave_unread

KEY = "browser"
LIVE = "spread"  # the picture whose sharpness a hand can move
OVERVIEW = "overview"  # the picture of all weights of a long text


def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


_mount = st.components.v2.component("attention_browser", js=_script("browser.js"))
_mount_pooled = st.components.v2.component("attention_pooled", js=_script("pooled.js"))
_mount_greeter = st.components.v2.component("attention_greeter", js=_script("greet.js"))


def greet_servers() -> None:
    """Ask a server that came back for the whole page: it does not know what followed what."""
    _mount_greeter(key="greeter", on_back_change=_do_nothing, height="content")


def _do_nothing() -> None:
    """The run itself is what was asked for."""


@dataclass(frozen=True)
class Painted:
    """A picture of blocks that the page works out: of which read, less which other if any.

    `back` puts the read back into the order of the first. Where `masked`, blocks that a causal
    mask forbids are blank. With `bands` the text tells of the rows, too.
    """

    read: int = 0
    less: int | None = None
    back: bool = False
    masked: bool = True
    bands: bool = False


def paint_blocks(
    reads: Sequence[LongAttention],
    pictures: Sequence[Painted],
    *,
    pixels: int,
    how: How = "max",
    causal: bool,
    back: Sequence[int] = (),
) -> None:
    """Have all pictures that ask for it worked out where they are looked at, at every sharpness.

    They are told in the order of the page. The vectors go there once, in float32. `back` tells
    where each position of the first read stands in the second.
    """
    data = {
        "reads": [
            {"queries": _small(r.queries), "keys": _small(r.keys), "size": r.keys.shape[1]}
            for r in reads
        ],
        "pictures": [asdict(picture) for picture in pictures],
        "pixels": pixels,
        "few": FEW_PIXELS,
        "how": how,
        "causal": causal,
        "back": [int(place) for place in back],
    }
    _mount_pooled(key="pooled", data=data, height="content")


def _small(vectors: FloatArray) -> str:
    """The numbers row by row, little end first, in base64."""
    return b64encode(np.asarray(vectors, "<f4").tobytes()).decode("ascii")


def attend_page(names: Mapping[str, str], view: View, link: str) -> None:
    """Keep the names of pictures, by key, the menu and the `link`; listen to the live picture.

    A name that states the finding changes with every number. Inside the drawing it would make the
    platform draw the picture anew; so it is put on the picture from outside.
    """
    live = LIVE if LIVE in names else None
    given = BEYOND if view.hard else min(view.sharpness, BEYOND)
    texts = {}
    if OVERVIEW in names:
        row, column = view.window_shown
        texts[CORNER] = corner_of((row - 1, column - 1))
    data = {
        "names": dict(names),
        "live": live,
        "given": given,
        "texts": texts,
        "address": address(view),
        "shared": link,
        "parameters": len(st.query_params),
    }
    _mount(
        key=KEY,
        data=data,
        on_sharpness_change=_take_sharpness,
        on_unread_change=_take_unread,
        height="content",
    )


def _take_unread() -> None:
    """Take note that the browser's address holds what the server was never told."""
    found = st.session_state[KEY].unread
    if isinstance(found, int) and found > 0:
        leave_unread(found)
        draw_all()


def _take_sharpness() -> None:
    """Take the sharpness at which a hand let go of the picture."""
    moved = st.session_state[KEY].sharpness
    if isinstance(moved, int | float) and 0 <= moved <= MAX_SHARPNESS:
        change(sharpness=float(moved), hard=False)
        draw_all()
