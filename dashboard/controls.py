"""The controls that pages share: what they are called, how far they go, what they change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import check_order
from dashboard import follow, orders
from dashboard.blocks import code, token_at
from dashboard.charts.labels import labels_of
from dashboard.charts.overview import BRUSH, brush_of, window_at
from dashboard.link import (
    HEADS,
    MAX_CHARACTERS,
    MAX_SEED,
    MAX_SHARPNESS,
    MAX_TOKENS,
    PAGES,
    POOLS,
    WINDOW,
    UnusableError,
    View,
    address,
    brief,
    last_window,
    read_order,
    share_query,
    write_order,
)
from dashboard.session import (
    change,
    change_from_widget,
    draw_all,
    show_in_widget,
)

LINE = 200  # characters up to which a sentence is shown in a box of one line
POOL_NAMES = {"max": "largest weight", "mean": "mean weight"}
WINDOW_KEYS = ("window_row", "window_column")
HEAD_NAMES = {"lesson": "lesson", "random": "random"}


def menu(pages: dict[str, st.Page], view: View) -> None:
    """Links to the pages; each carries the view, so it opens the same in another tab."""
    for page in pages.values():
        st.page_link(page, query_params=address(view), width="stretch")


def sidebar(view: View) -> None:
    """What is read and how: sentence, head, sharpness, mask, positions, reset."""
    _sentence(view)
    follow.place(_sharpness)
    _switch("hard", "Limit β → ∞", "All weight on the largest score; ties are shared.")
    _switch("causal", "Causal mask", "A position may read only itself and those before it.")
    show_in_widget("with_positions", view.positions != "none")
    st.toggle(
        "Add positions",
        view.positions != "none",
        key="with_positions",
        on_change=_take_positions,
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
    box("Sentence", view.text, key=key, max_chars=MAX_CHARACTERS, on_change=_take_text, args=(key,))
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
    if view.hard:
        st.caption("β → ∞, temperature 0: each row keeps only its best score")
    elif view.sharpness == 0:
        st.caption("temperature 1/β = ∞: every row is the plain average")
    elif math.isinf(1 / view.sharpness):
        st.caption("temperature 1/β is beyond the largest number of this machine")
    else:
        st.caption(f"temperature 1/β = {1 / view.sharpness:.3g}")


def _switch(name: str, words: str, explanation: str) -> None:
    is_on = getattr(st.session_state.view, name)
    show_in_widget(name, is_on)
    st.toggle(words, is_on, key=name, help=explanation, on_change=change_from_widget, args=(name,))


def _head(view: View) -> None:
    show_in_widget("head", view.head)
    st.radio(
        "Head",
        HEADS,
        HEADS.index(view.head),
        format_func=HEAD_NAMES.__getitem__,
        key="head",
        horizontal=True,
        on_change=change_from_widget,
        args=("head",),
        help="The lesson's head is made by hand, to be read; a random one is drawn by its seed.",
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


def share(page: str) -> None:
    """The share link, with a copy button."""

    def link(view: View) -> None:
        st.code(share_link(view, page), language=None, wrap_lines=True)

    # Opens in its place, so that the next Tab is at the link; a popover would be the last of all.
    with st.expander("Share this view"):
        st.caption("Opens exactly this view, wherever this address can be reached.")
        follow.place(link)


def _root() -> str:
    """The address of the front page: the page in the browser's address may be the last one left."""
    where = urlsplit(st.context.url or "http://localhost:8501")
    prefix = str(st.get_option("server.baseUrlPath")).strip("/")
    return f"{where.scheme}://{where.netloc}/{prefix + '/' if prefix else ''}"


def pick_row(view: View, page: str) -> None:
    """The row looked at, chosen by keyboard or click.

    Each page has a widget of its own: one key on two pages would carry a stale choice across.
    """
    _position("row", "Row looked at", view, key=f"row_{page}")


def pick_edited(view: View) -> None:
    """The position that is edited."""
    _position("at", "Replace", view, key="at")


def _position(name: str, words: str, view: View, *, key: str) -> None:
    shown = view.row_shown if name == "row" else view.edited_position
    tokens = view.tokens
    labels = labels_of(tokens)
    # The browser holds the label, not the position: under a new sentence it would keep the old one.
    if st.session_state.get(f"{key}_labels") != labels:
        st.session_state[f"{key}_labels"] = labels
        st.session_state[key] = shown
    show_in_widget(key, shown)
    if view.is_long:
        _long_position(name, words, view, shown, key=key)
        return
    st.selectbox(
        words,
        range(1, len(tokens) + 1),
        shown - 1,
        format_func=lambda position: labels[position - 1],
        key=key,
        on_change=_take_position,
        args=(name, key),
    )


def _long_position(name: str, words: str, view: View, shown: int, *, key: str) -> None:
    """A number from 1 to n, and the token that stands there."""
    tokens = view.tokens
    number, token = st.columns([1.2, 1], vertical_alignment="bottom", gap="small")
    number.number_input(
        words, 1, len(tokens), shown, step=1, key=key, on_change=_take_position, args=(name, key)
    )
    with token:
        token_at(tokens[shown - 1])


def pick_pool(view: View) -> None:
    """What a pixel of a long picture shows of its block."""
    show_in_widget("pool", view.pool)
    st.radio(
        "Each pixel shows",
        POOLS,
        POOLS.index(view.pool),
        format_func=POOL_NAMES.__getitem__,
        key="pool",
        horizontal=True,
        on_change=change_from_widget,
        args=("pool",),
    )


