"""Every kind of picture at any size, for the claims that all pictures share."""

import math
from collections.abc import Callable, Sequence

from core import RandomHead, compare, read_row, travel
from dashboard.charts.dots import moves, vectors
from dashboard.charts.labels import label
from dashboard.charts.live_grid import given_difference, live_difference, live_weights
from dashboard.charts.parts import parts
from dashboard.charts.picture import Picture
from dashboard.charts.spread import spread
from dashboard.charts.travel import SHARPNESSES

Draw = Callable[..., Picture]

SIZES = [1, 2, 6, 12, 13, 45, 71]  # either side of every change of look


def words(n: int, mark: str = "w") -> list[str]:
    """Tokens that all differ, each with a mark to look for."""
    return [f"{mark}{i}" for i in range(n)]


def labels_of(tokens: Sequence[str]) -> list[str]:
    return [label(i, token) for i, token in enumerate(tokens)]


def draw_live_weights(tokens, seed=0, causal=False) -> Picture:
    attention = RandomHead(seed).attend(tokens, causal=causal)
    return live_weights(
        attention.scores,
        attention.allowed,
        labels_of(tokens),
        sharpness=math.inf if seed % 2 else 1.0,
        chosen=0,
        labels_end=20.0,
        alt_text="live weights",
    )


def draw_live_difference(tokens, seed=0, causal=False) -> Picture:
    before, after = (RandomHead(seed + i).attend(tokens, causal=causal) for i in (0, 1))
    return live_difference(
        before,
        after,
        labels_of(tokens),
        sharpness=math.inf if seed % 2 else 1.0,
        labels_end=20.0,
        alt_text="live difference",
    )


def draw_given_difference(tokens, seed=0, causal=False) -> Picture:
    first, other = (RandomHead(seed + i).attend(tokens, causal=causal) for i in (0, 1))
    gap = other.weights - first.weights
    return given_difference(gap, labels_of(tokens), alt_text="given difference")


def draw_spread(tokens, seed=0, causal=False) -> Picture:
    attention = RandomHead(seed).attend(tokens, causal=causal)
    return spread(
        attention,
        labels_of(tokens),
        travel(attention.scores, SHARPNESSES, allowed=attention.allowed),
        sharpness=math.inf if seed % 2 else 1.0,
        chosen=0,
        moves=seed,
        alt_text="spread",
    )


def draw_parts(tokens, seed=0, causal=False) -> Picture:
    head = RandomHead(seed)
    attention = head.attend(tokens, causal=causal)
    row = len(tokens) - 1
    return parts(
        read_row(attention, row),
        attention.weights[row],
        labels_of(tokens),
        head.feature_names,
        largest=3.0,
        alt_text="parts",
    )


def draw_moves(tokens, seed=0, causal=False) -> Picture:
    head = RandomHead(seed)
    before = head.attend(tokens, causal=causal)
    after = head.attend(["changed", *tokens[1:]], causal=causal)
    comparison = compare(before, after)
    return moves(comparison, labels_of(tokens), chosen=0, alt_text="moves")


def draw_vectors(tokens, seed=0, causal=False) -> Picture:
    head = RandomHead(seed)
    outputs = head.attend(tokens, causal=causal).outputs
    named = {"output": outputs[0], "copy": outputs[-1], "blend": outputs.mean(axis=0)}
    return vectors(named, head.feature_names, largest=2.0, alt_text="vectors")


GALLERY: dict[str, Draw] = {
    "spread": draw_spread,
    "live weights": draw_live_weights,
    "live difference": draw_live_difference,
    "given difference": draw_given_difference,
    "parts": draw_parts,
    "moves": draw_moves,
    "vectors": draw_vectors,
}
