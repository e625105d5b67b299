"""Controls of one field of the view, called by its name."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dashboard.session import change_from_widget, current_view, show_in_widget


def switch(name: str, words: str, explanation: str) -> None:
    """Whether something is on."""
    is_on = getattr(current_view(), name)
    show_in_widget(name, is_on)
    st.toggle(words, is_on, key=name, help=explanation, on_change=change_from_widget, args=(name,))


def choice(name: str, words: str, told: Mapping[str, str], explanation: str | None = None) -> None:
    """One of several values, each told in words."""
    chosen = getattr(current_view(), name)
    show_in_widget(name, chosen)
    st.radio(
        words,
        list(told),
        list(told).index(chosen),
        format_func=told.__getitem__,
        key=name,
        horizontal=True,
        on_change=change_from_widget,
        args=(name,),
        help=explanation,
    )
