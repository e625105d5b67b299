"""Page 2 for a long sentence: pooled matrices, and the rows that moved most."""

import math
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core import LongAttention, LongComparison, compare_long, mask_blocks
from core.door import FloatArray
from dashboard import blocks, browser, controls, follow, words
from dashboard.browser import Painted
from dashboard.charts.blocks_text import FEW_PIXELS, pixels_text
from dashboard.charts.dots import moves
from dashboard.charts.labels import labels_of
from dashboard.charts.panel import panel
from dashboard.charts.picture import Picture
from dashboard.charts.raster import Kind
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.outputs import show_move, show_rows
from dashboard.session import kept
from dashboard.words import emphasised
from dashboard.words import long as long_words

MOST_ROWS = 20  # rows that the table lists
MOST_MOVES = 12  # rows whose outputs are drawn


@dataclass(frozen=True)
class Some:
    """A few rows of what moved."""

    moved: FloatArray
    matrix_part: FloatArray
    vector_part: FloatArray


TITLES: dict[str, Kind] = {
    "Before": "weights",
    "After": "weights",
    "After − before": "difference",
}


def reads(view: View) -> tuple[LongAttention, LongAttention]:
    """The sentence as it is, and edited."""
    head, at = chosen_head(view), view.edited_position - 1
    before = head.attend_long(view.tokens, **settings(view))
    tokens = (*before.query_tokens[:at], view.to.strip(), *before.query_tokens[at + 1 :])
    return before, head.attend_long(tokens, **settings(view))


def compared(view: View) -> LongComparison:
    """What the edit moved; whatever row is looked at, and from where on it counts as moved."""
    asked = replace(view, row=None, tolerance=View().tolerance)
    return kept("compared_long", asked, lambda: compare_long(*reads(view), FEW_PIXELS))


def show(view: View) -> None:
    """All below the controls."""
    follow.place(claim, home=True)
    show_matrices(view)
    follow.place(details)


def claim(view: View) -> None:
    """How many rows moved, in a sentence."""
    moved = words.moved_rows(compared(view), view.tolerance, emphasised)
    blocks.prose(moved, finding=True)


def show_matrices(view: View) -> None:
    """The matrix before, after, and what moved: the page works them out by itself."""
    browser.paint_blocks(
        reads(view),
        [Painted(), Painted(read=1), Painted(read=1, less=0)],
        pixels=FEW_PIXELS,
        causal=view.causal,
    )
    panels = st.columns(3, gap="small")
    for i, (title, kind) in enumerate(TITLES.items()):
        with panels[i]:
            blocks.panel_title(title)
            blocks.show(matrix(view, kind, alt_text=title), key=f"matrix_{i}")


def matrix(view: View, kind: Kind, *, text: str = "", alt_text: str) -> Picture:
    """One of the matrices; without `text` the page works it out."""
    return panel(
        len(view.tokens),
        text=text,
        kind=kind,
        sharpness=math.inf if view.hard else view.sharpness,
        chosen=view.row_shown - 1,
        alt_text=alt_text,
    )


def matrices(view: View) -> dict[str, Picture]:
    """All three, ready to be saved."""
    found, n = compared(view), len(view.tokens)
    pooled = found.pooled_before, found.pooled_after, found.pooled_difference
    named = words.edited_names(compared(view), view.tolerance)
    return {
        title: matrix(
            view,
            kind,
            text=pixels_text(mask_blocks(one, found.after.allowed).values, n, kind),
            alt_text=named[title],
        )
        for one, (title, kind) in zip(pooled, TITLES.items(), strict=True)
    }


def details(view: View) -> None:
    """All below the matrices."""
    head, comparison = chosen_head(view), compared(view)
    before, after = comparison.before, comparison.after
    row, tolerance, n = view.row_shown - 1, view.tolerance, len(after.query_tokens)
    labels = labels_of(after.query_tokens)
    who = words.name(after.query_tokens, row, emphasised)
    for i, name in enumerate(words.edited_names(compared(view), view.tolerance).values()):
        blocks.picture_names()[f"matrix_{i}"] = name
    drawn: dict[str, Picture] = {}
    blocks.small(
        " ".join(
            [
                long_words.pixels(comparison.pooled_before),
                long_words.colours(n, masked=after.allowed is not None),
                long_words.signed_colours(n),
                words.unknown(head, (*before.query_tokens, *after.query_tokens), emphasised),
            ]
        )
    )

    # Which rows moved most, and why

    order = np.argsort(-comparison.row_shift, kind="stable")[:MOST_ROWS].tolist()
    shown = order if row in order else [*order, row]
    left_out = long_words.left_out(n, len(order))
    show_rows(comparison, shown, row, labels, tolerance, left_out)

    # Who moved the outputs: the matrix, or the vectors

    lengths = np.linalg.norm(comparison.moved, axis=1)
    far = np.argsort(-lengths, kind="stable")[:MOST_MOVES].tolist()
    far = far if row in far else [*far, row]
    left, right = st.columns(2, gap="large")
    with left:
        blocks.section(
            "How far each output moved, and by which hand", words.hands(comparison, emphasised)
        )
        drawn["Moves"] = moves(
            Some(comparison.moved[far], comparison.matrix_part[far], comparison.vector_part[far]),
            [labels[i] for i in far],
            chosen=far.index(row),
            alt_text=words.hands(comparison),
        )
        blocks.show(drawn["Moves"], key="moves")
        blocks.small(f"The outputs that moved most, of {n:,}, and the row looked at.")
    with right:
        drawn["Move of one output"] = show_move(comparison, row, who, head.feature_names)

    features = head.feature_names
    blocks.numbers_and_files(
        "edit",
        lambda: controls.share_link(view, "edit"),
        lambda: {**matrices(view), **drawn},
        lambda: {
            "Rows: moved by, weight on the edited token before and after": blocks.Numbers(
                np.column_stack(
                    [comparison.row_shift, comparison.edited_before, comparison.edited_after]
                ),
                labels,
                ["moved by", "weight before", "weight after"],
            ),
            "Because the matrix moved": blocks.Numbers(comparison.matrix_part, labels, features),
            "Because the vectors moved": blocks.Numbers(comparison.vector_part, labels, features),
            "Outputs of a fixed mixer, which keeps the first matrix": blocks.Numbers(
                comparison.fixed_mixer_outputs, labels, features
            ),
        },
    )
