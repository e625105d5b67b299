"""What a drawing shows, read back from it: coloured cells, texts and images, and where they are."""

import html
import re
from dataclasses import dataclass

import vl_convert

from dashboard import exports

WIDTH = 900

_CELL = re.compile(
    r'<path aria-label="([^"]*)"[^>]* d="M([-\d.e]+),([-\d.e]+)h([-\d.e]+)v([-\d.e]+)h[^"]*"'
    r'[^>]*? fill="rgb\((\d+), (\d+), (\d+)\)"'
)
_TEXT = re.compile(r'<text[^>]* transform="translate\(([-\d.e]+),([-\d.e]+)\)[^>]*>([^<]+)</text>')
_DOT = re.compile(
    r'<path aria-label="([^"]*)"[^>]* transform="translate\(([-\d.e]+),([-\d.e]+)\)" '
    r'd="([^"]*)" fill="([^"]*)"'
)
_IMAGE = re.compile(
    r'<image xlink:href="([^"]*)" transform="translate\(([-\d.e]+),([-\d.e]+)\)" '
    r'width="([-\d.e]+)" height="([-\d.e]+)"'
)


@dataclass(frozen=True)
class Box:
    """Where something lies, in pixels from the left and the top."""

    left: float
    top: float
    width: float
    height: float
    colour: tuple[int, ...] = ()

    def holds(self, x, y):
        return self.left <= x <= self.left + self.width and self.top <= y <= self.top + self.height


@dataclass(frozen=True)
class Text:
    """A text, its colour, and the point that it is set at."""

    text: str
    x: float
    y: float
    colour: str


def draw(picture, theme="light", width=WIDTH):
    """The picture as SVG, in the colours of a theme."""
    look = exports._look(theme)
    config = {name: look[name] for name in ("background", "range", "view")}
    complete = {**picture.complete(), "width": width, "config": config}
    svg: str = vl_convert.vegalite_to_svg(complete, allowed_base_urls=[])
    return svg


def boxes(svg):
    """Every coloured cell, by what it says of itself."""
    lines = _CELL.findall(svg)
    found = {
        html.unescape(name): Box(*map(float, place), tuple(map(int, colour)))
        for name, place, colour in ((line[0], line[1:5], line[5:]) for line in lines)
    }
    assert len(found) == len(lines)
    return found


def cells(svg):
    """Every coloured cell of a matrix of positions, by row and column from 1."""
    places = {re.match(r"(\d+) · .* to (\d+) · ", name): box for name, box in boxes(svg).items()}
    return {(int(at[1]), int(at[2])): box for at, box in places.items() if at}


def dots(svg):
    """Where every named dot stands, and its colour and outline."""
    return {html.unescape(m[1]): (float(m[2]), float(m[3]), m[5], m[4]) for m in _DOT.finditer(svg)}


def texts(svg):
    """Every text."""
    return [
        Text(html.unescape(m[3]), float(m[1]), float(m[2]), re.search(r'fill="([^"]*)"', m[0])[1])
        for m in _TEXT.finditer(svg)
    ]


def written(svg, around):
    """The text on each of some boxes that has one."""
    return {
        name: text
        for text in texts(svg)
        for name, box in around.items()
        if box.holds(text.x, text.y)
    }


def image(svg):
    """Where the one image of a drawing lies."""
    ((_, *place),) = _IMAGE.findall(svg)
    return Box(*map(float, place))
