"""How every row travels from blend to copy as sharpness grows: a line a row."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dashboard.charts.labels import decimal
from dashboard.charts.palette import painted
from dashboard.charts.picture import Picture, drawing, table

HEIGHT = 280
SHARPEST = 16.0
MOST_NAMES = 16  # rows up to which each dot is named on the picture
TOO_CLOSE = 0.06  # of the axis: closer dots share a name
# Closer together near 0, where the rows move most.
SHARPNESSES = np.round(SHARPEST * np.linspace(0, 1, 49) ** 2, 4)


def travel_picture(
    paths: NDArray[np.floating[Any]],
    labels: Sequence[str],
    *,
    chosen: int,
    sharpness: float,
    now: NDArray[np.floating[Any]],
    alt_text: str,
) -> Picture:
    """Picture of `paths`, shape (len(SHARPNESSES), n_rows): 0 copy … 1 blend.

    `now` holds each row's place at the sharpness in force; an infinite one is drawn at the end.
    """
    n = len(labels)
    at = min(sharpness, SHARPEST)
    lines = pd.DataFrame(
        {
            "row": np.repeat(list(labels), len(SHARPNESSES)),
            "query": np.repeat(np.arange(1, n + 1), len(SHARPNESSES)),
            "sharpness": np.tile(SHARPNESSES, n),
            "spread": paths.T.ravel(),
        }
    ).assign(chosen=lambda lines: lines["query"] == chosen + 1)
    points = pd.DataFrame(
        {
            "row": list(labels),
            "sharpness": at,
            "spread": now,
            "exact": [decimal(value) for value in now],
            "chosen": np.arange(n) == chosen,
        }
    ).dropna(subset="spread")
    here = pd.DataFrame({"sharpness": [at]})
    names = (
        _names(points.assign(right=at > SHARPEST / 2)) if n <= MOST_NAMES else _names(points[:0])
    )
    data = {"lines": lines.dropna(subset="spread"), "points": points, "here": here, "names": names}
    return Picture(_travel_spec(n), data, alt_text)


def _names(points: pd.DataFrame) -> pd.DataFrame:
    """One name a dot, and one for several dots that lie too close for two."""
    ordered = points.sort_values("spread", kind="stable")
    group = (ordered["spread"].diff() > TOO_CLOSE).cumsum()
    found = [
        {
            "sharpness": dots["sharpness"].iloc[0],
            "spread": dots["spread"].mean(),
            "name": ", ".join(dots["row"][:3]) + (f" +{len(dots) - 3}" if len(dots) > 3 else ""),
            "right": dots["right"].iloc[0],
        }
        for _, dots in ordered.groupby(group)
    ]
    return pd.DataFrame(found, columns=["sharpness", "spread", "name", "right"])


@lru_cache(maxsize=64)
def _travel_spec(n: int) -> dict[str, Any]:
    lines, points = alt.Chart(table("lines")), alt.Chart(table("points"))
    x = alt.X(
        "sharpness:Q",
        scale=alt.Scale(domain=[0, SHARPEST], type="sqrt", nice=False),
        axis=alt.Axis(
            title="sharpness β", values=[0, 0.25, 1, 2, 4, 8, 16], format="~g", grid=False
        ),
    )
    y = alt.Y(
        "spread:Q",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(
            title=None,
            values=[0, 0.5, 1],
            labelExpr="datum.value == 0 ? 'copy 0' : datum.value == 1 ? 'blend 1' : '0.5'",
        ),
    )
    line = lines.encode(x=x, y=y, detail="query:N")
    others = line.mark_line(strokeWidth=1.5).transform_filter("!datum.chosen")
    ours = line.mark_line(strokeWidth=3.5).transform_filter("datum.chosen")
    here = alt.Chart(table("here")).mark_rule(strokeWidth=1.5, strokeDash=[4, 3]).encode(x=x)
    dots = points.mark_point(filled=True, opacity=1, size=60).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("row:N", title="row"),
            alt.Tooltip("exact:N", title="0 copy … 1 blend"),
        ],
    )
    name = alt.Chart(table("names")).encode(x=x, y=y, text="name:N")
    before = name.mark_text(align="right", dx=-9, fontSize=12).transform_filter("datum.right")
    after = name.mark_text(align="left", dx=9, fontSize=12).transform_filter("!datum.right")
    chart = alt.layer(
        painted(others, "thread"),
        painted(here, "accent"),
        painted(ours, "accent"),
        painted(dots.transform_filter("!datum.chosen"), "muted"),
        painted(dots.transform_filter("datum.chosen"), "accent"),
        painted(before, "muted"),
        painted(after, "muted"),
    )
    return drawing(chart, HEIGHT, marks=2 * n)
