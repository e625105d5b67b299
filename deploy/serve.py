"""The dashboard as a host runs it: ``python deploy/serve.py``, on the PORT and ADDRESS it is given.

Beside what ``streamlit run dashboard/app.py`` does, answers carry strict headers, and an address
may be as long as Streamlit itself takes. Streamlit's own settings work here too: in
``.streamlit/config.toml``, or as variables such as STREAMLIT_SERVER_BASE_URL_PATH=a/prefix.
"""

import os
import re
import sys
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import streamlit as st
import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.web.bootstrap import load_config_options

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dashboard.about import VERSION

# Bytes of a request up to the end of its headers. Streamlit drops a query over 512 KiB.
MAX_REQUEST = 640 * 1024

# Who may show the dashboard in a frame (`?embed=true`): any page that came over https, and pages
# of the machine itself. Nobody signs in here, so there is nothing to be tricked into.
FRAME_ANCESTORS = os.environ.get(
    "FRAME_ANCESTORS", "'self' https: http://localhost:* http://127.0.0.1:*"
)


def inline_scripts() -> str:
    """The scripts inside Streamlit's page as sources of a policy: by hash, so no other runs."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_bytes()
    scripts = re.findall(rb"<script>(.*?)</script>", page, re.DOTALL)
    return " ".join(f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts)


HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            # Streamlit styles its page from its scripts, and pictures are drawn as data.
            "style-src 'self' 'unsafe-inline'",
            # The live picture is a component, whose script Streamlit loads from memory.
            f"script-src 'self' blob: {inline_scripts()}",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            f"frame-ancestors {FRAME_ANCESTORS}",
        )
    ),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # A link holds the sentence: no other host, and no log of requests, learns it from here.
    "Referrer-Policy": "strict-origin",
    "X-Content-Type-Options": "nosniff",
}


class Guard:
    """Puts HEADERS on every answer, and turns sockets of other hosts' pages away.

    Streamlit turns those away too, but asks the web for its own address first, and while it waits
    nobody else is served.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass an answer on with its headers, or close a socket before it is open."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["type"] == "websocket" and is_foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


def is_foreign(headers: Headers) -> bool:
    """Whether a page of another host asks, which the settings do not allow."""
    origin = headers.get("origin")
    if origin is None or not st.get_option("server.enableCORS"):
        return False
    own = urlsplit(origin).netloc == headers.get("host")
    return not own and origin not in st.get_option("server.corsAllowedOrigins")


app = st.App(
    Path(__file__).resolve().parents[1] / "dashboard" / "app.py",
    middleware=[Middleware(Guard)],
)


def settings_from_environment() -> dict[str, Any]:
    """Streamlit's settings among the variables, which its own command line alone would read."""
    read: dict[type, Callable[[str], Any]] = {
        bool: lambda text: text.lower() in ("1", "true", "yes"),
        int: int,
        float: float,
    }
    return {
        name: read.get(option.type, str)(os.environ[option.env_var])
        for name, option in config._config_options_template.items()
        if os.environ.get(option.env_var)
    }


def prepare() -> None:
    """Load, before the first visit, what it would wait a second for: all that the pages stand on.

    One chart is built too, for what Altair sets up with its first.
    """
    for module in ("controls", "charts.spread", "long.edit", "long.order", "long.weights"):
        import_module(f"dashboard.{module}")
    live_grid = import_module("dashboard.charts.live_grid")
    live_grid.given_difference(np.zeros((1, 1)), ["1"], alt_text="")


def main() -> None:
    """Serve until told to end."""
    prepare()
    # On a host, files change with a new start only.
    load_config_options({"server.fileWatcherType": "none"} | settings_from_environment())
    address = os.environ.get("ADDRESS") or st.get_option("server.address") or "0.0.0.0"
    port = int(os.environ.get("PORT") or st.get_option("server.port"))
    print(f"Attention explorer {VERSION} answers on port {port} of {address}", flush=True)
    uvicorn.run(
        app,
        host=address,
        port=port,
        access_log=False,  # a line a request would hold the sentence
        h11_max_incomplete_event_size=MAX_REQUEST,
        http="h11",
        log_level="warning",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=int(st.get_option("server.maxWidgetStateSize") * 1e6),
    )


if __name__ == "__main__":
    main()
