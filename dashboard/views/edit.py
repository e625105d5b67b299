"""Page 2: when one token changes, which rows of the matrix move, and who moves the outputs?"""

import math
from typing import Any

import numpy as np
import streamlit as st

from core import Comparison, compare
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.dots import moves
from dashboard.charts.labels import labels_of
from dashboard.charts.live_grid import live_difference, live_weights
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, read_sentence
from dashboard.link import View
from dashboard.long import edit as long_edit
from dashboard.outputs import show_move, show_rows
from dashboard.session import current_view, kept
from dashboard.words import emphasised


def compared(view: View) -> Comparison:
    """The sentence before and after the edit, under the same settings."""
    at = view.edited_position - 1

    def make() -> Comparison:
        tokens = view.tokens
        edited = (*tokens[:at], view.to.strip(), *tokens[at + 1 :])
        return compare(read_sentence(view), read_sentence(view, edited))

    return kept("comparison", view, make)


def claim(view: View) -> None:
    """Which rows moved, in a sentence."""
    blocks.prose(words.moved_rows(compared(view), view.tolerance, emphasised), finding=True)


def matrices(view: View, found: Comparison) -> dict[str, Picture]:
    """The matrix before, after, and what moved."""
    before, after = found.before, found.after
    common: dict[str, Any] = {
        "sharpness": math.inf if view.hard else view.sharpness,
        "chosen": view.row_shown - 1,
        "labels_end": 20.0,
    }
    named = {title: f"{title}: {name}" for title, name in names(found, view.tolerance).items()}
    old, new = labels_of(before.query_tokens), labels_of(after.query_tokens)
    return {
        "Before": live_weights(
            before.scores, before.allowed, old, alt_text=named["Before"], **common
        ),
        "After": live_weights(after.scores, after.allowed, new, alt_text=named["After"], **common),
        "After − before": live_difference(
            before, after, new, alt_text=named["After − before"], **common
        ),
    }


def names(found: Comparison, tolerance: float) -> dict[str, str]:
    """What each matrix shows, in words."""
    kinds = {"Before": "weights", "After": "weights", "After − before": "difference"}
    return {title: words.matrix_name(kind, found, tolerance) for title, kind in kinds.items()}


def show_matrices(view: View) -> None:
    """The three matrices side by side; each moves with the sharpness by itself."""
    found = compared(view)
    panels = st.columns(3, gap="small")
    for i, (title, picture) in enumerate(matrices(view, found).items()):
        with panels[i]:
            blocks.panel_title(title)
            blocks.show(picture, key=f"matrix_{i}")
    tokens = (*found.before.query_tokens, *found.after.query_tokens)
    blocks.small(
        words.edit_legend(found.after) + " " + words.unknown(chosen_head(view), tokens, emphasised)
    )


def details(view: View) -> None:
    """All below the matrices."""
    head, row, tolerance = chosen_head(view), view.row_shown - 1, view.tolerance
    comparison = compared(view)
    before, after = comparison.before, comparison.after
    labels_before, labels = labels_of(before.query_tokens), labels_of(after.query_tokens)
    who = words.name(after.query_tokens, row, emphasised)
    for i, (title, name) in enumerate(names(comparison, tolerance).items()):
        blocks.picture_names()[f"matrix_{i}"] = f"{title}: {name}"
    drawn: dict[str, Picture] = {}

    # Which rows moved, which stayed, and why

    order = np.argsort(-comparison.row_shift, kind="stable")
    show_rows(comparison, order.tolist(), row, labels, tolerance)
    blocks.small("Moved by: total variation, half the sum of the changes in the row, from 0 to 1.")

    # Who moved the outputs: the matrix, or the vectors

    left, right = st.columns(2, gap="large")
    with left:
        blocks.section(
            "How far each output moved, and by which hand", words.hands(comparison, emphasised)
        )
        drawn["Moves"] = moves(comparison, labels, chosen=row, alt_text=words.hands(comparison))
        blocks.show(drawn["Moves"], key="moves")
    with right:
        drawn["Move of one output"] = show_move(comparison, row, who, head.feature_names)

    blocks.numbers_and_files(
        "edit",
        lambda: controls.share_link(view, "edit"),
        lambda: {**matrices(view, comparison), **drawn},
        lambda: {
            "Weights before": Numbers(before.weights, labels_before, labels_before),
            "Weights after": Numbers(after.weights, labels, labels),
            "After − before": Numbers(after.weights - before.weights, labels, labels),
            "Because the matrix moved": Numbers(comparison.matrix_part, labels, head.feature_names),
            "Because the vectors moved": Numbers(
                comparison.vector_part, labels, head.feature_names
            ),
            "Outputs of a fixed mixer, which keeps the first matrix": Numbers(
                comparison.fixed_mixer_outputs, labels, head.feature_names
            ),
        },
    )


# Claim and controls

view = current_view()
st.title("Change one token", anchor=False)
choose, write, look, judge = st.columns([2, 2, 2, 1.4], vertical_alignment="bottom")
with choose:
    controls.pick_edited(view)
with write:
    controls.new_token(view)
with look:
    controls.pick_row(view, "edit")
with judge:
    controls.tolerance(view)
refused = words.not_one_token(view.to, len(view.tokens), emphasised)
if refused:
    blocks.prose(refused, finding=True)
elif view.is_long:
    long_edit.show(view)
else:
    follow.place(claim)
    show_matrices(view)
    follow.place(details)
