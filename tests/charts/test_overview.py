"""A long matrix as pixels: none lies, a single strong weight is seen, the axes count positions."""

import json
import struct
from urllib.parse import unquote_to_bytes

import altair as alt
import numpy as np
import pytest
import vl_convert

from core import LongAttention, RandomHead, mask_blocks, pool
from dashboard.charts.bitmap import padding
from dashboard.charts.blocks_text import FEW_PIXELS, NONE, PIXELS, blocks_text, pixels_text
from dashboard.charts.frame import WIDE
from dashboard.charts.labels import exact
from dashboard.charts.overview import brush_of, overview, window_at
from dashboard.charts.panel import panel
from dashboard.charts.raster import BLANK, shade_long, to_bytes
from dashboard.charts.window import window
from tests.charts.test_pictures import listed
from tests.charts.test_raster import levels_of

SIZES = [65, 128, 200, 256, 300, 2048]


def read_of(n: int, seed: int = 0, **settings) -> LongAttention:
    return RandomHead(seed).attend_long([f"w{i % 50}" for i in range(n)], **settings)


def picture_of(n: int, seed: int = 0, how: str = "max", **settings):
    read = read_of(n, seed, **settings)
    seen = read.overview(PIXELS, how)
    pooled = mask_blocks(seen.pooled, read.allowed)
    text = blocks_text(pooled, seen.spread.copy_blend, n, how)
    return overview_of(n, text), read


def overview_of(n: int, text: str):
    return overview(
        n, text=text, sharpness=1.0, chosen=n - 1, window=(3, 5), size=48, alt_text="all"
    )


def images(picture) -> dict[str, np.ndarray]:
    """Bytes of the picture and of the one for narrow screens."""
    (line,) = picture.frame("image").to_dict("records")
    fine, few, *_ = line["given"].split()
    assert len(fine) == line["size"]
    found = {"fine": octets_of(line["light"] + fine)}
    assert (octets_of(line["dark"] + fine) == found["fine"]).all()
    if few != NONE:
        found["coarse"] = octets_of(line["light_few"] + few)
        assert (octets_of(line["dark_few"] + few) == found["coarse"]).all()
    return found


def octets_of(address: str) -> np.ndarray:
    """Of each pixel of a bitmap the place of its colour in the palette."""
    file = unquote_to_bytes(address.removeprefix("data:image/bmp,"))
    start, _, width, height = struct.unpack_from("<IIii", file, 10)
    rows = np.frombuffer(file, np.uint8, offset=start).reshape(-height, width + padding(width))
    assert not rows[:, width:].any()
    return rows[:, :width]


@pytest.mark.parametrize("how", ["max", "mean"])
@pytest.mark.parametrize("n", SIZES)
def test_every_pixel_has_the_colour_of_its_block_of_weights(n, how):
    picture, read = picture_of(n, how=how)
    seen = images(picture)
    fine = pool(read.weights(slice(None)), PIXELS, how).values
    expected = to_bytes(shade_long(fine, n))
    assert np.abs(seen["fine"].astype(int) - expected).max() <= 1
    assert seen["fine"].shape == (min(n, PIXELS), min(n, PIXELS))
    assert ("coarse" in seen) == (n > FEW_PIXELS)
    if "coarse" in seen:
        coarse = to_bytes(shade_long(pool(fine, FEW_PIXELS, how).values, n))
        assert np.abs(seen["coarse"].astype(int) - coarse).max() <= 1


@pytest.mark.parametrize("n", [65, 257, 2048])
def test_a_single_strong_weight_never_vanishes(n):
    weights = np.full((n, n), 1 / n, np.float32)
    row, column = n // 3, n - 2
    weights[row] = 0
    weights[row, column] = 1
    picture = overview_of(n, blocks_text(pool(weights, PIXELS), np.ones(n), n, "max"))
    for levels in images(picture).values():
        (place,) = np.argwhere(levels == 255)
        assert place == pytest.approx([row * len(levels) / n, column * len(levels) / n], abs=1)


def test_what_a_mask_forbids_is_blank_and_nothing_else_is():
    picture, _ = picture_of(512, causal=True)
    for levels in images(picture).values():
        above = np.triu(np.ones(levels.shape, bool), 1)
        assert ((levels == BLANK) == above).all()


@pytest.mark.parametrize("n", SIZES)
def test_the_axes_count_positions_where_they_stand(n):
    picture, _ = picture_of(n)
    ticks = picture.frame("ticks")
    positions = [int(text.replace(",", "")) for text in ticks["text"]]
    assert positions[0] == 1
    assert 3 <= len(positions) <= 8
    assert max(positions) <= n
    across = WIDE.start + (WIDE.end - WIDE.start) * (np.array(positions) - 0.5) / n
    np.testing.assert_allclose(ticks["x"], across)
    np.testing.assert_allclose(ticks["y"], 100 * (np.array(positions) - 0.5) / n)


@pytest.mark.parametrize("n", SIZES)
def test_the_bands_tell_the_ends_and_the_mean_of_each_block_of_rows(n):
    picture, read = picture_of(n, causal=True)
    spread = read.overview(PIXELS).spread.copy_blend
    numbers = np.array(picture.frame("image")["given"][0].split()[2:], float).reshape(-1, 3)
    rows = picture.frame("rows")
    assert len(rows) == len(numbers) == min(n, PIXELS)
    seen = 0
    for line, (low, high, mean) in zip(rows.to_dict("records"), numbers, strict=True):
        first, last = round(line["y0"] * n / 100), round(line["y1"] * n / 100)
        block = spread[first:last][~np.isnan(spread[first:last])]
        seen += last - first
        named = [int(name.replace(",", "")) for name in line["rows"].split("–")]
        assert (named[0], named[-1]) == (first + 1, last)
        ends = (block.min(), block.max(), block.mean()) if len(block) else (np.nan,) * 3
        np.testing.assert_allclose((low, high, mean), ends, rtol=1e-12)
    assert seen == n


