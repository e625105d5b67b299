"""An open tab holds no more after many changes than after a few."""

from tests.browser.driver import Visitor

FULL = " ".join(f"word{i}" for i in range(64))


def heap(visitor: Visitor) -> float:
    """Megabytes that the page's scripts hold when the garbage is gone."""
    session = visitor.page.context.new_cdp_session(visitor.page)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return float(used) / 1e6


def move(visitor: Visitor, times: int) -> None:
    group = visitor.page.get_by_role("group", name="Sharpness β", exact=True)
    for turn in range(times):
        with visitor.rerun():
            group.get_by_role("slider").press("ArrowRight" if turn % 2 else "ArrowLeft")


def test_a_tab_does_not_grow_with_what_is_done_in_it(visitor: Visitor) -> None:
    visitor.open("/", {"text": FULL, "sharpness": "2.5"})
    move(visitor, 10)
    before = heap(visitor)
    move(visitor, 30)
    # One kept picture of 64 tokens is about a megabyte.
    assert heap(visitor) - before < 10
