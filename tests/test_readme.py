"""What the README promises: its examples, its paths, its table of links."""

import doctest
import re
import tomllib
from pathlib import Path

import pytest

from dashboard.link import MAX_CHARACTERS, MAX_TOKENS, PAGES, PARAMETERS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def fences(label: str) -> list[str]:
    """The texts of all code fences with this label."""
    return re.findall(rf"^```{re.escape(label)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def rows_after(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_python_examples_run_as_printed(capsys):
    # One reader follows them from first to last, so they share their names.
    source = "".join(fences("python"))
    example = doctest.DocTestParser().get_doctest(source, {}, "README", "README.md", 0)
    results = doctest.DocTestRunner().run(example)
    assert results.attempted > 0
    assert results.failed == 0, capsys.readouterr().out


@pytest.mark.parametrize("label", ["sh start", "sh tests", "sh host"])
def test_each_command_stands_there_once(label):
    assert len(fences(label)) == 1


def test_every_path_of_the_map_exists():
    named = [path for row in rows_after("Which room holds what") for path in paths_in(row[1])]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def paths_in(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_table_of_links_names_the_parameters_of_each_page():
    rows = rows_after("Share a link")
    written = {name.strip("`"): pages for name, pages, *_ in rows}
    read = {p.name: "all" if p.pages == PAGES else ", ".join(p.pages) for p in PARAMETERS}
    assert written == {"v": "all", **read}


def test_the_limits_are_those_that_are_set():
    table = README.partition("| limit |")[2].partition("\n\n")[0]
    limits = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", table, re.MULTILINE))
    server = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))["server"]
    assert limits["a sentence"] == f"{MAX_CHARACTERS:,} characters, {MAX_TOKENS:,} tokens"
    for what, setting in (
        ("what a browser may send at once", "maxWidgetStateSize"),
        ("what a browser is sent at once", "maxMessageSize"),
        ("a file from a browser", "maxUploadSize"),
    ):
        assert limits[what].split(";")[0] == f"{server[setting]} MB"
