"""Page 1 for a long sentence: pooled weights, a window of exact cells, one row in full."""

import math

import numpy as np
import streamlit as st

from core import read_row
from core.door import FloatArray
from dashboard import blocks, browser, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.browser import OVERVIEW, Painted
from dashboard.charts.blocks_text import FEW_PIXELS, PIXELS, blocks_text
from dashboard.charts.dots import vectors
from dashboard.charts.labels import exact
from dashboard.charts.long_travel import STEPS, bands, long_travel, rows_that_stand_for_all
from dashboard.charts.overview import BRUSH, overview
from dashboard.charts.parts import parts
from dashboard.charts.picture import Picture
from dashboard.charts.window import window
from dashboard.heads import chosen_head
from dashboard.link import WINDOW, View
from dashboard.long.seen import Seen, how_pooled, look, read_long
from dashboard.session import kept
from dashboard.words import emphasised
from dashboard.words import long as long_words

STRONGEST = 20  # keys of a row that the table lists


def show(view: View) -> None:
    """All below the claim and its control."""
    seen = look(view)
    follow.place(claim, home=True)
    show_overview(view)
    follow.place(under_overview)
    if seen.n > PIXELS:
        controls.pick_pool()
    follow.place(show_window, shows="window")
    follow.place(show_parts, key=blocks.HALVES)
    where, path = ways(view, seen)
    blocks.section(
        "As sharpness grows, rows travel from blend to copy",
        long_words.travelling(where, path, len(rows_that_stand_for_all(seen.n)), seen.who()),
    )
    follow.place(end)


def claim(view: View) -> None:
    """What the row looked at reads, in a sentence."""
    seen = look(view)
    blocks.prose(words.reads(seen.attention, 0, emphasised, seen.who()), finding=True)


def blocks_picture(view: View, text: str = "") -> Picture:
    """All weights in blocks, and on the same rows how spread they are; without `text` the page."""
    seen = look(view)
    return overview(
        seen.n,
        text=text,
        sharpness=math.inf if view.hard else view.sharpness,
        chosen=seen.row,
        window=seen.place,
        size=WINDOW,
        brushed=controls.brushed(),
        alt_text=long_words.overview_name(seen.over.spread),
    )


def blocks_file(view: View) -> Picture:
    """The same picture, ready to be saved."""
    seen = look(view)
    text = blocks_text(seen.pooled, seen.over.spread.copy_blend, seen.n, how_pooled(view))
    return blocks_picture(view, text)


def show_overview(view: View) -> None:
    """The picture of blocks: the page works it out at every sharpness by itself."""
    browser.paint_blocks(
        [read_long(view)],
        [Painted(bands=True)],
        pixels=PIXELS,
        how=how_pooled(view),
        causal=view.causal,
    )
    blocks.show(
        blocks_picture(view),
        key=OVERVIEW,
        selection=BRUSH,
        on_select=controls.take_brushed_window,
    )


def under_overview(view: View) -> None:
    """What the pixels, colours and bands of the picture are."""
    seen = look(view)
    n, pooled, read = seen.n, seen.pooled, seen.read
    head, tokens = chosen_head(view), read.query_tokens
    unknown = kept(
        "unknown", (view.text, view.head), lambda: words.unknown(head, tokens, emphasised)
    )
    blocks.picture_names()[OVERVIEW] = long_words.overview_name(seen.over.spread)
    blocks.small(
        " ".join(
            [
                long_words.pixels(pooled, how_pooled(view), fewer=n > FEW_PIXELS),
                long_words.colours(n, masked=read.allowed is not None),
                long_words.bands(pooled),
                long_words.rows_found(seen.over.spread),
                unknown,
            ]
        )
    )


def cells_of(seen: Seen) -> FloatArray:
    """The weights of the window."""
    rows, columns = seen.part
    return seen.read.weights(rows)[:, columns]


def window_picture(view: View) -> Picture:
    """A window of cells, moved by a drag over the picture or by number."""
    seen = look(view)
    read, (rows, columns) = seen.read, seen.part
    cells = cells_of(seen)
    return window(
        cells,
        seen.labels[rows],
        seen.labels[columns],
        n=seen.n,
        allowed=None if read.allowed is None else read.allowed[rows, columns],
        chosen=seen.row - seen.place[0],
        alt_text=long_words.window_name(read.query_tokens, cells, *seen.place),
    )


