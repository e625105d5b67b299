"""The dashboard as its users start it: a process of its own, on a free port."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

APP = Path(__file__).parents[2] / "dashboard" / "app.py"
READY_WITHIN = 300  # polls of a fifth of a second


@dataclass(frozen=True)
class Server:
    """A running dashboard: where it answers, and what it has said so far."""

    host: str
    log_file: Path

    @property
    def address(self) -> str:
        """The address without a closing slash, ``http://host:port``."""
        return f"http://{self.host}"

    @property
    def log(self) -> str:
        """Everything printed so far, by Streamlit and by the dashboard."""
        return self.log_file.read_text(encoding="utf-8")


@contextmanager
def serve(
    folder: Path, log_file: Path, app: Path = APP, platform: Sequence[str] = ("-m", "streamlit")
) -> Iterator[Server]:
    """Run the app with ``folder`` as working directory; end its whole process group on leaving.

    Streamlit reads ``.streamlit/config.toml`` from the working directory and from the app's own
    folder; a link there points to the one at the root, so the look is the same from any folder.
    """
    port = _free_port()
    server = Server(f"127.0.0.1:{port}", log_file)
    command = [
        *(sys.executable, *platform, "run", str(app)),
        *("--server.address", "127.0.0.1", "--server.port", str(port)),
        *("--server.headless", "true", "--server.fileWatcherType", "none"),
        *("--browser.gatherUsageStats", "false"),
    ]
    # Options of the person who runs the tests must not reach the dashboard under test.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    with log_file.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_healthy(process, server)
        yield server
    finally:
        _end(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(process: subprocess.Popen[bytes], server: Server) -> None:
    for _ in range(READY_WITHIN):
        if _healthy(server.host):
            return
        try:
            status = process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            continue
        raise RuntimeError(f"the server ended with status {status} at its start:\n{server.log}")
    raise RuntimeError(f"the server did not become healthy:\n{server.log}")


def _healthy(host: str) -> bool:
    connection = http.client.HTTPConnection(host, timeout=5)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
        except ProcessLookupError:
            process.wait()
            return
        except subprocess.TimeoutExpired:
            continue
