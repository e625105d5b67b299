"""The tools that read the source agree with it."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        pytest.param("ruff", ["check", "."], id="ruff-check"),
        pytest.param("ruff", ["format", "--diff", "."], id="ruff-format"),
        pytest.param("mypy", [], id="mypy"),
    ],
)
def test_the_source_passes(tool, arguments, unavailable):
    if importlib.util.find_spec(tool) is None:
        unavailable(f"{tool} is not installed")
    command = [sys.executable, "-m", tool, *arguments]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
