"""Matrices that are one image: they follow the hand, never flash, and hear a click."""

import numpy as np
import pytest

from core import LessonHead
from tests.browser.driver import Visitor
from tests.browser.live import page_slider, reads, take_thumb
from tests.charts.test_bitmap import read_bitmap, shades

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "ran", "to", "you"] * 4

# The addresses of all images as they are when a frame is painted.
WATCH_FRAMES = """() => {
    window.frames_ = [];
    const painted = new MessageChannel();
    painted.port1.onmessage = () => {
        const images = document.querySelectorAll('[data-testid="stVegaLiteChart"] image');
        window.frames_.push([...images].map((image) => image.href.baseVal));
    };
    const watch = () => { painted.port2.postMessage(null); requestAnimationFrame(watch); };
    requestAnimationFrame(watch);
}"""


@pytest.mark.parametrize("path", ["/", "/edit", "/order"])
def test_forty_words_are_one_image_a_matrix_and_it_follows_the_slider(
    visitor: Visitor, path: str
) -> None:
    asked = {"v": 1, "text": " ".join(WORDS), "at": 2, "to": "dog"}
    visitor.open(path, {name: asked[name] for name in asked if path == "/edit" or len(name) > 2})
    reruns = visitor.reruns
    x, y = take_thumb(visitor)
    for way in (15, 50):
        visitor.page.mouse.move(x + way, y, steps=3)
        beta = float(page_slider(visitor).input_value())
        assert beta != 1
        reads(visitor, beta)
        before = LessonHead().attend(WORDS, sharpness=beta)
        expected = [shades(before.weights, True, "weights")]
        if path == "/edit":
            after = LessonHead().attend(["the", "dog", *WORDS[2:]], sharpness=beta)
            expected.append(shades(after.weights, True, "weights"))
            expected.append(shades(after.weights - before.weights, True, "difference"))
        if path == "/order":  # B is A from its end, and put back it is A
            expected += [expected[0][::-1, ::-1], expected[0]]
        for which, colours in enumerate(expected):
            image = visitor.chart(which).locator("image")
            seen = read_bitmap(image.evaluate("image => image.href.baseVal"))
            np.testing.assert_array_equal(seen, colours)
    assert visitor.reruns == reruns
    with visitor.rerun():
        visitor.page.mouse.up()


def test_an_image_is_never_empty_on_its_way_to_the_next(visitor: Visitor) -> None:
    # One that the drawing writes, and one that the server sends.
    for words in (WORDS, WORDS * 2):
        visitor.open("/", {"v": 1, "text": " ".join(words)})
        visitor.page.evaluate(WATCH_FRAMES)
        for _ in range(3):
            with visitor.rerun():
                page_slider(visitor).press("ArrowRight")
        seen = visitor.page.evaluate("window.frames_")
        assert len({address for frame in seen for address in frame}) > 3
        assert all(address for frame in seen for address in frame)


def test_a_click_on_an_image_chooses_the_row_under_the_pointer(visitor: Visitor) -> None:
    visitor.open("/", {"v": 1, "text": " ".join(WORDS)})
    box = visitor.chart(0).locator("image").bounding_box()
    assert box
    with visitor.rerun():
        visitor.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] * 2.5 / 40)
    assert visitor.query["row"] == "3"
    # Where the pointer now lies on the cell that it found.
    with visitor.rerun():
        visitor.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] * 9.5 / 40)
    assert visitor.query["row"] == "10"
