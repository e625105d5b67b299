"""A matrix that works out its cells by itself, at whatever sharpness the page tells it.

One of given numbers looks the same, and works out its words by itself.
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
from dashboard.charts.live import cells, given_cells, here, masses, parameters
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
WEIGHT_OF_MASS = "datum.mass / datum.total"
CHANGE_OF_MASS = f"{WEIGHT_OF_MASS} - datum.mass{BEFORE} / datum.total{BEFORE}"

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
    spec = _spec(place, "weights", asked=asks_the_mask(place, data["cells"]))
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
    place = layout(*after.scores.shape, cells_start=labels_end, kind="difference")
    first = cells(before.scores, before.allowed)
    both = {
        **cells(after.scores, after.allowed),
        **{name + BEFORE: first[name] for name in ("gap", "allowed")},
    }
    data = {"cells": both, "here": here(sharpness)}
    spec = _spec(place, "difference", asked=asks_the_mask(place, both))
    return Picture(spec, {**data, **_labels(place, labels, chosen)}, alt_text)


def given_difference(numbers: FloatArray, labels: Sequence[str], *, alt_text: str) -> Picture:
    """Picture of the weights of one read less those of another, (n, n), as `core` has them.

    Gaps as small as rounding are those of `core`; worked out again they would be others.
    """
    place = layout(*numbers.shape, kind="difference")
    data = {"cells": given_cells(numbers), **_labels(place, labels, None)}
    return Picture(_given_spec(place, asked=asks_the_mask(place, data["cells"])), data, alt_text)


def _labels(place: Layout, labels: Sequence[str], chosen: int | None) -> dict[str, Columns]:
    return {"rows": rows_frame(labels, chosen), "columns": columns_frame(labels, place)}


@built_once(128)
def _spec(place: Layout, kind: LiveKind, *, asked: bool) -> Spec:
    chart = _labelled(
        place,
        kind,
        cell_grid(
            place, kind, asked=asked, w=WEIGHT_OF_MASS if kind == "weights" else CHANGE_OF_MASS
        ),
        # Unseen: a table that no mark reads is not in the drawing at all.
        alt.Chart(table("here"))
        .mark_point(size=0, opacity=0, aria=False, tooltip=None)
        .encode(
            x=alt.XDatum(0, scale=place.x, axis=None), y=alt.YDatum(0, scale=place.y, axis=None)
        ),
        steps=masses() if kind == "weights" else [*masses(), *masses(BEFORE)],
    )
    marks = 2 * place.n_rows * place.n_columns
    return drawing(chart, place.height, marks=marks, params=parameters())


@built_once(128)
def _given_spec(place: Layout, *, asked: bool) -> Spec:
    cells = cell_grid(place, "difference", asked=asked, w="datum.number")
    chart = _labelled(place, "difference", cells)
    return drawing(chart, place.height, marks=2 * place.n_rows * place.n_columns)


def _labelled(
    place: Layout, kind: LiveKind, cells: Spec, *more: alt.Chart, steps: Sequence[Spec] = ()
) -> Spec:
    """Cells with the labels of their rows and columns; `steps` work on the cells before that."""
    return layered(
        cells,
        *row_layers(place, alt.Y("y:Q", scale=place.y, axis=None)),
        column_layer(place, alt.X("x:Q", scale=place.x, axis=None), kind),
        *more,
        data="cells",
        steps=steps,
        apart=("color", "x", "y", "stroke"),
    )


def asks_the_mask(place: Layout, told: Columns) -> bool:
    """Whether a drawing asks for what the mask forbids: among thousands only if there is any."""
    return heard(place) or not told["allowed"].all()


def heard(place: Layout) -> bool:
    """Whether cells are drawn as SVG; on a canvas nobody hears their words."""
    return 2 * place.n_rows * place.n_columns <= 2000


def cell_grid(
    place: Layout, kind: LiveKind, *more: str, asked: bool, w: str = WEIGHT_OF_MASS
) -> Spec:
    """The cells, with what is written on them and said of them; the coloured layer is CELLS.

    `w` works out the number of a cell. Reads cells, and the tables `rows` and `columns` for their
    labels and, of a row, whatever `more` a click is to tell.
    """
    steps = [lookup("rows", "query", "row", *more), lookup("columns", "key", "column")]
    if heard(place):
        told = f"datum.allowed ? ({EXACT.format('datum.w')}) : 'not allowed by the mask'"
        words = "datum.row + ' to ' + datum.column + ': ' + datum.told"
        steps += calculate(w=w, told=told, paper="'paper'", words=words)
    else:
        steps += calculate(**{"from": "datum.row + ' reads from ' + datum.column + ': '", "w": w})
    return layered(*_cell_layers(place, kind, asked=asked), steps=steps)


def _cell_layers(place: Layout, kind: LiveKind, *, asked: bool) -> list[alt.Chart]:
    """Cells and what is written on them, on scales that count cells.

    Among thousands every step counts: the mask is `asked` only where it may forbid something, and
    what a cell tells is put together where it is told, what is seldom last.
    """
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
    at: dict[str, Any] = {"x": x, "y": y}
    told = f"datum.w >= 0.00005 ? format(datum.w, '.4f') : {EXACT.format('datum.w')}"
    tells: dict[str, Any] = {"tooltip": {"expr": f"datum.from + ({told})"}}
    if heard(place):
        at["tooltip"], tells = tooltip, {}
    base = alt.Chart()
    may = base.transform_filter("datum.allowed") if asked else base
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
        **tells,
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
    if not asked:
        return layers
    if not heard(place):
        tells = {"tooltip": {"expr": "datum.from + 'not allowed by the mask'"}}
    barred = base.transform_filter("!datum.allowed").mark_text(
        fontSize=12, text="·", aria=heard(place), cursor="pointer", invalid=None, **tells
    )
    dots = barred.encode(**at)
    if heard(place):
        dots = dots.encode(description=alt.Description("words:N"))
    return [*layers, painted(dots, "muted")]
