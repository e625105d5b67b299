"""Page 1: where does each row lie between copying one position and blending all?"""

import math

import numpy as np
import streamlit as st

from core import Attention, copy_blend, effective_positions, read_row, travel
from core.door import FloatArray
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.browser import LIVE
from dashboard.charts.dots import vectors
from dashboard.charts.labels import labels_of
from dashboard.charts.parts import parts
from dashboard.charts.picture import Picture
from dashboard.charts.spread import PICK, spread
from dashboard.charts.travel import SHARPNESSES
from dashboard.heads import chosen_head, read_sentence
from dashboard.link import View
from dashboard.long import weights as long_weights
from dashboard.session import current_view, kept
from dashboard.words import emphasised


def read(view: View) -> Attention:
    """The sentence as the head of the view reads it."""
    return kept("read", view, lambda: read_sentence(view))


def claim(view: View) -> None:
    """What the row looked at reads, in a sentence."""
    attention = read(view)
    blocks.prose(words.reads(attention, view.row_shown - 1, emphasised), finding=True)


def travelled(view: View, attention: Attention) -> FloatArray:
    """How rows travel as sharpness grows, whatever the sharpness is."""
    return kept(
        "paths",
        (view.text, view.head, view.seed, view.causal, view.positions),
        lambda: travel(attention.scores, SHARPNESSES, allowed=attention.allowed),
    )


def matrix(view: View, attention: Attention) -> Picture:
    """What each row reads, how spread that is, and how it travels."""
    return spread(
        attention,
        labels_of(attention.query_tokens),
        travelled(view, attention),
        sharpness=math.inf if view.hard else view.sharpness,
        chosen=view.row_shown - 1,
        moves=controls.row_moves(),
        alt_text=words.spread_name(attention),
    )


def show_matrix(view: View) -> None:
    """The picture that moves its sharpness by itself, and what holds of it at every sharpness."""
    head, attention = chosen_head(view), read(view)
    blocks.show(
        matrix(view, attention), key=LIVE, selection=PICK, on_select=controls.take_picked_row
    )
    blocks.prose(
        words.travelling(attention, travelled(view, attention), view.row_shown - 1, emphasised),
        small=words.legend(attention)
        + " "
        + words.unknown(head, attention.query_tokens, emphasised),
    )


def details(view: View) -> None:
    """All below the picture."""
    head, attention = chosen_head(view), read(view)
    row = view.row_shown - 1
    tokens, labels = attention.query_tokens, labels_of(attention.query_tokens)
    who = words.name(tokens, row, emphasised)
    blocks.picture_names()[LIVE] = words.spread_name(attention)

    # What the output of one row is made of

    drawn: dict[str, Picture] = {}
    reading = read_row(attention, row)
    largest = float(np.abs(attention.values).max(initial=0))
    left, right = st.columns(2, gap="large")
    with left:
        blocks.section(
            f"What the output at {who} is made of",
            "Each weight times its value vector; the column sums are the output.",
        )
        drawn["Contributions"] = parts(
            reading,
            attention.weights[row],
            labels,
            head.feature_names,
            largest=largest,
            alt_text=words.parts_name(attention, row),
        )
        blocks.show(drawn["Contributions"], key="parts")
    with right:
        blocks.section("Between its copy and its blend", words.between(attention, row, emphasised))
        if reading.strongest:
            drawn["Output, copy and blend"] = vectors(
                {"output": reading.output, "copy": reading.copy, "blend": reading.blend},
                head.feature_names,
                largest=largest,
                alt_text=words.between(attention, row),
            )
            blocks.show(drawn["Output, copy and blend"], key="vectors")

    # Every row in words, and the numbers

    rows = [
        (blocks.literal(labels[i]), words.reads(attention, i, emphasised), words.kind(attention, i))
        for i in range(len(tokens))
    ]
    blocks.html_table("Every row in words", ("Row", "What it reads", "Kind"), rows, chosen=row)
    blocks.numbers_and_files(
        "weights",
        lambda: controls.share_link(view, "weights"),
        lambda: {"Weights": matrix(view, attention), **drawn},
        lambda: {
            "Weights: row reads from column": Numbers(attention.weights, labels, labels),
            f"Contributions to the output at {labels[row]}": Numbers(
                reading.contributions, labels, head.feature_names
            ),
            "Output, copy and blend": Numbers(
                np.array([reading.output, reading.copy, reading.blend]),
                ["output", "copy", "blend"],
                head.feature_names,
            ),
            "Copy 0 to blend 1, and effective positions": Numbers(
                np.column_stack(
                    [
                        copy_blend(attention.weights, attention.allowed),
                        effective_positions(attention.weights),
                    ]
                ),
                labels,
                ["copy to blend", "effective positions"],
            ),
        },
    )


# Claim and control

view = current_view()
title, control = st.columns([3, 1], vertical_alignment="bottom")
title.title("Copy or blend?", anchor=False)
with control:
    controls.pick_row(view, "weights")
if view.is_long:
    long_weights.show(view)
else:
    follow.place(claim)
    show_matrix(view)
    follow.place(details)
