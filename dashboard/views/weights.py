"""Page 1: where does each row lie between copying one position and blending all?"""

import math

import numpy as np
import streamlit as st

from core import Attention, copy_blend, effective_positions, travel
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
from dashboard.kinds import kind, taken_apart
from dashboard.link import View
from dashboard.long import weights as long_weights
from dashboard.outputs import numbers_and_files
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


def largest(attention: Attention) -> float:
    """The largest size of any value; it sets the scale of what an output is made of."""
    return float(np.abs(attention.values).max(initial=0))


def contributions(view: View) -> Picture:
    """What the output of one row is made of."""
    attention, row = read(view), view.row_shown - 1
    return parts(
        taken_apart(attention, row),
        attention.weights[row],
        labels_of(attention.query_tokens),
        chosen_head(view).feature_names,
        largest=largest(attention),
        alt_text=words.parts_name(attention, row),
    )


def vectors_of_row(view: View) -> dict[str, Picture]:
    """The output, its copy and its blend; no picture where no key is allowed."""
    attention, row = read(view), view.row_shown - 1
    reading = taken_apart(attention, row)
    if not reading.strongest:
        return {}
    picture = vectors(
        {"output": reading.output, "copy": reading.copy, "blend": reading.blend},
        chosen_head(view).feature_names,
        largest=largest(attention),
        alt_text=words.between(attention, row),
    )
    return {"Output, copy and blend": picture}


def show_output(view: View) -> None:
    """What one output is made of, and beside it how it lies between its copy and its blend."""
    row = view.row_shown - 1
    blocks.section(
        f"What the output at {words.name(view.tokens, row, emphasised)} is made of",
        "Each weight times its value vector; the column sums are the output.",
    )
    blocks.show(contributions(view), key="parts")
    told = words.between(read(view), row, emphasised)
    blocks.section("Between its copy and its blend", told)
    for picture in vectors_of_row(view).values():
        blocks.show(picture, key="vectors")


def show_rows(view: View) -> None:
    """Every row in words, and the name of the first picture, which tells them all."""
    attention = read(view)
    labels = labels_of(attention.query_tokens)
    blocks.picture_names()[LIVE] = words.spread_name(attention)
    rows = [
        (blocks.literal(labels[i]), words.reads(attention, i, emphasised), kind(attention, i))
        for i in range(len(labels))
    ]
    blocks.html_table(
        "Every row in words", ("Row", "What it reads", "Kind"), rows, chosen=view.row_shown - 1
    )


def show_details(view: View) -> None:
    """All below the picture."""

    def follows(view: View) -> None:
        show_output(view)
        show_rows(view)

    follow.place(follows, key=blocks.HALVES)
    numbers_and_files("weights", pictures, tables)


def pictures(view: View) -> dict[str, Picture]:
    """The pictures of the page."""
    return {
        "Weights": matrix(view, read(view)),
        "Contributions": contributions(view),
        **vectors_of_row(view),
    }


def tables(view: View) -> dict[str, Numbers]:
    """The numbers of the page."""
    attention, row = read(view), view.row_shown - 1
    reading = taken_apart(attention, row)
    labels, features = labels_of(attention.query_tokens), chosen_head(view).feature_names
    return {
        "Weights: row reads from column": Numbers(attention.weights, labels, labels),
        f"Contributions to the output at {labels[row]}": Numbers(
            reading.contributions, labels, features
        ),
        "Output, copy and blend": Numbers(
            np.array([reading.output, reading.copy, reading.blend]),
            ["output", "copy", "blend"],
            features,
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
    }


# Claim and control

view = current_view()
title, control = st.columns([3, 1], vertical_alignment="bottom")
title.title("Copy or blend?", anchor=False)
with control:
    controls.pick_row(view, "weights")
if view.is_long:
    long_weights.show(view)
else:
    follow.place(claim, home=True)
    show_matrix(view)
    show_details(view)
