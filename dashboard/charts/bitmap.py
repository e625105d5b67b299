"""Many cells as one picture file that the drawing itself writes anew at every sharpness.

A mark for each of thousands of cells costs a tenth of a second whenever they move; a file of one
byte a cell, in the colours of the theme, a small part of that. It is a bitmap without compression
(BMP: a palette, 8 bits a cell, rows from the top), the one kind that Vega's expressions can write.
For the same reason there is one line of data a row, and formulas are written out for all its keys:
what is done to each of thousands of lines costs more than what is done in them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal
from urllib.parse import unquote_to_bytes

import altair as alt
import numpy as np
from numpy.typing import NDArray

from core.door import BoolArray, FloatArray
from dashboard.charts.labels import FORBIDDEN
from dashboard.charts.layout import Layout
from dashboard.charts.live import BEFORE, gaps, usable
from dashboard.charts.palette import DARK, painted, signed_root
from dashboard.charts.picture import (
    EXACT,
    Columns,
    Spec,
    calculate,
    layered,
    lookup,
    table,
    tabulate,
)
from dashboard.charts.raster import BLANK, STEPS, Kind, Theme, palette, png_address

CELLS = "matrix"  # the layer that a click on a row is heard on
RUNS = "forbidden"  # the table of `runs`
KIND = "data:image/bmp,"
BLANK_OCTET = f"%{BLANK:02X}"
What = Literal["weights", "difference", "given"]  # a difference is worked out, or was given


def gap_rows(scores: FloatArray, allowed: BoolArray, *, asked: bool, of: str = "") -> Columns:
    """One line a row: how far each score is from the top of its row, in a column a key.

    Where the mask is `asked`, columns of 1 and 0 say what it allows. `of` ends the names, where a
    line has two of each.
    """
    columns = {"query": np.arange(1, len(scores) + 1, dtype=np.int16)}
    columns |= _by_key(f"gap{of}", gaps(scores, allowed))
    if asked:
        columns |= _by_key(f"may{of}", usable(scores, allowed).astype(np.int8))
    return columns


def number_rows(numbers: FloatArray) -> Columns:
    """One line a row: its numbers, in a column a key."""
    return {"query": np.arange(1, len(numbers) + 1, dtype=np.int16)} | _by_key("number", numbers)


def _by_key(name: str, matrix: NDArray[Any]) -> Columns:
    return {f"{name}{key}": column.copy() for key, column in enumerate(matrix.T)}


def runs(allowed: BoolArray) -> Columns:
    """One line a run of neighbours in a row that the mask forbids: the row, its first and last."""
    edges = np.diff(np.pad(~allowed, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, first = np.nonzero(edges == 1)
    last = np.nonzero(edges == -1)[1]
    return tabulate(y=row + 0.5, first=first + 0.5, last=last - 0.5)


def mass_rows(n: int, *, asked: bool, pulls: bool = False, of: str = "") -> list[Spec]:
    """Steps that give a row its `mass`, a list, and their `total` at the sharpness in force.

    The `pull` of a row, for `live.spreads`, is its mean gap times `total`.
    """
    may = [f" * datum.may{of}{key}" if asked else "" for key in range(n)]
    mass = _each(f"exp(sharp * datum.gap{of}{key}){may[key]}" for key in range(n))
    steps = calculate(
        **{f"mass{of}": mass, f"total{of}": _sum(f"datum.mass{of}[{k}]" for k in range(n))}
    )
    if pulls:
        steps += calculate(
            **{f"pull{of}": _sum(f"datum.mass{of}[{k}] * datum.gap{of}{k}" for k in range(n))}
        )
    return steps


def _each(expressions: Iterable[str]) -> str:
    return f"[{', '.join(expressions)}]"


def _sum(expressions: Iterable[str]) -> str:
    return " + ".join(expressions)


def parameters(place: Layout, kind: Kind) -> list[Spec]:
    """What the layers below read.

    How a byte of the scale is written, a file's beginning, and where the pointer is.
    """
    size = place.n_columns, place.n_rows
    return [
        {"name": "levels", "value": [f"%{byte:02X}" for byte in range(1, STEPS + 2)]},
        {"name": "blank", "value": BLANK_OCTET},
        *({"name": theme, "value": opening(*size, kind, theme)} for theme in ("light", "dark")),
        spot(place),
    ]


def spot(place: Layout) -> Spec:
    """The cell under the pointer, counted row by row from 0, or −1."""
    row = f"floor(({place.height} * y() / height - {place.header}) / {place.row_height})"
    column = f"floor((100 * x() / width - {place.cells_start:g}) / {100 * place.cell_share:.8f})"
    inside = _within(row, place.n_rows) + " && " + _within(column, place.n_columns)
    over = f"{inside} ? {row} * {place.n_columns} + {column} : -1"
    moves = {"source": "window", "type": "pointermove"}  # out of the picture, too
    return {"name": "spot", "value": -1, "on": [{"events": moves, "update": over}]}


def _within(at: str, n: int) -> str:
    return f"inrange({at}, [0, {n - 1}])"


@cache
def opening(width: int, height: int, kind: Kind, theme: Theme) -> str:
    """Address of a bitmap up to its first cell."""
    colours = b"".join(bytes([*rgb[::-1], 0]) for rgb in palette(kind, theme).tolist())
    start = 14 + 40 + len(colours)
    size = start + height * (width + padding(width))
    file = struct.pack("<2sIHHI", b"BM", size, 0, 0, start)
    image = struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 8, 0, 0, 0, 0, 256, 0)
    return KIND + "".join(f"%{byte:02X}" for byte in file + image + colours)


def padding(width: int) -> int:
    """Bytes after each row: its length is a multiple of four."""
    return -width % 4


def as_png(address: str) -> str:
    """The address of the same image as a PNG, for readers of files that know no bitmaps."""
    file = unquote_to_bytes(address.removeprefix(KIND))
    start, _, width, height = struct.unpack_from("<IIii", file, 10)
    rows = np.frombuffer(file, np.uint8, offset=start).reshape(-height, width + padding(width))
    colours = np.frombuffer(file[54:start], np.uint8).reshape(256, 4)[:, 2::-1]
    return png_address(rows[:, :width], colours)


def bitmap_cells(place: Layout, what: What, *more: str, asked: bool) -> Spec:
    """The cells as one image, the rows that a click chooses, and the cell under the pointer.

    Reads rows with masses, or with given numbers, and the tables `rows`, with whatever `more` a
    click is to tell, and `columns`. Where the mask is `asked`, what it forbids has a dot on it.
    """
    all_lines = {"aggregate": [{"op": "values", "field": "octets", "as": "lines"}], "groupby": []}
    address = f"({DARK} ? dark : light) + join(pluck(datum.lines, 'octets'), '')"
    line, at = "datum.lines[datum.query - 1]", "datum.key - 1"
    number = f"{line}.w[{at}]"
    if what == "weights":
        number = f"{line}.mass[{at}] / {line}.total"
    told = EXACT.format("datum.number")
    if asked:
        told = f"{line}['may' + ({at})] ? ({told}) : '{FORBIDDEN}'"
    image = layered(
        image_layer(place, address),
        spot_layer(place, *more, steps=calculate(number=number, told=told)),
        steps=[*_octets(place.n_columns, what, asked=asked), all_lines],
    )
    return layered(_rows(place), image, *([_forbidden(place)] if asked else []))


def _octets(n: int, what: What, *, asked: bool) -> list[Spec]:
    """Steps that give a row its `octets`, and `w`, its numbers, unless they are its weights."""
    steps, levels = [], [f"round(datum.scale * datum.mass[{key}])" for key in range(n)]
    if what == "weights":
        steps = calculate(scale=f"{STEPS} / datum.total")
    else:
        numbers = [f"datum.number{key}" for key in range(n)]
        if what == "difference":
            before = f"datum.mass{BEFORE}[{{0}}] / datum.total{BEFORE}"
            numbers = [f"datum.mass[{k}] / datum.total - {before.format(k)}" for k in range(n)]
        steps = calculate(w=_each(numbers))
        roots = [signed_root(f"datum.w[{key}]") for key in range(n)]
        levels = [f"round({STEPS / 2:g} + {STEPS / 2:g} * {root})" for root in roots]
    written = [f"levels[{level}]" for level in levels]
    if asked:
        written = [f"(datum.may{key} ? {octet} : blank)" for key, octet in enumerate(written)]
    end = ["'" + BLANK_OCTET * padding(n) + "'"] if padding(n) else []
    return [*steps, *calculate(octets=_sum([*written, *end]))]


def _x(place: Layout, value: float) -> alt.XDatum:
    return alt.XDatum(value, scale=place.x, axis=None)


def image_layer(place: Layout, address: str) -> alt.Chart:
    """The image of which `address` is an expression, where the cells are."""
    image: alt.Chart = (
        alt.Chart()
        .mark_image(aspect=False, smooth=False, url=alt.expr(address), aria=False, cursor="pointer")
        .encode(
            x=_x(place, place.cells_start),
            x2=alt.X2Datum(place.cells_end),
            y=alt.YDatum(0, scale=place.y, axis=None),
            y2=alt.Y2Datum(place.n_rows),
        )
    )
    return image


def _rows(place: Layout) -> alt.Chart:
    """Unseen: what a click on a row is heard by."""
    rows: alt.Chart = (
        alt.Chart(table("rows"))
        .mark_rect(opacity=0, aria=False, cursor="pointer", tooltip=None)
        .encode(
            x=_x(place, place.cells_start),
            x2=alt.X2Datum(place.cells_end),
            y=alt.Y("y0:Q", scale=place.y, axis=None),
            y2=alt.Y2("y1"),
        )
        .properties(name=CELLS)
    )
    return rows


def spot_layer(place: Layout, *more: str, steps: Sequence[Spec]) -> alt.Chart:
    """The cell under the pointer, which tells what it is.

    Reads one line. The `steps` work out what the cell has `told`, from its `query` and its `key`,
    counted from 1.
    """
    n, step = place.n_columns, 100 * place.cell_share
    found = [
        {"filter": "spot >= 0"},
        *calculate(
            query=f"floor(spot / {n}) + 1",
            key=f"spot % {n} + 1",
            x0=f"{place.cells_start:g} + {step:.8f} * (datum.key - 1)",
            x1=f"datum.x0 + {step:.8f}",
            y0="datum.query - 1",
        ),
        lookup("rows", "query", "row", *more),
        lookup("columns", "key", "column"),
        *steps,
        *calculate(words="datum.row + ' reads from ' + datum.column + ': ' + datum.told"),
    ]
    chart = (
        alt.Chart()
        .mark_rect(
            fillOpacity=0,
            strokeWidth=1,
            aria=False,
            cursor="pointer",
            tooltip=alt.expr("datum.words"),
        )
        .encode(
            x=alt.X("x0:Q", scale=place.x, axis=None),
            x2=alt.X2("x1"),
            y=alt.Y("y0:Q", scale=place.y, axis=None),
            y2=alt.Y2("query"),
        )
    )
    drawn = painted(chart, "ink", alt.Stroke)
    drawn.transform = [*found, *drawn.transform]
    drawn.name = "spot"
    return drawn


def _forbidden(place: Layout) -> alt.Chart:
    """A dot on each cell that the mask forbids, so that none looks like a 0.

    The dots of a run are one dashed line: its dashes have no length, and round ends.
    """
    step = 100 * place.cell_share
    dots = (
        alt.Chart(table(RUNS))
        .transform_calculate(
            x0=f"{place.cells_start:g} + {step:.8f} * datum.first",
            x1=f"{place.cells_start:g} + {step:.8f} * (datum.last + 0.1)",
        )
        .mark_rule(
            strokeWidth=1.25,
            strokeCap="round",
            strokeDash=alt.expr(f"[0, width * {place.cell_share:.8f}]"),
            aria=False,
            tooltip=None,
        )
        .encode(
            x=alt.X("x0:Q", scale=place.x, axis=None),
            x2=alt.X2("x1"),
            y=alt.Y("y:Q", scale=place.y, axis=None),
        )
    )
    return painted(dots, "muted")
