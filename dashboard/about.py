"""What the dashboard is: its version, its licence, and where its source is."""

from __future__ import annotations

import os

VERSION = "0.1.0"
LICENCE = "MIT"


def about() -> str:
    """The text of About in the page's menu, as Markdown.

    Whoever runs the dashboard may name the place of its source in the variable SOURCE_URL.
    """
    place = os.environ.get("SOURCE_URL", "").strip()
    if place.startswith(("https://", "http://")) and not set(place) & set(" <>()[]"):
        source = f"Source: <{place}>"
    else:
        source = "Ask whoever runs this server for its source: it is one folder with a README."
    return (
        f"**Attention explorer {VERSION}**, under the {LICENCE} licence: "
        f"free to use, change and share.\n\n{source}"
    )
