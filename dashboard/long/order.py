"""Page 3 for a long sentence: pooled matrices, and the same three checks."""

import math

import numpy as np
import streamlit as st

from core import (
    LongPermutationCheck,
    check_long_permutation,
    inverse_order,
    mask_blocks,
)
from dashboard import blocks, browser, controls, follow, words
from dashboard.browser import Painted
from dashboard.charts.blocks_text import FEW_PIXELS, pixels_text
from dashboard.charts.labels import labels_of
from dashboard.charts.panel import panel
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.outputs import show_pooled
from dashboard.session import kept
from dashboard.words import emphasised
from dashboard.words import long as long_words


def checked(view: View) -> LongPermutationCheck:
    """The sentence read as it is and in the new order."""
    order = controls.order_of(view)
    return kept(
        "check",
        view,
        lambda: check_long_permutation(
            chosen_head(view), view.tokens, order, FEW_PIXELS, **settings(view)
        ),
    )


def show(view: View) -> None:
    """All below the three checks."""
    show_matrices(view)
    follow.place(details)


def show_matrices(view: View) -> None:
    """The matrices of A, of B, and of B put back: the page works them out by itself."""
    head, order = chosen_head(view), controls.order_of(view)
    tokens = view.tokens
    browser.paint_blocks(
        [head.attend_long(each, **settings(view)) for each in (tokens, [tokens[i] for i in order])],
        [Painted(), Painted(read=1), Painted(read=1, back=True, masked=False)],
        pixels=FEW_PIXELS,
        causal=view.causal,
        back=inverse_order(order),
    )
    panels = st.columns(3, gap="small")
    for i, title in enumerate(words.ORDERED):
        with panels[i]:
            blocks.panel_title(title)
            blocks.show(matrix(view, title), key=f"matrix_{i}")


def matrix(view: View, name: str, text: str = "") -> Picture:
    """One of the matrices; without `text` the page works it out."""
    n = len(view.tokens)
    return panel(
        n,
        text=text,
        kind="weights",
        sharpness=math.inf if view.hard else view.sharpness,
        alt_text=name,
    )


def matrices(view: View) -> dict[str, Picture]:
    """All three, ready to be saved."""
    check = checked(view)
    pooled = (
        mask_blocks(check.before_blocks, check.before.allowed),
        mask_blocks(check.after_blocks, check.after.allowed),
        check.restored_blocks,
    )
    return {
        title: matrix(view, name, pixels_text(one.values, len(view.tokens)))
        for (title, name), one in zip(words.ordered_names(check).items(), pooled, strict=True)
    }


def details(view: View) -> None:
    """All below the matrices."""
    head, check = chosen_head(view), checked(view)
    old = check.before.query_tokens
    n = len(old)
    drawn: dict[str, Picture] = {}
    blocks.small(
        long_words.pixels(check.before_blocks)
        + " "
        + long_words.colours(n, masked=check.before.allowed is not None)
    )

    left, right = st.columns(2, gap="large")
    with left:
        blocks.section("The gap between A and B put back", words.gap_finding(check))
        drawn["Gap"] = panel(
            n,
            text=pixels_text(check.gap_blocks.values, n, "difference"),
            kind="difference",
            sharpness=1.0,
            alt_text=words.gap_finding(check),
        )
        blocks.show(drawn["Gap"], key="gap")
    with right:
        drawn["Pooled outputs"] = show_pooled(check, head.feature_names)
    blocks.small(words.unknown(head, old, emphasised))

    labels = labels_of(old)
    features = head.feature_names
    blocks.numbers_and_files(
        "order",
        lambda: controls.share_link(view, "order"),
        lambda: {**matrices(view), **drawn},
        lambda: {
            "Outputs of A": blocks.Numbers(check.outputs, labels, features),
            "Outputs of B put back": blocks.Numbers(check.restored_outputs, labels, features),
            "Pooled outputs": blocks.Numbers(
                np.array([check.pooled_before, check.pooled_after]), ["A", "B"], features
            ),
        },
    )
