"""Page 1 for a long sentence: pooled weights, a window of exact cells, one row in full."""

import math

import numpy as np
import streamlit as st

from core import mask_blocks, read_row
from core.pooling import How
from dashboard import blocks, controls, long_words, words
from dashboard.charts.dots import vectors
from dashboard.charts.labels import exact, label
from dashboard.charts.long_travel import STEPS, bands, long_travel, rows_that_stand_for_all
from dashboard.charts.overview import BRUSH, FEW_PIXELS, PIXELS, overview
from dashboard.charts.parts import parts
from dashboard.charts.picture import Picture
from dashboard.charts.window import window
from dashboard.heads import chosen_head, settings
from dashboard.link import WINDOW, View
from dashboard.session import kept
from dashboard.words import emphasised

STRONGEST = 20  # keys of a row that the table lists


def draw(view: View) -> None:
    """All below the claim and its control."""
    head = chosen_head(view)
    read = head.attend_long(view.tokens, **settings(view))
    tokens = read.query_tokens
    n = len(tokens)
    labels = [label(i, token) for i, token in enumerate(tokens)]

    row = view.row_shown - 1
    attention = read.row(row)
    weights = attention.weights[0]
    who, plainly = words.name(tokens, row, emphasised), words.name(tokens, row)
    blocks.prose(words.reads(attention, 0, emphasised, who), finding=True)

    # All weights in blocks, and on the same rows how spread they are

    how: How = "mean" if view.pool == "mean" else "max"
    seen = read.overview(PIXELS, how)
    spread = seen.spread.copy_blend
    pooled = mask_blocks(seen.pooled, read.allowed)
    drawn: dict[str, Picture] = {}
    place = controls.window_of(view)
    drawn["Weights in blocks"] = overview(
        pooled,
        spread,
        n=n,
        chosen=row,
        window=place,
        size=WINDOW,
        how=how,
        brushed=controls.brushed(),
        alt_text=long_words.overview_name(spread),
    )
    blocks.show(
        drawn["Weights in blocks"],
        key="overview",
        selection=BRUSH,
        on_select=controls.take_brushed_window,
    )
    blocks.small(
        " ".join(
            [
                long_words.pixels(pooled, how, fewer=n > FEW_PIXELS),
                long_words.colours(n, masked=read.allowed is not None),
                long_words.bands(pooled),
                long_words.rows_found(spread),
                words.unknown(head, tokens, emphasised),
            ]
        )
    )
    if n > PIXELS:
        controls.pick_pool(view)

    # A window of cells, moved by a drag over the picture or by number

    heading, numbers = st.columns([2, 1], vertical_alignment="bottom")
    with numbers:
        controls.pick_window(view)
    part = tuple(slice(first, first + WINDOW) for first in place)
    cells = read.weights(part[0])[:, part[1]]
    with heading:
        blocks.heading(
            f"Cell by cell: rows {long_words.span(place[0], WINDOW)}, "
            f"columns {long_words.span(place[1], WINDOW)}"
        )
        blocks.prose("Drag over the picture above to move it, or type where it begins.")
    drawn["Window"] = window(
        cells,
        labels[part[0]],
        labels[part[1]],
        n=n,
        allowed=None if read.allowed is None else read.allowed[part],
        chosen=row - place[0],
        alt_text=long_words.window_name(tokens, cells, *place),
    )
    blocks.show(drawn["Window"], key="window")

    # What the output of one row is made of

    reading = read_row(attention, 0)
    largest = float(np.abs(attention.values).max(initial=0))
    left, right = st.columns(2, gap="large")
    with left:
        blocks.section(
            f"What the output at {who} is made of",
            "Each weight times its value vector; the column sums are the output.",
        )
        drawn["Contributions"] = parts(
            reading,
            weights,
            labels,
            head.feature_names,
            largest=largest,
            alt_text=words.parts_name(attention, 0, plainly),
        )
        blocks.show(drawn["Contributions"], key="parts")
    with right:
        blocks.section("Between its copy and its blend", words.between(attention, 0, emphasised))
        if reading.strongest:
            drawn["Output, copy and blend"] = vectors(
                {"output": reading.output, "copy": reading.copy, "blend": reading.blend},
                head.feature_names,
                largest=largest,
                alt_text=words.between(attention, 0),
            )
            blocks.show(drawn["Output, copy and blend"], key="vectors")

    # How rows travel as sharpness grows

    blocks.heading("As sharpness grows, rows travel from blend to copy")
    stand = rows_that_stand_for_all(n)
    where = kept(
        "bands",
        (view.text, view.head, view.seed, view.causal, view.positions),
        lambda: bands(read.travel(STEPS, stand)),
    )
    path = read.travel(STEPS, row)[:, 0]
    blocks.prose(long_words.travelling(where, path, len(stand), who))
    drawn["Travel"] = long_travel(
        where,
        path,
        sharpness=math.inf if view.hard else view.sharpness,
        alt_text=long_words.travelling(where, path, len(stand), plainly),
    )
    blocks.show(drawn["Travel"], key="travel")

    # The strongest weights of the row, and the numbers

    order = np.argsort(-weights, kind="stable")[:STRONGEST]
    blocks.html_table(
        f"The strongest weights of {blocks.literal(labels[row])}",
        ("Reads from", "Weight"),
        [(blocks.literal(labels[k]), exact(weights[k])) for k in order],
    )
    blocks.small(long_words.rest(weights, len(order)))
    blocks.numbers_and_files(
        "weights",
        controls.share_link(view, "weights"),
        lambda: drawn,
        {
            "Weights of the window": blocks.Numbers(cells, labels[part[0]], labels[part[1]]),
            f"Weights of {labels[row]}, and contributions to its output": blocks.Numbers(
                np.column_stack([weights, reading.contributions]),
                labels,
                ["weight", *head.feature_names],
            ),
            "Output, copy and blend": blocks.Numbers(
                np.array([reading.output, reading.copy, reading.blend]),
                ["output", "copy", "blend"],
                head.feature_names,
            ),
            "Copy 0 to blend 1, and effective positions": blocks.Numbers(
                np.column_stack([spread, seen.spread.effective_positions]),
                labels,
                ["copy to blend", "effective positions"],
            ),
        },
    )
