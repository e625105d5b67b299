"""Each control does what it says, and what it does not touch stays."""

import numpy as np
import pytest

from dashboard.link import MAX_TOKENS
from tests.views.visit import (
    PAGES,
    SENTENCE,
    bare,
    drawn,
    finding,
    matrix,
    opened,
    press,
    prose,
    read,
)


def weights_of(app, chart=0):
    return matrix(drawn(app)[chart])


def shared(app):
    return app.code[0].value


# Sidebar.


def test_the_slider_sets_the_sharpness():
    app = opened("weights")
    app.slider(key="sharpness").set_value(3.5).run()
    np.testing.assert_allclose(weights_of(app), read(SENTENCE, sharpness=3.5)[0], atol=1e-12)
    assert "sharpness=3.5" in shared(app)
    assert app.query_params == {"v": "1", "sharpness": "3.5"}


def test_sharpness_0_says_that_every_row_is_the_plain_average():
    app = opened("weights")
    app.slider(key="sharpness").set_value(0.0).run()
    assert (weights_of(app) == 1 / 6).all()
    assert "reads all 6 positions alike" in finding(app)


def test_the_limit_switches_the_slider_off_and_back_on_with_its_value():
    app = opened("weights", sharpness="2")
    app.toggle(key="hard").set_value(True).run()
    assert app.slider(key="sharpness").disabled
    np.testing.assert_array_equal(weights_of(app), read(SENTENCE, hard=True)[0])
    app.toggle(key="hard").set_value(False).run()
    assert not app.slider(key="sharpness").disabled
    np.testing.assert_allclose(weights_of(app), read(SENTENCE, sharpness=2)[0], atol=1e-12)


def test_the_causal_mask_forbids_with_a_dot_and_a_legend():
    app = opened("weights")
    assert "A dot: the mask does not allow it." not in prose(app)
    app.toggle(key="causal").set_value(True).run()
    assert np.isnan(weights_of(app)).sum() == 15
    assert (drawn(app)[0]["cells"]["allowed"] == 0).sum() == 15
    assert "A dot: the mask does not allow it." in prose(app)
    assert "forced" in prose(app)


def test_positions_tell_two_equal_tokens_apart():
    app = opened("weights", text="cat the the")
    assert (weights_of(app)[:, 1] == weights_of(app)[:, 2]).all()
    app.toggle(key="with_positions").set_value(True).run()
    assert (weights_of(app)[:, 1] != weights_of(app)[:, 2]).any()
    assert "positions=sinusoidal" in shared(app)


def test_the_random_head_brings_its_seed_and_the_lesson_hides_it():
    app = opened("weights")
    assert [box.label for box in app.number_input] == []
    app.radio(key="head").set_value("random").run()
    app.number_input(key="seed").set_value(41).run()
    np.testing.assert_allclose(weights_of(app), read(SENTENCE, seed=41)[0], atol=1e-12)
    press(app, "New head")
    np.testing.assert_allclose(weights_of(app), read(SENTENCE, seed=42)[0], atol=1e-12)
    app.radio(key="head").set_value("lesson").run()
    np.testing.assert_allclose(weights_of(app), read(SENTENCE)[0], atol=1e-12)
    assert "seed=42" in shared(app)


@pytest.mark.parametrize("page", PAGES)
def test_reset_brings_the_lesson_back_on_every_page(page):
    link = {"text": "a b c", "sharpness": "4", "head": "random", "seed": "5", "causal": "true"}
    app = opened(page, **link, to="x", at="1", row="1", tolerance="0.5", order="1-3-2")
    assert shared(app) != shared(opened(page))
    press(app, "Reset to the lesson")
    assert shared(app) == shared(opened(page))
    assert app.query_params == {}
    assert app.text_input(key="text").value == " ".join(SENTENCE)


def test_settings_stay_when_the_page_changes():
    app = opened("weights")
    app.slider(key="sharpness").set_value(2.0).run()
    app.selectbox(key="row_weights").set_value(3).run()
    app.switch_page("views/edit.py").run()
    app.text_input(key="to").set_value("mouse").run()
    app.switch_page("views/order.py").run()
    app.text_input(key="order").set_value("2-1-3-4-5-6").run()
    app.switch_page("views/edit.py").run()
    assert app.text_input(key="to").value == "mouse"
    assert app.slider(key="sharpness").value == 2.0
    assert app.selectbox(key="row_edit").value == 3
    app.switch_page("views/order.py").run()
    assert app.text_input(key="order").value == "2-1-3-4-5-6"
    assert not app.exception


