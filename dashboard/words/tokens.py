"""How tokens are named in a sentence; they are marked by the caller's hand."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache

from dashboard.charts.labels import visible
from dashboard.link import SHORT

Mark = Callable[[str], str]


def plain(token: str) -> str:
    """A token in running text that nobody renders, such as an accessible name: “cat”."""
    return f"“{visible(token)}”"


def emphasised(token: str) -> str:
    """A token in running HTML: emphasised, escaped, and kept from turning its neighbours."""
    return f"<em><bdi>{html.escape(visible(token))}</bdi></em>"


def name(tokens: Sequence[str], position: int, mark: Mark = plain) -> str:
    """The token at a position, with the position wherever the token alone would not tell."""
    if len(tokens) <= SHORT:
        return _names(tuple(tokens), mark)[position]
    return _name(tokens[position], position, mark, list(tokens).count(tokens[position]))


@lru_cache(maxsize=32)
def _names(tokens: tuple[str, ...], mark: Mark) -> list[str]:
    """The names of all positions of a short sentence; a page tells each several times."""
    times = Counter(tokens)
    return [_name(token, i, mark, times[token]) for i, token in enumerate(tokens)]


def _name(token: str, position: int, mark: Mark, times: int) -> str:
    return mark(token) if times == 1 else f"{mark(token)} ({position + 1})"


def those(tokens: Sequence[str], positions: Sequence[int], mark: Mark, most: int = 3) -> str:
    """The tokens at some positions as `several` tells them; no name is made that is not told."""
    told = [name(tokens, position, mark) for position in positions[: most + 1]]
    rest = [""] * (len(positions) - len(told))
    return several([*told, *rest], most)


def counted(n: int, what: str) -> str:
    """`1 token`, `2 tokens`, `2,048 tokens`."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def every(n: int, what: str) -> str:
    """`both tokens`, `all 6 tokens`, `all 2,048 tokens`."""
    return f"both {what}s" if n == 2 else f"all {counted(n, what)}"


def several(names: Sequence[str], most: int = 3) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 4 more`."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
