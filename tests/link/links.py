"""Views and links of all kinds, for the tests of both."""

from dataclasses import replace
from urllib.parse import parse_qs

from hypothesis import strategies as st

from dashboard import link
from dashboard.link import (
    MAX_SEED,
    MAX_SHARPNESS,
    PARAMETERS,
    SHORT,
    View,
    address,
)

NAMES = [parameter.name for parameter in PARAMETERS]

# Every parameter, with a value that is neither its default nor what follows from the sentence.
OFF = {
    "text": "a dog ran",
    "head": "random",
    "seed": 41,
    "sharpness": 2.55,
    "hard": True,
    "causal": True,
    "positions": "sinusoidal",
    "row": 2,
    "at": 5,
    "to": "quick fox",
    "tolerance": 0.125,
    "order": (2, 1, 3, 4, 6, 5),
    "pool": "mean",
    "window": (31, 2),
}
LONG = View(text=" ".join(f"w{i}" for i in range(90)))  # where every parameter has its say

ODD_TEXTS = [
    "",
    " ",
    "  cat  sat  ",
    "a & b=c #d +e 100% ?/",
    "%41 %2B %zz &amp; ;",
    "v=2&text=no",
    "🐈‍⬛ sat 👩🏽‍🚀",
    "القطة جلست",
    "e\u0301 \u0301 a\u20dd",
    "\u202eabc\u202c \u200b \u2028 \t \x00",
    "$x$ :red[hot] `c` <b>x</b> \\ ' \"",
]


def parsed(query: str) -> dict[str, list[str]]:
    return parse_qs(query, keep_blank_values=True)


def one_each(query: dict[str, str]) -> dict[str, list[str]]:
    return {name: [value] for name, value in query.items()}


def pages_of(name: str) -> tuple[str, ...]:
    return next(parameter.pages for parameter in PARAMETERS if parameter.name == name)


texts = st.one_of(
    st.sampled_from(ODD_TEXTS),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=60),
    st.text("&=#+%?/ ab", max_size=20),
)


@st.composite
def views(draw, text=texts, long=False):
    """A view whose row, position and order fit its sentence, as every view on a page does."""
    words = " ".join(f"w{i}" for i in range(draw(st.integers(2049, 2060)))) if long else draw(text)
    n = len(words.split())
    place = st.none() | st.integers(1, n) if n else st.none()
    return View(
        text=words,
        head=draw(st.sampled_from(link.HEADS)),
        seed=draw(st.integers(0, MAX_SEED)),
        sharpness=draw(st.floats(0, MAX_SHARPNESS)),
        hard=draw(st.booleans()),
        causal=draw(st.booleans()),
        positions=draw(st.sampled_from(link.POSITIONS)),
        row=draw(place),
        at=draw(place),
        to=draw(text),
        tolerance=draw(st.floats(0, 1)),
        order=draw(st.none() | st.permutations(range(1, n + 1)).map(tuple)) if 0 < n < 99 else None,
        pool=draw(st.sampled_from(link.POOLS)) if n > SHORT else "max",
    )


def share_value(name: str) -> str:
    return address(replace(View(), **{name: OFF[name]}))[name]