def window_of(view: View) -> tuple[int, int]:
    """First row and column that are shown cell by cell; 0-based."""
    row, column = view.window_shown
    return row - 1, column - 1


def pick_window(view: View, places: Sequence[DeltaGenerator]) -> None:
    """Where the window of exact cells begins, by number: a row and a column, each in its place."""
    last = last_window(len(view.tokens))
    for where, words, key, at in zip(
        places, ("From row", "From column"), WINDOW_KEYS, view.window_shown, strict=True
    ):
        show_in_widget(key, at)
        where.number_input(words, 1, last, at, step=1, key=key, on_change=_take_window)


def _take_window() -> None:
    change(window=tuple(int(st.session_state[key]) for key in WINDOW_KEYS))


def take_brushed_window() -> None:
    """Take the window in the middle of a drag over the long picture."""
    n = len(st.session_state.view.tokens)
    selection = st.session_state.overview.selection.get(BRUSH, {})
    at = brush_of(selection)
    if at is not None:
        st.session_state.brushed = at
        change(window=tuple(place + 1 for place in window_at(selection, n, WINDOW)))


def brushed() -> tuple[float, ...]:
    """The last drag that was taken: it tells a drag in motion from one that was answered."""
    at: tuple[float, ...] = st.session_state.get("brushed", ())
    return at


def _take_position(name: str, key: str) -> None:
    """Take the chosen position; a label that the sentence no longer has arrives as text."""
    chosen = st.session_state[key]
    if isinstance(chosen, int):
        change(**{name: chosen}, **({"window": None} if name == "row" else {}))


def order_of(view: View) -> tuple[int, ...]:
    """The new order, 0-based, as `core` takes it."""
    return check_order([position - 1 for position in view.order_shown], len(view.tokens))


def order_settings(view: View) -> tuple[str, ...]:
    """Which of the settings that can show the order are on."""
    on = {"positions": view.positions != "none", "causal": view.causal}
    return tuple(name for name, is_on in on.items() if is_on)


def pick_order(view: View) -> None:
    """Ways to a new order: typed by hand, or by one of the buttons."""
    n = len(view.tokens)
    fault = st.session_state.get("order_fault")
    fault = fault if fault and fault["view"] == view else None
    written = fault["typed"] if fault else write_order(view.order_shown)
    show_in_widget("order", written)
    st.text_input(
        "New order of the positions",
        written,
        key="order",
        on_change=_take_order,
        help="Each position once, joined by hyphens: 6-5-4-3-2-1.",
    )
    if fault:
        st.error(
            f"{code(brief(fault['typed']))} was not used: an order {fault['reason']}. "
            f"Below is still {code(brief(write_order(view.order_shown)))}."
        )
    with st.container(horizontal=True):
        st.button("Reverse", on_click=_set_order, args=(None,))
        if n >= 2:
            a, b = min(2, n - 1), n
            st.button(f"Swap {a} and {b}", on_click=_set_order, args=(orders.swapped(n, a, b),))
        st.button("Rotate by one", on_click=_set_order, args=(orders.rotated(view.order_shown),))
        with st.popover("Swap two"):
            a = st.number_input("One position", 1, n, min(3, n), key="swap_one")
            b = st.number_input("Another position", 1, n, n, key="swap_other")
            swap = orders.swapped(n, int(a), int(b))
            st.button("Swap them", on_click=_set_order, args=(swap,))
        with st.popover("Shuffle"):
            seed = st.number_input("Seed of the shuffle", 0, MAX_SEED, 0, key="shuffle_seed")
            shuffle = orders.shuffled(n, int(seed))
            st.button("Shuffle them", on_click=_set_order, args=(shuffle,))
        st.button("As it was", on_click=_set_order, args=(tuple(range(1, n + 1)),))


def _set_order(order: tuple[int, ...] | None) -> None:
    st.session_state.pop("order_fault", None)
    change(order=order)


def _take_order() -> None:
    view: View = st.session_state.view
    typed = st.session_state.order
    try:
        _set_order(read_order(typed, len(view.tokens)))
    except UnusableError as fault:
        st.session_state.order_fault = {"typed": typed, "reason": str(fault), "view": view}


def _take_positions() -> None:
    change(positions="sinusoidal" if st.session_state.with_positions else "none")


def _next_head() -> None:
    change(seed=(st.session_state.view.seed + 1) % (MAX_SEED + 1))


def _reset() -> None:
    change(**{name: getattr(View(), name) for name in View.__dataclass_fields__})


def take_picked_row() -> None:
    """Take the row that was clicked in the first picture."""
    picked = st.session_state.spread.selection.get("pick", [])
    if picked:
        st.session_state.row_moves = row_moves() + 1
        change(row=int(picked[0]["query"]))
        draw_all()


def row_moves() -> int:
    """How many rows were clicked so far: it tells a second click on a row from the first."""
    moves: int = st.session_state.get("row_moves", 0)
    return moves


def new_token(view: View) -> None:
    """The text that takes the place of the edited token."""
    show_in_widget("to", view.to)
    st.text_input(
        "with",
        view.to,
        key="to",
        max_chars=MAX_CHARACTERS,
        on_change=change_from_widget,
        args=("to",),
    )


def tolerance(view: View) -> None:
    """How far a row must move to be called moved."""
    show_in_widget("tolerance", float(view.tolerance))
    st.number_input(
        "Moved means over",
        0.0,
        1.0,
        float(view.tolerance),
        step=0.01,
        format="%.4g",
        key="tolerance",
        on_change=change_from_widget,
        args=("tolerance",),
    )
