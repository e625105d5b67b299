"""Whether a hosted dashboard works and is closed where it must be: ``python deploy/check.py URL``.

URL is where the front page answers, its prefix included. Prints a line a check; ends with 1 where
one fails. A page that loads says little, so the socket is opened and every page is run through it.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import ssl
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from websockets.exceptions import InvalidStatus

from dashboard.link import MAX_CHARACTERS, PAGES
from deploy.visit import visit

ELSEWHERE = "https://elsewhere.invalid"
STRICT = {
    "content-security-policy": "default-src 'self'",
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
}
# Three bytes of UTF-8 a character, nine characters of an address.
LONG = "字" * MAX_CHARACTERS
# As much of it as Python's own client takes back in one header.
LONG_REDIRECT = LONG[:6000]


class Wrong(Exception):  # noqa: N818
    """What a check found."""


@dataclass(frozen=True)
class Host:
    """Where the dashboard is asked for."""

    address: str
    trusted: str | None = None

    @property
    def tls(self) -> ssl.SSLContext | None:
        """How its certificate is judged; None where it has none."""
        if urlsplit(self.address).scheme != "https":
            return None
        return ssl.create_default_context(cafile=self.trusted)

    def ask(
        self, path: str, method: str = "GET", body: str | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of one answer; redirects are not followed."""
        where = urlsplit(self.address)
        connection = (
            http.client.HTTPSConnection(where.netloc, timeout=30, context=self.tls)
            if self.tls
            else http.client.HTTPConnection(where.netloc, timeout=30)
        )
        try:
            connection.request(method, where.path.rstrip("/") + path, body, SENT if body else {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def redirect(self, path: str) -> str:
        """The whole address that an answer sends on to."""
        status, headers, _ = self.ask(path)
        to = headers.get("location", "")
        if status not in (301, 302, 307, 308) or not to:
            raise Wrong(f"{path[:40]} answers {status}, no redirect")
        where = urlsplit(self.address)
        return f"{where.scheme}://{where.netloc}{to}" if to.startswith("/") else to


SENT = {"Content-Type": "application/json"}


def health(host: Host) -> None:
    """The health address says ok."""
    status, _, body = host.ask("/_stcore/health")
    if (status, body) != (200, b"ok"):
        raise Wrong(f"it answers {status} {body[:40]!r}")


def pages(host: Host) -> None:
    """Every page runs through the socket, and draws."""

    async def run() -> None:
        for page in PAGES:
            async with visit(host.address, ssl=host.tls) as visitor:
                await asyncio.wait_for(visitor.open("" if page == PAGES[0] else page), 60)
            drawn = [str(element.WhichOneof("type")) for element in visitor.elements]
            if visitor.faults() or "vega_lite_chart" not in drawn:
                raise Wrong(f"{page} draws {sorted(set(drawn))}")

    asyncio.run(run())


def long_links(host: Host) -> None:
    """The longest link loads, and a slash at the end of a page loses nothing of it."""
    query = f"?{urlencode({'v': 1, 'text': LONG})}"
    status, _, _ = host.ask(f"/{query}")
    if status != 200:
        raise Wrong(f"{len(query):,} characters answer {status}")
    query = f"?{urlencode({'v': 1, 'text': LONG_REDIRECT})}"
    to = host.redirect(f"/edit/{query}")
    if to != f"{host.address.rstrip('/')}/edit{query}":
        raise Wrong(f"/edit/ with {len(query):,} characters goes to {to[:80]}")


def prefix(host: Host) -> None:
    """A prefix without its slash leads to the same view, by the same scheme."""
    root = host.address.rstrip("/")
    if urlsplit(root).path:
        to = host.redirect("?sharpness=2.5")
        if to != f"{root}/?sharpness=2.5":
            raise Wrong(f"it goes to {to}")


def programs(host: Host) -> None:
    """The interface that lets programs drive the app refuses."""
    for path in ("interact", "mcp"):
        status, _, body = host.ask(f"/_stcore/agent/{path}", "POST", "{}")
        if status not in (400, 403, 404) or (status == 400 and b"not_available" not in body):
            raise Wrong(f"{path} answers {status} {body[:80]!r}")


def origins(host: Host) -> None:
    """A page of another host may not open the socket."""

    async def run() -> None:
        async with visit(host.address, origin=ELSEWHERE, ssl=host.tls):
            raise Wrong("it was let in")

    try:
        asyncio.run(run())
    except InvalidStatus as refusal:
        if refusal.response.status_code != 403:
            raise Wrong(f"it answers {refusal.response.status_code}") from refusal


def forgeries(host: Host) -> None:
    """A file sent without the page's token is refused."""
    status, _, _ = host.ask("/_stcore/upload_file/session/file", "PUT", "forged")
    if status not in (403, 404):
        raise Wrong(f"it answers {status}")


def strict_headers(host: Host) -> None:
    """Answers carry the strict headers (`deploy/serve.py` sends them, `streamlit run` cannot)."""
    for path in ("/", "/edit", "/_stcore/health", "/_stcore/host-config"):
        _, headers, _ = host.ask(path)
        for name, start in STRICT.items():
            if not headers.get(name, "").startswith(start):
                raise Wrong(f"{path} says {name}: {headers.get(name)}")


CHECKS: tuple[Callable[[Host], None], ...] = (
    health,
    pages,
    long_links,
    prefix,
    programs,
    origins,
    forgeries,
    strict_headers,
)


def failures(host: Host) -> dict[str, str]:
    """What each failed check found, by the sentence of the check."""
    found = {}
    for check in CHECKS:
        try:
            check(host)
        except (Wrong, OSError, TimeoutError, http.client.HTTPException, InvalidStatus) as fault:
            found[str(check.__doc__)] = f"{fault or type(fault).__name__}"
    return found


def main() -> int:
    """Print what holds and what does not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="where the front page answers, prefix included")
    parser.add_argument("--ca", help="a certificate to trust beside those of this machine")
    chosen = parser.parse_args()
    failed = failures(Host(chosen.url, chosen.ca))
    for check in CHECKS:
        fault = failed.get(str(check.__doc__))
        print("FAILED" if fault else "holds ", check.__doc__, fault or "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
