"""What a person does at the dashboard, and how a test knows that it has finished answering."""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import (
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Request,
    TimeoutError,
    WebSocket,
)
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.server import Server

# Runs before the page's own scripts: remembers when the page last changed.
WATCH_CHANGES = """
window.lastChange = performance.now();
new MutationObserver(() => { window.lastChange = performance.now(); }).observe(
    document, { subtree: true, childList: true, attributes: true, characterData: true });
"""

# The script state alone is not enough: a fast rerun never shows as "running" in the page.
IDLE = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const named = (chart) => chart.ariaLabel && chart.ariaLabel !== "Vega visualization";
    const drawn = (chart) => chart.querySelector("svg") && named(chart);
    return all('[data-testid="stApp"][data-test-script-state="notRunning"]').length === 1
        && all('[data-stale="true"]').length === 0
        && all('[data-testid$="Skeleton"], [data-testid="stSkeletonElement"]').length === 0
        && all('[data-testid="stVegaLiteChart"]').every(drawn)
        && document.fonts.status === "loaded"
        && performance.now() - window.lastChange > 100;
}"""

# What a person can read on the page, by eye or by ear, and what its controls hold. Not the link
# under "Share this view", which names the server.
SEEN = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const read = (selector) => all(selector).map((element) => element.innerText);
    const name = (i) => i.getAttribute("aria-label") || i.labels?.[0]?.innerText;
    const value = (i) => ["checkbox", "radio"].includes(i.type) ? i.checked : i.value;
    return {
        headings: read("h1, h2, h3"),
        prose: read(".prose, .sentence, [data-testid='stAlert']"),
        tables: read("table.numbers"),
        charts: all('[data-testid="stVegaLiteChart"]').map((c) => c.getAttribute("aria-label")),
        marks: all('[data-testid="stVegaLiteChart"] svg [aria-label]')
            .map((mark) => mark.getAttribute("aria-label")),
        drawn: all('[data-testid="stVegaLiteChart"] svg text').map((text) => text.textContent),
        controls: all("section input, main input").map((i) => [name(i), value(i)]),
    };
}"""

# A cell of a matrix says "2 · cat to 6 · mat: 0.0840"; the isolates around a token are unseen.
CELL = re.compile(r"(\d+) · .* to (\d+) · .*: ([−+]?[\d.]+(?:e[−+]?\d+)?)")

# What the browser says of a server that went away.
LOST_SERVER = re.compile(r"ERR_CONNECTION|ERR_INCOMPLETE|WebSocket|50[234]\b")

# On a page other than the first, Streamlit looks for these under the page's path before the root.
EXPECTED_MISS = re.compile(r"/[^/]+/_stcore/(health|host-config)")


