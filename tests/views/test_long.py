"""A sentence of more than 64 tokens, on every page: the same words, true numbers, little memory."""

import gc
import json
import re
from base64 import b64decode

import numpy as np
import pyarrow as pa
import pytest

from core import LessonHead, RandomHead, compare
from tests.views.visit import PAGES, bare, drawn, finding, opened, plain, prose, read, rendered_rows

POOLED = "attention_pooled"  # the component that paints the picture of blocks
WORDS = ["the", "cat", "sat", "on", "the", "mat", "dog", "ran", "house", "under"]
SIZES = [65, 512, 2048]
LABEL = re.compile(r"(\d+) · (.*)")


def sentence(n: int) -> list[str]:
    return [WORDS[i * i % len(WORDS)] if i % 3 else f"w{i % 90}" for i in range(n)]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("page", PAGES)
def test_every_page_answers(page, n):
    app = opened(page, text=" ".join(sentence(n)), sharpness="4")
    assert len(app.get("vega_lite_chart")) == 5
    assert f"{n:,} tokens of at most 2,048, cut at spaces" in [c.value for c in app.caption]
    assert not app.info
    assert not app.warning
    for chart in app.get("vega_lite_chart"):
        rows = [len(table) for table in drawn_of(chart).values()]
        assert max(rows) <= 48 * 48  # never a line for each of n² cells


def drawn_of(chart):
    return {d.name: pa.ipc.open_stream(d.data.data).read_all() for d in chart.proto.datasets}


def painted(app):
    """What the page works its picture of blocks out from."""
    (one,) = (c.proto for c in app.get("bidi_component") if c.proto.component_name == POOLED)
    return json.loads(one.json)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("head", ["lesson", "random"])
@pytest.mark.parametrize("positions", ["none", "sinusoidal"])
@pytest.mark.parametrize("causal", [False, True])
def test_the_page_has_the_vectors_of_its_pictures(page, head, positions, causal):
    texts = [sentence(70)]
    link = {"head": head, "seed": "3", "positions": positions, "causal": str(causal).lower()}
    if page == "edit":
        link |= {"at": "8", "to": "dog"}
        texts.append([*texts[0][:7], "dog", *texts[0][8:]])
    if page == "order":
        order = [*range(2, 71), 1]
        link["order"] = "-".join(map(str, order))
        texts.append([texts[0][i - 1] for i in order])
    given = painted(opened(page, text=" ".join(texts[0]), **link))
    made = LessonHead() if head == "lesson" else RandomHead(3)
    for sent, tokens in zip(given["reads"], texts, strict=True):
        read = made.attend_long(tokens, positions=positions)
        for name, vectors in (("queries", read.queries), ("keys", read.keys)):
            numbers = np.frombuffer(b64decode(sent[name]), "<f4").reshape(-1, sent["size"])
            np.testing.assert_array_equal(numbers, vectors.astype(np.float32))
    assert given["causal"] is causal
    assert given["how"] == "max"
    assert given["back"] == ([69, *range(69)] if page == "order" else [])


@pytest.mark.parametrize("page", PAGES)
def test_sixty_five_tokens_are_the_first_that_are_pooled(page):
    tokens = sentence(65)
    app = opened(page, text=" ".join(tokens[:64]))
    assert "cells" in drawn(app)[0]
    app.text_area(key="long_text").set_value(" ".join(tokens)).run()
    assert not app.exception
    assert "image" in drawn(app)[0]
    assert "Each pixel is one weight" in prose(app)


@pytest.mark.parametrize("causal", ["true", "false"])
@pytest.mark.parametrize("n", SIZES)
def test_the_table_lists_the_strongest_weights_of_the_row(n, causal):
    tokens = sentence(n)
    row = n // 2
    link = {"row": str(row), "sharpness": "3", "causal": causal}
    app = opened("weights", text=" ".join(tokens), **link)
    weights, _ = read(tokens, sharpness=3.0, causal=causal == "true")
    largest = np.sort(weights[row - 1])[::-1][:20]
    rows = rendered_rows(app, "The strongest weights")
    assert len(rows) == 20
    for (name, told), weight in zip(rows, largest, strict=True):
        position, token = LABEL.fullmatch(bare(name)).groups()
        assert tokens[int(position) - 1] == token
        assert weights[row - 1, int(position) - 1] == pytest.approx(weight, abs=1e-12)
        assert float(told.replace("−", "-")) == pytest.approx(weight, abs=5.1e-5)
    assert re.search(
        rf"The other {n - 20:,} keys (hold .* % together|have no weight)\.", prose(app)
    )


def test_the_sentence_of_a_row_is_the_one_that_a_short_page_would_say():
    tokens = sentence(65)
    app = opened("weights", text=" ".join(tokens), row="5")
    weights, _ = read(tokens)
    share = f"{weights[4].max() * 100:.0f} %"
    assert finding(app).startswith(f"{tokens[4]} (5) reads {share}")
    assert "of 65 positions’ worth" in finding(app)


