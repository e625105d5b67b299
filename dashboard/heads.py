"""Which head reads the sentence, and how: from the view to `core`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from core import Attention, LessonHead, LongAttention, RandomHead
from core.heads import Head, Positions
from dashboard.link import SHORT, View


class Remembering:
    """A head that knows its last scores: they do not depend on the sharpness, the weights do."""

    def __init__(self, name: str, seed: int) -> None:
        head = _made(name, seed)
        self.name, self.feature_names, self.knows = head.name, head.feature_names, head.knows
        self._which, self._head = (name, seed), head

    def attend(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> Attention:
        """As the head itself reads them."""
        if len(tokens) > SHORT:
            return self._head.attend(
                tokens, sharpness=sharpness, causal=causal, positions=positions
            )
        return _scored(*self._which, tuple(tokens), causal, positions).at_sharpness(sharpness)

    def attend_long(
        self,
        tokens: Sequence[str],
        *,
        sharpness: float = 1.0,
        causal: bool = False,
        positions: Positions = "none",
    ) -> LongAttention:
        """As the head itself reads them."""
        return self._head.attend_long(
            tokens, sharpness=sharpness, causal=causal, positions=positions
        )


@lru_cache(maxsize=8)
def _made(name: str, seed: int) -> Head:
    return RandomHead(seed) if name == "random" else LessonHead()


@lru_cache(maxsize=32)  # of at most 64 tokens, 100 kB each
def _scored(
    name: str, seed: int, tokens: tuple[str, ...], causal: bool, positions: Positions
) -> Attention:
    return _made(name, seed).attend(tokens, causal=causal, positions=positions)


def chosen_head(view: View) -> Head:
    """The head of the view, ready to read."""
    return Remembering(view.head, view.seed if view.head == "random" else 0)


def settings(view: View) -> dict[str, Any]:
    """The keyword arguments of `Head.attend` that the view asks for."""
    return {
        "sharpness": math.inf if view.hard else view.sharpness,
        "causal": view.causal,
        "positions": view.positions,
    }


def read_sentence(view: View, tokens: tuple[str, ...] | None = None) -> Attention:
    """The read of the sentence, or of other tokens, under the settings of the view."""
    return chosen_head(view).attend(view.tokens if tokens is None else tokens, **settings(view))
