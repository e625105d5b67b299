"""What visitors cannot do to a host, or to each other, and what limits stand in their way."""

import asyncio
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from dashboard.about import LICENCE, VERSION, about
from dashboard.link import MAX_CHARACTERS, PAGES, View, share_query
from deploy.visit import Visitor, visit
from tests.browser.server import HOSTED, ROOT, Server, healthy, serve

MARK = "zebrafinch"
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
NGINX = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
UNITS = {"k": 2**10, "m": 2**20}


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hosted")
    with serve(folder, folder / "log.txt", HOSTED) as running:
        yield running


def size(setting: str) -> int:
    """Bytes that a setting of nginx allows."""
    found = re.search(rf"^\s*{setting} (?:\d+ )?(\d+)([km]);", NGINX, re.MULTILINE)
    assert found, setting
    return int(found[1]) * UNITS[found[2]]


def test_the_limits_of_the_proxy_lie_above_those_of_the_app() -> None:
    assert size("client_max_body_size") > CONFIG["server"]["maxUploadSize"] * 1e6
    longest = View(text="字" * MAX_CHARACTERS, to="字" * MAX_CHARACTERS)
    for page in PAGES:
        link = share_query(longest, page)
        assert len(link) < 512 * 1024  # Streamlit drops what is longer
        assert size("large_client_header_buffers") > len(link) + 16 * 1024


def test_what_goes_wrong_is_not_shown_to_visitors(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text(f"raise ValueError('{MARK}')\n", encoding="utf-8")

    async def see(address: str) -> list[str]:
        async with visit(address) as visitor:
            await visitor.open()
            return visitor.faults()

    # Started from the checkout, so that its settings are the ones in force.
    with serve(ROOT, tmp_path / "log.txt", app) as running:
        faults = asyncio.run(see(running.address))
        assert MARK in running.log
    assert len(faults) == 1
    assert MARK not in faults[0]
    assert "ValueError" not in faults[0]
    assert str(tmp_path) not in faults[0]


def test_the_longest_sentence_is_taken_and_nothing_much_longer(hosted: Server) -> None:
    async def type_it() -> Visitor:
        async with visit(hosted.address) as visitor:
            await visitor.open("edit")
            await visitor.change("Sentence", "𐍈" * MAX_CHARACTERS)
            await visitor.change("Sharpness β", 2.0)
            return visitor

    async def send_too_much() -> None:
        async with visit(hosted.address) as visitor:
            await visitor.open()
            await visitor.change("Sentence", "a" * 1_000_001)

    visitor = asyncio.run(type_it())
    assert visitor.faults() == []
    assert "sharpness=2" in visitor.query
    with pytest.raises(ConnectionClosed):
        asyncio.run(send_too_much())
    assert healthy(hosted)


def test_no_message_comes_near_the_limit(hosted: Server) -> None:
    async def largest(page: str) -> int:
        async with visit(hosted.address) as visitor:
            await visitor.open("" if page == PAGES[0] else page)
            await visitor.change("Sentence", " ".join("abcdefgh" * 8))
            assert visitor.faults() == []
            return visitor.largest

    for page in PAGES:
        assert 2 * asyncio.run(largest(page)) < CONFIG["server"]["maxMessageSize"] * 1e6


def test_no_sentence_reaches_the_log(hosted: Server) -> None:
    async def say() -> None:
        link = f"/?text=the+{MARK}+sat&to={MARK}&order={MARK}&{MARK}={MARK}&at={MARK}"
        async with visit(hosted.address + link) as visitor:
            for page in ("", "edit", "order", MARK):
                await visitor.open(page)
            await visitor.change("Sentence", f"{MARK} {MARK}")

    asyncio.run(say())
    assert MARK not in hosted.log


def test_memory_does_not_grow_with_what_is_done(hosted: Server) -> None:
    async def move(times: int) -> float:
        async with visit(hosted.address) as visitor:
            await visitor.open()
            for turn in range(times):
                await visitor.change("Sharpness β", 0.5 + turn % 10)
            return hosted.megabytes

    before = asyncio.run(move(60))
    # A tenth of a megabyte kept a move would be 12 of them.
    assert asyncio.run(move(120)) - before < 10


def test_about_tells_version_licence_and_source(
    hosted: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read() -> str:
        async with visit(hosted.address) as visitor:
            await visitor.open("edit")
            return visitor.about

    monkeypatch.delenv("SOURCE_URL", raising=False)
    assert asyncio.run(read()) == about()
    assert VERSION in about()
    assert f"{LICENCE} licence" in about()
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{LICENCE} License")
    monkeypatch.setenv("SOURCE_URL", "https://example.org/attention")
    assert "Source: <https://example.org/attention>" in about()
    for odd in ("javascript:alert(1)", "https://a> [b](c", ""):
        monkeypatch.setenv("SOURCE_URL", odd)
        assert "Ask whoever runs this server" in about()
