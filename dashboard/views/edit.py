"""Page 2: when one token changes, which rows of the matrix move, and who moves the outputs?"""

import numpy as np
import streamlit as st

from core import compare
from core.door import FloatArray
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.dots import moves, vectors
from dashboard.charts.grid import Kind, grid
from dashboard.charts.labels import label
from dashboard.charts.picture import Picture
from dashboard.heads import chosen_head, read_sentence
from dashboard.link import View, write_number
from dashboard.long import edit as long_edit
from dashboard.session import current_view
from dashboard.words import emphasised


def draw(view: View) -> None:
    """All below the claim and its controls."""
    refusal = words.not_one_token(view.to, len(view.tokens), emphasised)
    if refusal:
        blocks.prose(refusal, finding=True)
        return
    if view.is_long:
        long_edit.draw(view)
        return

    head = chosen_head(view)
    at, row, tolerance = view.edited_position - 1, view.row_shown - 1, view.tolerance
    before = read_sentence(view)
    after = read_sentence(
        view, (*before.query_tokens[:at], view.to.strip(), *before.query_tokens[at + 1 :])
    )
    comparison = compare(before, after)
    tokens = after.query_tokens
    labels_before = [label(i, token) for i, token in enumerate(before.query_tokens)]
    labels = [label(i, token) for i, token in enumerate(tokens)]
    who = words.name(tokens, row, emphasised)

    blocks.prose(words.moved_rows(comparison, tolerance, emphasised), finding=True)

    # The matrix before, after, and what moved

    drawn: dict[str, Picture] = {}
    panels = st.columns(3, gap="small")
    matrices: dict[str, tuple[FloatArray, list[str], Kind]] = {
        "Before": (before.weights, labels_before, "weights"),
        "After": (after.weights, labels, "weights"),
        "After − before": (after.weights - before.weights, labels, "difference"),
    }
    for i, (title, (numbers, names, kind)) in enumerate(matrices.items()):
        with panels[i]:
            blocks.panel_title(title)
            drawn[title] = grid(
                numbers,
                names,
                names,
                kind=kind,
                allowed=after.allowed,
                chosen=row,
                labels_end=20.0,
                alt_text=f"{title}: {words.matrix_name(kind, comparison, tolerance)}",
            )
            blocks.show(drawn[title], key=f"matrix_{i}")
    blocks.small(
        words.edit_legend(after)
        + " "
        + words.unknown(head, (*before.query_tokens, *tokens), emphasised)
    )

    # Which rows moved, which stayed, and why

    order = np.argsort(-comparison.row_shift, kind="stable")
    blocks.html_table(
        f"Rows by how far they moved; moved means more than {write_number(tolerance)}",
        ("Row", "Moved by", "Verdict", "Because it"),
        [
            (
                blocks.literal(labels[i]),
                words.shift(comparison, i),
                words.verdict(comparison, i, tolerance),
                words.because(comparison.reasons[i]),
            )
            for i in order
        ],
        chosen=int(np.flatnonzero(order == row)[0]),
    )
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
        blocks.section(
            f"The move of {who}, feature by feature", words.row_hands(comparison, row, emphasised)
        )
        drawn["Move of one output"] = vectors(
            {
                "in all": comparison.moved[row],
                "by the matrix": comparison.matrix_part[row],
                "by the vectors": comparison.vector_part[row],
            },
            head.feature_names,
            largest=float(np.abs(comparison.moved).max(initial=0)),
            alt_text=words.row_hands(comparison, row),
        )
        blocks.show(drawn["Move of one output"], key="move")

    blocks.numbers_and_files(
        "edit",
        controls.share_link(view, "edit"),
        lambda: drawn,
        {
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
follow.place(draw)