class Visitor:
    """A person with a fresh browser profile at one server.

    Attributes
    ----------
    page : Page
        The Playwright page, for what has no method here.
    problems : list of str
        Console errors, uncaught errors of the page, dialogs, requests to other hosts; a test fails
        when any is left at its end.
    reruns : int
        How often the page has asked the server for another run.
    may_lose_server : bool
        Whether what the browser says of a server that went away is no problem.
    """

    def __init__(self, page: Page, server: Server) -> None:
        self.page = page
        self.server = server
        self.problems: list[str] = []
        self.reruns = 0
        self._busy = False
        self.may_lose_server = False
        self._socket: WebSocket | None = None
        page.context.add_init_script(WATCH_CHANGES)
        page.context.on("console", self._heard)
        page.context.on("weberror", lambda e: self.problems.append(f"page error: {e.error}"))
        page.context.on("request", self._requested)
        page.context.on("dialog", self._asked)
        page.on("websocket", self._connected)

    # Where the visitor is

    @property
    def path(self) -> str:
        """The address's path below the server's prefix: ``/``, ``/edit``."""
        return urlsplit(self.page.url).path.removeprefix(self.server.prefix)

    @property
    def query(self) -> dict[str, str]:
        """The address's parameters, decoded."""
        return dict(parse_qsl(urlsplit(self.page.url).query, keep_blank_values=True))

    # What the visitor sees

    def seen(self) -> dict[str, Any]:
        """Everything on the page that can be read, and what its controls hold."""
        found: dict[str, Any] = self.page.evaluate(SEEN)
        # A picture that changes in place keeps its marks in the order in which they came to it.
        found["marks"].sort()
        return found

    def wait_until_controls_hold(self, controls: list[list[object]]) -> None:
        """Wait until every control holds this: what one holds is no change that the page tells."""
        hold = f"(then) => JSON.stringify(({SEEN})().controls) === JSON.stringify(then)"
        self.page.wait_for_function(hold, arg=controls)

    def held(self, label: str) -> str | bool:
        """What a control holds, found by its label."""
        return dict(self.seen()["controls"])[label]

    def chart(self, which: int) -> Locator:
        """One picture of the page, counted from 0."""
        return self.page.get_by_test_id("stVegaLiteChart").nth(which)

    def cell(self, which: int, row: int, column: int) -> Locator:
        """One cell of a matrix; rows and columns count from 1."""
        start = re.compile(rf"^{row} · .* to {column} · ")
        return self.chart(which).get_by_label(start)

    def numbers(self, which: int) -> dict[tuple[int, int], float]:
        """The numbers of one matrix as its cells tell them, by row and column."""
        marks = self.chart(which).locator("[aria-label]")
        names = marks.evaluate_all("marks => marks.map((m) => m.getAttribute('aria-label'))")
        cells = filter(None, map(CELL.fullmatch, names))
        return {(int(c[1]), int(c[2])): float(c[3].replace("−", "-")) for c in cells}

    def shared_link(self) -> str:
        """The link under "Share this view"."""
        opener = self.share_box.locator("summary")
        with self.rerun():
            opener.click()
        link = self.share_box.locator("code").inner_text()
        with self.rerun():
            opener.click()
        return link

    @property
    def share_box(self) -> Locator:
        """The box that opens under "Share this view"."""
        return self.page.get_by_test_id("stExpander").filter(has_text="Share this view")

    # Moving between pages

    def open(self, path: str = "/", query: Mapping[str, object] | None = None) -> None:
        """Load a page as from a link, with values written as ``str`` writes them."""
        self.arrive_at(f"{self.server.address}{path}" + (f"?{urlencode(query)}" if query else ""))

    def arrive_at(self, address: str) -> None:
        """Load a whole address."""
        self._busy = True
        self.page.goto(address)
        self.settle()

    def reload(self) -> None:
        """Load the present address anew."""
        self._busy = True
        self.page.reload()
        self.settle()

    def follow(self, title: str) -> None:
        """Take a link of the menu."""
        with self.rerun():
            self.page.get_by_role("link", name=title, exact=True).click()

    def back(self) -> None:
        """Press the browser's Back."""
        with self.rerun():
            self.page.go_back(wait_until="commit")

    def forward(self) -> None:
        """Press the browser's Forward."""
        with self.rerun():
            self.page.go_forward(wait_until="commit")

    # Using the controls, each found by its label

    def set_slider(self, label: str, value: float) -> None:
        """Move a slider with the keyboard until it reads ``value``."""
        # The slider itself is named by its label twice over; its group by the label once.
        group = self.page.get_by_role("group", name=label, exact=True)
        slider = group.get_by_role("slider")
        reading = float(slider.input_value())
        if math.isclose(reading, value, abs_tol=1e-9):
            return
        with self.rerun():
            self._press_towards(slider, value)

    def fill(self, label: str, text: str) -> None:
        """Replace the text of a field, text or number, and confirm it with Enter."""
        field = self.page.get_by_label(label, exact=True)
        with self.rerun():
            field.fill(text)
            field.press("Enter")

    def toggle(self, label: str) -> None:
        """Turn a toggle or checkbox over."""
        boxes = self.page.get_by_role("switch", name=label, exact=True)
        boxes = boxes.or_(self.page.get_by_role("checkbox", name=label, exact=True))
        with self.rerun():
            boxes.press("Space")

    def choose(self, label: str, option: str) -> None:
        """Pick one of a group that shows all its options: radio, segmented control."""
        group = self.page.get_by_role("radiogroup", name=label, exact=True)
        with self.rerun():
            group.get_by_role("radio", name=option, exact=True).press("Space")

    def select(self, label: str, option: str) -> None:
        """Pick from a list that has to be opened."""
        with self.rerun():
            self.page.get_by_role("combobox", name=label, exact=True).click()
            self.page.get_by_role("option", name=option, exact=True).click()

    def click(self, name: str) -> None:
        """Press a button."""
        with self.rerun():
            self.page.get_by_role("button", name=name, exact=True).click()

    # Waiting

    @contextmanager
    def rerun(self) -> Iterator[None]:
        """Wait until what is done inside has reached the server and its answer is on the page."""
        self.settle()
        assert self._socket is not None, "open a page first"
        with self._socket.expect_event("framesent", predicate=_asks_rerun):
            yield
        self.settle()

    def settle(self) -> None:
        """Wait until every question to the server is answered and the page has come to rest."""
        for _ in range(100):
            self.page.wait_for_function(IDLE)
            if not self._busy:
                return
            assert self._socket is not None, "the page never reached the server"
            self._socket.wait_for_event("framereceived", predicate=_finishes_run)
        raise AssertionError("the page keeps asking for another run")

    def find_server_again(self) -> None:
        """Wait, after its server has gone, until the page has another and has come to rest."""
        self.page.evaluate("1")  # takes what the browser has told so far
        while self._socket is None or self._socket.is_closed():
            self.page.wait_for_event("websocket")
        self.settle()

    def stays_silent(self, milliseconds: float = 3000) -> bool:
        """Whether page and server say nothing to each other for a while."""
        assert self._socket is not None, "open a page first"
        try:
            self._socket.wait_for_event(
                "framereceived", lambda frame: isinstance(frame, bytes), timeout=milliseconds
            )
        except TimeoutError:
            return True
        return False

    # What the browser reports

    def _connected(self, socket: WebSocket) -> None:
        self._socket = socket
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        if _asks_rerun(frame):
            self._busy = True
            self.reruns += 1

    def _received(self, frame: str | bytes) -> None:
        if _finishes_run(frame):
            self._busy = False
        elif _kind(ForwardMsg, frame) == "new_session":
            self._busy = True

    def _heard(self, message: ConsoleMessage) -> None:
        source = message.location["url"]
        if message.type != "error":
            return
        path = urlsplit(source).path.removeprefix(self.server.prefix)
        if "404" in message.text and EXPECTED_MISS.fullmatch(path):
            return
        if self.may_lose_server and LOST_SERVER.search(message.text):
            return
        self.problems.append(f"console error: {message.text} ({source})")

    def _asked(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https", "ws", "wss") and address.netloc != self.server.host:
            self.problems.append(f"request to another host: {request.url}")

    def _press_towards(self, slider: Locator, value: float) -> None:
        low, high, step = (float(slider.get_attribute(k) or "nan") for k in ("min", "max", "step"))
        reading = float(slider.input_value())
        while abs(value - reading) >= step / 2:
            way = "Up" if value > reading else "Down"
            far = abs(value - reading) > max((high - low) / 10, step)
            slider.press(f"Page{way}" if far else f"Arrow{way}")
            before, reading = reading, float(slider.input_value())
            assert reading != before, f"the slider stays at {reading} on the way to {value}"
        assert math.isclose(reading, value, abs_tol=1e-9), f"{value} lies between two steps"


def _asks_rerun(frame: str | bytes) -> bool:
    return _kind(BackMsg, frame) == "rerun_script"


def _finishes_run(frame: str | bytes) -> bool:
    if _kind(ForwardMsg, frame) != "script_finished":
        return False
    status = ForwardMsg.FromString(frame).script_finished
    return bool(status != ForwardMsg.FINISHED_EARLY_FOR_RERUN)


def _kind(message: type[BackMsg] | type[ForwardMsg], frame: str | bytes) -> str | None:
    # The first frames of a connection are text, not messages.
    return message.FromString(frame).WhichOneof("type") if isinstance(frame, bytes) else None
