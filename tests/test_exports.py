"""Files that a person takes away: complete, strict, literal, and made without the network."""

from __future__ import annotations

import csv
import io
import json
import re
import struct
from base64 import b64decode

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from core import LessonHead, RandomHead
from dashboard import exports
from dashboard.charts.labels import label
from dashboard.charts.live_grid import live_weights
from dashboard.link import View, read_link
from tests.charts.test_bitmap import shades
from tests.charts.test_live_grid import weights_picture

TOKENS = ["the", "<b>x</b>", "$y$", "the"]
LABELS = [label(i, token) for i, token in enumerate(TOKENS)]
READ = LessonHead().attend(TOKENS, causal=True)
WEIGHTS = READ.weights
TABLES = {"Weights": pd.DataFrame(WEIGHTS, index=LABELS, columns=LABELS)}
PICTURE = live_weights(
    READ.scores,
    READ.allowed,
    LABELS,
    sharpness=1.0,
    alt_text="A title with <b>x</b> & more.",
    labels_end=20.0,
)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_is_twice_as_wide_as_it_is_drawn(theme: exports.Theme) -> None:
    data = exports.picture_file(PICTURE, "png", theme)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, _ = struct.unpack(">II", data[16:24])
    assert width == exports.SCALE * exports.WIDTH


def test_an_svg_holds_the_numbers_the_title_and_the_tokens_as_text() -> None:
    svg = exports.picture_file(PICTURE, "svg", "light").decode()
    assert svg.startswith("<svg")
    assert "A title with &lt;b&gt;x&lt;/b&gt; &amp; more." in svg
    assert "<b>" not in svg
    assert f"{WEIGHTS[1, 0]:.4f}" in svg
    assert "http" not in svg.replace("http://www.w3.org", "")


def test_more_than_five_thousand_numbers_are_saved_whole() -> None:
    labels = [label(i, "w") for i in range(71)]
    weights = LessonHead().attend(["w"] * 71).weights
    table = {"Weights": pd.DataFrame(weights, index=labels, columns=labels)}
    assert exports.numbers_csv(table).count("\n") == 71**2 + 1


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("n", [40, 41, 71])
def test_a_matrix_that_is_one_image_is_saved_cell_by_cell(n: int, theme: exports.Theme) -> None:
    attention = RandomHead(3).attend([f"w{i}" for i in range(n)], causal=True)
    picture = weights_picture(attention)
    colours = shades(attention.weights, attention.allowed, "weights", theme)
    svg = exports.picture_file(picture, "svg", theme).decode()
    assert "bmp" not in svg
    (address,) = re.findall(r'href="data:image/png;base64,([^"]*)"', svg)
    inside = np.asarray(Image.open(io.BytesIO(b64decode(address))).convert("RGB"))
    np.testing.assert_array_equal(inside, colours)
    png = Image.open(io.BytesIO(exports.picture_file(picture, "png", theme))).convert("RGB")
    drawn = {colour for _, colour in png.getcolors(1 << 24) or []}
    told = {tuple(colour) for colour in colours.reshape(-1, 3).tolist()}
    assert len(told) > 50
    assert told <= drawn


def test_light_and_dark_files_have_the_colours_of_their_theme() -> None:
    light, dark = (exports.picture_file(PICTURE, "svg", theme) for theme in ("light", "dark"))
    assert b"#ffffff" in light
    assert b"#0e1320" in dark


def test_the_csv_reads_back_to_the_same_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(exports.numbers_csv(TABLES))))
    assert len(rows) == WEIGHTS.size
    back = np.zeros_like(WEIGHTS)
    for row in rows:
        back[int(row["row"]) - 1, int(row["column"]) - 1] = float(row["value"])
    np.testing.assert_array_equal(back, WEIGHTS)
    assert rows[1]["column_label"] == "2 · <b>x</b>"


def test_the_json_is_strict_and_its_link_opens_the_same_view() -> None:
    view = View(text=" ".join(TOKENS), sharpness=2.5)
    query = {"text": [view.text], "sharpness": ["2.5"]}
    missing = TABLES["Weights"].copy()
    missing.iloc[0, 0] = np.nan
    text = exports.view_json(view, "http://localhost/?x", {"Weights": missing})

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    content = json.loads(text, parse_constant=refuse)
    assert content["tables"][0]["values"][0][0] is None
    assert content["tables"][0]["values"][1] == WEIGHTS[1].tolist()
    assert content["settings"]["tokens"] == TOKENS
    assert content["settings"]["at"] == view.edited_position  # as shown, never left open
    assert content["settings"]["order"] == list(view.order_shown)
    assert content["link"] == "http://localhost/?x"
    assert read_link(query)[0] == view


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("the cat", "weights-the-cat.png"),
        ("שלום", "weights.png"),
        ("../../etc/passwd", "weights-etc-passwd.png"),
        ("x" * 200, "weights-" + "x" * 52 + ".png"),
    ],
)
def test_file_names_are_telling_and_safe(text: str, name: str) -> None:
    assert exports.file_name(View(text=text), "Weights", "png") == name
