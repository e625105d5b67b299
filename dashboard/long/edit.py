"""Page 2 for a long sentence: pooled matrices, and the rows that moved most."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import Pooled, compare_long, mask_blocks
from core.door import FloatArray
from dashboard import blocks, controls, long_words, words
from dashboard.charts.blocks_text import FEW_PIXELS
from dashboard.charts.dots import moves
from dashboard.charts.labels import labels_of
from dashboard.charts.overview import panel
from dashboard.charts.picture import Picture
from dashboard.charts.raster import Kind
from dashboard.heads import chosen_head, settings
from dashboard.link import View
from dashboard.outputs import show_move, show_rows
from dashboard.words import emphasised

MOST_ROWS = 20  # rows that the table lists
MOST_MOVES = 12  # rows whose outputs are drawn


@dataclass(frozen=True)
class Some:
    """A few rows of what moved."""

    moved: FloatArray
    matrix_part: FloatArray
    vector_part: FloatArray


def draw(view: View) -> None:
    """All below the claim and its controls."""
    head = chosen_head(view)
    at, row, tolerance = view.edited_position - 1, view.row_shown - 1, view.tolerance
    before = head.attend_long(view.tokens, **settings(view))
    tokens = (*before.query_tokens[:at], view.to.strip(), *before.query_tokens[at + 1 :])
    after = head.attend_long(tokens, **settings(view))
    comparison = compare_long(before, after, FEW_PIXELS)
    n = len(tokens)
    labels = labels_of(tokens)
    who = words.name(tokens, row, emphasised)
    blocks.prose(words.moved_rows(comparison, tolerance, emphasised), finding=True)

    # The matrix before, after, and what moved

    drawn: dict[str, Picture] = {}
    matrices: dict[str, tuple[Pooled, Kind]] = {
        "Before": (comparison.pooled_before, "weights"),
        "After": (comparison.pooled_after, "weights"),
        "After − before": (comparison.pooled_difference, "difference"),
    }
    panels = st.columns(3, gap="small")
    for i, (title, (pooled, kind)) in enumerate(matrices.items()):
        with panels[i]:
            blocks.panel_title(title)
            drawn[title] = panel(
                mask_blocks(pooled, after.allowed),
                n=n,
                kind=kind,
                chosen=row,
                alt_text=f"{title}: {words.matrix_name(kind, comparison, tolerance)}",
            )
            blocks.show(drawn[title], key=f"matrix_{i}")
    blocks.small(
        " ".join(
            [
                long_words.pixels(comparison.pooled_before),
                long_words.colours(n, masked=after.allowed is not None),
                long_words.signed_colours(n),
                words.unknown(head, (*before.query_tokens, *tokens), emphasised),
            ]
        )
    )

    # Which rows moved most, and why

    order = np.argsort(-comparison.row_shift, kind="stable")[:MOST_ROWS].tolist()
    shown = order if row in order else [*order, row]
    show_rows(comparison, shown, row, labels, tolerance)
    blocks.small(
        long_words.left_out(n, len(order))
        + " Moved by: total variation, half the sum of the changes in the row, from 0 to 1."
    )

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
        lambda: drawn,
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