def show_window(view: View) -> None:
    """The exact cells; where they begin is part of what a drag over the picture moves."""
    seen = look(view)
    row, column = seen.place
    heading, *numbers = st.columns([4, 1, 1], vertical_alignment="bottom")
    controls.pick_window(view, numbers)
    with heading:
        blocks.section(
            f"Cell by cell: rows {long_words.span(row, WINDOW)}, "
            f"columns {long_words.span(column, WINDOW)}",
            "Drag over the picture above to move it, or type where it begins.",
        )
    blocks.show(window_picture(view), key="window")


def made_of(view: View, seen: Seen) -> dict[str, Picture]:
    """What the output of one row is made of, and how it lies between its copy and its blend."""
    attention, features = seen.attention, chosen_head(view).feature_names
    reading = read_row(attention, 0)
    largest = float(np.abs(attention.values).max(initial=0))
    drawn = {
        "Contributions": parts(
            reading,
            attention.weights[0],
            seen.labels,
            features,
            largest=largest,
            alt_text=words.parts_name(attention, 0, seen.who(words.plain)),
        )
    }
    if reading.strongest:
        drawn["Output, copy and blend"] = vectors(
            {"output": reading.output, "copy": reading.copy, "blend": reading.blend},
            features,
            largest=largest,
            alt_text=words.between(attention, 0),
        )
    return drawn


def show_parts(view: View) -> None:
    """Both, side by side."""
    seen = look(view)
    drawn = made_of(view, seen)
    blocks.section(
        f"What the output at {seen.who()} is made of",
        "Each weight times its value vector; the column sums are the output.",
    )
    blocks.show(drawn["Contributions"], key="parts")
    blocks.section("Between its copy and its blend", words.between(seen.attention, 0, emphasised))
    if "Output, copy and blend" in drawn:
        blocks.show(drawn["Output, copy and blend"], key="vectors")


def ways(view: View, seen: Seen) -> tuple[FloatArray, FloatArray]:
    """How rows travel as sharpness grows: bands of most of them, and the one looked at."""
    same = (view.text, view.head, view.seed, view.causal, view.positions)
    stand = rows_that_stand_for_all(seen.n)
    where = kept("bands", same, lambda: bands(seen.read.travel(STEPS, stand)))
    path = kept("path", (*same, seen.row), lambda: seen.read.travel(STEPS, seen.row)[:, 0])
    return where, path


def travel_picture(view: View, seen: Seen) -> Picture:
    """The ways, and the sharpness in force."""
    where, path = ways(view, seen)
    stand = len(rows_that_stand_for_all(seen.n))
    return long_travel(
        where,
        path,
        sharpness=math.inf if view.hard else view.sharpness,
        alt_text=long_words.travelling(where, path, stand, seen.who(words.plain)),
    )


def end(view: View) -> None:
    """The ways, the strongest weights of the row, and the numbers."""
    seen = look(view)
    labels, row, weights = seen.labels, seen.row, seen.attention.weights[0]
    blocks.show(travel_picture(view, seen), key="travel")
    order = np.argsort(-weights, kind="stable")[:STRONGEST]
    blocks.html_table(
        f"The strongest weights of {blocks.literal(labels[row])}",
        ("Reads from", "Weight"),
        [(blocks.literal(labels[k]), exact(weights[k])) for k in order],
    )
    blocks.small(long_words.rest(weights, len(order)))
    blocks.numbers_and_files(
        "weights",
        lambda: controls.share_link(view, "weights"),
        lambda: {
            "Weights in blocks": blocks_file(view),
            "Window": window_picture(view),
            **made_of(view, seen),
            "Travel": travel_picture(view, seen),
        },
        lambda: tables(view, seen),
    )


def tables(view: View, seen: Seen) -> dict[str, Numbers]:
    """The numbers of the page."""
    labels, features = seen.labels, chosen_head(view).feature_names
    reading = read_row(seen.attention, 0)
    rows, columns = seen.part
    spread = seen.over.spread
    return {
        "Weights of the window": Numbers(cells_of(seen), labels[rows], labels[columns]),
        f"Weights of {labels[seen.row]}, and contributions to its output": Numbers(
            np.column_stack([seen.attention.weights[0], reading.contributions]),
            labels,
            ["weight", *features],
        ),
        "Output, copy and blend": Numbers(
            np.array([reading.output, reading.copy, reading.blend]),
            ["output", "copy", "blend"],
            features,
        ),
        "Copy 0 to blend 1, and effective positions": Numbers(
            np.column_stack([spread.copy_blend, spread.effective_positions]),
            labels,
            ["copy to blend", "effective positions"],
        ),
    }
