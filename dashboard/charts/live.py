"""Sharpness inside a picture: a parameter that a hand moves, and the softmax that follows it.

The picture holds the scores, and works out every weight from them by itself. So its tables stay the
same at every sharpness: the browser keeps what it has drawn, and a hand needs no server. `core` is
the reference; the tests hold the numbers drawn against it.
"""

from __future__ import annotations

from typing import Any, TypeVar

import altair as alt

from dashboard.charts.picture import Columns, tabulate

SHARPEST = 16.0
AnyChart = TypeVar("AnyChart", alt.LayerChart, alt.FacetChart, alt.LayerChart | alt.FacetChart)
STEP = 0.1  # of the control; the hand on the picture moves by hundredths
BEYOND = SHARPEST + 0.0001  # the limit of endless sharpness, where the control ends
NAME = "Sharpness β, live"


def here(sharpness: float) -> Columns:
    """The table of the sharpness that came with the numbers."""
    return tabulate(beta=[min(float(sharpness), BEYOND)])


def parameters(at_pointer: str, within: str) -> list[dict[str, Any]]:
    """The parameters of a picture: `given` from the server, `beta` in the picture, `sharp` of it.

    `at_pointer` is the sharpness where the pointer is, and `within` says whether a hand may take
    hold there; both are Vega expressions. The events of `beta` are Vega's own: Vega-Lite hands
    them on, though its schema does not list them.
    """
    held = {"type": "pointerdown", "filter": [within, "event.button === 0"]}
    moving = {
        "type": "pointermove",
        "source": "window",
        "between": [held, {"type": "pointerup", "source": "window"}],
    }
    return [
        {"name": "given", "expr": "data('here')[0].beta"},
        {
            "name": "beta",
            "expr": "given",
            "bind": {"input": "range", "min": 0, "max": SHARPEST, "step": STEP, "name": NAME},
            "on": [
                {"events": {"signal": "given"}, "update": "given"},
                {"events": [held, moving], "update": at_pointer},
            ],
        },
        {"name": "sharp", "expr": f"beta < {BEYOND} ? beta : 1e308"},
    ]


def with_masses(chart: AnyChart) -> AnyChart:
    """Give every cell its `mass` at the sharpness of the picture, and the `total` of its row.

    A cell has `gap`, its score less the largest of its row, and `allowed`, 1 or 0. The `pull` of
    a row is its mean gap times `total`.
    """
    return (
        chart.transform_calculate(mass="exp(sharp * datum.gap) * datum.allowed")
        .transform_calculate(pulled="datum.mass * datum.gap")
        .transform_joinaggregate(total="sum(mass)", pull="sum(pulled)", groupby=["query"])
    )


def with_spreads(chart: alt.LayerChart) -> alt.LayerChart:
    """Turn cells with masses into rows, each with its `share`, 0 copy … 1 blend, and its `worth`.

    A row has `usable`, the number of its keys.
    """
    nats = "log(datum.total) - sharp * datum.pull / datum.total"
    return (
        chart.transform_filter("datum.key === 1")
        .transform_lookup(
            "query",
            from_=alt.LookupData(
                alt.NamedData(name="rows"), "query", ["row", "moves", "chosen", "usable"]
            ),
        )
        .transform_calculate(nats=f"datum.usable > 1 ? max({nats}, 0) : 0")
        .transform_calculate(
            share="datum.usable < 2 ? null : min(datum.nats / log(datum.usable), 1)",
            worth="exp(datum.nats)",
        )
    )