# Rows: the position is picked, not the token.


@pytest.mark.parametrize("place", [1, 5])
def test_either_of_two_equal_tokens_can_be_picked_and_stays(place):
    app = opened("weights", text="the cat the cat the mat", head="random")
    app.selectbox(key="row_weights").set_value(place).run()
    for _ in range(2):
        press(app, "New head")
        assert app.selectbox(key="row_weights").value == place
        assert f"row={place}" in shared(app)
        assert np.flatnonzero(drawn(app)[0]["rows"]["chosen"]).tolist() == [place - 1]
        assert finding(app).startswith(f"the ({place}) reads")


def test_either_of_two_equal_tokens_can_be_edited():
    app = opened("edit", row="6")
    app.selectbox(key="at").set_value(5).run()
    app.toggle(key="causal").set_value(True).run()
    assert app.selectbox(key="at").value == 5
    labels = [bare(label) for label in drawn(app)[1]["rows"]["row"]]
    assert labels == ["1 · the", "2 · cat", "3 · sat", "4 · on", "5 · dog", "6 · mat"]


# Sentences that shrink, grow, empty.


@pytest.mark.parametrize("page", PAGES)
def test_one_token_is_read_on_every_page(page):
    app = opened(page, text="cat")
    assert "nan" not in prose(app).lower()
    assert len(drawn(app)[0]["cells"]) == 1
    told = {"weights": "forced", "edit": "No row of the matrix moved", "order": "proves nothing"}
    assert told[page] in prose(app)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_sentence_has_a_friendly_line_and_typing_again_works(page, text):
    app = opened(page)
    app.text_input(key="text").set_value(text).run()
    assert not app.exception
    assert "no token to read" in app.info[0].value
    assert not app.get("vega_lite_chart")
    assert not app.warning
    app.text_input(key="text").set_value("a cat").run()
    assert not app.exception
    assert len(drawn(app)[0]["cells"]) == 4


@pytest.mark.parametrize("page", PAGES)
def test_sixty_four_tokens_are_drawn_cell_by_cell_and_two_thousand_are_answered(page):
    tokens = [f"w{i}" for i in range(2049)]
    app = opened(page, text=" ".join(tokens[:64]))
    assert drawn(app)[0]["cells"].filter(like="gap").shape == (64, 64)
    app.text_area(key="long_text").set_value(" ".join(tokens)).run()
    assert not app.exception
    assert "2,049 tokens" in app.info[0].value
    assert not app.get("vega_lite_chart")
    app.text_area(key="long_text").set_value("a cat").run()
    assert len(drawn(app)[0]["cells"]) == 4
    assert app.text_input(key="text").value == "a cat"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("n", [70, 71])  # 4,900 and 5,041 cells
def test_five_thousand_cells_are_drawn_or_the_limit_is_told(page, n):
    app = opened(page, text=" ".join(f"w{i}" for i in range(n)))
    if n <= MAX_TOKENS:
        assert app.get("vega_lite_chart")
        assert not app.info
    else:
        assert not app.get("vega_lite_chart")
        (told,) = app.info
        assert f"has {n} tokens, and this page reads at most {MAX_TOKENS:,}" in told.value
    assert f"w{n - 1}&" in shared(app)


def test_a_sentence_that_shrinks_below_the_edited_position_edits_its_second():
    app = opened("edit", at="6", row="5")
    app.text_input(key="text").set_value("a cat ran").run()
    assert not app.exception
    assert (app.selectbox(key="at").value, app.selectbox(key="row_edit").value) == (2, 3)
    assert "at=2" in shared(app)


def test_a_sentence_that_shrinks_below_its_order_is_reversed_again():
    app = opened("order", order="1-2-3-4-6-5")
    app.text_input(key="text").set_value("a cat ran").run()
    assert not app.exception
    assert app.text_input(key="order").value == "3-2-1"


# Edits.


