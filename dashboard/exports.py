"""What a person takes away: pictures as files, numbers as CSV, the whole view as JSON."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import vl_convert

from dashboard.charts.bitmap import KIND, as_png
from dashboard.charts.labels import FIRST_STRONG, POP
from dashboard.charts.picture import Picture
from dashboard.link import VERSION, View, value_shown

Theme = Literal["light", "dark"]

CONFIG = Path(__file__).parents[1] / ".streamlit" / "config.toml"
WIDTH = 900  # pixels of a saved picture, before its scale
SCALE = 2.0  # of a PNG, so that it stays sharp in print


@cache
def _look(theme: Theme) -> dict[str, Any]:
    """Colours of the theme, as Vega-Lite wants them."""
    colours = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"][theme]
    return {
        "background": colours["backgroundColor"],
        "font": "Source Sans Pro, Noto Sans, sans-serif",
        "padding": 16,
        "view": {"stroke": None},
        "title": {
            "color": colours["textColor"],
            "fontSize": 15,
            "fontWeight": "normal",
            "anchor": "start",
            "offset": 12,
        },
        "range": {
            "category": colours["chartCategoricalColors"],
            "heatmap": colours["chartSequentialColors"],
            "diverging": colours["chartDivergingColors"],
        },
    }


def picture_file(picture: Picture, kind: Literal["png", "svg"], theme: Theme) -> bytes:
    """The picture as a file, titled with its finding; nothing is fetched to make it."""
    spec = {
        **picture.complete(),
        "width": WIDTH,
        "title": {"text": _lines(picture.alt)},
        "config": _look(theme),
        "autosize": {"type": "fit-x", "contains": "padding"},
    }
    svg = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    svg = re.sub(rf"{re.escape(KIND)}[%0-9A-F]+", lambda found: as_png(found[0]), svg)
    if kind == "svg":
        return svg.encode("utf-8")
    png: bytes = vl_convert.svg_to_png(svg, scale=SCALE)
    return png


def _lines(text: str, most: int = 110) -> list[str]:
    """A title cut between words, since a picture does not wrap it."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def numbers_csv(tables: Mapping[str, pd.DataFrame]) -> str:
    """All tables of a page in one long table: table, row, column, value."""
    lines = [
        (_bare(name), i + 1, _bare(row), k + 1, _bare(column), values[i, k])
        for name, frame in tables.items()
        for values in [frame.to_numpy()]
        for i, row in enumerate(frame.index)
        for k, column in enumerate(frame.columns)
    ]
    columns = ["table", "row", "row_label", "column", "column_label", "value"]
    return pd.DataFrame(lines, columns=columns).to_csv(index=False)


def view_json(view: View, link: str, tables: Mapping[str, pd.DataFrame]) -> str:
    """Settings, share link and tables of a page; strict JSON, a missing number is null."""
    content = {
        "version": VERSION,
        "link": link,
        "settings": {
            **{name: value_shown(view, name) for name in asdict(view)},
            "tokens": view.tokens,
        },
        "tables": [
            {
                "name": _bare(name),
                "rows": [_bare(row) for row in frame.index],
                "columns": [_bare(column) for column in frame.columns],
                "values": [[_number(value) for value in row] for row in frame.to_numpy().tolist()],
            }
            for name, frame in tables.items()
        ],
    }
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1)


def _bare(label: str) -> str:
    """A label without the marks that only keep its letters in order on a screen."""
    return label.replace(FIRST_STRONG, "").replace(POP, "")


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def file_name(view: View, what: str, ending: str) -> str:
    """A telling name: what it is, then the sentence in plain letters.

    Examples
    --------
    >>> file_name(View(), "Weights", "png")
    'weights-the-cat-sat-on-the-mat.png'
    """
    words = re.sub(r"[^a-z0-9]+", "-", f"{what} {view.text}".lower()).strip("-")
    return f"{words[:60].rstrip('-')}.{ending}"
