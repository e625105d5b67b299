"""The numbers inside the charts, as they are sent, worked out a second time."""

import numpy as np
import pytest

from dashboard.charts import dots
from dashboard.charts.palette import reach
from tests.views.visit import SENTENCE, drawn, matrix, opened, press, read

DOG = ["the", "dog", *SENTENCE[2:]]

SETTINGS = {
    "default": ({}, {}),
    "flat": ({"sharpness": "0"}, {"sharpness": 0.0}),
    "sharp": ({"sharpness": "7.5"}, {"sharpness": 7.5}),
    "hard": ({"hard": "true"}, {"hard": True}),
    "causal": ({"causal": "true"}, {"causal": True}),
    "hard and causal": ({"hard": "true", "causal": "true"}, {"hard": True, "causal": True}),
    "positions": ({"positions": "sinusoidal"}, {"sinusoidal": True}),
    "random": ({"head": "random", "seed": "7"}, {"seed": 7}),
    "random, causal, positions": (
        {"head": "random", "seed": "12", "causal": "true", "positions": "sinusoidal"},
        {"seed": 12, "causal": True, "sinusoidal": True},
    ),
}
every_setting = pytest.mark.parametrize(
    ("query", "settings"), SETTINGS.values(), ids=SETTINGS.keys()
)


def agree(drawn_numbers, expected):
    np.testing.assert_allclose(drawn_numbers, expected, atol=1e-12)


def masked(weights, settings):
    """What is drawn: nothing where the mask forbids."""
    shown = np.array(weights)
    if settings.get("causal"):
        shown[np.triu_indices(len(shown), 1)] = np.nan
    return shown


def vectors_drawn(chart, k):
    """The vectors of a chart of dots, one a row, read off their places and the axis."""
    axis = chart["axis"]
    ticks = [float(text.replace("−", "-")) for text in axis["text"]]
    slope = (ticks[-1] - ticks[0]) / (axis["x"].iloc[-1] - axis["x"].iloc[0])
    dots = chart["dots"].merge(chart["values"], on="dot", validate="1:1")
    x = (dots["zero"] + dots["unit"] * dots["value"]).to_numpy()
    return (ticks[0] + (x - axis["x"].iloc[0]) * slope).reshape(k, -1)


@every_setting
def test_the_weights_page_draws_its_numbers(query, settings):
    app = opened("weights", row="4", **query)
    weights, values = read(SENTENCE, **settings)
    first, parts, vectors = drawn(app)
    agree(matrix(first), masked(weights, settings))
    usable = np.array([row + 1 if settings.get("causal") else 6 for row in range(6)])
    agree(first["rows"]["usable"], usable)
    assert np.flatnonzero(first["rows"]["chosen"]).tolist() == [3]
    agree(matrix(parts)[:-1], weights[3][:, None] * values)
    agree(matrix(parts)[-1], weights[3] @ values)
    may = values[: usable[3]]
    best = np.isclose(weights[3], weights[3].max(), atol=1e-12)
    output = weights[3] @ values
    agree(vectors_drawn(vectors, 3), [output, values[best].mean(axis=0), may.mean(axis=0)])


@every_setting
def test_the_edit_page_draws_its_numbers(query, settings):
    app = opened("edit", row="6", **query)
    (before, old), (after, new) = read(SENTENCE, **settings), read(DOG, **settings)
    first, second, difference, moves, move = drawn(app)
    agree(matrix(first), masked(before, settings))
    agree(matrix(second), masked(after, settings))
    agree(matrix(difference), masked(after - before, settings))
    parts = [after @ new - before @ old, (after - before) @ new, before @ (new - old)]
    lengths = [np.linalg.norm(part, axis=1) for part in parts]
    agree(vectors_drawn(moves, 3), lengths)
    agree(vectors_drawn(move, 3), [part[5] for part in parts])
    assert reach(np.max(lengths), least=0.25) == float(moves["axis"]["text"].iloc[-1])
    assert move["key"]["name"].tolist() == ["in all", "by the matrix", "by the vectors"]


@every_setting
def test_the_order_page_draws_its_numbers(query, settings):
    order = [2, 0, 1, 5, 4, 3]
    app = opened("order", order="3-1-2-6-5-4", **query)
    shuffled = [SENTENCE[i] for i in order]
    (weights, values), (other, others) = read(SENTENCE, **settings), read(shuffled, **settings)
    back = np.argsort(order)
    first, second, restored, gap, pooled = drawn(app)
    agree(matrix(first), masked(weights, settings))
    agree(matrix(second), masked(other, settings))
    agree(matrix(restored), masked(other, settings)[np.ix_(back, back)])
    agree(matrix(gap), other[np.ix_(back, back)] - weights)
    agree(vectors_drawn(pooled, 2), [(weights @ values).sum(axis=0), (other @ others).sum(axis=0)])
    assert [label.split(" ")[0] for label in second["rows"]["row"]] == [str(i + 1) for i in order]


def test_the_chart_of_dots_is_read_off_as_it_is_drawn():
    assert (dots.START, dots.END) == (25.0, 97.0)


@pytest.mark.parametrize("n", [12, 13, 64])
def test_a_long_sentence_is_drawn_whole(n):
    tokens = [f"w{i}" for i in range(n)]
    weights, values = read(tokens, seed=3)
    app = opened("weights", text=" ".join(tokens), head="random", seed="3")
    first, parts, _ = drawn(app)
    agree(matrix(first), weights)
    agree(matrix(parts)[-1], weights[-1] @ values)
    assert len(first["rows"]) == n


def test_a_new_head_draws_its_own_numbers():
    app = opened("weights", head="random", seed="9999")
    agree(matrix(drawn(app)[0]), read(SENTENCE, seed=9999)[0])
    press(app, "New head")
    agree(matrix(drawn(app)[0]), read(SENTENCE, seed=0)[0])
    assert app.number_input(key="seed").value == 0
