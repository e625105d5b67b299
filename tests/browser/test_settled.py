"""One change takes one action and one run; then address, controls and pictures agree."""

import pytest
from playwright.sync_api import expect

from core import LessonHead
from tests.browser.driver import Visitor

LESSON = ["the", "cat", "sat", "on", "the", "mat"]
SHARPNESS = "Sharpness β"


def assert_agreement(visitor: Visitor, sharpness: float) -> None:
    """Slider, address and picture tell the same sharpness."""
    assert float(str(visitor.held(SHARPNESS))) == pytest.approx(sharpness)
    assert float(visitor.query.get("sharpness", "1")) == pytest.approx(sharpness)
    weights = LessonHead().attend(LESSON, sharpness=sharpness).weights
    told = visitor.numbers(0)
    assert len(told) == weights.size
    for (row, column), number in told.items():
        assert number == pytest.approx(weights[row - 1, column - 1], abs=5.1e-5)


def test_every_key_of_the_slider_tells_all(visitor: Visitor) -> None:
    visitor.open("/")
    slider = visitor.page.get_by_role("group", name=SHARPNESS, exact=True).get_by_role("slider")
    slider.focus()
    steps = [
        ("ArrowRight", 1.1),
        ("ArrowUp", 1.2),
        ("ArrowLeft", 1.1),
        ("ArrowDown", 1.0),
        ("End", 16.0),
        ("Home", 0.0),
    ]
    for key, sharpness in steps:
        before = visitor.reruns
        with visitor.rerun():
            visitor.page.keyboard.press(key)
        assert_agreement(visitor, sharpness)
        assert visitor.reruns == before + 1, key
    with visitor.rerun():
        visitor.page.keyboard.press("PageUp")
    assert_agreement(visitor, float(slider.input_value()))


def test_holding_a_key_ends_with_everything_in_agreement(visitor: Visitor) -> None:
    visitor.open("/")
    slider = visitor.page.get_by_role("group", name=SHARPNESS, exact=True).get_by_role("slider")
    slider.focus()
    with visitor.rerun():
        for _ in range(30):  # a key that is down and goes down again is held
            visitor.page.keyboard.down("ArrowRight")
        visitor.page.keyboard.up("ArrowRight")
    assert float(slider.input_value()) == pytest.approx(4.0)
    assert_agreement(visitor, 4.0)
    assert visitor.stays_silent(1000)


def test_dragging_to_and_fro_ends_with_everything_in_agreement(visitor: Visitor) -> None:
    visitor.open("/")
    group = visitor.page.get_by_role("group", name=SHARPNESS, exact=True)
    slider, mouse = group.get_by_role("slider"), visitor.page.mouse
    thumb = slider.locator("xpath=..").bounding_box() or slider.bounding_box()
    assert thumb
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    with visitor.rerun():
        mouse.move(x, y)
        mouse.down()
        for far in (150, 20, 180, 60, 90):
            mouse.move(x + far, y, steps=8)
        mouse.up()
    ended = float(slider.input_value())
    assert 2 < ended < 14
    assert_agreement(visitor, ended)
    assert visitor.stays_silent(1000)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/", {"text": "a b c", "sharpness": "1", "seed": "0"}),
        ("/edit", {"at": "2", "to": "dog"}),
        ("/order", {"order": "6-5-4-3-2-1"}),
    ],
)
def test_nothing_runs_by_itself(visitor: Visitor, path: str, query: dict[str, str]) -> None:
    visitor.open(path, query)
    runs = visitor.reruns
    assert visitor.stays_silent(2500)
    assert visitor.reruns == runs
    assert visitor.query == query


