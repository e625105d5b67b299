"""Hashed numbers: pinned bit for bit, so that a link shows the same view next year."""

import hashlib

import numpy as np
import pytest

from core import hashed_uniform


def test_the_first_numbers_of_a_label_are_pinned():
    assert hashed_uniform("cat", 3).tolist() == [
        0.8466302089618598,
        0.7550384409056176,
        0.9167366112382338,
    ]


def test_a_number_is_53_bits_of_the_hash_over_2_to_the_53():
    # The same steps in Python's whole numbers.
    digest = hashlib.shake_256(b"cat").digest(16)
    integers = [int.from_bytes(digest[i : i + 8], "little") >> 11 for i in (0, 8)]
    assert hashed_uniform("cat", 2).tolist() == [integer / 2**53 for integer in integers]


def test_labels_differ():
    labels = ["cat", "Cat", "cat ", "", " ", "\n", "Ġcat", "▁cat", "##cat"]
    assert len({tuple(hashed_uniform(label, 2)) for label in labels}) == len(labels)


def test_numbers_look_uniform():
    numbers = hashed_uniform("many", (100, 101))
    assert numbers.shape == (100, 101)
    assert numbers.min() >= 0
    assert numbers.max() < 1
    assert numbers.mean() == pytest.approx(1 / 2, abs=0.01)
    assert numbers.var() == pytest.approx(1 / 12, abs=0.002)


def test_half_a_surrogate_pair_has_numbers_too():
    assert np.isfinite(hashed_uniform("\ud83d", 3)).all()


@pytest.mark.parametrize("shape", [0, (0, 3), (), 5, (2, 3)])
def test_shapes(shape):
    assert hashed_uniform("cat", shape).shape == (shape if isinstance(shape, tuple) else (shape,))
