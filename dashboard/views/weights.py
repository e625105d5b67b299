"""Page 1: where does each row lie between copying one position and blending all?"""

import math

import numpy as np
import streamlit as st

from core import copy_blend, effective_positions, read_row, travel
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.dots import vectors
from dashboard.charts.labels import label
from dashboard.charts.parts import parts
from dashboard.charts.picture import Picture
from dashboard.charts.spread import PICK, spread
from dashboard.charts.travel import SHARPNESSES
from dashboard.heads import chosen_head, read_sentence
from dashboard.link import View
from dashboard.long import weights as long_weights
from dashboard.session import current_view, kept
from dashboard.words import emphasised


def draw(view: View) -> None:
    """All below the claim and its control."""
    head = chosen_head(view)
    attention = read_sentence(view)
    row = view.row_shown - 1
    tokens = attention.query_tokens
    labels = [label(i, token) for i, token in enumerate(tokens)]
    who = words.name(tokens, row, emphasised)
    blocks.prose(words.reads(attention, row, emphasised), finding=True)

    # What each row reads, how spreadthat is, and how it travels as sharpness grows

    drawn: dict[str, Picture] = {}
    paths = kept(
        "paths",
        (view.text, view.head, view.seed, view.causal, view.positions),
        lambda: travel(attention.scores, SHARPNESSES, allowed=attention.allowed),
    )
    sharpness = math.inf if view.hard else view.sharpness
    drawn["Weights"] = spread(
        attention,
        labels,
        paths,
        sharpness=sharpness,
        chosen=row,
        moves=controls.row_moves(),
        alt_text=words.spread_name(attention),
    )
    blocks.show(
        drawn["Weights"],
        key="spread",
        selection=PICK,
        on_select=controls.take_picked_row,
        led=["here"],
    )
    blocks.prose(
        words.travelling(attention, paths, row, emphasised),
        small=words.legend(attention) + " " + words.unknown(head, tokens, emphasised),
    )

    # What the output of one row is made of

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
        controls.share_link(view, "weights"),
        drawn,
        {
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
follow.page(long_weights.draw if view.is_long else draw)