def test_a_row_without_a_choice_has_no_band():
    picture, _ = picture_of(65, causal=True)
    svg = vl_convert.vegalite_to_svg({**picture.complete(), "width": 700}, allowed_base_urls=[])
    alone, _ = picture_of(65)
    full = vl_convert.vegalite_to_svg({**alone.complete(), "width": 700}, allowed_base_urls=[])
    # A band and its mean for each row: the first row may read itself alone.
    assert full.count("<path") - svg.count("<path") == 2


@pytest.mark.parametrize("n", [65, 300])
def test_without_its_text_the_picture_has_neither_pixels_nor_bands(n):
    svg = vl_convert.vegalite_to_svg(
        {**overview_of(n, "").complete(), "width": 700}, allowed_base_urls=[]
    )
    assert "data:image/bmp" not in svg
    assert "NaN" not in svg
    other = picture_of(200)[0].frame("image")["given"][0]
    svg = vl_convert.vegalite_to_svg(
        {**overview_of(n, other).complete(), "width": 700}, allowed_base_urls=[]
    )
    assert "data:image/bmp" not in svg  # a text of another sentence


def test_the_outline_is_the_window_and_a_drag_moves_it():
    picture, _ = picture_of(2048)
    (line,) = picture.frame("here").to_dict("records")
    assert line["corner"] == "3 5"
    assert line["size"] == 48
    x, y = WIDE.across(np.array([5, 53]), 2048).tolist(), [100 * 3 / 2048, 100 * 51 / 2048]
    drag = {"x0": x, "y0": y}
    assert window_at(drag, 2048, 48) == (3, 5)
    assert brush_of(drag) == (x[0], y[0])
    assert window_at({"x0": [0, 9], "y0": [-5, 1]}, 2048, 48) == (0, 0)
    assert window_at({"x0": [66, 99], "y0": [99, 120]}, 2048, 48) == (2000, 2000)
    assert brush_of({}) is None


def test_one_drawing_serves_every_size_and_every_sentence():
    pictures = [picture_of(n, seed)[0] for n in (65, 512, 2048) for seed in (1, 2)]
    assert len({id(picture.spec) for picture in pictures}) == 1
    panels = [panel(n, kind="weights", sharpness=2.0, alt_text="") for n in (65, 512)]
    assert len({id(picture.spec) for picture in panels}) == 1


def window_of(n: int, seed: int = 0, mark: str = "w"):
    read = read_of(n, seed, causal=True)
    names = [f"{i + 1} · {mark}{i}" for i in range(n)]
    part = (slice(7, 55), slice(2, 50))
    cells = read.weights(part[0])[:, part[1]]
    return window(
        cells,
        names[part[0]],
        names[part[1]],
        n=n,
        allowed=read.allowed[part],
        chosen=4,
        alt_text="part",
    ), cells


@pytest.mark.parametrize("n", [65, 2048])
def test_the_window_holds_every_cell_with_its_number_and_names(n):
    picture, weights = window_of(n)
    (cells,) = picture.frame("cells").to_dict("records")
    assert picture.frame("rows")["row"].tolist() == [f"{i} · w{i - 1}" for i in range(8, 56)]
    assert picture.frame("columns")["column"].tolist() == [f"{i} · w{i - 1}" for i in range(3, 51)]
    allowed = np.arange(2, 50) <= np.arange(7, 55)[:, None]
    expected = np.where(allowed, weights, np.nan)
    texts = np.where(allowed, [[exact(weight) for weight in row] for row in weights], "·")
    np.testing.assert_array_equal(cells["texts"].split(), texts.ravel())
    colours = levels_of(cells["light"] + cells["rest"])
    np.testing.assert_array_equal(colours, to_bytes(shade_long(expected, n)))
    assert (colours[~allowed] == BLANK).all()
    assert picture.frame("rows")["chosen"].tolist() == [i == 4 for i in range(48)]


def test_one_drawing_serves_every_window_and_no_token_is_in_it():
    pictures = [window_of(n, seed, "ZQX")[0] for n in (65, 300) for seed in (0, 1)]
    assert len({id(picture.spec) for picture in pictures}) == 1
    assert "ZQX" not in json.dumps(pictures[0].spec)


@pytest.mark.parametrize("theme", ["#ffffff", "#0e1320"])
def test_long_pictures_are_valid_and_drawn(theme):
    read = read_of(300)
    pooled = pool(read.weights(slice(None)), FEW_PIXELS).values
    pictures = [
        picture_of(300, causal=True)[0],
        *(
            panel(
                300,
                text=pixels_text(pooled, 300, kind),
                kind=kind,
                sharpness=1.0,
                chosen=2,
                alt_text=kind,
            )
            for kind in ("weights", "difference")
        ),
        window_of(300)[0],
    ]
    for picture in pictures:
        complete = picture.complete()
        json.dumps(complete, allow_nan=False)
        alt.Chart.from_dict(listed(complete), validate=True)
        svg = vl_convert.vegalite_to_svg(
            {**complete, "width": 700, "background": theme}, allowed_base_urls=[]
        )
        assert "NaN" not in svg
        assert "data:image/" in svg
