"""The controls beside every page: pages, sentence, sharpness, mask, positions, head, share link."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

import streamlit as st

from dashboard import follow
from dashboard.controls.fields import choice, switch
from dashboard.link import (
    HEADS,
    MAX_CHARACTERS,
    MAX_SEED,
    MAX_SHARPNESS,
    MAX_TOKENS,
    PAGES,
    View,
    address,
    share_query,
)
from dashboard.session import (
    change,
    change_from_widget,
    notice,
    show_in_widget,
    take,
)

LIMIT = "temperature 0: the best score takes all"  # one line, like the other: nothing shifts
LINE = 200  # characters up to which a sentence is shown in a box of one line
HEAD_NAMES = {head: head for head in HEADS}


def menu(pages: dict[str, st.Page], view: View) -> None:
    """Links to the pages; each carries the view, so it opens the same in another tab."""
    for page in pages.values():
        st.page_link(page, query_params=address(view), width="stretch")


def sidebar(view: View) -> None:
    """What is read and how: sentence, head, sharpness, mask, positions, reset."""
    _sentence(view)
    follow.place(_sharpness)
    st.caption(LIMIT if view.hard else "1/temperature; 1 is ordinary attention")
    switch("hard", "Limit β → ∞", "All weight on the largest score; ties are shared.")
    switch("causal", "Causal mask", "A position may read only itself and those before it.")
    show_in_widget("with_positions", view.positions != "none")
    st.toggle(
        "Add positions",
        view.positions != "none",
        key="with_positions",
        on_change=take,
        args=("with_positions", _take_positions),
        help="Sinusoidal position vectors are added to the token vectors.",
    )
    _head(view)
    st.button("Reset to the lesson", on_click=_reset, width="stretch")


def _sentence(view: View) -> None:
    """A box of one line, or of several for a text that one line would hide or change."""
    several = view.is_long or len(view.text) > LINE or "\n" in view.text
    # A key of its own for each: the platform forgets what a box held when another takes its key.
    key, box = (
        ("long_text", partial(st.text_area, height=160)) if several else ("text", st.text_input)
    )
    show_in_widget(key, view.text)
    box(
        "Sentence",
        view.text,
        key=key,
        max_chars=MAX_CHARACTERS,
        on_change=take,
        args=(key, _take_text, key),
    )
    n = len(view.tokens)
    st.caption(f"{n:,} token{'' if n == 1 else 's'} of at most {MAX_TOKENS:,}, cut at spaces")


def _take_text(key: str) -> None:
    change(text=st.session_state[key])


def _sharpness(view: View) -> None:
    show_in_widget("sharpness", float(view.sharpness))
    st.slider(
        "Sharpness β",
        0.0,
        MAX_SHARPNESS,
        float(view.sharpness),
        step=0.1,
        format="%.4g",
        key="sharpness",
        disabled=view.hard,
        on_change=change_from_widget,
        args=("sharpness",),
    )


def _head(view: View) -> None:
    choice(
        "head",
        "Head",
        HEAD_NAMES,
        "The lesson's head is made by hand, to be read; a random one is drawn by its seed.",
    )
    if view.head == "random":
        left, right = st.columns(2, vertical_alignment="bottom")
        show_in_widget("seed", view.seed)
        left.number_input(
            "Seed",
            0,
            MAX_SEED,
            view.seed,
            step=1,
            key="seed",
            on_change=change_from_widget,
            args=("seed",),
        )
        right.button("New head", on_click=_next_head, width="stretch")


def share_link(view: View, page: str) -> str:
    """The whole address of this view, every parameter of the page written out."""
    path = "" if page == PAGES[0] else page
    return f"{_root()}{path}?{share_query(view, page)}"


def share(view: View, page: str) -> None:
    """The share link, with a copy button.

    Folded away it is drawn with the whole page only, and so when it is opened; until then what the
    page does by itself keeps its text up.
    """

    def link(view: View) -> None:
        st.code(share_link(view, page), language=None, wrap_lines=True)

    # Opens in its place, so that the next Tab is at the link; a popover would be the last of all.
    with st.expander("Share this view", on_change=notice, key="share") as box:
        st.caption("Opens exactly this view, wherever this address can be reached.")
        if box.open:
            follow.place(link)
        else:
            with st.container(key="folded_link"):
                link(view)


def _root() -> str:
    """The address of the front page: the page in the browser's address may be the last one left."""
    where = urlsplit(st.context.url or "http://localhost:8501")
    prefix = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"{where.scheme}://{where.netloc}/{prefix + '/' if prefix else ''}"


def _take_positions() -> None:
    change(positions="sinusoidal" if st.session_state.with_positions else "none")


def _next_head() -> None:
    change(seed=(st.session_state.view.seed + 1) % (MAX_SEED + 1))


def _reset() -> None:
    change(**{name: getattr(View(), name) for name in View.__dataclass_fields__})
