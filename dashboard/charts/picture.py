"""A picture: a drawing that never changes with the numbers, the numbers, and its name in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd


@dataclass(frozen=True)
class Picture:
    """One chart, ready to show.

    `spec` is built once per shape and shared by every rerun and visitor: the browser updates the
    numbers in place as long as it stays the same. `data` are its named tables. `alt` states the
    present finding, for a reader who does not see the picture.
    """

    spec: Mapping[str, Any]
    data: Mapping[str, pd.DataFrame]
    alt: str

    def complete(self) -> dict[str, Any]:
        """The drawing with its numbers inside, for any reader of Vega-Lite."""
        tables = {
            name: frame.astype(object).where(frame.notna(), None).to_dict("records")
            for name, frame in self.data.items()
        }
        return {**self.spec, "datasets": tables}


def drawing(
    chart: alt.LayerChart | alt.FacetChart | alt.Chart, height: int, *, marks: int
) -> dict[str, Any]:
    """The spec of a chart whose data are named tables, without frame or grid of its own.

    `marks` decides the renderer once: the platform would change it by the number of rows.
    """
    spec: dict[str, Any] = chart.properties(height=height).to_dict()
    spec.pop("$schema", None)
    spec["usermeta"] = {"embedOptions": {"renderer": "svg" if marks <= 2000 else "canvas"}}
    return spec


def table(name: str) -> alt.NamedData:
    """A table of the picture, by its name in `Picture.data`."""
    return alt.NamedData(name=name)
