"""Streamlit that prints how often each run of a page collected all garbage."""

import gc
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.web import cli

run = ScriptRunner._run_script


def counted(self: ScriptRunner, *arguments: Any) -> None:
    """Run a page and count."""
    before = gc.get_stats()[2]["collections"]
    try:
        run(self, *arguments)
    finally:
        times = gc.get_stats()[2]["collections"] - before
        print(f"run collected {times} times with {gc.get_freeze_count()} set aside", flush=True)


if __name__ == "__main__":
    ScriptRunner._run_script = counted  # type: ignore[method-assign]
    cli.main()
