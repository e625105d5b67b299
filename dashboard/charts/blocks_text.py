"""What of a pooled picture follows the sharpness, as one text: its pixels, and bands of its rows.

A file is given it with the drawing. On the page `pooled.js` works it out anew at every sharpness
and hands it to the drawing, whose tables and formulas stay the same.

Its words are: the pixels as they stand in a bitmap, the fewer pixels of a narrow screen (`-` where
they are the same), and three numbers for each block of rows: of its row nearest to a copy, of that
nearest to a blend, and their mean; 0 copy … 1 blend, NaN where no row has a choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core import Pooled, pool
from core.pooling import How
from dashboard.charts import live
from dashboard.charts.bitmap import opening, padding
from dashboard.charts.picture import Columns, Spec, calculate, tabulate
from dashboard.charts.raster import Kind, shade_long, to_bytes

# Most pixels a side. A screen drops none: it has room for them, or is sent the fewer ones.
PIXELS = 256
FEW_PIXELS = 128  # on a narrow screen, and in one of several panels
NONE = "-"  # stands for the fewer pixels where they are the same
BEFORE_BANDS = 2  # words
TEXT = "drawn"  # the parameter that holds it, as `pooled.js` names it


def blocks_text(pooled: Pooled, spread: NDArray[np.floating[Any]], n: int, how: How) -> str:
    """The text, of n positions pooled by `how`; `spread` holds one number a row."""
    values = pooled.values
    few = NONE
    if max(values.shape) > FEW_PIXELS:
        few = pixels_text(pool(values, FEW_PIXELS, how).values, n)
    bands = np.column_stack(_bands(spread, pooled.row_edges[:-1]))
    return " ".join([pixels_text(values, n), few, *map(repr, bands.ravel().tolist())])


def pixels_text(values: NDArray[np.floating[Any]], n: int, kind: Kind = "weights") -> str:
    """Its first word alone, which is all that a picture without bands needs."""
    levels = to_bytes(shade_long(values, n, kind), kind)
    rows = np.pad(levels, ((0, 0), (0, padding(levels.shape[1]))))
    return "%" + rows.tobytes().hex("%").upper()


def _bands(
    spread: NDArray[np.floating[Any]], starts: NDArray[np.int_]
) -> tuple[NDArray[np.float64], ...]:
    """Lowest, highest and mean number of each block of rows."""
    known = np.add.reduceat(~np.isnan(spread), starts)
    sums = np.add.reduceat(np.nan_to_num(spread, nan=0.0), starts)
    means = np.divide(sums, known, out=np.full(len(starts), np.nan), where=known > 0)
    return np.fmin.reduceat(spread, starts), np.fmax.reduceat(spread, starts), means


def image_table(
    n_blocks: int, start: float, end: float, kind: Kind, text: str, sharpness: float
) -> Columns:
    """One line: where the image lies across, and how its bitmaps begin; what the page leads.

    That is its `text`, and the `sharpness` which that is of.
    """
    few = min(n_blocks, FEW_PIXELS)
    return live.here(sharpness) | tabulate(
        x0=[start],
        x1=[end],
        y0=[0.0],
        y1=[100.0],
        light=[opening(n_blocks, n_blocks, kind, "light")],
        dark=[opening(n_blocks, n_blocks, kind, "dark")],
        light_few=[opening(few, few, kind, "light")],
        dark_few=[opening(few, few, kind, "dark")],
        size=[3 * n_blocks * (n_blocks + padding(n_blocks))],  # characters of the pixels
        given=[text],
    )


def row_table(edges: NDArray[np.int_], n: int) -> Columns:
    """One line a block of rows: which it is, its first and last row by name, and where it lies."""
    first, last = edges[:-1] + 1, edges[1:]
    return tabulate(
        block=np.arange(len(first), dtype=np.int16),
        rows=[f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in zip(first, last, strict=True)],
        y0=(100 * edges[:-1] / n).astype(np.float32),
        y1=(100 * edges[1:] / n).astype(np.float32),
    )


def parameters(*, led: bool) -> list[Spec]:
    """The text and its words; where the page is to write it, the sharpness it leads, too."""
    given = "data('image')[0].given"
    words = {"name": "words", "expr": f"split({TEXT}, ' ')"}
    if not led:
        return [{"name": TEXT, "expr": given}, words]
    return [*live.parameters(of="image"), *text_parameter(TEXT, given), words]


def text_parameter(name: str, given: str) -> list[Spec]:
    """A text that the page may write; as it is `given`, a formula, until then.

    Tables that are sent again are gone for a moment: what was written outlasts that.
    """
    came = f"given_{name}"
    return [
        {"name": came, "expr": given},
        {
            "name": name,
            "expr": came,
            "bind": {"input": "text", "name": name},
            "on": [{"events": {"signal": came}, "update": f"{came} || {name}"}],
        },
    ]


def address(dark: str, narrow: str = "false") -> str:
    """Formula of the image's address; `dark` and `narrow` are formulas of how it is looked at.

    Empty until a text for pictures of this size is there.
    """
    few = f"words[1] !== '{NONE}' && ({narrow})"
    fine = f"(({dark}) ? datum.dark : datum.light) + words[0]"
    coarse = f"(({dark}) ? datum.dark_few : datum.light_few) + words[1]"
    return f"length(words[0]) !== datum.size ? '' : {few} ? {coarse} : {fine}"


def band_steps(start: float, end: float) -> list[Spec]:
    """Steps that give a block of rows its band and its mean, between two places across."""
    numbers = ("low", "high", "mean")
    at = f"{BEFORE_BANDS} + {len(numbers)} * datum.block"
    told = "(datum.{0} == 0 ? '0' : datum.{0} < 0.0005 ? '<0.001' : format(datum.{0}, '.3f'))"
    low, high = told.format("low"), told.format("high")
    place = f"{start:g} + {end - start:g} * datum"
    return [
        *calculate(**{name: f"toNumber(words[{at} + {i}])" for i, name in enumerate(numbers)}),
        {"filter": "isFinite(datum.mean)"},
        *calculate(
            x0=f"{place}.low - 0.2",
            x1=f"{place}.high + 0.2",
            m0=f"{place}.mean - 0.4",
            m1=f"{place}.mean + 0.4",
            exact=f"datum.low == datum.high ? {low} : {low} + ' … ' + {high}",
        ),
    ]
