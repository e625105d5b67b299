"""What a view shows of its sentence, and what stays when the sentence shrinks."""

from dataclasses import replace

import pytest
from hypothesis import given

from dashboard.link import (
    MAX_TOKENS,
    SHORT,
    View,
    fit,
)
from tests.link.links import LONG, texts, views


def test_what_no_longer_fits_follows_the_sentence_again():
    view = View(row=5, at=6, order=(2, 1, 3, 4, 5, 6))
    assert fit(view) == view
    shrunk = fit(replace(view, text="the cat sat"))
    assert (shrunk.row_shown, shrunk.edited_position, shrunk.order_shown) == (3, 2, (3, 2, 1))


def test_what_still_fits_stays_when_the_sentence_shrinks():
    view = fit(View(text="the cat sat", row=2, at=3))
    assert (view.row, view.at) == (2, 3)


def test_emptying_the_sentence_forgets_nothing():
    view = View(row=5, at=6, order=(2, 1, 3, 4, 5, 6))
    emptied = fit(replace(view, text="  "))
    assert fit(replace(emptied, text=view.text)) == view


@given(view=views(), text=texts)
def test_every_view_that_was_fitted_shows_positions_of_its_sentence(view, text):
    fitted = fit(replace(view, text=text))
    n = len(text.split())
    if n:
        assert 1 <= fitted.row_shown <= n
        assert 1 <= fitted.edited_position <= n
        assert sorted(fitted.order_shown) == list(range(1, n + 1))
    assert fit(fitted) == fitted


def test_the_most_tokens_are_what_the_pages_say():
    assert (SHORT, MAX_TOKENS) == (64, 2048)


@pytest.mark.parametrize(
    ("row", "window"), [(1, (1, 1)), (25, (1, 1)), (26, (2, 2)), (66, (42, 42)), (90, (43, 43))]
)
def test_the_window_follows_the_row_until_it_is_moved(row, window):
    assert replace(LONG, row=row).window_shown == window
    assert replace(LONG, row=row, window=(7, 9)).window_shown == (7, 9)


def test_a_sentence_that_shrinks_takes_its_window_back():
    moved = replace(LONG, window=(43, 43))
    assert fit(moved) == moved
    assert fit(replace(moved, text=" ".join(LONG.tokens[:89]))).window is None
    assert fit(replace(moved, text="the cat")).window is None
