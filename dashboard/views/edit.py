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
from dashboard.outputs import move_picture, numbers_and_files, show_move, show_rows
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
    old, new = labels_of(before.query_tokens), labels_of(after.query_tokens)
    names = words.edited_names(found, view.tolerance)
    pictures = (
        live_weights(before.scores, before.allowed, old, alt_text=names["Before"], **common),
        live_weights(after.scores, after.allowed, new, alt_text=names["After"], **common),
        live_difference(before, after, new, alt_text=names["After − before"], **common),
    )
    return dict(zip(names, pictures, strict=True))


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


def show_moved_rows(view: View) -> None:
    """Which rows moved, which stayed, and why; and the names of the matrices, which tell it."""
    found, row = compared(view), view.row_shown - 1
    for i, name in enumerate(words.edited_names(found, view.tolerance).values()):
        blocks.picture_names()[f"matrix_{i}"] = name
    order = np.argsort(-found.row_shift, kind="stable")
    show_rows(found, order.tolist(), row, labels_of(found.after.query_tokens), view.tolerance)


def moves_picture(view: View) -> Picture:
    """Who moved the outputs: the matrix, or the vectors."""
    found = compared(view)
    labels = labels_of(found.after.query_tokens)
    return moves(found, labels, chosen=view.row_shown - 1, alt_text=words.hands(found))


def show_moves(view: View) -> None:
    """The same, under its words."""
    blocks.section(
        "How far each output moved, and by which hand", words.hands(compared(view), emphasised)
    )
    blocks.show(moves_picture(view), key="moves")


def show_one_move(view: View) -> None:
    """The move of the output looked at, feature by feature."""
    found, row = compared(view), view.row_shown - 1
    who = words.name(found.after.query_tokens, row, emphasised)
    show_move(found, row, who, chosen_head(view).feature_names)


def show_details(view: View) -> None:
    """All below the matrices."""

    def follows(view: View) -> None:
        show_moved_rows(view)
        show_moves(view)
        show_one_move(view)

    follow.place(follows, key=blocks.HALVES)
    numbers_and_files("edit", pictures, tables)


def pictures(view: View) -> dict[str, Picture]:
    """The pictures of the page."""
    found, features = compared(view), chosen_head(view).feature_names
    return {
        **matrices(view, found),
        "Moves": moves_picture(view),
        "Move of one output": move_picture(found, view.row_shown - 1, features),
    }


def tables(view: View) -> dict[str, Numbers]:
    """The numbers of the page."""
    found, features = compared(view), chosen_head(view).feature_names
    before, after = found.before, found.after
    labels_before, labels = labels_of(before.query_tokens), labels_of(after.query_tokens)
    return {
        "Weights before": Numbers(before.weights, labels_before, labels_before),
        "Weights after": Numbers(after.weights, labels, labels),
        "After − before": Numbers(after.weights - before.weights, labels, labels),
        "Because the matrix moved": Numbers(found.matrix_part, labels, features),
        "Because the vectors moved": Numbers(found.vector_part, labels, features),
        "Outputs of a fixed mixer, which keeps the first matrix": Numbers(
            found.fixed_mixer_outputs, labels, features
        ),
    }


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
    follow.place(claim, home=True)
    show_matrices(view)
    show_details(view)
