"""How soon a slider's move is a painted picture in the browser: ``python benchmarks/browser.py``.

Every line is measured by turns with the floor, move by move, so that a busy machine slows both
alike; ratios are medians of a line's moves over the floor's of the same turn. A picture is
*painted* when the frame after the last change in it is done, with its images; what is written anew
as it was is no change, and only a move after which it shows something else than before counts.
*first* is the same after the first change: a picture that works out its numbers itself has them
then, before the server answers. *page* is the same for all that is below. *server* is what the
server takes for a move while the browser draws on the same machine, *alone* without any browser.
"""

import argparse
import asyncio
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Error, Locator, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))  # the file is run from its folder

from benchmarks.lines import (
    NUMBER,
    SLIDER,
    WARM,
    WINDOW_ROW,
    Line,
    planned,
    text,
    without_browser,
)
from dashboard.link import MAX_TOKENS
from tests.browser.conftest import CHROMIUM_ARGUMENTS, found_chromium
from tests.browser.driver import Visitor

HERE = Path(__file__).parent
PROBE = (HERE / "probe.js").read_text(encoding="utf-8")
LIVE = 'input[type="range"]'  # inside the picture
PATIENCE = 60_000  # milliseconds


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=15, help="moves a line that count")
    moves = parser.parse_known_args()[0].moves
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the servers end with us
    with ExitStack() as stack:
        browser = stack.enter_context(chromium())
        print(f"Chromium {browser.version}, Streamlit {version('streamlit')}, {cpu_count()} cores")
        lines = planned(stack)
        heading()
        with suppress(KeyboardInterrupt):  # then what there is is told
            for line in lines:
                beside_the_floor(browser, line, lines[1], moves)
                report(line)
        print()
        report_live(browser, lines, moves)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that the tests use."""
    found = found_chromium()
    if found is None:
        sys.exit("no Chromium found: install it, or name it in the variable CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


def beside_the_floor(browser: Browser, line: Line, floor: Line, moves: int) -> None:
    """Move the slider of a line and that of the floor by turns; only these two are open."""
    line.floor = Line(floor.name, floor.server, target=floor.target)
    if not line.trouble:
        with ThreadPoolExecutor() as apart:  # this thread is the browser driver's
            apart.submit(asyncio.run, without_browser(line, moves)).result()
    for one in (line, line.floor):
        visit(browser, one)
    for turn in range(WARM + moves):
        for one in (line, line.floor):
            if not line.trouble:
                move(one, counts=turn >= WARM)
    for one in (line, line.floor):
        if one.visitor is not None:
            one.visitor.page.context.close()


def visit(browser: Browser, line: Line) -> None:
    """Open the page of a line in a browser profile of its own, or say why it cannot be."""
    if line.n > MAX_TOKENS:
        line.trouble = f"not yet: at most {MAX_TOKENS} tokens"
        return
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(PROBE)
    visitor = Visitor(context.new_page(), line.server)
    visitor.open(line.path, line.query)
    if visitor.page.locator(line.target).count() == 0:
        said = visitor.page.get_by_test_id("stAlert").all_inner_texts()
        line.trouble = f"not yet: {' '.join(' '.join(said).split())[:90] or 'no picture'}"
        return
    visitor.page.evaluate(
        "([target, which]) => Object.assign(probe, { target, which })", [line.target, line.which]
    )
    line.visitor = visitor


def handle_of(line: Line) -> tuple[Locator, str]:
    """The control that moves the picture, and the key that moves it one step."""
    assert line.visitor is not None
    page = line.visitor.page
    if line.control == WINDOW_ROW:
        return page.get_by_role("spinbutton", name=WINDOW_ROW, exact=True), "ArrowDown"
    return page.get_by_role("group", name=SLIDER, exact=True).get_by_role("slider"), "ArrowRight"


def move(line: Line, *, counts: bool) -> None:
    """Move the control of a line one step, and wait until all has come to rest."""
    visitor = line.visitor
    assert visitor is not None
    page = visitor.page
    page.bring_to_front()
    handle, key = handle_of(line)
    handle.focus()
    before, value = page.evaluate("probe.shows()"), handle.input_value()
    said = len(line.server.log)
    page.evaluate("probe.armed = true")
    with visitor.rerun():
        handle.press(key)
    page.wait_for_function("probe.atRest()")
    took = page.evaluate("probe.result()")
    page.evaluate("probe.stop()")
    line.kept &= page.evaluate("probe.kept()")
    if page.evaluate("probe.shows()") == before or handle.input_value() == value:
        line.trouble = "the picture did not move"
        return
    runs = line.server.log[said:].split("run took ")[1:]
    took["server"] = sum(float(run.split(" ms")[0]) for run in runs)
    took["runs"] = len(runs)
    if counts:
        line.moves.append(took)


def heading() -> None:
    """Print the head of the table."""
    head = ["first", "× floor", "painted", "95th", "× floor", "page", "× floor", "server", "alone"]
    head += ["kB", "messages"]
    print(f"{'control to picture, ms':<22}" + "".join(f"{word:>10}" for word in head) + "  node")


def report(line: Line) -> None:
    """Print what a move took."""
    if line.trouble or line.floor is None:
        print(f"{line.name:<22}  {line.trouble}", flush=True)
        return
    floor = column(line.floor, "painted")

    def times(what: str) -> str:
        return f"{np.median(column(line, what) / floor):.2f}"

    cells = (
        f"{middle(line, 'first'):.0f}",
        times("first"),
        f"{middle(line, 'painted'):.0f}",
        f"{np.percentile(column(line, 'painted'), 95):.0f}",
        times("painted"),
        f"{middle(line, 'page'):.0f}",
        times("page"),
        f"{middle(line, 'server'):.1f}",
        f"{np.median(line.alone):.1f}",
        f"{middle(line, 'bytes') / 1000:.1f}",
        f"{middle(line, 'messages'):.0f}",
    )
    node = "kept" if line.kept else "new"
    print(f"{line.name:<22}" + "".join(f"{cell:>10}" for cell in cells) + f"  {node}", flush=True)


def report_live(browser: Browser, lines: list[Line], moves: int) -> None:
    """Print what a step of the live sharpness took, each beside a move of the floor."""
    six = lines[2]
    print(f"{'live step, ms':<22}" + "".join(f"{w:>10}" for w in ("painted", "95th", "× floor")))
    for n in (6, 32, 64):
        query = {} if n == 6 else {"text": text(n)}
        line = Line(f"live, n = {n}", six.server, query=query, n=n)
        floor = Line("floor", lines[1].server, target=NUMBER)
        visit(browser, line)
        visit(browser, floor)
        for turn in range(WARM + moves):
            move(floor, counts=turn >= WARM)
            live_step(line, 1 + 0.1 * (turn + 1), counts=turn >= WARM)
        for one in (line, floor):
            if one.visitor is not None:
                one.visitor.page.context.close()
        if line.trouble:
            print(f"{line.name:<22}  {line.trouble}")
            continue
        painted = column(line, "painted")
        ratio = np.median(painted / column(floor, "painted"))
        asked = sum(move["sent"] for move in line.moves)
        print(
            f"{line.name:<22}{np.median(painted):>10.0f}{np.percentile(painted, 95):>10.0f}"
            f"{ratio:>10.2f}  drawn {middle(line, 'drawn'):.0f} ms, "
            f"{np.median(column(line, 'drawn') / column(floor, 'drawn')):.2f} × floor; "
            f"{asked:.0f} messages to the server"
        )


def live_step(line: Line, value: float, *, counts: bool) -> None:
    """Move the control inside the picture."""
    assert line.visitor is not None
    page = line.visitor.page
    page.bring_to_front()
    before = page.evaluate("probe.shows()")
    page.evaluate("([selector, value]) => probe.nudge(selector, value)", [LIVE, f"{value:.1f}"])
    try:
        page.wait_for_function("probe.atRest()", timeout=10_000)
    except Error:
        line.trouble = "the picture did not move"
        return
    took = page.evaluate("probe.result()")
    page.evaluate("probe.stop()")
    if page.evaluate("probe.shows()") == before:
        line.trouble = "the picture did not move"
    elif counts:
        line.moves.append(took)


def column(line: Line, what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """One number of every move."""
    return np.array([move[what] for move in line.moves], dtype=float)


def middle(line: Line, what: str) -> float:
    """Median over the moves."""
    return float(np.median(column(line, what)))


if __name__ == "__main__":
    main()