def test_an_edit_to_the_same_token_moves_nothing():
    app = opened("edit", to="cat")
    assert finding(app) == "No row of the matrix moved."
    assert (weights_of(app, 2) == 0).all()


@pytest.mark.parametrize(
    ("to", "told"), [("", "nothing makes 0"), ("  ", "makes 0"), ("hot dog", "hot␣dog makes 2")]
)
def test_what_is_not_one_token_is_refused_with_both_lengths(to, told):
    app = opened("edit")
    app.text_input(key="to").set_value(to).run()
    assert not app.exception
    assert told in finding(app)
    assert "instead of 6" in finding(app)
    assert not app.get("vega_lite_chart")
    app.text_input(key="to").set_value("dog").run()
    assert len(app.get("vega_lite_chart")) == 5


def test_blanks_around_a_new_token_are_kept_in_the_link_and_not_read():
    app = opened("edit", to=" dog ")
    assert shared(app).split("&to=")[1].startswith("%20dog%20&")
    np.testing.assert_array_equal(weights_of(app, 1), weights_of(opened("edit"), 1))


def test_the_tolerance_decides_which_rows_are_said_to_move():
    app = opened("edit")
    assert finding(app) == "The rows of dog, sat and mat move; the (1), on and the (5) stay fixed."
    app.number_input(key="tolerance").set_value(1.0).run()
    assert finding(app) == "No row of the matrix moved by more than 1."
    assert "moved means more than 1" in prose(app)


# Orders.


@pytest.mark.parametrize(
    ("button", "order"),
    [
        ("Reverse", "6-5-4-3-2-1"),
        ("Swap 2 and 6", "1-6-3-4-5-2"),
        ("Rotate by one", "6-2-1-3-4-5"),
        ("As it was", "1-2-3-4-5-6"),
    ],
)
def test_a_button_sets_the_order(button, order):
    app = press(opened("order", order="2-1-3-4-5-6"), button)
    assert app.text_input(key="order").value == order
    assert f"order={order}" in shared(app)


def test_two_positions_of_ones_choice_are_swapped():
    app = opened("order")
    app.number_input(key="swap_one").set_value(1).run()
    app.number_input(key="swap_other").set_value(5).run()
    press(app, "Swap them")
    assert app.text_input(key="order").value == "5-2-3-4-1-6"
    assert finding(app).startswith("Only equal tokens changed places")
    assert "proves nothing" in finding(app)


def test_a_shuffle_is_the_same_for_the_same_seed():
    orders = []
    for seed in (3, 3, 4):
        app = opened("order")
        app.number_input(key="shuffle_seed").set_value(seed).run()
        orders.append(press(app, "Shuffle them").text_input(key="order").value)
    assert orders[0] == orders[1] != orders[2]


def test_shrinking_the_sentence_keeps_the_swap_within_it():
    app = opened("order")
    app.number_input(key="swap_one").set_value(6).run()
    app.text_input(key="text").set_value("a cat").run()
    assert not app.exception
    press(app, "Swap them")
    assert app.text_input(key="order").value in ("1-2", "2-1")


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("1-2-3", "lacks 4, 5, 6"),
        ("1-1-2-3-4-5", "repeats 1, lacks 6"),
        ("7-6-5-4-3-2", "has no token at 7, lacks 1"),
        ("cat", "must be positions joined by hyphens"),
        ("", "lacks 1, 2, 3, 4, 5"),
        ("`$x$` **b**", "must be positions joined by hyphens"),
    ],
)
def test_an_order_typed_badly_is_named_and_the_last_one_stays(typed, fault):
    app = opened("order", order="2-1-3-4-5-6")
    app.text_input(key="order").set_value(typed).run()
    assert not app.exception
    assert fault in app.error[0].value
    assert "Below is still ` 2-1-3-4-5-6 `" in app.error[0].value
    assert "order=2-1-3-4-5-6" in shared(app)
    assert len(app.get("vega_lite_chart")) == 5
    app.text_input(key="order").set_value("6 5 4 3 2 1").run()
    assert not app.error
    assert app.text_input(key="order").value == "6-5-4-3-2-1"


def test_both_causes_are_named_when_both_break_the_checks():
    app = opened("order", causal="true", positions="sinusoidal")
    assert "the position vectors and the causal mask" in finding(app)
