"""The dashboard as its users start it: a process of its own, on a free port."""

import http.client
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
APP = ROOT / "dashboard" / "app.py"
HOSTED = ROOT / "deploy" / "serve.py"
READY_WITHIN = 300  # polls of a fifth of a second


@dataclass(frozen=True)
class Server:
    """A running dashboard: where it answers, and what it has said so far."""

    host: str
    log_file: Path
    prefix: str = ""
    scheme: str = "http"
    process: subprocess.Popen[bytes] | None = field(default=None, compare=False, repr=False)

    @property
    def address(self) -> str:
        """The address without a closing slash, ``http://host:port`` and the prefix."""
        return f"{self.scheme}://{self.host}{self.prefix}"

    @property
    def log(self) -> str:
        """Everything printed so far, by Streamlit and by the dashboard."""
        return self.log_file.read_text(encoding="utf-8")

    @property
    def megabytes(self) -> float:
        """Memory that its process holds, as Linux counts it."""
        return self._memory("VmRSS")

    @property
    def most_megabytes(self) -> float:
        """The most that its process held so far."""
        return self._memory("VmHWM")

    def _memory(self, which: str) -> float:
        assert self.process is not None, "this server is not one of ours"
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition(f"{which}:")[2].split()[0]) / 1024

    def end(self) -> None:
        """End it at once, as a machine does that fails."""
        assert self.process is not None, "this server is not one of ours"
        end_group(self.process, signal.SIGKILL)


@contextmanager
def serve(
    folder: Path,
    log_file: Path,
    app: Path = APP,
    *,
    platform: Sequence[str] = ("-m", "streamlit"),
    port: int = 0,
    prefix: str = "",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """Run the app with ``folder`` as working directory; end its whole process group on leaving.

    Streamlit reads ``.streamlit/config.toml`` from the working directory and from the app's own
    folder; a link there points to the one at the root, so the look is the same from any folder.
    ``HOSTED`` as app runs the dashboard as a host does. ``settings`` are variables for it.
    """
    port = port or free_port()
    command = [
        *(sys.executable, *platform, "run", str(app)),
        *("--server.address", "127.0.0.1", "--server.port", str(port)),
        *("--server.headless", "true", "--server.fileWatcherType", "none"),
        *("--browser.gatherUsageStats", "false"),
    ]
    # Options of the person who runs the tests must not reach the dashboard under test.
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAMLIT_")}
    environment |= {"STREAMLIT_SERVER_BASE_URL_PATH": prefix.strip("/"), **settings}
    if app == HOSTED:
        command = [sys.executable, str(app)]
        environment |= {"ADDRESS": "127.0.0.1", "PORT": str(port)}
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
    server = Server(f"127.0.0.1:{port}", log_file, prefix, process=process)
    try:
        wait_until_healthy(process, server)
        yield server
    finally:
        end_group(process)


def free_port() -> int:
    """A port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until_healthy(process: subprocess.Popen[bytes], server: Server) -> None:
    """Wait until it answers; raise with its log when it ends or stays silent."""
    for _ in range(READY_WITHIN):
        if healthy(server):
            return
        try:
            status = process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            continue
        raise RuntimeError(f"the server ended with status {status} at its start:\n{server.log}")
    raise RuntimeError(f"the server did not become healthy:\n{server.log}")


def healthy(server: Server) -> bool:
    """Whether its health address says so; a certificate of our own is taken as it is."""
    connection = (
        http.client.HTTPSConnection(
            server.host, timeout=5, context=ssl._create_unverified_context()
        )
        if server.scheme == "https"
        else http.client.HTTPConnection(server.host, timeout=5)
    )
    try:
        connection.request("GET", f"{server.prefix}/_stcore/health")
        return connection.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        connection.close()


def end_group(process: subprocess.Popen[bytes], *signs: signal.Signals) -> None:
    """End a process and all that it started; asked first, by default."""
    for sign in signs or (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(timeout=10)
        except ProcessLookupError:
            process.wait()
            return
        except subprocess.TimeoutExpired:
            continue
