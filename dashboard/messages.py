"""Messages in the platform's own boxes: Markdown, in which user text stays literal."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.charts.labels import visible
from dashboard.link import REPLACED, UNKNOWN, UNREAD, Note


def code(text: str) -> str:
    """User text inside a Markdown message, as a code span, in which nothing is Markdown."""
    shown = (
        "".join(visible(character) if character != " " else " " for character in text) or "⟨empty⟩"
    )
    longest, run = 0, 0
    for character in shown:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}"


def link_notes(notes: Sequence[Note]) -> None:
    """A visible note for what a link asked for in vain."""
    if notes:
        told = ["This link holds something that could not be used.", *map(_told, notes)]
        st.warning("\n\n".join(told))


def _told(note: Note) -> str:
    """One note as a sentence."""
    if note.reason == UNKNOWN:
        what = "are not settings" if note.several else "is not a setting"
        were = "were" if note.several else "was"
        return f"{code(note.parameter)} {what} of these pages and {were} left out."
    if note.reason == UNREAD:
        return (
            "The address is too long for the server, or has too many parameters "
            f"({note.came}): nothing of it was used."
        )
    if note.reason == REPLACED:
        return (
            f"{code(note.parameter)} holds {code(REPLACED)}, which stands for what could not "
            "be read as text. If nobody typed it, this link is damaged."
        )
    used = f"{code(note.used)} is used instead" if note.used else "it was left out"
    return f"{code(note.parameter)} came as {code(note.came)}, but {note.reason}; {used}."