def test_the_window_holds_exact_cells_and_moves_by_number_and_by_row():
    tokens = sentence(300)
    app = opened("weights", text=" ".join(tokens), row="100")
    weights, _ = read(tokens)

    def check(row: int, column: int) -> None:
        tables = drawn(app)[1]
        (cells,) = tables["cells"]["texts"]
        part = weights[row - 1 : row + 47, column - 1 : column + 47]
        np.testing.assert_allclose(
            [float(text.replace("−", "-")) for text in cells.split()], part.ravel(), atol=5.1e-5
        )
        for name, first in (("row", row), ("column", column)):
            named = [f"{i} · {tokens[i - 1]}" for i in range(first, first + 48)]
            assert [bare(label) for label in tables[f"{name}s"][name]] == named
        assert f"rows {row} to {row + 47}, columns {column} to {column + 47}" in prose(app)
        assert f"window={row}-{column}" in app.code[0].value

    check(76, 76)
    app.number_input(key="window_row").set_value(200).run()
    app.number_input(key="window_column").set_value(3).run()
    check(200, 3)
    app.number_input(key="row_weights").set_value(25).run()
    check(1, 1)
    assert app.query_params["row"] == "25"


def test_the_mean_is_a_choice_where_pixels_join_weights_and_links_carry_it():
    app = opened("weights", text=" ".join(sentence(300)))
    assert "Each pixel is the largest of up to 2 × 2 weights" in prose(app)
    assert painted(app)["how"] == "max"
    app.radio(key="pool").set_value("mean").run()
    assert "Each pixel is the mean of up to 2 × 2 weights" in prose(app)
    assert painted(app)["how"] == "mean"
    assert "pool=mean" in app.code[0].value
    assert app.query_params["pool"] == "mean"
    app = opened("weights", text=" ".join(sentence(65)))
    assert [radio.key for radio in app.radio] == ["head"]


@pytest.mark.parametrize("head", ["lesson", "random"])
def test_the_edit_page_lists_the_rows_that_moved_most(head):
    tokens = sentence(512)
    app = opened("edit", text=" ".join(tokens), at="8", row="3", sharpness="4", head=head, seed="7")
    made = LessonHead() if head == "lesson" else RandomHead(7)
    reads = [made.attend(t, sharpness=4.0) for t in (tokens, [*tokens[:7], "dog", *tokens[8:]])]
    comparison = compare(*reads)
    rows = rendered_rows(app, "Rows by how far they moved")
    largest = np.sort(comparison.row_shift)[::-1][:20]
    assert len(rows) in (20, 21)
    for (name, moved, verdict, _), shift in zip(rows, largest, strict=False):
        position = int(LABEL.fullmatch(bare(name))[1]) - 1
        assert comparison.row_shift[position] == pytest.approx(shift, abs=1e-5)
        assert float(moved.replace("<", "").replace("≈", "")) == pytest.approx(shift, abs=1e-3)
        assert verdict == ("moved" if shift > 0.01 else "within" if shift > 1e-12 else "fixed")
    assert any(LABEL.fullmatch(bare(name))[1] == "3" for name, *_ in rows)
    assert "The 20 rows that moved most, of 512." in prose(app)
    moved = int(comparison.changed(0.01).sum())
    assert (f"and {moved - 6} more move" in finding(app)) == (moved > 6)


def test_the_order_page_says_that_a_long_shuffle_holds_until_positions_are_added():
    app = opened("order", text=" ".join(sentence(512)))
    assert "this layer does not see the order" in finding(app)
    assert [cells[1] for cells in rendered_rows(app, "Three checks")] == ["holds"] * 3
    assert "… 480 more …" in prose(app)
    app.toggle(key="with_positions").set_value(True).run()
    assert "the position vectors told the two sentences apart" in finding(app)


def test_a_pasted_text_keeps_its_line_breaks_and_its_letters():
    poem = "the <b>cat</b>\nsat $on$\n\n  the `mat`\t" + "dog " * 62
    app = opened("weights")
    app.text_input(key="text").set_value(poem).run()
    assert not app.exception
    assert not app.warning
    assert app.text_area(key="long_text").value == poem
    assert app.query_params["text"] == poem
    app.number_input(key="row_weights").set_value(2).run()
    assert finding(app).startswith("<b>cat</b> reads")
    assert not app.warning
    again = opened("weights", text=poem)
    assert (again.text_area(key="long_text").value, list(again.warning)) == (poem, [])


@pytest.mark.parametrize("page", PAGES)
def test_a_session_holds_no_matrix_of_all_pairs(page):
    n = 2048
    app = opened(page, text=" ".join(sentence(n)), sharpness="2")
    app.slider(key="sharpness").set_value(3.0).run()
    assert not app.exception
    gc.collect()
    # A view of few cells, such as a causal mask, may have the shape; memory is what counts.
    held = [o for o in gc.get_objects() if isinstance(o, np.ndarray) and o.nbytes >= 4 * n * n]
    held = [array for array in held if array.base is None]
    assert len(held) <= 3


def test_every_token_of_a_long_text_is_known_by_plain_words():
    app = opened("edit", text=" ".join(sentence(70)), at="70", row="70")
    assert app.number_input(key="at").value == 70
    (shown,) = {plain(e.proto.body) for e in app.get("html") if 'class="token"' in e.proto.body}
    assert shown == sentence(70)[69]
