"""A long matrix as one picture of several side by side: blocks of cells as pixels, and no more."""

from __future__ import annotations

from typing import Any

import numpy as np

from dashboard.charts.blocks_text import FEW_PIXELS, address, image_table, parameters
from dashboard.charts.frame import FOOTER, HEADER, PANEL, around, matrix_layers, row_line
from dashboard.charts.palette import DARK
from dashboard.charts.picture import Picture, built_once, drawing, layered
from dashboard.charts.raster import Kind


def panel(
    n: int,
    *,
    text: str = "",
    kind: Kind,
    sharpness: float,
    chosen: int | None = None,
    alt_text: str,
) -> Picture:
    """Picture of one pooled matrix, for several side by side.

    `text` is what `pixels_text` tells of it; without it the page has to work it out.
    """
    marked = [] if chosen is None else [100 * (chosen + 0.5) / n]
    n_blocks = min(n, FEW_PIXELS)
    data = {
        "image": image_table(n_blocks, PANEL.start, PANEL.end, kind, text, sharpness),
        "line": {"y": np.array(marked, dtype=float)},
        **around(n, kind, PANEL),
    }
    return Picture(_panel_spec(kind, led=not text), data, alt_text)


@built_once(4)
def _panel_spec(kind: Kind, *, led: bool) -> dict[str, Any]:
    layers = [*matrix_layers(PANEL, address(DARK)), row_line(PANEL, PANEL.end)]
    return drawing(layered(*layers), PANEL.height + HEADER + FOOTER, params=parameters(led=led))
