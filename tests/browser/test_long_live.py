"""The picture of a long text: the page works it out at every sharpness, as `core` does."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.special import softmax

import dashboard
from core import LessonHead, LongAttention, RandomHead, pool
from core.measures import copy_blend
from dashboard.charts.blocks_text import FEW_PIXELS, NONE, PIXELS
from dashboard.charts.live import BEYOND
from tests.browser.driver import Visitor
from tests.browser.live import page_slider, reads, take_thumb
from tests.browser.test_long_texts import paste, tokens

BETA, DRAWN = (f".vega-bind input[name='{name}']" for name in ("beta", "drawn"))
# As the page leads the sharpness of its pictures.
LEAD = """(range, value) => {
    Object.assign(range, { step: "any", max: Math.max(value, range.max), value });
    range.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def written(visitor: Visitor, which: int = 0) -> list[str]:
    """What the page handed to a drawing."""
    expect(visitor.chart(which).locator(DRAWN)).not_to_have_value("")
    return visitor.chart(which).locator(DRAWN).input_value().split(" ")


def is_what_core_says(words: list[str], read: LongAttention, how: Any) -> None:
    """Hold pixels and bands against weights worked out in full, in float64."""
    n = len(read.keys)
    allowed = np.ones((n, n), bool) if read.allowed is None else read.allowed
    hard = read.sharpness == math.inf
    weights = read.weights(slice(None)) if hard else weights_of(read)
    blocks = pool(weights, PIXELS, how).values.copy()
    blocks[np.isnan(pool(np.where(allowed, weights, np.nan), PIXELS).values)] = np.nan
    are_pixels(words[0], blocks, n)
    if len(blocks) > FEW_PIXELS:
        are_pixels(words[1], pool(blocks, FEW_PIXELS, how).values, n)
    else:
        assert words[1] == NONE
    spread = copy_blend(weights, allowed)
    edges = pool(weights, PIXELS).row_edges
    told = np.array(words[2:], float).reshape(-1, 3)
    for row, first, end in zip(told, edges[:-1], edges[1:], strict=True):
        known = spread[first:end][~np.isnan(spread[first:end])]
        ends = (known.min(), known.max(), known.mean()) if len(known) else (math.nan,) * 3
        np.testing.assert_allclose(row, ends, rtol=0, atol=1e-5)


def are_pixels(octets: str, blocks: np.ndarray, n: int, *, signed: bool = False) -> None:
    """Compare with shares of the scale, to a thousandth of the step between two colours."""
    width = -(-len(blocks) // 4) * 4
    seen = np.frombuffer(bytes.fromhex(octets.replace("%", "")), np.uint8)
    seen = seen.reshape(len(blocks), width)[:, : len(blocks)].astype(int)
    np.testing.assert_array_equal(seen == 0, np.isnan(blocks))
    with np.errstate(divide="ignore"):
        share = np.clip(1 + np.log(np.abs(blocks)) / (math.log(n) * (1 + signed)), 0, 1)
    if signed:
        share = (1 + np.sign(blocks) * share) / 2
    off = np.abs(seen - 1 - 254 * share)[~np.isnan(blocks)]
    assert off.max() <= 0.501


def weights_of(read: LongAttention) -> np.ndarray:
    """All of them, in float64."""
    allowed = True if read.allowed is None else read.allowed
    scores = np.where(allowed, read.sharpness * read.scores(slice(None)), -np.inf)
    return softmax(scores, axis=1)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize(("n", "head"), [(65, "lesson"), (200, "random"), (301, "lesson")])
def test_the_page_works_out_what_core_does_at_every_sharpness(
    visitor: Visitor, n: int, head: str, causal: bool
) -> None:
    how = "mean" if n > PIXELS and causal else "max"
    positions = "sinusoidal" if n == 200 else "none"
    link: dict[str, object] = {"text": " ".join(tokens(n)), "head": head, "seed": 5, "pool": how}
    visitor.open("/", link | {"positions": positions, "causal": str(causal).lower()})
    made = LessonHead() if head == "lesson" else RandomHead(5)
    seen = set()
    for sharpness in (1.0, 0.0, 0.7, 16.0, math.inf):
        visitor.chart(0).locator(BETA).evaluate(LEAD, min(sharpness, BEYOND))
        read = made.attend_long(tokens(n), sharpness=sharpness, causal=causal, positions=positions)
        words = written(visitor)
        is_what_core_says(words, read, how)
        seen.add(words[0])
    assert len(seen) == 5


def test_its_exponential_is_the_exponential(visitor: Visitor) -> None:
    """The page looks most of it up in a table: to 2e-10 of itself, and 1 at 0 exactly."""
    x = -np.append(np.linspace(0, 39.999, 4001), [1 / 128, 1e-9])
    file = Path(dashboard.__file__).parent / "pooled.js"
    script = file.read_text(encoding="utf-8").replace("export default", "const drawn =")
    told = visitor.page.evaluate(f"x => {{ {script}; return x.map(exp) }}", x.tolist())
    np.testing.assert_allclose(told, np.exp(x), rtol=2e-10)
    assert told[0] == 1


def test_it_follows_the_hand_on_the_slider_and_asks_the_server_nothing(visitor: Visitor) -> None:
    n = 300
    visitor.open("/", {"text": " ".join(tokens(n))})
    svg = visitor.chart(0).locator("svg").first
    svg.evaluate("svg => { svg.kept = true }")
    reruns = visitor.reruns
    x, y = take_thumb(visitor)
    seen = set()
    for way in (15, 50, 90):
        visitor.page.mouse.move(x + way, y, steps=3)
        beta = float(page_slider(visitor).input_value())
        reads(visitor, beta)
        words = written(visitor)
        is_what_core_says(words, LessonHead().attend_long(tokens(n), sharpness=beta), "max")
        image = visitor.chart(0).locator("image").first
        assert image.evaluate("image => image.href.baseVal").endswith(words[0])
        seen.add(words[0])
    assert len(seen) == 3
    assert visitor.reruns == reruns
    with visitor.rerun():
        visitor.page.mouse.up()
    assert visitor.query["sharpness"] == f"{beta:g}"
    assert written(visitor) == words
    assert svg.evaluate("svg => svg.kept")


def test_another_text_another_mask_and_another_way_to_pool_are_drawn_anew(
    visitor: Visitor,
) -> None:
    visitor.open("/", {"text": " ".join(tokens(300)), "sharpness": 3})
    is_what_core_says(written(visitor), LessonHead().attend_long(tokens(300), sharpness=3.0), "max")
    before = written(visitor)
    visitor.choose("Each pixel shows", "mean weight")
    assert written(visitor)[0] != before[0]
    is_what_core_says(
        written(visitor), LessonHead().attend_long(tokens(300), sharpness=3.0), "mean"
    )
    visitor.toggle("Causal mask")
    read = LessonHead().attend_long(tokens(300), sharpness=3.0, causal=True)
    is_what_core_says(written(visitor), read, "mean")
    paste(visitor, "Sentence", " ".join(tokens(290)), "ControlOrMeta+Enter")
    read = LessonHead().attend_long(tokens(290), sharpness=3.0, causal=True)
    is_what_core_says(written(visitor), read, "mean")


def largest_in_size(matrix: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """Blocks of a panel; NaN where nothing of them is allowed."""
    more, less = (pool(part, FEW_PIXELS).values for part in (matrix, -matrix))
    blocks = np.where(less > more, -less, more)
    if allowed is not None:
        blocks[pool(allowed.astype(float), FEW_PIXELS).values == 0] = np.nan
    return blocks


@pytest.mark.parametrize("causal", [False, True])
def test_an_edit_is_worked_out_by_the_page(visitor: Visitor, causal: bool) -> None:
    n = 300
    old = tokens(n)
    new = [*old[:99], "dog", *old[100:]]
    link = {"text": " ".join(old), "at": 100, "to": "dog", "causal": str(causal).lower()}
    visitor.open("/edit", link | {"sharpness": 2})
    for sharpness in (2.0, 9.0):
        if sharpness == 9.0:
            for which in range(3):
                visitor.chart(which).locator(BETA).evaluate(LEAD, sharpness)
        reads = [
            LessonHead().attend_long(each, sharpness=sharpness, causal=causal)
            for each in (old, new)
        ]
        before, after = (weights_of(read) for read in reads)
        for which, matrix in enumerate((before, after, after - before)):
            blocks = largest_in_size(matrix, reads[0].allowed)
            (octets,) = written(visitor, which)
            are_pixels(octets, blocks, n, signed=which == 2)


@pytest.mark.parametrize("causal", [False, True])
def test_an_order_is_worked_out_by_the_page(visitor: Visitor, causal: bool) -> None:
    n = 300
    order = [(7 * i + 3) % n for i in range(n)]  # 7 and 300 share no divisor
    old = tokens(n)
    visitor.open(
        "/order",
        {
            "text": " ".join(old),
            "order": "-".join(str(i + 1) for i in order),
            "sharpness": 2,
            "causal": str(causal).lower(),
        },
    )
    a, b = (
        LessonHead().attend_long(each, sharpness=2.0, causal=causal)
        for each in (old, [old[i] for i in order])
    )
    back = np.argsort(order)
    matrices = (
        largest_in_size(weights_of(a), a.allowed),
        largest_in_size(weights_of(b), b.allowed),
        largest_in_size(weights_of(b)[np.ix_(back, back)]),
    )
    for which, blocks in enumerate(matrices):
        (octets,) = written(visitor, which)
        are_pixels(octets, blocks, n)
        image = visitor.chart(which).locator("image").first
        assert image.evaluate("image => image.href.baseVal").endswith(octets)


def test_the_outline_of_the_window_follows_its_number(visitor: Visitor) -> None:
    visitor.open("/", {"text": " ".join(tokens(300)), "window": "100-50"})
    svg = visitor.chart(0).locator("svg").first
    svg.evaluate("svg => { svg.kept = true }")
    texts = written(visitor)
    # The outline alone is drawn last.
    outline = svg.locator("path[stroke-width='2']").last
    expect(outline).to_have_count(1)
    before = outline.get_attribute("transform"), outline.get_attribute("d")
    for row in (100, 99):  # the second is the one before the first
        field = visitor.page.get_by_label("From row", exact=True)
        assert field.input_value() == str(row)
        with visitor.rerun():
            field.press("ArrowDown")
    corner = visitor.chart(0).locator(".vega-bind input[name='corner']")
    expect(corner).to_have_value("97 49")
    assert (outline.get_attribute("transform"), outline.get_attribute("d")) != before
    assert written(visitor) == texts
    assert svg.evaluate("svg => svg.kept")
    # Another row takes the window along, however it was moved before.
    visitor.fill("Row looked at", "20")
    expect(corner).to_have_value("0 0")
    drawn = outline.get_attribute("d")
    assert drawn is not None
    assert float(drawn.removeprefix("M").split("h")[0].split(",")[1]) == pytest.approx(24, abs=2)
