"""A matrix that works out its cells by itself, at whatever sharpness the page tells it.

It looks as the pictures of `grid` do, which hold numbers that do not follow the sharpness.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import altair as alt

from core import Attention
from core.door import BoolArray, FloatArray
from dashboard.charts.grid import (
    MAX_NUMBERS,
    STRONG,
    Layout,
    column_layer,
    columns_frame,
    layout,
    row_layers,
    rows_frame,
)
from dashboard.charts.live import cells, here, masses, parameters
from dashboard.charts.palette import ROLE, SIGNED, WEIGHT, painted
from dashboard.charts.picture import (
    Columns,
    Picture,
    Spec,
    built_once,
    calculate,
    drawing,
    layered,
    lookup,
    table,
)

LiveKind = Literal["weights", "difference"]
CELLS = "matrix"  # the layer of the cells, for a selection on it
BEFORE = "_before"  # ends the names of what the first of two reads has

EXACT = (
    "{0} == 0 ? '0' : replace(replace(format({0}, abs({0}) < 0.00005 ? '.1e' : '.4f'), '-', '−'), "
    "'-', '−')"
)
WRITTEN = {
    "weights": "datum.w == 0 ? '0' : datum.w == 1 ? '1' : datum.w < 0.005 ? '<.01' : "
    "datum.w >= 0.995 ? '>.99' : slice(format(datum.w, '.2f'), 1)",
    "difference": "datum.w == 0 ? '0' : abs(datum.w) < 0.005 ? '≈0' : "
    "(datum.w > 0 ? '+' : '−') + slice(format(abs(datum.w), '.2f'), abs(datum.w) < 0.995 ? 1 : 0)",
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
    data = {"cells": cells(scores, allowed), "here": here(sharpness)}
    return Picture(_spec(place, "weights"), {**data, **_labels(place, labels, chosen)}, alt_text)


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
    place = layout(*after.scores.shape, cells_start=labels_end, kind="difference")
    first = cells(before.scores, before.allowed)
    both = {
        **cells(after.scores, after.allowed),
        **{name + BEFORE: first[name] for name in ("gap", "allowed")},
    }
    data = {"cells": both, "here": here(sharpness)}
    return Picture(_spec(place, "difference"), {**data, **_labels(place, labels, chosen)}, alt_text)


def _labels(place: Layout, labels: Sequence[str], chosen: int | None) -> dict[str, Columns]:
    return {"rows": rows_frame(labels, chosen), "columns": columns_frame(labels, place)}


@built_once(128)
def _spec(place: Layout, kind: LiveKind) -> Spec:
    chart = layered(
        cell_grid(place, kind),
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None), kind),
        # Unseen: a table that no mark reads is not in the drawing at all.
        alt.Chart(table("here"))
        .mark_point(size=0, opacity=0, aria=False, tooltip=None)
        .encode(
            x=alt.XDatum(0, scale=place.x, axis=None), y=alt.YDatum(0, scale=place.y, axis=None)
        ),
        data="cells",
        steps=masses() if kind == "weights" else [*masses(), *masses(BEFORE)],
        apart=("color", "x", "y", "stroke"),
    )
    marks = 2 * place.n_rows * place.n_columns
    return drawing(chart, place.height, marks=marks, params=parameters())


def heard(place: Layout) -> bool:
    """Whether cells are drawn as SVG; on a canvas nobody hears their words."""
    return 2 * place.n_rows * place.n_columns <= 2000


def cell_grid(place: Layout, kind: LiveKind, *more: str) -> Spec:
    """The cells, with what is written on them and said of them; the coloured layer is CELLS.

    Reads cells with masses, and the tables `rows` and `columns` for their labels and, of a row,
    whatever `more` a click is to tell.
    """
    w = "datum.mass / datum.total"
    if kind == "difference":
        w = f"{w} - datum.mass{BEFORE} / datum.total{BEFORE}"
    steps = [lookup("rows", "query", "row", *more), lookup("columns", "key", "column")]
    if heard(place):
        told = f"datum.allowed ? ({EXACT.format('datum.w')}) : 'not allowed by the mask'"
        words = "datum.row + ' to ' + datum.column + ': ' + datum.told"
        steps += calculate(w=w, told=told, paper="'paper'", words=words)
    else:  # what is seldom comes last among thousands
        told = f"datum.w >= 0.00005 ? format(datum.w, '.4f') : {EXACT.format('datum.w')}"
        told = f"datum.from + ({told})"
        steps += calculate(**{"from": "datum.row + ' reads from ' + datum.column + ': '"})
        steps += calculate(w=w, told=told)
    return layered(*_cell_layers(place, kind), steps=steps)


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
    tooltip = [
        alt.Tooltip("row:N", title="reads"),
        alt.Tooltip("column:N", title="from"),
        alt.Tooltip("told:N", title="weight" if kind == "weights" else kind),
    ]
    at: dict[str, Any] = {"x": x, "y": y, "tooltip": tooltip if heard(place) else "told:N"}
    base = alt.Chart()
    may = base.transform_filter("datum.allowed")
    color = alt.Color("w:Q", scale=WEIGHT, legend=None)
    drawn = may
    if kind == "difference":
        # Small changes stand out, as in `palette.shade`.
        shade = "(datum.w < 0 ? -1 : 1) * sqrt(abs(datum.w))"
        drawn = may.transform_calculate(shade=shade)
        color = alt.Color("shade:Q", scale=SIGNED, legend=None)
    rects = drawn.mark_rect(
        aria=heard(place),
        cursor="pointer",
        invalid=None,
        width={"expr": f"width * {place.cell_share:.6f}"},
        height=place.row_height,
    ).encode(**at, color=color)
    if heard(place):
        paper = alt.Stroke("paper:N", scale=ROLE, legend=None)
        rects = rects.encode(stroke=paper, description=alt.Description("words:N"))
    layers = [rects.properties(name=CELLS)]
    share = place.cell_share
    if place.n_columns <= MAX_NUMBERS:
        text = may.transform_calculate(
            written=WRITTEN[kind], ink=f"abs(datum.w) > {STRONG[kind]} ? 'strong' : 'weak'"
        ).mark_text(
            fontSize={"expr": f"clamp(width * {share:.5f} / 3.2, 8, 13)"},
            opacity={"expr": f"width * {share:.5f} > 25 ? 1 : 0"},
            aria=False,
            cursor="pointer",
            invalid=None,
        )
        ink = alt.Color("ink:N", scale=ROLE, legend=None)
        layers.append(text.encode(**at, text=alt.Text("written:N"), color=ink))
    barred = base.transform_filter("!datum.allowed")
    if not heard(place):
        barred = barred.transform_calculate(told="datum.from + 'not allowed by the mask'")
    dots = barred.mark_text(
        fontSize=12, text="·", aria=heard(place), cursor="pointer", invalid=None
    ).encode(**at)
    layers.append(
        painted(
            dots.encode(description=alt.Description("words:N")) if heard(place) else dots, "muted"
        )
    )
    return layers
