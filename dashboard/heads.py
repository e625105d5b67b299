"""Which head reads the sentence, and how: from the view to `core`."""

from __future__ import annotations

import math
from typing import Any

from core import Attention, LessonHead, RandomHead
from core.heads import Head
from dashboard.link import View


def chosen_head(view: View) -> Head:
    """The head of the view, ready to read."""
    return RandomHead(view.seed) if view.head == "random" else LessonHead()


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
