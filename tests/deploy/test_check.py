"""The check of a hosted dashboard: it holds for ours, and sees what it is there to see."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import check
from deploy.check import Host, failures
from tests.browser.server import HOSTED, Server, serve


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hosted")
    with serve(folder, folder / "log.txt", HOSTED, prefix="/a/prefix") as running:
        yield running


def test_every_check_holds_for_the_server_of_hosts(hosted: Server) -> None:
    assert failures(Host(hosted.address)) == {}
    assert "Traceback" not in hosted.log
    assert "external IP" not in hosted.log  # a foreign page does not make it ask the web


def test_as_the_readme_starts_it_headers_and_length_are_streamlits(tmp_path: Path) -> None:
    with serve(tmp_path, tmp_path / "log.txt") as running:
        found = set(failures(Host(running.address)))
    assert found == {check.strict_headers.__doc__, check.long_links.__doc__}


def test_every_open_door_is_noticed(tmp_path: Path) -> None:
    unlocked = {
        "STREAMLIT_SERVER_ENABLE_AGENT_API": "true",
        "STREAMLIT_SERVER_ENABLE_CORS": "false",
        "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",
    }
    with serve(tmp_path, tmp_path / "log.txt", HOSTED, settings=unlocked) as running:
        found = set(failures(Host(running.address)))
    doors = (check.programs, check.origins, check.forgeries)
    assert found == {door.__doc__ for door in doors}


def test_a_page_that_fails_is_noticed(tmp_path: Path) -> None:
    app = tmp_path / "app.py"
    app.write_text("import streamlit as st\nst.title('no pictures')\n", encoding="utf-8")
    with serve(tmp_path, tmp_path / "log.txt", app) as running:
        assert check.pages.__doc__ in failures(Host(running.address))


def test_a_server_that_is_gone_is_noticed(tmp_path: Path) -> None:
    with serve(tmp_path, tmp_path / "log.txt", HOSTED) as running:
        running.end()
        assert len(failures(Host(running.address))) >= len(check.CHECKS) - 1
