"""A page opened by a link without a browser, and what it holds: text, tables, drawn numbers."""

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import scipy.special
from streamlit.testing.v1 import AppTest

from core import LessonHead, RandomHead

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
PAGES = ("weights", "edit", "order")
SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]


def opened(page: str, **query: str | list[str]) -> AppTest:
    """A page, opened by a link in a new session."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    if page != "weights":
        app.run()
        app.switch_page(f"views/{page}.py")
    app.query_params = dict(query)
    app.session_state[f"{page}_tables"] = True  # opened, as a reader would
    app.run()
    assert not app.exception
    return app


def press(app: AppTest, label: str) -> AppTest:
    """Press the one button of this label."""
    (button,) = [button for button in app.button if button.label == label]
    button.click().run()
    assert not app.exception
    return app


def bare(text: str) -> str:
    """Text without the marks that keep directions apart."""
    return re.sub("[\u2068\u2069]", "", text)


def plain(markup: str) -> str:
    """What a reader sees of some HTML."""
    return bare(html.unescape(re.sub(r"<[^>]*>", "", markup)))


def htmls(app: AppTest) -> list[str]:
    """All HTML of the page, but for the style."""
    return [e.proto.body for e in app.get("html") if not e.proto.body.startswith("<style")]


def prose(app: AppTest) -> str:
    """All that the page says in HTML, as a reader sees it."""
    return "\n".join(map(plain, htmls(app)))


def finding(app: AppTest) -> str:
    """The sentence that answers the question of the page."""
    (found,) = re.findall('<p class="finding">(.*?)</p>', "".join(htmls(app)), re.DOTALL)
    return plain(found)


def names(app: AppTest) -> dict[str, str]:
    """The accessible name of every picture, by key; the browser puts it on the picture."""
    found: dict[str, str] = {}
    for browser in app.get("bidi_component"):  # none where no picture is
        found |= json.loads(browser.proto.json or "{}").get("names", {})
    assert len(found) == len(app.get("vega_lite_chart"))
    return found


def drawn(app: AppTest) -> list[dict[str, pd.DataFrame]]:
    """The tables inside every chart of the page, in order, as they are sent to the browser."""
    return [
        {
            dataset.name: pa.ipc.open_stream(dataset.data.data).read_all().to_pandas()
            for dataset in chart.proto.datasets
        }
        for chart in app.get("vega_lite_chart")
    ]


def matrix(tables: dict[str, pd.DataFrame]) -> np.ndarray:
    """The numbers of a drawn grid, each in the row and column that it says it has.

    A picture that works out its weights by itself holds scores: they are worked out here as well.
    """
    cells = tables["cells"]
    numbers = _drawn_by_row(cells, "number")
    if numbers is not None:
        return numbers
    beta = tables["here"]["beta"].item()
    after, before = _weights_drawn(cells, beta), _weights_drawn(cells, beta, "_before")
    assert after is not None
    return after if before is None else after - before


def _drawn_by_row(cells: pd.DataFrame, name: str) -> np.ndarray | None:
    """A number of every cell: there is a line a cell, or a line a row with a column a key."""
    if name in cells:
        return cells.pivot(index="query", columns="key", values=name).to_numpy()
    n = len(cells)
    columns = [f"{name}{key}" for key in range(n)]
    return cells[columns].to_numpy() if columns[0] in cells else None


def _weights_drawn(cells: pd.DataFrame, beta: float, of: str = "") -> np.ndarray | None:
    """Softmax of the scores in a picture; NaN where the mask forbids."""
    gaps = _drawn_by_row(cells, f"gap{of}")
    if gaps is None:
        return None
    may = _drawn_by_row(cells, f"allowed{of}" if "allowed" in cells else f"may{of}")
    allowed = np.ones(gaps.shape, bool) if may is None else may == 1
    if beta > 16:  # the limit
        mass = np.where(allowed & (gaps == 0), 1.0, 0.0)
        return np.where(allowed, mass / np.maximum(mass.sum(axis=1, keepdims=True), 1), np.nan)
    scores = np.where(allowed, beta * gaps, -np.inf)
    scores[~allowed.any(axis=1)] = 0
    return np.where(allowed, scipy.special.softmax(scores, axis=1), np.nan)


def elements(app: AppTest) -> Iterator[object]:
    """The message of every element and block of the page, sidebar included."""

    def walk(block: object) -> Iterator[object]:
        for child in block.children.values():
            if getattr(child, "proto", None) is not None:
                yield child.proto
            if hasattr(child, "children"):
                yield from walk(child)

    for part in (app.main, app.sidebar):
        yield from walk(part)


# A second source of every number: matrix products and SciPy, from the vectors of a head.


def positions(n: int, d_model: int) -> np.ndarray:
    """Sines and cosines, written anew."""
    table = np.zeros((n, d_model))
    for place in range(n):
        for column in range(d_model):
            angle = place / 10000 ** (2 * (column // 2) / d_model)
            table[place, column] = np.cos(angle) if column % 2 else np.sin(angle)
    return table


def read(
    tokens: list[str],
    *,
    seed: int | None = None,
    sharpness: float = 1.0,
    hard: bool = False,
    causal: bool = False,
    sinusoidal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Weights and values of one read."""
    head = LessonHead() if seed is None else RandomHead(seed)
    vectors = np.array([head.vector(token) for token in tokens])
    if sinusoidal:
        vectors = vectors + positions(*vectors.shape)
    queries, keys = vectors @ head.to_queries, vectors @ head.to_keys
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    if causal:
        scores[np.triu_indices(len(tokens), 1)] = -np.inf
    if hard:
        best = scores > scores.max(axis=1, keepdims=True) - 1e-9
        return best / best.sum(axis=1, keepdims=True), vectors @ head.to_values
    flat = np.where(np.isinf(scores), scores, sharpness * scores)
    return scipy.special.softmax(flat, axis=1), vectors @ head.to_values


def rendered_rows(app: AppTest, caption: str) -> list[list[str]]:
    """The cells of every row of the one table whose caption begins so, as a reader sees them."""
    tables = re.findall("<caption>.*?</table>", "".join(htmls(app)), re.DOTALL)
    (table,) = [table for table in tables if plain(table).startswith(caption)]
    body = table.split("<tbody>")[1]
    return [
        [plain(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body)
    ]
