"""A matrix as a picture file: every cell has the colour of its number, in either theme."""

import base64
import struct
import zlib

import numpy as np
import pytest

from dashboard.charts.raster import (
    BLANK,
    DATA,
    address_parts,
    shade_long,
    theme_colours,
    to_bytes,
)

PNG = b"\x89PNG\r\n\x1a\n"


def decoded(address: str) -> dict[bytes, bytes]:
    """The chunks of a PNG behind a data address, each with its checksum right."""
    assert address.startswith(DATA)
    content = base64.b64decode(address.removeprefix(DATA), validate=True)
    assert content.startswith(PNG)
    chunks, at = {}, len(PNG)
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        name, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            name + body
        )
        chunks[name] = body
        at += 12 + length
    return chunks


def levels_of(address: str) -> np.ndarray:
    chunks = decoded(address)
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert (lines[:, 0] == 0).all()
    return lines[:, 1:]


def mixed(stops: list[str], share: float) -> list[float]:
    """The colour at a share of the way along evenly spaced stops."""
    colours = [[int(stop[i : i + 2], 16) for i in (1, 3, 5)] for stop in stops]
    place = share * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    return [
        a + (b - a) * (place - low) for a, b in zip(colours[low], colours[low + 1], strict=True)
    ]


@pytest.mark.parametrize("shape", [(1, 1), (2, 255), (65, 66), (256, 256)])
def test_either_beginning_joined_with_the_rest_is_the_whole_picture(shape):
    levels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    light, dark, rest = address_parts(levels)
    for beginning in (light, dark):
        assert (levels_of(beginning + rest) == levels).all()
    assert light != dark


@pytest.mark.parametrize("kind", ["weights", "difference"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_byte_has_the_colour_of_the_theme_at_its_place(kind, theme):
    light, dark, rest = address_parts(np.zeros((1, 1), np.uint8), kind)
    chunks = decoded({"light": light, "dark": dark}[theme] + rest)
    palette = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(256, 3)
    scheme = {"weights": "chartSequentialColors", "difference": "chartDivergingColors"}[kind]
    for byte in range(1, 256):
        assert palette[byte] == pytest.approx(
            mixed(theme_colours(theme)[scheme], (byte - 1) / 254), abs=0.51
        )
    assert chunks[b"tRNS"][BLANK] == 0
    assert set(chunks[b"tRNS"][1:]) == {255}


def test_the_ends_of_the_scale_are_the_ends_of_the_colours():
    assert to_bytes(np.array([0.0, 0.5, 1.0, np.nan])).tolist() == [1, 128, 255, BLANK]
    signed = np.array([-1.0, 0.0, 1.0, np.nan])
    assert to_bytes(signed, "difference").tolist() == [1, 128, 255, BLANK]


def test_no_larger_weight_has_a_weaker_colour():
    weights = np.sort(np.random.default_rng(1).random(1000)) ** 6
    for n in (65, 2048):
        shades = shade_long(weights, n)
        assert (np.diff(shades) >= 0).all()
        assert shades.min() >= 0
        assert shade_long(np.array([1 / n, 1.0]), n) == pytest.approx([0, 1])
        gaps = shade_long(-weights, n, "difference")
        assert (np.diff(gaps) <= 0).all()
        assert gaps.min() >= -1
