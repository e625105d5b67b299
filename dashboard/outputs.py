"""What becomes of rows and outputs: sections that are the same for sentences of any length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core import Comparison, LongComparison, LongPermutationCheck, PermutationCheck
from dashboard import blocks, words
from dashboard.charts.dots import vectors
from dashboard.charts.picture import Picture
from dashboard.link import write_number
from dashboard.words import emphasised


def show_pooled(check: PermutationCheck | LongPermutationCheck, features: Sequence[str]) -> Picture:
    """The sums over positions of both sentences; the picture, to be saved."""
    finding = words.pooled_finding(check)
    blocks.section("The pooled output: the sum over positions", finding)
    picture = vectors(
        {"A": check.pooled_before, "B": check.pooled_after},
        features,
        largest=float(np.abs([check.pooled_before, check.pooled_after]).max(initial=0)),
        alt_text=finding,
    )
    blocks.show(picture, key="pooled")
    return picture


def show_rows(
    comparison: Comparison | LongComparison,
    rows: Sequence[int],
    row: int,
    labels: Sequence[str],
    tolerance: float,
) -> None:
    """A table of some rows: how far each moved, and why; the row looked at stands out."""
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
    )


def show_move(
    comparison: Comparison | LongComparison, row: int, who: str, features: Sequence[str]
) -> Picture:
    """How one output moved, by which hand; the picture, to be saved."""
    blocks.section(
        f"The move of {who}, feature by feature", words.row_hands(comparison, row, emphasised)
    )
    picture = vectors(
        {
            "in all": comparison.moved[row],
            "by the matrix": comparison.matrix_part[row],
            "by the vectors": comparison.vector_part[row],
        },
        features,
        largest=float(np.abs(comparison.moved).max(initial=0)),
        alt_text=words.row_hands(comparison, row),
    )
    blocks.show(picture, key="move")
    return picture
