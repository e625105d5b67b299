"""Every number of the default views, worked out a second time without `core`'s formulas."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import scipy.stats
from streamlit.testing.v1 import AppTest

from core import LessonHead

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
A = ["the", "cat", "sat", "on", "the", "mat"]
DOG = ["the", "dog", "sat", "on", "the", "mat"]


def opened(page: str, **query: str) -> AppTest:
    """A page, opened by a link."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    if page != "weights":
        app.run()
        app.switch_page(f"views/{page}.py")
    app.query_params = query
    app.session_state[f"{page}_tables"] = True  # opened, as a reader would
    app.run()
    assert not app.exception
    return app


def tables(app: AppTest) -> dict[str, list[list[str]]]:
    """The tables of a page by caption: rows of cells as text."""
    found = {}
    bodies = "".join(element.proto.body for element in app.get("html"))
    for table in re.findall(r"<table[^>]*>(.*?)</table>", bodies, re.DOTALL):
        (caption,) = re.findall(r"<caption>(.*?)</caption>", table, re.DOTALL)
        rows = re.findall(r"<tr[^>]*>(.*?)</tr>", table, re.DOTALL)
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
        found[plain(caption)] = [[plain(cell) for cell in row] for row in cells]
    assert found
    return found


def plain(markup: str) -> str:
    """What a reader sees of some HTML."""
    text = html.unescape(re.sub(r"<[^>]*>", "", markup))
    return re.sub("[\u2068\u2069]", "", text)


def numbers(table: list[list[str]]) -> np.ndarray:
    """The numbers of a table, without its labels."""
    return np.array([[float(cell.replace("−", "-")) for cell in row[1:]] for row in table[1:]])


