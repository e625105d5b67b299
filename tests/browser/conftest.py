"""The dashboard and a real browser, for the tests of what only a browser can show."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NoReturn, Protocol

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.driver import Visitor
from tests.browser.proxy import Site, missing, site
from tests.browser.server import Server, serve

HERE = Path(__file__).parent
# Milliseconds; a wait ends as soon as its condition holds, so only a busy machine needs them all.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def found_chromium() -> str | None:
    """Where Chromium is on this machine, or as the variable CHROMIUM names it."""
    names = [os.environ.get("CHROMIUM", "chromium"), "chromium-browser", "google-chrome"]
    return next(filter(None, map(shutil.which, names)), None)


class Arrive(Protocol):
    """Bring a new person, in a browser profile of their own, to a server."""

    def __call__(
        self,
        server: Server,
        *,
        width: int = 1280,
        height: int = 800,
        colour_scheme: Literal["light", "dark"] = "light",
    ) -> Visitor: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and run them last: wrong numbers show first."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The dashboard, started from a folder that is not the checkout."""
    logs = tmp_path_factory.mktemp("server")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with serve(elsewhere, logs / "log.txt") as running:
        yield running


@pytest.fixture(scope="session")
def home_server(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config
) -> Iterator[Server]:
    """The dashboard, started from the checkout as the README says, with its own look."""
    logs = tmp_path_factory.mktemp("home-server")
    with serve(pytestconfig.rootpath, logs / "log.txt") as running:
        yield running


@pytest.fixture
def fresh_server(browser: Browser, tmp_path: Path, after_visits: ExitStack) -> Server:
    """A dashboard that nobody has visited yet, started from a folder that is not the checkout."""
    return after_visits.enter_context(serve(tmp_path, tmp_path / "server-log.txt"))


@pytest.fixture
def after_visits() -> Iterator[ExitStack]:
    """Close what may end only when every visitor has left, in whatever order a test names them."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def raise_site(
    browser: Browser,
    tmp_path_factory: pytest.TempPathFactory,
    unavailable: Callable[[str], NoReturn],
) -> Iterator[Callable[..., Site]]:
    """Put two replicas behind nginx, with a prefix and with TLS where asked for."""
    if lacking := missing():
        unavailable(f"not installed: {', '.join(lacking)}")
    with ExitStack() as stack:
        yield lambda **how: stack.enter_context(site(tmp_path_factory.mktemp("site"), **how))


@pytest.fixture(scope="session")
def browser(unavailable: Callable[[str], NoReturn]) -> Iterator[Browser]:
    """Chromium as the machine has it, or as the variable CHROMIUM names it."""
    found = found_chromium()
    if found is None:
        unavailable("no Chromium found: install it, or name it in the variable CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def arrive(browser: Browser, after_visits: ExitStack) -> Iterator[Arrive]:
    """Bring visitors to servers; at the end nothing may have gone wrong for any of them."""
    visitors: list[Visitor] = []
    said: dict[Server, int] = {}  # how long each log was before this test

    def bring(
        server: Server,
        *,
        width: int = 1280,
        height: int = 800,
        colour_scheme: Literal["light", "dark"] = "light",
    ) -> Visitor:
        said.setdefault(server, len(server.log))
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=colour_scheme,
            ignore_https_errors=server.scheme == "https",
            locale="en-GB",
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE)
        visitors.append(Visitor(context.new_page(), server))
        return visitors[-1]

    yield bring
    for visitor in visitors:
        visitor.page.context.close()
    problems = [problem for visitor in visitors for problem in visitor.problems]
    tracebacks = [
        log for server, start in said.items() if "Traceback" in (log := server.log[start:])
    ]
    assert not problems, "\n".join(problems)
    assert not tracebacks, "\n".join(tracebacks)


@pytest.fixture
def visitor(arrive: Arrive, server: Server) -> Visitor:
    """A person at the shared dashboard, on a desk-sized screen, in light colours."""
    return arrive(server)


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """The visitor's Playwright page."""
    return visitor.page
