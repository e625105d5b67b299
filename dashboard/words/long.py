"""Sentences about a long sentence: what a pooled picture shows, and where most rows lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core import Pooled, Spread
from core.door import FloatArray
from dashboard.charts.labels import decimal, percent
from dashboard.kinds import BLEND_ABOVE, COPY_BELOW, NEARLY_ONE
from dashboard.words.tokens import Mark, name, plain


def block(pooled: Pooled) -> str:
    """The size of a pixel: `8 × 8`, or up to that where not all are of one size."""
    sides = [np.diff(edges) for edges in (pooled.row_edges, pooled.column_edges)]
    size = " × ".join(str(int(side.max())) for side in sides)
    even = all(side.min() == side.max() for side in sides)
    return size if even else f"up to {size}"


def pixels(pooled: Pooled, how: str = "max", *, fewer: bool = False, signed: bool = False) -> str:
    """What one pixel of a pooled picture stands for; on a narrow screen it may be `fewer`."""
    what = "difference" if signed else "weight"
    rule = "mean of" if how == "mean" else "largest of"
    twice = 2 * int(np.diff(pooled.row_edges).max())
    narrow = f"up to {twice} × {twice}"
    if pooled.values.shape == (pooled.row_edges[-1], pooled.column_edges[-1]):
        end = f"; on a narrow screen, the {rule} {narrow}" if fewer else ""
        return f"Each pixel is one {what}{end}."
    size = ", in size," if signed else ""
    end = f"; on a narrow screen, of {narrow}" if fewer else ""
    return f"Each pixel is the {rule} {block(pooled)} {what}s{size}{end}."


def colours(n: int, *, masked: bool) -> str:
    """What the colours of a long picture mean."""
    text = (
        f"Colour: the logarithm of the weight, from the plain average 1/{n:,} or less to a copy, 1."
    )
    return text + (" Blank: the mask does not allow it." if masked else "")


def signed_colours(n: int) -> str:
    """What the colours of a long picture of differences mean."""
    return (
        "After − before: purple less, green more, by the logarithm of the size, "
        f"from 1/{n:,}² or less to 1."
    )


def bands(pooled: Pooled) -> str:
    """What stands at the right of the pooled picture."""
    if len(pooled.values) == pooled.row_edges[-1]:
        return "At the right, each row’s place between copy and blend."
    return (
        "At the right, the rows of each block: from the nearest to a copy to the nearest to a "
        "blend, and their mean."
    )


def rows_found(spread: Spread) -> str:
    """How many rows are near a copy, near a blend, and between."""
    free = ~np.isnan(spread.copy_blend)
    known = spread.copy_blend[free]
    n = len(free)
    copies = int(((known < COPY_BELOW) & (spread.effective_positions[free] < NEARLY_ONE)).sum())
    blends = int((known > BLEND_ABOVE).sum())
    between = len(known) - copies - blends
    told = (
        f"Of {n:,} rows, {copies:,} lie near a copy (below {COPY_BELOW:g}, "
        f"and less than {NEARLY_ONE:g} positions’ worth), "
        f"{blends:,} near a blend (above {BLEND_ABOVE:g}), {between:,} between."
    )
    forced = n - len(known)
    if forced:
        told += f" {forced:,} {'has' if forced == 1 else 'have'} no choice of keys."
    return told


def overview_name(spread: Spread) -> str:
    """Accessible name of the pooled picture."""
    n = f"{len(spread.copy_blend):,}"
    return (
        f"Attention weights of {n} rows and columns in blocks, and how far the rows of each block "
        f"lie from copy to blend. {rows_found(spread)}"
    )


def window_name(
    tokens: Sequence[str], weights: FloatArray, first_row: int, first_column: int
) -> str:
    """Accessible name of the window: its place, and its largest weight."""
    n_rows, n_columns = weights.shape
    where = f"Weights of rows {span(first_row, n_rows)} on columns {span(first_column, n_columns)}."
    if not weights.any():
        return f"{where} All of them are 0."
    row, column = (int(i) for i in np.unravel_index(int(weights.argmax()), weights.shape))
    reader = name_at(tokens, first_row + row, plain)
    read = name_at(tokens, first_column + column, plain)
    return f"{where} Largest: {reader} reads {percent(weights.max())} from {read}."


def name_at(tokens: Sequence[str], position: int, mark: Mark = plain) -> str:
    """The token at a position, with the position wherever the token alone would not tell."""
    return name(tokens, position, mark)


def span(first: int, size: int) -> str:
    """Positions from a 0-based first one: `1,201 to 1,248`."""
    return f"{first + 1:,} to {first + size:,}"


def rest(weights: FloatArray, shown: int) -> str:
    """What the keys that a table leaves out hold together; empty if there are none."""
    others = np.sort(weights)[: len(weights) - shown]
    if len(others) == 0:
        return ""
    if not others.any():
        return f"The other {len(others):,} keys have no weight."
    return f"The other {len(others):,} keys hold {percent(others.sum())} together."


def left_out(n: int, shown: int) -> str:
    """How many rows a table leaves out, and where they are."""
    return (
        f"The {shown} rows that moved most, of {n:,}. "
        "All of them are in the numbers that can be saved below."
    )


def travelling(where: FloatArray, path: FloatArray, rows: int, who: str) -> str:
    """Where most rows stand at sharpness 1 and at the sharp end, and where one of them ends.

    `where` has shape (n_steps, 5), `path` (n_steps,), the largest sharpness last.
    """
    if np.isnan(where).all():
        return "No row has more than one key to choose from, so none travels."
    last = where[-1]
    told = (
        f"The dark band holds the middle half of {rows} rows spread evenly over the sentence, the "
        f"pale one four fifths, the line their middle. At sharpness 16 the middle half lies "
        f"from {decimal(last[1], 2)} to {decimal(last[3], 2)}."
    )
    if np.isnan(path).all():
        return f"{told} {who} has no choice of keys and does not travel."
    return f"{told} {who} ends at {decimal(path[-1], 2)}."
