"""What is shown of a long text: what a pixel pools, and where the window of exact cells lies."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dashboard.charts.overview import BRUSH, brush_of, window_at
from dashboard.controls.fields import choice
from dashboard.link import (
    WINDOW,
    View,
    last_window,
)
from dashboard.session import (
    change,
    show_in_widget,
    take,
)

POOL_NAMES = {"max": "largest weight", "mean": "mean weight"}

WINDOW_KEYS = ("window_row", "window_column")


def pick_pool() -> None:
    """What a pixel of a long picture shows of its block."""
    choice("pool", "Each pixel shows", POOL_NAMES)


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
        where.number_input(
            words,
            1,
            last,
            at,
            step=1,
            key=key,
            on_change=take,
            args=(key, _take_window, key),
        )


def _take_window(moved: str) -> None:
    state = st.session_state
    shown = zip(WINDOW_KEYS, state.view.window_shown, strict=True)
    change(window=tuple(int(state[key]) if key == moved else at for key, at in shown))


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
