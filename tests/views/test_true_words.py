"""What pages say is true of the view they show, at the ends of every scale."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.views.test_default_numbers import opened, plain, tables
from tests.views.visit import names

APP = Path(__file__).parents[2] / "dashboard" / "app.py"


def said(app: AppTest) -> str:
    """All the prose of a page, and the names of its pictures."""
    return " ".join(
        [*(plain(element.proto.body) for element in app.get("html")), *names(app).values()]
    )


def test_a_tie_is_never_told_as_a_copy() -> None:
    text = " ".join(["cat", *["the"] * 40, "cat", "sat"])
    words = said(opened("weights", text=text, sharpness="16", row="43"))
    assert "a tie" in words
    assert "sat ends in a tie" in words
    assert "sat are nearly copies" not in words


def test_a_single_token_is_forced_and_travels_nowhere() -> None:
    words = said(opened("weights", text="cat"))
    assert "none travels" in words
    assert "every row is a blend" not in words
    assert "Attention weights of 1 row," in words
    assert "Forced: “cat”" in words


def test_a_causal_mask_excepts_its_first_row() -> None:
    words = said(opened("weights", causal="true"))
    assert "At sharpness 0 every row with more than one key is a blend" in words


def test_settings_that_are_on_and_make_no_difference_are_said_to_make_none() -> None:
    words = said(opened("order", sharpness="0", positions="sinusoidal"))
    assert "here the position vectors make no difference" in words
    assert "until positions" not in words


def test_equal_tokens_in_each_others_place_are_told_apart_by_positions() -> None:
    app = opened("order", positions="sinusoidal", order="5-2-3-4-1-6")
    assert tables(app)["Three checks"][1][1] == "does not hold"
    assert "the position vectors told them apart" in said(app)


@pytest.mark.parametrize("start", ["6-5-4-3-2-1", "1-2-3-4-5-6"])
def test_a_corrected_order_clears_its_error(start: str) -> None:
    app = opened("order", order=start)
    app.text_input(key="order").set_value("1-1").run()
    assert len(app.error) == 1
    app.text_input(key="order").set_value(start).run()
    assert not app.error
    assert app.text_input(key="order").value == start
    app.text_input(key="order").set_value("zz").run()
    app.button[-1].click().run()  # As it was
    assert not app.error


@pytest.mark.parametrize("sharpness", ["1e-320", "5e-324", "1e-300"])
def test_a_sharpness_of_almost_0_is_not_told_as_0(sharpness: str) -> None:
    app = opened("weights", sharpness=sharpness)
    assert not re.search(r"\b(inf|nan)\b", said(app))
    assert f"sharpness={sharpness}" in app.code[0].value


def test_rounding_is_not_told_as_a_move() -> None:
    words = said(opened("edit", hard="true", head="random", at="4", to="the"))
    assert "moved most, by <0.001" not in words
