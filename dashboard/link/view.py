"""All that decides what a page shows: one typed record, its limits, and how it fits a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

MAX_TOKENS = 2048
SHORT = 64  # tokens up to which every cell is drawn; above, pictures are pooled
WINDOW = 48  # rows and columns of a long sentence that are shown cell by cell
MAX_CHARACTERS = 20_000
MAX_SHARPNESS = 16.0
MAX_SEED = 9999

HEADS = ("lesson", "random")
POSITIONS = ("none", "sinusoidal")
POOLS = ("max", "mean")


@dataclass(frozen=True)
class View:
    """All that decides what a page shows; positions count from 1.

    `row`, `at` and `order` left at None follow the sentence: its last token, its second (or only)
    token, all of it reversed. `pool` and `window` matter where the sentence is long; `window`, the
    first row and column shown cell by cell, then follows the row looked at.
    """

    text: str = "the cat sat on the mat"
    head: str = "lesson"
    seed: int = 0
    sharpness: float = 1.0
    hard: bool = False
    causal: bool = False
    positions: str = "none"
    row: int | None = None
    at: int | None = None
    to: str = "dog"
    tolerance: float = 0.01
    order: tuple[int, ...] | None = None
    pool: str = "max"
    window: tuple[int, ...] | None = None

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence cut at white space."""
        return tuple(self.text.split())

    @property
    def is_long(self) -> bool:
        """Whether the sentence is too long to draw every cell."""
        return len(self.tokens) > SHORT

    @property
    def row_shown(self) -> int:
        """The row looked at, 1 … n; 0 where there is no token."""
        return len(self.tokens) if self.row is None else self.row

    @property
    def edited_position(self) -> int:
        """The position that the edit page replaces, 1 … n; 0 where there is no token."""
        return min(2, len(self.tokens)) if self.at is None else self.at

    @property
    def order_shown(self) -> tuple[int, ...]:
        """The order that the order page compares, positions 1 … n."""
        return tuple(range(len(self.tokens), 0, -1)) if self.order is None else self.order

    @property
    def window_shown(self) -> tuple[int, ...]:
        """First row and column shown cell by cell; empty where every cell is drawn anyway."""
        if not self.is_long:
            return ()
        start = min(max(1, self.row_shown - WINDOW // 2), last_window(len(self.tokens)))
        return (start, start) if self.window is None else self.window


def last_window(n: int) -> int:
    """The last position that a window of a sentence of n tokens can begin at."""
    return max(1, n - WINDOW + 1)


def fit(view: View) -> View:
    """`view` with whatever no longer fits its sentence set back to follow the sentence.

    An empty sentence changes nothing, so that emptying the box and typing again loses nothing.
    """
    n = len(view.tokens)
    if n == 0:
        return view
    return replace(
        view,
        row=view.row if view.row is None or view.row <= n else None,
        at=view.at if view.at is None or view.at <= n else None,
        order=view.order if view.order is None or len(view.order) == n else None,
        window=view.window if view.window and _window_fits(view.window, n) else None,
    )


def _window_fits(window: Sequence[int], n: int) -> bool:
    return n > SHORT and max(window) <= last_window(n)
