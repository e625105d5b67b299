"""What becomes of rows and outputs: sections that are the same for sentences of any length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from core import Comparison, LongComparison, LongPermutationCheck, PermutationCheck
from dashboard import blocks, controls, follow, words
from dashboard.blocks import Numbers
from dashboard.charts.dots import vectors
from dashboard.charts.picture import Picture
from dashboard.link import View, write_number
from dashboard.words import emphasised


def numbers_and_files(
    page: str,
    pictures: Callable[[View], Mapping[str, Picture]],
    tables: Callable[[View], Mapping[str, Numbers]],
) -> None:
    """The numbers of a page as tables, and its pictures and numbers as files.

    For the run of the whole page. What is not open costs nothing, then or when the sharpness moves.
    """

    def numbers(view: View) -> None:
        blocks.number_tables(tables(view))

    def files(view: View) -> None:
        link = controls.share_link(view, page)
        blocks.save_buttons(view, page, link, pictures(view), tables(view))

    shown, saved = blocks.numbers_opened(page), blocks.files_opened(page)
    for place, draw in ((shown, numbers), (saved, files)):
        if place is not None:
            with place:
                follow.place(draw)


def pooled_picture(
    check: PermutationCheck | LongPermutationCheck, features: Sequence[str]
) -> Picture:
    """The sums over positions of both sentences."""
    return vectors(
        {"A": check.pooled_before, "B": check.pooled_after},
        features,
        largest=float(np.abs([check.pooled_before, check.pooled_after]).max(initial=0)),
        alt_text=words.pooled_finding(check),
    )


def show_pooled(check: PermutationCheck | LongPermutationCheck, features: Sequence[str]) -> Picture:
    """The sums under their finding; the picture, to be saved."""
    blocks.section("The pooled output: the sum over positions", words.pooled_finding(check))
    picture = pooled_picture(check, features)
    blocks.show(picture, key="pooled")
    return picture


def show_rows(
    comparison: Comparison | LongComparison,
    rows: Sequence[int],
    row: int,
    labels: Sequence[str],
    tolerance: float,
    left_out: str = "",
) -> None:
    """A table of some rows: how far each moved, and why; the row looked at stands out.

    That rows are `left_out` is said before what the numbers are.
    """
    if isinstance(comparison, LongComparison):
        reasons = [comparison.reason(i) for i in rows]
    else:
        reasons = [comparison.reasons[i] for i in rows]
    shifts, verdicts = comparison.row_shift.tolist(), words.verdicts(comparison, tolerance)
    blocks.html_table(
        f"Rows by how far they moved; moved means more than {write_number(tolerance)}",
        ("Row", "Moved by", "Verdict", "Because it"),
        [
            (
                blocks.literal(labels[i]),
                words.shift(shifts[i]),
                verdicts[i],
                words.because(reason),
            )
            for i, reason in zip(rows, reasons, strict=True)
        ],
        chosen=rows.index(row),
        small=f"{left_out} Moved by: total variation, half the sum of the changes in the row, "
        "from 0 to 1.".lstrip(),
    )


def move_picture(
    comparison: Comparison | LongComparison, row: int, features: Sequence[str]
) -> Picture:
    """How one output moved, by which hand."""
    return vectors(
        {
            "in all": comparison.moved[row],
            "by the matrix": comparison.matrix_part[row],
            "by the vectors": comparison.vector_part[row],
        },
        features,
        largest=float(np.abs(comparison.moved).max(initial=0)),
        alt_text=words.row_hands(comparison, row),
    )


def show_move(
    comparison: Comparison | LongComparison, row: int, who: str, features: Sequence[str]
) -> Picture:
    """The same under its words; the picture, to be saved."""
    blocks.section(
        f"The move of {who}, feature by feature", words.row_hands(comparison, row, emphasised)
    )
    picture = move_picture(comparison, row, features)
    blocks.show(picture, key="move")
    return picture
