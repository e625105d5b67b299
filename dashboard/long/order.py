"""Page 3 for a long sentence: pooled matrices, and the same three checks."""

import numpy as np
import streamlit as st

from core import (
    LongPermutationCheck,
    Pooled,
    check_long_permutation,
    mask_blocks,
)
from dashboard import blocks, controls, long_words, words
from dashboard.charts.blocks_text import FEW_PIXELS
from dashboard.charts.labels import labels_of
from dashboard.charts.overview import panel
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.outputs import show_pooled
from dashboard.session import kept
from dashboard.words import emphasised


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
    head, check = chosen_head(view), checked(view)
    old = check.before.query_tokens
    n = len(old)

    # The matrices

    drawn: dict[str, Picture] = {}
    masks = check.before.allowed, check.after.allowed
    matrices: dict[str, Pooled] = {
        "A": mask_blocks(check.before_blocks, masks[0]),
        "B": mask_blocks(check.after_blocks, masks[1]),
        "B put back into A’s order": check.restored_blocks,
    }
    panels = st.columns(3, gap="small")
    for i, (title, pooled) in enumerate(matrices.items()):
        with panels[i]:
            blocks.panel_title(title)
            drawn[title] = panel(
                pooled,
                n=n,
                kind="weights",
                alt_text=f"{title}: attention weights of {n:,} rows, from 0 to 1.",
            )
            blocks.show(drawn[title], key=f"matrix_{i}")
    blocks.small(
        long_words.pixels(check.before_blocks)
        + " "
        + long_words.colours(n, masked=masks[0] is not None)
    )

    left, right = st.columns(2, gap="large")
    with left:
        blocks.section("The gap between A and B put back", words.gap_finding(check))
        drawn["Gap"] = panel(
            check.gap_blocks, n=n, kind="difference", alt_text=words.gap_finding(check)
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
        lambda: drawn,
        lambda: {
            "Outputs of A": blocks.Numbers(check.outputs, labels, features),
            "Outputs of B put back": blocks.Numbers(check.restored_outputs, labels, features),
            "Pooled outputs": blocks.Numbers(
                np.array([check.pooled_before, check.pooled_after]), ["A", "B"], features
            ),
        },
    )
