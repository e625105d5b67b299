"""Which row is looked at, which position is edited, and by what token."""

from __future__ import annotations

import streamlit as st

from dashboard.blocks import token_at
from dashboard.charts.labels import labels_of
from dashboard.link import (
    MAX_CHARACTERS,
    View,
)
from dashboard.session import (
    change,
    change_from_widget,
    draw_all,
    show_in_widget,
    take,
)


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
        on_change=take,
        args=(key, _take_position, name, key),
    )


def _long_position(name: str, words: str, view: View, shown: int, *, key: str) -> None:
    """A number from 1 to n, and the token that stands there."""
    tokens = view.tokens
    number, token = st.columns([1.2, 1], vertical_alignment="bottom", gap="small")
    number.number_input(
        words,
        1,
        len(tokens),
        shown,
        step=1,
        key=key,
        on_change=take,
        args=(key, _take_position, name, key),
    )
    with token:
        token_at(tokens[shown - 1])


def _take_position(name: str, key: str) -> None:
    """Take the chosen position; a label that the sentence no longer has arrives as text."""
    chosen = st.session_state[key]
    if isinstance(chosen, int):
        change(**{name: chosen}, **({"window": None} if name == "row" else {}))


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
