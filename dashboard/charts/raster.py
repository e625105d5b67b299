"""A matrix as a picture file: one byte a cell, in the theme's colours, ready for an address."""

from __future__ import annotations

import math
import struct
import tomllib
import zlib
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["weights", "difference"]
Theme = Literal["light", "dark"]

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
SCHEME = {"weights": "chartSequentialColors", "difference": "chartDivergingColors"}
BLANK = 0  # the byte of a cell that is not there: clear, or of the colour of the page
STEPS = 254  # bytes 1 … 255 are the colours
DATA = "data:image/png;base64,"


@cache
def theme_colours(theme: Theme) -> dict[str, Any]:
    """All colours that the settings name for a theme."""
    settings = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    colours: dict[str, Any] = settings["theme"][theme]
    return colours


def shade_long(
    numbers: NDArray[np.floating[Any]], n: int, kind: Kind = "weights"
) -> NDArray[np.floating[Any]]:
    """Where numbers stand on a scale of colours that n positions share.

    A weight by its logarithm: 0 for the plain average 1/n and below, 1 for a copy. Among thousands
    of positions no weight but a copy would show by its plain size. A difference likewise, with its
    sign: 0 for 1/n² and below, ±½ for ±1/n, ±1 for ±1.

    Examples
    --------
    >>> shade_long(np.array([0.0, 0.01, 0.1, 1.0]), 100).round(6).tolist()
    [0.0, 0.0, 0.5, 1.0]
    >>> shade_long(np.array([-1.0, -0.01, 0.0, 1e-5]), 100, "difference").round(6).tolist()
    [-1.0, -0.5, 0.0, 0.0]
    """
    span = math.log(n) * (1 if kind == "weights" else 2)
    with np.errstate(divide="ignore"):  # the logarithm of 0 is below every end
        share = 1 + np.log(np.abs(numbers)) / span
    shades: NDArray[np.floating[Any]] = np.sign(numbers) * np.clip(share, 0, 1)
    return shades


def to_bytes(shades: NDArray[np.floating[Any]], kind: Kind = "weights") -> NDArray[np.uint8]:
    """Shades from 0 to 1 (weights) or −1 to 1 (differences) as bytes; NaN is `BLANK`."""
    share = shades if kind == "weights" else (shades + 1) / 2
    levels = np.rint(share * STEPS) + 1
    return np.where(np.isnan(levels), BLANK, levels).astype(np.uint8)


def address_parts(levels: NDArray[np.uint8], kind: Kind = "weights") -> tuple[str, str, str]:
    """Beginning in light colours, beginning in dark ones, and the rest that both share.

    Either beginning joined with the rest is the address of a whole PNG. The beginnings hold the
    colours and are a multiple of three bytes long, so that base64 joins without a seam.
    """
    rows, columns = levels.shape
    light, dark = (
        DATA + b64encode(_beginning(columns, rows, kind, theme)).decode("ascii")
        for theme in ("light", "dark")
    )
    return light, dark, b64encode(_rest(levels)).decode("ascii")


def png_address(levels: NDArray[np.uint8], colours: NDArray[np.uint8]) -> str:
    """Address of a PNG in colours of its own, (256, 3)."""
    rows, columns = levels.shape
    file = _header(columns, rows) + _chunk(b"PLTE", colours.tobytes()) + _rest(levels)
    return DATA + b64encode(file).decode("ascii")


def _rest(levels: NDArray[np.uint8]) -> bytes:
    # Each line opens with the kind of filter it was stored with: 0, none.
    lines = np.concatenate([np.zeros((len(levels), 1), np.uint8), levels], axis=1)
    return _chunk(b"IDAT", zlib.compress(lines.tobytes(), 1)) + _chunk(b"IEND", b"")


def _header(width: int, height: int) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)  # 8 bits, by palette
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header)


@cache
def _beginning(width: int, height: int, kind: Kind, theme: str) -> bytes:
    start = (
        _header(width, height)
        + _chunk(b"PLTE", bytes(palette(kind, "dark" if theme == "dark" else "light")))
        + _chunk(b"tRNS", bytes([0, 255, 255]))  # the first is clear; three keep the length
    )
    if len(start) % 3:
        raise AssertionError(f"{len(start)} bytes do not join in base64")
    return start


@cache
def palette(kind: Kind, theme: Theme) -> NDArray[np.uint8]:
    """Red, green and blue of all 256 bytes, (256, 3): the page's own, then the scale's.

    They are mixed as light is between evenly spaced stops.
    """
    colours = theme_colours(theme)
    stops = np.array([_mixture(stop) for stop in colours[SCHEME[kind]]])
    at = np.linspace(0, len(stops) - 1, STEPS + 1)
    mixed = [np.interp(at, np.arange(len(stops)), stops[:, channel]) for channel in range(3)]
    scale = np.rint(np.column_stack(mixed)).astype(np.uint8)
    return np.vstack([np.array([_mixture(colours["backgroundColor"])], np.uint8), scale])


def _mixture(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _chunk(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)
