"""An order and its inverse, and what is no order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import check_order, inverse_order

orders = st.integers(0, 11).flatmap(lambda n: st.permutations(range(n)))


@given(orders)
def test_an_order_and_its_inverse_cancel(order):
    inverse = inverse_order(order)
    assert [order[i] for i in inverse] == list(range(len(order)))
    assert inverse_order(inverse) == tuple(order)


def test_an_inverse_on_paper():
    # c a b from a b c: a stands at 1, b at 2, c at 0.
    assert inverse_order((2, 0, 1)) == (1, 2, 0)


def test_an_order_may_be_an_array():
    assert check_order(np.array([2, 0, 1]), 3) == (2, 0, 1)


@pytest.mark.parametrize(
    ("order", "n", "message"),
    [
        ([0, 1], 3, "order must hold each position from 0 to 2 once, got 2 missing"),
        ([0, 1, 1], 3, "got 2 missing, 1 doubled"),
        ([0, 1, 3], 3, "got 2 missing, 3 out of range"),
        ([1, 2, 3], 3, "got 0 missing, 3 out of range"),
        ([0, 1, -1], 3, "got 2 missing, -1 out of range"),
        ([0, 1, 2, 2], 3, "got 2 doubled"),
        ([0], 0, "order must hold no position, got 0 out of range"),
        ([0.0, 1.0], 2, r"order must be a sequence of whole numbers, got \[0.0, 1.0\]"),
        ([False, True], 2, "order must be a sequence of whole numbers"),
        ("10", 2, "order must be a sequence of whole numbers, got '10'"),
    ],
)
def test_what_is_no_order_is_refused(order, n, message):
    with pytest.raises(ValueError, match=message):
        check_order(order, n)
