"""The report on known vulnerabilities: silence is not safety, and only a find ends the run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[2] / ".ci" / "audit.py"
FOUND = {"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}
CLEAN = {"name": "b", "version": "1", "vulns": []}
UNSEEN = {"name": "c", "skip_reason": "no answer"}


@pytest.mark.parametrize(
    ("told", "status", "says"),
    [
        ({"dependencies": [CLEAN]}, 0, "1 packages held against"),
        ({"dependencies": [CLEAN, UNSEEN]}, 0, "1 packages could not be: no answer"),
        ({"dependencies": [CLEAN, FOUND]}, 1, "a 1: X-1, mended in 2"),
        (None, 0, "could not be reached"),
    ],
)
def test_what_was_found_is_told(tmp_path, told, status, says):
    answer = tmp_path / "answer.json"
    answer.write_text("" if told is None else json.dumps(told), encoding="utf-8")
    process = subprocess.run(
        [sys.executable, AUDIT, answer], capture_output=True, text=True, check=False
    )
    assert process.returncode == status
    assert says in process.stdout
