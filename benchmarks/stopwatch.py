"""Streamlit with a stopwatch: prints how long the server took for each run of a page."""

import time
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.web import cli

run = ScriptRunner._run_script


def timed(self: ScriptRunner, *arguments: Any) -> None:
    """Run a page, from the start of its script to its last message, garbage collection included."""
    start = time.perf_counter()
    try:
        run(self, *arguments)
    finally:
        print(f"run took {1e3 * (time.perf_counter() - start):.3f} ms", flush=True)


if __name__ == "__main__":
    ScriptRunner._run_script = timed  # type: ignore[method-assign]
    cli.main()
