"""Vectors side by side: one line a feature or a row, one dot a vector, told by colour and shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.palette import ROLE, ROLES, painted, reach
from dashboard.charts.picture import (
    EXACT,
    Columns,
    Picture,
    built_once,
    calculate,
    drawing,
    lasting,
    layered,
    lookup,
    mark_name,
    table,
    tabulate,
    tip,
)

SHAPES = ("circle", "square", "diamond")  # one a vector, in turn, beside its colour
SIZES = (200, 100, 40)  # each smaller than the one below it, so that equal values all show
LINE = 20  # pixels, of the legend and of the ticks
START, END = 25.0, 97.0  # of 100 units across: where the values begin and end


def vectors(
    named: Mapping[str, NDArray[np.floating[Any]]],
    features: Sequence[str],
    *,
    largest: float,
    alt_text: str,
) -> Picture:
    """Picture of two or three vectors of shape (n_features,), by name.

    `largest` is the largest size any of them may have here; the axis ends at the next power of
    two, so it does not move with the sharpness.
    """
    limit = reach(largest, least=0.25)
    return _dots(named, features, (-limit, limit), 28, None, stems=False, alt_text=alt_text)


class Moved(Protocol):
    """What moves outputs, each of shape (n_rows, d_value), as comparisons of any size hold it."""

    @property
    def moved(self) -> NDArray[np.floating[Any]]:
        """In all."""

    @property
    def matrix_part(self) -> NDArray[np.floating[Any]]:
        """Because the matrix moved."""

    @property
    def vector_part(self) -> NDArray[np.floating[Any]]:
        """Because the vectors moved."""


def moves(
    comparison: Moved, labels: Sequence[str], *, chosen: int | None, alt_text: str
) -> Picture:
    """Picture of three lengths a row: of the whole move of its output, and of the two parts.

    The axis ends at the first of ¼, ½, 1, 2 … that holds them all.
    """
    parts = {
        "in all": comparison.moved,
        "by the matrix": comparison.matrix_part,
        "by the vectors, as in a fixed mixer": comparison.vector_part,
    }
    lengths = {name: np.linalg.norm(part, axis=1) for name, part in parts.items()}
    limit = reach(float(np.max([*lengths.values()], initial=0)), least=0.25)
    height = int(np.clip(300 // max(len(labels), 1), 24, 46))
    return _dots(lengths, labels, (0.0, limit), height, chosen, stems=True, alt_text=alt_text)


def _dots(
    named: Mapping[str, NDArray[np.floating[Any]]],
    labels: Sequence[str],
    domain: tuple[float, float],
    row_height: int,
    chosen: int | None,
    *,
    stems: bool,
    alt_text: str,
) -> Picture:
    n, k = len(labels), len(named)
    values = np.concatenate([*named.values()]).astype(float)
    data = {
        "values": tabulate(dot=np.arange(n * k), value=values),
        "dots": _lines_of_dots([*labels], [*named], domain, stems),
        "lines": _lines([*labels], chosen),
        "axis": _axis(domain),
        "key": _key([*named], row_height),
    }
    return Picture(_dots_spec(n, k, row_height, stems), data, alt_text)


def _across(values: NDArray[np.float64], domain: tuple[float, float]) -> NDArray[np.float64]:
    """Where values stand, in units of which 100 span the picture."""
    low, high = domain
    return START + (END - START) * (values - low) / (high - low)


@lasting(32)
def _lines_of_dots(
    labels: Sequence[str], names: Sequence[str], domain: tuple[float, float], stems: bool
) -> Columns:
    """One line a dot, vector by vector: all of it but its value.

    `zero` is where a value of 0 stands, `unit` how far from there a value of 1.
    """
    n, k = len(labels), len(names)
    # Stems stand one above another; dots without a stem lie on the middle of their line.
    offset = 0.22 + 0.28 * np.repeat(np.arange(k), n) if stems else 0.5
    zero, one = _across(np.arange(2.0), domain).tolist()
    return tabulate(
        dot=np.arange(n * k),
        row=[*labels] * k,
        series=[name for name in names for _ in range(n)],
        role=np.repeat(ROLES[:k], n),
        shape=np.repeat(SHAPES[:k], n),
        size=np.full(n * k, 70) if stems else np.repeat(SIZES[:k], n),
        zero=zero,
        unit=one - zero,
        y=np.tile(np.arange(n), k) + offset,
    )


@lasting(32)
def _lines(labels: Sequence[str], chosen: int | None) -> Columns:
    """One line a row: its label, and whether it is the chosen one."""
    n = len(labels)
    return tabulate(
        row=list(labels),
        y=np.arange(n) + 0.5,
        chosen=np.arange(n) == (-1 if chosen is None else chosen),
    )


@lasting(32)
def _axis(domain: tuple[float, float]) -> Columns:
    """One line a tick."""
    ticks = np.linspace(*domain, 5)
    text = [f"{tick:g}".replace("-", "−") for tick in ticks]
    return tabulate(x=_across(ticks, domain), text=text)


@lasting(32)
def _key(names: Sequence[str], row_height: int) -> Columns:
    """One line a vector: its sign, and its name."""
    k = len(names)
    return tabulate(
        name=list(names),
        role=list(ROLES[:k]),
        shape=list(SHAPES[:k]),
        y=(np.arange(k) - k + 0.2) * LINE / row_height,
    )


@built_once(128)
def _dots_spec(n: int, k: int, row_height: int, stems: bool) -> dict[str, Any]:
    above, below = k * LINE, LINE + 4
    x_scale = alt.Scale(domain=[0, 100], nice=False, zero=False)
    y_scale = alt.Scale(
        domain=[-above / row_height, n + below / row_height], reverse=True, nice=False, zero=False
    )
    x = alt.X("x:Q", scale=x_scale, axis=None)
    y = alt.Y("y:Q", scale=y_scale, axis=None)
    color = alt.Color("role:N", scale=ROLE, legend=None)
    shape = alt.Shape("shape:N", scale=None, legend=None)
    dots = alt.Chart()
    lines, axis, key = (alt.Chart(table(name)) for name in ("lines", "axis", "key"))

    def at_x(value: float) -> alt.XDatum:
        return alt.XDatum(value, scale=x_scale, axis=None)

    guides = axis.mark_rule(strokeWidth=1, aria=False).encode(
        x=x, y=alt.YDatum(0, scale=y_scale, axis=None), y2=alt.Y2Datum(n)
    )
    numbers = axis.mark_text(baseline="top", fontSize=12, aria=False).encode(
        x=x, y=alt.YDatum(n + 6 / row_height, scale=y_scale, axis=None), text=alt.Text("text:N")
    )
    style: dict[str, Any] = {
        "align": "right",
        "fontSize": {"expr": "width < 400 ? 11 : 13"},
        "limit": {"expr": f"width * {START / 100 - 0.04:.3f}"},
    }
    names = lines.mark_text(**style, aria=False).encode(
        x=at_x(START - 3), y=y, text=alt.Text("row:N")
    )
    bold = lines.mark_text(**style, fontWeight="bold", aria=False).encode(
        x=at_x(START - 3), y=y, text=alt.Text("row:N")
    )
    tracks = lines.mark_rule(strokeWidth=1, aria=False).encode(
        x=at_x(START), x2=alt.X2Datum(END), y=y
    )
    marks = dots.mark_point(
        filled=True,
        opacity=1,
        description=mark_name("row", "series"),
        tooltip=tip(row="at", series="what", exact="value"),
    ).encode(
        x=x,
        y=y,
        color=color,
        shape=shape,
        size=alt.Size("size:Q", scale=None, legend=None),
    )
    stem = dots.mark_rule(strokeWidth=3, aria=False).encode(
        x=alt.X("zero:Q", scale=x_scale, axis=None), x2=alt.X2("x"), y=y, color=color
    )
    signs = key.mark_point(filled=True, opacity=1, size=90, aria=False).encode(
        x=at_x(START), y=y, color=color, shape=shape
    )
    words = key.mark_text(align="left", fontSize=13, aria=False).encode(
        x=at_x(START + 3), y=y, text=alt.Text("name:N")
    )
    chart = layered(
        painted(guides, "line"),
        *([stem] if stems else [painted(tracks, "line")]),
        painted(numbers, "muted"),
        painted(names.transform_filter("!datum.chosen"), "ink"),
        painted(bold.transform_filter("datum.chosen"), "accent"),
        marks,
        signs,
        painted(words, "ink"),
        data="values",
        steps=[
            {"filter": "isValid(datum.value)"},
            lookup("dots", "dot", "row", "series", "role", "shape", "size", "zero", "unit", "y"),
            *calculate(
                x="datum.zero + datum.unit * datum.value", exact=EXACT.format("datum.value")
            ),
        ],
        apart=("color", "shape", "size"),
    )
    return drawing(chart, above + n * row_height + below)
