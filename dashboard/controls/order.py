"""The order in which the tokens are read again."""

from __future__ import annotations

import streamlit as st

from core import check_order
from dashboard import orders
from dashboard.link import (
    MAX_SEED,
    UnusableError,
    View,
    brief,
    read_order,
    write_order,
)
from dashboard.messages import code
from dashboard.session import (
    change,
    show_in_widget,
    take,
)


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
        on_change=take,
        args=("order", _take_order),
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
