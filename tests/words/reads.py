"""Reads about which sentences are made."""

import math

import numpy as np

from core import (
    Attention,
    attend,
)

SENTENCE = ["the", "cat", "sat", "on", "the", "mat"]
DOG = ["the", "dog", *SENTENCE[2:]]


def read_of(*weights: float, allowed: list[bool] | None = None) -> Attention:
    """One row with the given weights, read by `a` from keys `a`, `b`, `c` …"""
    known = [w for w in weights if w > 0]
    keys = [[math.log(w)] if w > 0 else [min(map(math.log, known)) - 9] for w in weights]
    may = allowed or [w > 0 for w in weights]
    names = [chr(ord("a") + k) for k in range(len(weights))]
    return attend(
        [[1.0]],
        keys,
        np.eye(len(weights)),
        allowed=[may],
        query_tokens=["q"],
        key_tokens=names,
    )
