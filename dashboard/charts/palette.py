"""Which colour means what. The colours themselves stand in `.streamlit/config.toml`.

The theme hands them to every chart as named ranges, light or dark, so a chart follows the theme
without being built again: `heatmap` for weights, `diverging` for differences, `category` for the
roles below, in this order.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

ROLES = (
    "accent",  # what is looked at: the chosen row, the output, the sharpness in force
    "matrix",  # what the matrix does; a copy
    "vectors",  # what the vectors do; a blend
    "ink",  # words on the page
    "weak",  # numbers on a cell with little colour
    "strong",  # numbers on a cell with much colour
    "muted",  # position labels, axis words
    "line",  # guides
    "paper",  # the page itself
    "thread",  # lines of rows that are not looked at
)

ROLE = alt.Scale(domain=list(ROLES), range="category")
# Mixed as light is, red, green and blue: the contrasts of the tests are worked out so.
WEIGHT = alt.Scale(domain=[0, 1], range="heatmap", interpolate="rgb", clamp=True)
SIGNED = alt.Scale(domain=[-1, 1], range="diverging", interpolate="rgb", clamp=True)
# The largest weight, and the largest share of signed numbers' limit, on which words are "weak".
STRONG_WEIGHT, STRONG_SIGNED = 0.5, 0.504
# The page's own colour tells the theme; a chart is not built again when it changes.
DARK = "luminance(background) < 0.5"


def shade(numbers: NDArray[np.floating[Any]], limit: float) -> NDArray[np.floating[Any]]:
    """Where signed numbers stand on the scale from −1 to 1: their root, so that small ones show.

    Taken here and not in the chart, whose spec then is the same whatever the limit.
    """
    shades: NDArray[np.floating[Any]] = np.sign(numbers) * np.sqrt(np.abs(numbers) / limit)
    return shades


def signed_root(number: str) -> str:
    """The same, as a formula of the drawing, of a formula from −1 to 1."""
    return f"({number} < 0 ? -1 : 1) * sqrt(abs({number}))"


def painted(
    chart: alt.Chart, name: str, how: type[alt.Color | alt.Stroke] = alt.Color
) -> alt.Chart:
    """The marks of `chart`, or only their rims, in the colour of one role."""
    if name not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}, got {name!r}")
    colour = how("role:N", scale=ROLE, legend=None)
    return chart.transform_calculate(role=f"'{name}'").encode(colour)


def reach(largest: float, least: float = 1.0) -> float:
    """The first of `least` times 1, 2, 4, 8 … not below `largest`: a scale that moves seldom.

    Examples
    --------
    >>> reach(1.4), reach(0.3, least=0.25)
    (2.0, 0.5)
    """
    limit = least
    while limit < largest:
        limit *= 2
    return limit
