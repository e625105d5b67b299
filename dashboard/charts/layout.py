"""A labelled matrix of any kind: where its cells stand, its labels, and the outline of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from dashboard.charts.palette import painted
from dashboard.charts.picture import Columns, lasting, table, tabulate

UPRIGHT, TURNED = 40, 72  # pixels for the column labels
MOST_UPRIGHT = 8  # columns up to which their labels stand upright
LABELS = 12.0  # of 100 units across: where the cells begin, unless row labels need more


@dataclass(frozen=True)
class Layout:
    """Where things stand in one grid, in units of which 100 span the picture."""

    n_rows: int
    n_columns: int
    cells_start: float
    cells_end: float
    row_height: int
    header: int
    below: int = 0  # pixels under the last row

    @property
    def upright(self) -> bool:
        """Whether the column labels stand upright; else they are turned."""
        return self.header == UPRIGHT

    @property
    def height(self) -> int:
        """Height of the drawing, in pixels."""
        return self.header + self.n_rows * self.row_height + self.below

    @property
    def x(self) -> alt.Scale:
        """Units across."""
        return alt.Scale(domain=[0, 100], nice=False, zero=False)

    @property
    def y(self) -> alt.Scale:
        """Rows down, the first on top."""
        return alt.Scale(
            domain=[-self.header / self.row_height, self.n_rows + self.below / self.row_height],
            reverse=True,
            nice=False,
            zero=False,
        )

    def left(self, columns: NDArray[np.int_]) -> NDArray[np.float64]:
        """Left edge of each column."""
        return self.cells_start + (self.cells_end - self.cells_start) * columns / self.n_columns

    @property
    def cell_share(self) -> float:
        """Width of one cell, as a share of the picture."""
        return (self.cells_end - self.cells_start) / 100 / self.n_columns

    @property
    def label_share(self) -> float:
        """Width of the row labels, as a share of the picture."""
        return self.cells_start / 100 - 0.01


def layout(
    n_rows: int,
    n_columns: int,
    *,
    cells_start: float = LABELS,
    cells_end: float = 100.0,
    row_height: int = 0,
    turned: bool = False,
    below: int = 0,
) -> Layout:
    """The layout for a size: rows of 44 pixels for a short sentence, 14 for a long one.

    Labels of more than a few columns are turned, or all where they are to be `turned`.
    """
    height = row_height or int(np.clip(264 // n_rows, 14, 44))
    header = TURNED if turned or n_columns > MOST_UPRIGHT else UPRIGHT
    return Layout(n_rows, n_columns, cells_start, cells_end, height, header, below)


def row_layers(place: Layout, middle_y: alt.Y) -> list[alt.Chart]:
    """Row labels, and the outline of the chosen row."""
    rows = alt.Chart(table("rows"))
    style: dict[str, Any] = {
        "align": "right",
        "fontSize": {
            "expr": "width < 500 ? 11 : 13" if place.row_height >= 20 else "width < 500 ? 10 : 11"
        },
        "cursor": "pointer",
        "limit": {"expr": f"width * {place.label_share:.4f}"},
    }
    at: dict[str, Any] = {
        "x": alt.XDatum(place.cells_start - 1, scale=place.x, axis=None),
        "y": middle_y,
        # A cut label is told in full; and only a mark with a tooltip hears a click.
        "tooltip": [alt.Tooltip("row:N", title="row")],
    }
    plain = (
        rows.mark_text(**style, aria=False)
        .encode(**at, text=alt.Text("row:N"))
        .transform_filter("!datum.chosen")
    )
    bold = rows.mark_text(**style, fontWeight="bold", aria=False).encode(
        **at, text=alt.Text("row:N")
    )
    outline = rows.mark_rect(filled=False, strokeWidth=2.5, aria=False).encode(
        x=alt.XDatum(place.cells_start, scale=place.x, axis=None),
        x2=alt.X2Datum(place.cells_end),
        y=alt.Y("y0:Q", scale=place.y, axis=None),
        y2=alt.Y2("y1"),
    )
    return [
        painted(plain, "muted"),
        painted(bold.transform_filter("datum.chosen"), "accent"),
        painted(outline.transform_filter("datum.chosen"), "accent"),
    ]


def column_layer(place: Layout, middle_x: alt.X) -> alt.Chart:
    """Column labels: upright over wide columns, turned over narrow ones, thinned if crowded."""
    columns = alt.Chart(table("columns"))
    width = place.cell_share
    if place.upright:
        every = "1"
        mark = columns.mark_text(
            baseline="bottom",
            fontSize={"expr": f"width * {width:.5f} < 48 ? 10 : 13"},
            limit={"expr": f"width * {width:.5f} - 2"},
            aria=False,
        )
    else:
        every = f"ceil(12 / (width * {width:.6f}))"
        mark = columns.mark_text(
            angle=270,
            align="left",
            baseline="middle",
            fontSize=11,
            limit=place.header - 6,
            aria=False,
        )
    labels = mark.encode(
        x=middle_x,
        y=alt.YDatum(-5 / place.row_height, scale=place.y, axis=None),
        text=alt.Text("column:N"),
        opacity=alt.Opacity(
            condition={"test": f"(datum.key - 1) % {every} == 0", "value": 1}, value=0
        ),
        tooltip=[alt.Tooltip("column:N", title="column")],
    )
    return painted(labels, "muted")


@lasting(64)
def rows_frame(row_labels: Sequence[str], chosen: int | None) -> Columns:
    """One line a row: its label, where it stands, whether it is the chosen one."""
    row = np.arange(len(row_labels))
    return tabulate(
        query=row + 1,
        row=list(row_labels),
        y0=row,
        y1=row + 1,
        y=row + 0.5,
        chosen=row == (-1 if chosen is None else chosen),
    )


@lasting(64)
def columns_frame(column_labels: Sequence[str], place: Layout) -> Columns:
    """One line a column: its label and its middle."""
    column = np.arange(len(column_labels))
    middle = (place.left(column) + place.left(column + 1)) / 2
    return tabulate(key=column + 1, column=list(column_labels), x=middle)
