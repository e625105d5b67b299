"""A matrix that works out its cells by itself, at whatever sharpness the page tells it.

One of given numbers looks the same, and works out its words by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from core import Attention
from core.door import BoolArray, FloatArray
from dashboard.charts.bitmap import (
    CELLS,
    RUNS,
    What,
    bitmap_cells,
    gap_rows,
    mass_rows,
    number_rows,
    runs,
)
from dashboard.charts.bitmap import parameters as bitmap_parameters
from dashboard.charts.grid import MAX_NUMBERS
from dashboard.charts.labels import FORBIDDEN
from dashboard.charts.layout import (
    Layout,
    column_layer,
    columns_frame,
    layout,
    row_layers,
    rows_frame,
)
from dashboard.charts.live import (
    BEFORE,
    cells,
    given_cells,
    here,
    masses,
    parameters,
    usable,
)
from dashboard.charts.palette import (
    ROLE,
    SIGNED,
    STRONG_SIGNED,
    STRONG_WEIGHT,
    WEIGHT,
    painted,
    signed_root,
)
from dashboard.charts.picture import (
    EXACT,
    Columns,
    Picture,
    Spec,
    built_once,
    calculate,
    drawing,
    layered,
    lookup,
    table,
    tip,
)

LiveKind = Literal["weights", "difference"]

WEIGHT_OF_MASS = "datum.mass / datum.total"
NUMBER = {
    "weights": WEIGHT_OF_MASS,
    "difference": f"{WEIGHT_OF_MASS} - datum.mass{BEFORE} / datum.total{BEFORE}",
    "given": "datum.number",
}
WRITTEN = {
    "weights": "datum.w == 0 ? '0' : datum.w == 1 ? '1' : datum.w < 0.005 ? '<.01' : "
    "datum.w >= 0.995 ? '>.99' : slice(format(datum.w, '.2f'), 1)",
    "difference": "datum.w == 0 ? '0' : abs(datum.w) < 0.005 ? '≈0' : "
    "(datum.w > 0 ? '+' : '−') + slice(format(abs(datum.w), '.2f'), abs(datum.w) <= 0.995 ? 1 : 0)",
}


def live_weights(
    scores: FloatArray,
    allowed: BoolArray,
    labels: Sequence[str],
    *,
    sharpness: float,
    alt_text: str,
    chosen: int | None = None,
    labels_end: float,
) -> Picture:
    """Picture of the weights of one read, shape (n, n)."""
    place = layout(*scores.shape, cells_start=labels_end)
    allowed = usable(scores, allowed)
    spec = _spec(place, "weights", asked=asked(place, allowed))
    data = {**cell_tables(place, scores, allowed), "here": here(sharpness)}
    return Picture(spec, {**data, **_labels(place, labels, chosen)}, alt_text)


def live_difference(
    before: Attention,
    after: Attention,
    labels: Sequence[str],
    *,
    sharpness: float,
    alt_text: str,
    chosen: int | None = None,
    labels_end: float,
) -> Picture:
    """Picture of the weights of one read less those of another."""
    place = layout(*after.scores.shape, cells_start=labels_end)
    allowed = usable(after.scores, after.allowed) & usable(before.scores, before.allowed)
    spec = _spec(place, "difference", asked=asked(place, allowed))
    data = {
        **cell_tables(place, after.scores, allowed, before.scores),
        "here": here(sharpness),
    }
    return Picture(spec, {**data, **_labels(place, labels, chosen)}, alt_text)


def given_difference(numbers: FloatArray, labels: Sequence[str], *, alt_text: str) -> Picture:
    """Picture of the weights of one read less those of another, (n, n), as `core` has them.

    Gaps as small as rounding are those of `core`; worked out again they would be others.
    """
    place = layout(*numbers.shape)
    cells = given_cells(numbers) if few(place) else number_rows(numbers)
    data = {"cells": cells, **_labels(place, labels, None)}
    return Picture(_given_spec(place), data, alt_text)


def _labels(place: Layout, labels: Sequence[str], chosen: int | None) -> dict[str, Columns]:
    return {"rows": rows_frame(labels, chosen), "columns": columns_frame(labels, place)}


def few(place: Layout) -> bool:
    """Whether each cell is a mark, which has words of its own; more of them are one image."""
    return 2 * place.n_rows * place.n_columns <= 2000


def asked(place: Layout, allowed: BoolArray) -> bool:
    """Whether a drawing asks for what the mask forbids: an image only if there is any."""
    return few(place) or not allowed.all()


def cell_tables(
    place: Layout, scores: FloatArray, allowed: BoolArray, before: FloatArray | None = None
) -> dict[str, Columns]:
    """The tables that `cell_steps` and `cell_grid` read, by name.

    `before` are the scores of a read to be compared with, under the same mask.
    """
    if few(place):
        told = cells(scores, allowed)
        if before is not None:
            first = cells(before, allowed)
            told |= {name + BEFORE: first[name] for name in ("gap", "allowed")}
        return {"cells": told}
    masked = asked(place, allowed)
    lines = gap_rows(scores, allowed, asked=masked)
    if before is not None:
        lines |= gap_rows(before, allowed, asked=masked, of=BEFORE)
    return {"cells": lines, **({RUNS: runs(allowed)} if masked else {})}


def cell_steps(place: Layout, *, asked: bool, pulls: bool = False, of: str = "") -> list[Spec]:
    """The steps from scores to masses, as `live.masses`, for cells or for whole rows."""
    if few(place):
        return masses(of, pulls=pulls)
    return mass_rows(place.n_columns, asked=asked, pulls=pulls, of=of)


def cell_parameters(place: Layout, kind: LiveKind) -> list[Spec]:
    """The parameters that `cell_grid` reads."""
    if not few(place):
        return bitmap_parameters(place, kind)
    width = f"width * {place.cell_share:.6f}"
    return [
        {"name": "cell_width", "expr": width},
        {"name": "number_size", "expr": f"clamp({width} / 3.2, 8, 13)"},
        {"name": "number_shown", "expr": f"{width} > 25 ? 1 : 0"},
    ]


@built_once(128)
def _spec(place: Layout, kind: LiveKind, *, asked: bool) -> Spec:
    steps = cell_steps(place, asked=asked)
    if kind == "difference":
        steps += cell_steps(place, asked=asked, of=BEFORE)
    chart = _labelled(
        place,
        cell_grid(place, kind, asked=asked),
        # Unseen: a table that no mark reads is not in the drawing at all.
        alt.Chart(table("here"))
        .mark_point(size=0, opacity=0, aria=False, tooltip=None)
        .encode(
            x=alt.XDatum(0, scale=place.x, axis=None), y=alt.YDatum(0, scale=place.y, axis=None)
        ),
        steps=steps,
    )
    params = [*parameters(), *cell_parameters(place, kind)]
    return drawing(chart, place.height, params=params)


@built_once(128)
def _given_spec(place: Layout) -> Spec:
    cells = cell_grid(place, "given", asked=few(place))
    chart = _labelled(place, cells)
    params = cell_parameters(place, "difference")
    return drawing(chart, place.height, params=params)


def _labelled(place: Layout, cells: Spec, *more: alt.Chart, steps: Sequence[Spec] = ()) -> Spec:
    """Cells with the labels of their rows and columns; `steps` work on the cells before that."""
    return layered(
        cells,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None)),
        *more,
        data="cells",
        steps=steps,
        apart=("color", "x", "y", "stroke"),
    )


def cell_grid(place: Layout, what: What, *more: str, asked: bool) -> Spec:
    """The cells, with what is written on them and said of them; a click on a row is heard on CELLS.

    Reads cells with masses, or with given numbers, and the tables `rows` and `columns` for their
    labels and, of a row, whatever `more` a click is to tell.
    """
    if not few(place):
        return bitmap_cells(place, what, *more, asked=asked)
    kind: LiveKind = "weights" if what == "weights" else "difference"
    told = f"datum.allowed ? ({EXACT.format('datum.w')}) : '{FORBIDDEN}'"
    return layered(
        *_cell_layers(place, kind),
        steps=[
            lookup("rows", "query", "row", *more),
            lookup("columns", "key", "column"),
            *calculate(
                w=NUMBER[what],
                told=told,
                paper="'paper'",
                words="datum.row + ' to ' + datum.column + ': ' + datum.told",
            ),
        ],
    )


def _cell_layers(place: Layout, kind: LiveKind) -> list[alt.Chart]:
    """Cells and what is written on them, on scales that count cells."""
    step = 100 * place.cell_share
    left = place.cells_start / step - 0.5
    x = alt.X(
        "key:Q",
        scale=alt.Scale(domain=[-left, 100 / step - left], nice=False, zero=False),
        axis=None,
    )
    top = 0.5 - place.header / place.row_height
    y = alt.Y(
        "query:Q",
        scale=alt.Scale(
            domain=[top, top + place.height / place.row_height],
            reverse=True,
            nice=False,
            zero=False,
        ),
        axis=None,
    )
    at: dict[str, Any] = {"x": x, "y": y}
    told = tip(row="reads", column="from", told="weight" if kind == "weights" else kind)
    words = alt.ExprRef("datum.words")
    base = alt.Chart()
    drawn = may = base.transform_filter("datum.allowed")
    color, strong = alt.Color("w:Q", scale=WEIGHT, legend=None), STRONG_WEIGHT
    if kind == "difference":
        drawn = may.transform_calculate(shade=signed_root("datum.w"))
        color, strong = alt.Color("shade:Q", scale=SIGNED, legend=None), STRONG_SIGNED
    rects = drawn.mark_rect(
        cursor="pointer",
        invalid=None,
        width={"expr": "cell_width"},
        height=place.row_height,
        tooltip=told,
        description=words,
    ).encode(**at, color=color, stroke=alt.Stroke("paper:N", scale=ROLE, legend=None))
    layers = [rects.properties(name=CELLS)]
    if place.n_columns <= MAX_NUMBERS:
        text = may.transform_calculate(
            written=WRITTEN[kind], ink=f"abs(datum.w) > {strong} ? 'strong' : 'weak'"
        ).mark_text(
            text={"expr": "datum.written"},
            fontSize={"expr": "number_size"},
            opacity={"expr": "number_shown"},
            aria=False,
            cursor="pointer",
            invalid=None,
            tooltip=told,
        )
        ink = alt.Color("ink:N", scale=ROLE, legend=None)
        layers.append(text.encode(**at, color=ink))
    barred = base.transform_filter("!datum.allowed").mark_text(
        fontSize=12, text="·", cursor="pointer", invalid=None, tooltip=told, description=words
    )
    return [*layers, painted(barred.encode(**at), "muted")]