def read(tokens: list[str], sharpness: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Weights and values by matrix products and SciPy's softmax."""
    head = LessonHead()
    vectors = np.array([head.vector(token) for token in tokens])
    queries, keys = vectors @ head.to_queries, vectors @ head.to_keys
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    return scipy.special.softmax(sharpness * scores, axis=1), vectors @ head.to_values


def agree(table: list[list[str]], expected: np.ndarray) -> None:
    """To the four decimals that are told."""
    np.testing.assert_allclose(numbers(table), expected, atol=5.1e-5)


@pytest.mark.parametrize("sharpness", [1.0, 0.0, 2.5, 16.0])
def test_the_weights_page(sharpness: float) -> None:
    shown = tables(opened("weights", sharpness=str(sharpness)))
    weights, values = read(A, sharpness)
    agree(shown["Weights: row reads from column"], weights)
    agree(shown["Contributions to the output at 6 · mat"], weights[5][:, None] * values)
    strongest = np.flatnonzero(np.isclose(weights[5], weights[5].max(), atol=1e-12))
    vectors = [weights[5] @ values, values[strongest].mean(axis=0), values.mean(axis=0)]
    agree(shown["Output, copy and blend"], np.array(vectors))
    entropy = scipy.stats.entropy(weights, axis=1)
    spread = np.column_stack([entropy / np.log(6), np.exp(entropy)])
    agree(shown["Copy 0 to blend 1, and effective positions"], spread)
    for row, line in zip(weights, shown["Every row in words"][1:], strict=True):
        positions = np.exp(scipy.stats.entropy(row))
        assert f"{positions:.1f} of 6 positions" in line[1]
        if 0.005 < row.max() < 0.995:
            assert f"{100 * row.max():.0f} %" in line[1]


def test_the_edit_page() -> None:
    shown = tables(opened("edit"))
    (before, old), (after, new) = read(A), read(DOG)
    agree(shown["Weights before"], before)
    agree(shown["Weights after"], after)
    agree(shown["After − before"], after - before)
    agree(shown["Because the matrix moved"], (after - before) @ new)
    agree(shown["Because the vectors moved"], before @ (new - old))
    agree(shown["Outputs of a fixed mixer, which keeps the first matrix"], before @ new)
    shift = np.abs(after - before).sum(axis=1) / 2
    rows = shown["Rows by how far they moved; moved means more than 0.01"][1:]
    assert [row[0] for row in rows] == [
        "3 · sat",
        "2 · dog",
        "6 · mat",
        "1 · the",
        "4 · on",
        "5 · the",
    ]
    np.testing.assert_allclose([float(row[1]) for row in rows], np.sort(shift)[::-1], atol=5.1e-4)
    assert [row[2] for row in rows] == ["moved"] * 3 + ["fixed"] * 3
    assert (
        rows[0][3] == f"reads the edited token more, from {before[2, 1]:.3f} to {after[2, 1]:.3f}"
    )
    split = (
        np.linalg.norm((after - before) @ new, axis=1)[5],
        np.linalg.norm(before @ (new - old), axis=1)[5],
    )
    prose = " ".join(plain(element.proto.body) for element in opened("edit").get("html"))
    total = np.linalg.norm(after @ new - before @ old, axis=1)[5]
    assert f"The output at mat moved by {total:.3f}: {split[0]:.3f} because the matrix" in prose
    assert f"{split[1]:.3f} because the vectors moved" in prose


def test_the_order_page() -> None:
    shown = tables(opened("order"))
    weights, values = read(A)
    agree(shown["Weights of A"], weights)
    agree(shown["Weights of B"], weights[::-1, ::-1])
    agree(shown["B put back into A’s order"], weights)
    agree(shown["Outputs of A"], weights @ values)
    agree(shown["Outputs of B put back"], weights @ values)
    agree(shown["Pooled outputs"], np.array([(weights @ values).sum(axis=0)] * 2))
    checks = shown["Three checks"][1:]
    assert [row[1] for row in checks] == ["holds"] * 3
    for row in checks:
        assert float(row[2].replace("−", "-")) < 1e-14
        assert float(row[3].replace("−", "-")) < 1e-11


@pytest.mark.parametrize(
    ("query", "cause"),
    [({"positions": "sinusoidal"}, "position vectors"), ({"causal": "true"}, "causal mask")],
)
def test_the_order_page_names_what_breaks_the_checks(query: dict[str, str], cause: str) -> None:
    app = opened("order", **query)
    checks = tables(app)["Three checks"][1:]
    assert [row[1] for row in checks] == ["does not hold"] * 3
    prose = " ".join(plain(element.proto.body) for element in app.get("html"))
    assert f"The order shows: the {cause} told the two sentences apart." in prose


@pytest.mark.parametrize(
    ("order", "words"),
    [("5-2-3-4-1-6", "Only equal tokens changed places"), ("1-2-3-4-5-6", "it proves nothing")],
)
def test_a_shuffle_that_changes_nothing_is_said_to_prove_nothing(order: str, words: str) -> None:
    prose = " ".join(e.proto.body for e in opened("order", order=order).get("html"))
    assert words in prose


def test_the_second_of_two_equal_tokens_is_chosen_and_stays() -> None:
    app = opened("weights")
    box = app.selectbox(key="row_weights")
    box.set_value(5).run()
    app.button[0].click().run()  # Reset puts it back, and nothing else
    assert app.selectbox(key="row_weights").value == 6
    app.selectbox(key="row_weights").set_value(5).run()
    app.toggle(key="causal").set_value(True).run()
    assert app.selectbox(key="row_weights").value == 5
    assert "row=5" in app.code[0].value


def test_a_shorter_sentence_forgets_what_it_does_not_hold_and_an_empty_one_forgets_nothing() -> (
    None
):
    app = opened("weights", row="3")
    app.text_input(key="text").set_value("").run()
    assert len(app.info) == 1
    app.text_input(key="text").set_value("a cat ran home").run()
    assert app.selectbox(key="row_weights").value == 3
    app.text_input(key="text").set_value("a cat").run()
    assert app.selectbox(key="row_weights").value == 2
    assert not app.exception
