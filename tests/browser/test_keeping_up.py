"""The menu and the folded link, which are drawn with the whole page, keep up with the sharpness."""

from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.driver import Visitor

ODD = "  a & b=c #d  +e 100% ?/ 😀 "


@pytest.mark.parametrize("path", ["/", "/edit", "/order"])
def test_the_link_that_is_folded_away_keeps_up_with_a_sharpness_that_moved(
    visitor: Visitor, path: str
) -> None:
    visitor.open(path)
    link, box = visitor.shared_link(), visitor.share_box
    slider = visitor.page.get_by_role("group", name="Sharpness β", exact=True).get_by_role("slider")
    for sharpness in ("1.1", "1.2", "1.1", "1"):  # there, and back to where it was drawn
        with visitor.rerun():
            slider.press("ArrowRight" if sharpness > slider.input_value() else "ArrowLeft")
        moved = link.replace("&sharpness=1&", f"&sharpness={sharpness}&")
        expect(box.locator("code")).to_have_text(moved)
    with visitor.rerun():
        slider.press("ArrowRight")
    # What is copied at once is what is told: where it might not be, there is no button yet.
    visitor.page.evaluate("navigator.clipboard.writeText('')")
    box.locator("summary").click()
    assert box.locator("code").inner_text() == link.replace("&sharpness=1&", "&sharpness=1.1&")
    box.get_by_role("button", name="Copy to clipboard").click()
    visitor.page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    told = visitor.page.evaluate("navigator.clipboard.readText()")
    assert told == link.replace("&sharpness=1&", "&sharpness=1.1&")
    with visitor.rerun():
        slider.press("ArrowRight")
    expect(box.locator("code")).to_contain_text("&sharpness=1.2&")
    with visitor.rerun():
        box.locator("summary").click()
    with visitor.rerun():
        slider.press("ArrowRight")
    expect(box.locator("code")).to_contain_text("&sharpness=1.3&")


def test_the_menu_keeps_up_with_a_sharpness_that_moved(visitor: Visitor) -> None:
    menu = visitor.page.get_by_test_id("stPageLink-NavLink")

    def carry(query: dict[str, str]) -> None:
        links = [urlsplit(link) for link in menu.evaluate_all("links => links.map((a) => a.href)")]
        assert [link.path for link in links] == ["/", "/edit", "/order"]
        assert all(dict(parse_qsl(link.query)) == query for link in links)

    def step(key: str) -> None:
        group = visitor.page.get_by_role("group", name="Sharpness β", exact=True)
        with visitor.rerun():
            group.get_by_role("slider").press(key)

    # What a link asked for in vain is told once, and not handed on.
    visitor.open("/", {"text": ODD, "sharpness": "2.5", "seed": "x"})
    carry({"v": "1", "text": ODD, "sharpness": "2.5"})
    step("ArrowRight")
    query = {"v": "1", "text": ODD, "sharpness": "2.6"}
    carry(query)
    with visitor.rerun():
        menu.nth(1).press("Enter")
    assert urlsplit(visitor.page.url).path == "/edit"
    assert visitor.query == query
    assert visitor.page.get_by_role("heading", level=1).inner_text() == "Change one token"
    step("ArrowLeft")
    with visitor.rerun():
        menu.nth(0).click()
    assert urlsplit(visitor.page.url).path == "/"
    assert visitor.query == query | {"sharpness": "2.5"}
    # Nothing lies between the stops.
    for path, sharpness in (("/edit", "2.5"), ("/edit", "2.6"), ("/", "2.6"), ("/", "2.5")):
        with visitor.rerun():
            visitor.page.go_back()
        assert urlsplit(visitor.page.url).path == path
        assert visitor.query["sharpness"] == sharpness
        carry(query | {"sharpness": sharpness})


@pytest.mark.parametrize("path", ["/edit", "/order"])
def test_the_menu_keeps_up_from_a_page_that_was_opened_bare(visitor: Visitor, path: str) -> None:
    # The front page's link is then drawn without any address.
    visitor.open(path)
    menu = visitor.page.get_by_test_id("stPageLink-NavLink")
    group = visitor.page.get_by_role("group", name="Sharpness β", exact=True)
    with visitor.rerun():
        group.get_by_role("slider").press("ArrowRight")
    with visitor.page.context.expect_page() as opened:
        menu.nth(0).click(modifiers=["ControlOrMeta"])
    assert urlsplit(opened.value.url)._replace(netloc="").geturl().endswith("/?v=1&sharpness=1.1")
    opened.value.close()
    assert urlsplit(visitor.page.url).path == path
    with visitor.rerun():
        menu.nth(0).click()
    assert urlsplit(visitor.page.url).path == "/"
    assert visitor.query == {"v": "1", "sharpness": "1.1"}
    assert visitor.held("Sharpness β") == "1.1"