def test_each_control_needs_one_action(visitor: Visitor) -> None:
    visitor.open("/")
    actions = [
        (lambda: visitor.toggle("Causal mask"), {"causal": "true"}),
        (lambda: visitor.toggle("Add positions"), {"positions": "sinusoidal"}),
        (lambda: visitor.toggle("Limit β → ∞"), {"hard": "true"}),
        (lambda: visitor.choose("Head", "random"), {"head": "random"}),
        (lambda: visitor.fill("Seed", "42"), {"seed": "42"}),
        (lambda: visitor.click("New head"), {"seed": "43"}),
        (lambda: visitor.select("Row looked at", "2 · \u2068cat\u2069"), {"row": "2"}),
        (lambda: visitor.fill("Sentence", "a dog ran"), {"text": "a dog ran"}),
    ]
    expected = {"v": "1"}
    for act, written in actions:
        before, runs = visitor.seen(), visitor.reruns
        act()
        expected |= written
        assert visitor.query == expected
        assert visitor.reruns == runs + 1, written
        assert visitor.seen() != before, written
    visitor.click("Reset to the lesson")
    assert visitor.query == {}
    assert_agreement(visitor, 1.0)
    assert visitor.held("Sentence") == " ".join(LESSON)


def test_controls_go_on_working_under_a_new_sentence(visitor: Visitor) -> None:
    for path, label, name in (("/", "Row looked at", "row"), ("/edit", "Replace", "at")):
        visitor.open(path)
        visitor.select(label, "3 · \u2068sat\u2069")
        visitor.fill("Sentence", "a dog ran")
        assert visitor.held(label) == "3 · \u2068ran\u2069"
        visitor.toggle("Causal mask")
        assert visitor.query == {"v": "1", "text": "a dog ran", "causal": "true", name: "3"}
        visitor.fill("Sentence", "a dog")
        assert name not in visitor.query
        assert visitor.held(label) == "2 · \u2068dog\u2069"
        visitor.click("Reset to the lesson")
        assert visitor.query == {}


def test_every_picture_is_kept_while_it_changes(visitor: Visitor) -> None:
    visitor.open("/")
    pictures = visitor.page.get_by_test_id("stVegaLiteChart")
    mark = "charts => charts.forEach((c) => { c.querySelector('svg.marks').kept = true; })"
    kept = "charts => charts.map((c) => c.querySelector('svg.marks').kept === true)"
    pictures.evaluate_all(mark)
    for sharpness in (1.1, 1.2, 2.2):
        below = visitor.page.get_by_role("heading", name="Between its copy")
        place = below.bounding_box()
        visitor.set_slider(SHARPNESS, sharpness)
        assert below.bounding_box() == place  # nothing jumps
        assert all(pictures.evaluate_all(kept))


def test_the_row_looked_at_is_one_thing_everywhere(visitor: Visitor) -> None:
    visitor.open("/")
    page = visitor.page

    def check(row: int) -> None:
        token = LESSON[row - 1]
        assert visitor.held("Row looked at") == f"{row} · \u2068{token}\u2069"
        assert visitor.query.get("row", "6") == str(row)
        expect(page.locator(".finding em").first).to_have_text(token)
        expect(page.locator("h2").first).to_contain_text(token)
        expect(page.locator("table.numbers tr.chosen th").first).to_contain_text(f"{row} · ")
        bold = visitor.chart(0).locator("svg text[font-weight=bold]").filter(has_text=" · ")
        expect(bold).to_have_text([f"{row} · \u2068{token}\u2069"])
        outline = visitor.chart(0).locator('svg path[stroke-width="2.5"]').bounding_box()
        cell = visitor.cell(0, row, 1).bounding_box()
        assert outline
        assert cell
        middle = cell["y"] + cell["height"] / 2
        assert outline["y"] + outline["height"] / 2 == pytest.approx(middle, abs=2)
        assert page.locator(".finding").inner_text().startswith(token)

    check(6)
    for row in (2, 4):
        with visitor.rerun():
            visitor.cell(0, row, row).click(force=True)
        check(row)
    visitor.select("Row looked at", "1 · \u2068the\u2069")
    check(1)
    with visitor.rerun():
        visitor.cell(0, 4, 2).click(force=True)
    check(4)
    with visitor.rerun():  # the label is part of the row
        visitor.chart(0).get_by_text("3 · \u2068sat\u2069").first.click()
    check(3)
    box = page.get_by_role("combobox", name="Row looked at", exact=True)
    with visitor.rerun():
        box.focus()
        page.keyboard.type("5")  # the list opens and keeps what holds a 5
        expect(page.get_by_role("option")).to_have_text(["5 · \u2068the\u2069"])
        page.keyboard.press("Enter")
    check(5)
