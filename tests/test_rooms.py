"""The walls of the house: what each room may load, and which rooms there are."""

import json
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]

# Rooms of the dashboard that know no Streamlit: they draw, or they read and write an address.
WITHOUT_STREAMLIT = ["dashboard.charts", "dashboard.link"]

TOP_LEVEL = {
    ".ci",
    ".gitignore",
    ".streamlit",
    "LICENSE",
    "README.md",
    "benchmarks",
    "core",
    "dashboard",
    "deploy",
    "docs",
    "pyproject.toml",
    "requirements.txt",
    "tests",
}

# A name that says nothing collects everything; a folder `pages` takes over Streamlit's menu.
NO_ROOM = {"pages", "utils", "helpers", "common"}

LIST_WHAT_IMPORTING_LOADS = """
import importlib, json, sys
before = set(sys.modules)
importlib.import_module(sys.argv[1])
files = [name for name in set(sys.modules) - before if getattr(sys.modules[name], "__file__", None)]
print(json.dumps(sorted({name.partition(".")[0] for name in files})))
"""


def modules_of(room: str) -> list[str]:
    """Names of the modules of a room that stand alone: all but what Streamlit runs as a script."""
    files = [path.relative_to(ROOT) for path in (ROOT / room).rglob("*.py")]
    parts = [path.with_suffix("").parts for path in files]
    scripts = [("dashboard", "app"), ("dashboard", "views")]
    alone = [p for p in parts if p[:2] not in scripts]
    return sorted(".".join(p).removesuffix(".__init__") for p in alone)


MODULES = modules_of("core") + modules_of("dashboard")


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(f"{room}.")


@pytest.fixture(scope="module")
def loaded():
    """What a fresh process has loaded after importing one module, as top-level names."""
    known = {}

    def names(module: str) -> set[str]:
        if module not in known:
            known[module] = names_after_import(module)
        return known[module]

    return names


def names_after_import(module: str) -> set[str]:
    command = [sys.executable, "-c", LIST_WHAT_IMPORTING_LOADS, module]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, f"{module} does not import on its own:\n{process.stderr}"
    return set(json.loads(process.stdout))


@pytest.fixture(scope="module")
def tracked() -> list[PurePosixPath]:
    """Every file that git keeps."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("only a git checkout tells its own files from what tools left behind")
    # The checkout may belong to somebody else than the person who runs the tests.
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files = [PurePosixPath(name) for name in listing.split("\0") if name]
    assert files, "git keeps no files"
    return files


@pytest.mark.parametrize("room", ["core", "dashboard", *WITHOUT_STREAMLIT])
def test_the_rooms_with_rules_exist(room):
    assert any(within(module, room) for module in MODULES)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_imports_alone(module, loaded):
    assert module.partition(".")[0] in loaded(module)


@pytest.mark.parametrize("module", [name for name in MODULES if within(name, "core")])
def test_core_needs_numpy_and_nothing_else(module, loaded):
    assert loaded(module) - sys.stdlib_module_names <= {"core", "numpy"}


@pytest.mark.parametrize(
    "module", [name for name in MODULES if any(within(name, room) for room in WITHOUT_STREAMLIT)]
)
def test_charts_and_links_know_no_streamlit(module, loaded):
    assert "streamlit" not in loaded(module)


def test_the_top_level_holds_what_the_design_names(tracked):
    assert {path.parts[0] for path in tracked} == TOP_LEVEL


def test_no_room_has_a_name_that_says_nothing(tracked):
    named = {path for path in tracked if NO_ROOM & {PurePosixPath(p).stem for p in path.parts}}
    assert named == set()
