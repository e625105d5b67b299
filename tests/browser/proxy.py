"""A real nginx under the settings that are shipped, in front of servers on the loopback."""

import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.browser.server import (
    HOSTED,
    ROOT,
    Server,
    end_group,
    free_port,
    serve,
    wait_until_healthy,
)

SETTINGS = ROOT / "deploy" / "nginx.conf"
# What a distribution's own nginx.conf holds around the files of conf.d.
AROUND = """
daemon off;
user root;
worker_processes 2;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 4096; }}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/dashboard.conf;
}}
"""


def missing() -> list[str]:
    """The programs that a proxy needs and this machine lacks."""
    return [program for program in ("nginx", "openssl") if shutil.which(program) is None]


@dataclass(frozen=True)
class Site:
    """One address, and what answers behind it; all its files lie in one folder."""

    front: Server
    replicas: tuple[Server, ...]
    folder: Path

    def logs(self) -> str:
        """What nginx and the replicas have written so far."""
        return "\n".join(path.read_text(encoding="utf-8") for path in self.folder.glob("*log*"))


@contextmanager
def site(folder: Path, *, prefix: str = "", tls: bool = False) -> Iterator[Site]:
    """Two replicas as a host runs them, and nginx before them."""
    with ExitStack() as stack:
        replicas = tuple(
            stack.enter_context(serve(folder, folder / f"log-{i}.txt", HOSTED, prefix=prefix))
            for i in (1, 2)
        )
        yield Site(stack.enter_context(proxy(replicas, folder, tls=tls)), replicas, folder)


@contextmanager
def proxy(replicas: Sequence[Server], folder: Path, *, tls: bool = False) -> Iterator[Server]:
    """Run nginx before the replicas; all its files are in ``folder``."""
    port = free_port()
    (folder / "dashboard.conf").write_text(settings(replicas, folder, port, tls), encoding="utf-8")
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder), encoding="utf-8")
    if tls:
        make_certificate(folder)
    log_file = folder / "log-nginx.txt"
    command = ["nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")]
    with log_file.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    host, scheme = f"127.0.0.1:{port}", "https" if tls else "http"
    server = Server(host, log_file, replicas[0].prefix, scheme, process)
    try:
        wait_until_healthy(process, server)
        yield server
    finally:
        end_group(process, signal.SIGQUIT, signal.SIGKILL)


def settings(replicas: Sequence[Server], folder: Path, port: int, tls: bool) -> str:
    """The shipped settings, with nothing changed but what they tell an operator to change."""
    text = SETTINGS.read_text(encoding="utf-8")
    listen = f"listen 127.0.0.1:{port}"
    if tls:
        listen += (
            f" ssl; ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem"
        )
    changes = {
        "127.0.0.1:8501 ": f"{replicas[0].host} ",
        "127.0.0.1:8502 ": f"{replicas[-1].host} ",
        "listen 80;": f"{listen};",
        "/var/log/nginx/": f"{folder}/",
        "/var/lib/nginx/dashboard ": f"{folder}/cache ",
    }
    for shipped, ours in changes.items():
        assert shipped in text, f"the settings no longer hold {shipped!r}"
        text = text.replace(shipped, ours)
    return text


def make_certificate(folder: Path) -> None:
    """A certificate for the loopback, signed by itself."""
    command = [
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
        *("-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")),
    ]
    subprocess.run(command, check=True, capture_output=True)
