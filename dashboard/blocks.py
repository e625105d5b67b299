"""What pages are built of: prose, tables, pictures; user text passes here and stays literal."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa  # Streamlit's own way to carry tables
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from dashboard import exports
from dashboard.charts.labels import exact, visible
from dashboard.charts.picture import Columns, Lasting, Picture
from dashboard.link import SHORT, View
from dashboard.session import current_view, notice

FEW = 16  # rows and columns up to which a table is plain text
BEGINNING, END = 24, 8  # tokens of a long sentence that are shown
HALVES = "halves"  # a place in which texts and their pictures stand side by side, as styled
STYLE = Path(__file__).with_name("style.css")


def prose(*paragraphs: str, finding: bool = False, small: str = "") -> None:
    """Paragraphs of HTML whose tokens were marked by `words.emphasised`; a quiet one at the end."""
    st.html(_prose(paragraphs, finding=finding, small=small))


def _prose(paragraphs: Sequence[str], *, finding: bool = False, small: str = "") -> str:
    kind = ' class="finding"' if finding else ""
    texts = [f"<p{kind}>{text}</p>" for text in paragraphs]
    if small:
        texts.append(f'<p class="small">{small}</p>')
    return f'<div class="prose">{"".join(texts)}</div>'


def small(text: str) -> None:
    """A quiet line below a picture or a control."""
    prose(small=text)


def section(title: str, *paragraphs: str) -> None:
    """A heading and its paragraphs, as one block; tokens in it are marked `words.emphasised`."""
    st.html(f'<h2 class="heading">{title}</h2>{_prose(paragraphs)}')


def panel_title(text: str) -> None:
    """The name of one picture among several side by side."""
    st.html(f'<h2 class="panel">{text}</h2>')


def literal(text: str) -> str:
    """Text as HTML that shows it character for character."""
    return f'<bdi dir="ltr">{html.escape(text)}</bdi>'


def token_at(token: str) -> None:
    """The token at a position that was chosen by number, beside that number."""
    st.html(f'<p class="token"><bdi>{html.escape(visible(token))}</bdi></p>')


def sentence(tokens: Sequence[str], numbers: Sequence[int] | None = None, title: str = "") -> None:
    """A titled sentence as numbered tokens; `numbers` are positions, 1 … n by default.

    Of a long one, its beginning and its end.
    """
    pairs = [*zip(numbers or range(1, len(tokens) + 1), tokens, strict=True)]
    left_out = len(pairs) - BEGINNING - END if len(pairs) > SHORT else 0
    items = [
        f"<li><small>{number}</small> <bdi>{html.escape(visible(token))}</bdi></li>"
        for number, token in (pairs[:BEGINNING] + pairs[-END:] if left_out else pairs)
    ]
    if left_out:
        items.insert(BEGINNING, f'<li class="more">… {left_out:,} more …</li>')
    st.html(
        f'<h2 class="panel">{title}</h2>'
        f'<ol class="sentence" aria-label="{title}">{"".join(items)}</ol>'
    )


def html_table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    chosen: int | None = None,
    *,
    above: str = "",
    below: Sequence[str] = (),
    small: str = "",
) -> None:
    """A table of ready HTML cells; the first column heads its row.

    A finding may stand above it, paragraphs and a quiet line below: one element of the page is
    sent and drawn sooner than several.
    """
    parts = [
        _prose([above], finding=True) if above else "",
        f"<div>{_table(caption, head, rows, chosen)}</div>",
        _prose(below, small=small) if below or small else "",
    ]
    st.html(f'<div class="stack">{"".join(parts)}</div>')


def _table(
    caption: str, head: Sequence[str], rows: Sequence[Sequence[str]], chosen: int | None = None
) -> str:
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr{" class=chosen" if i == chosen else ""}><th scope="row">{row[0]}</th>'
        + "".join(f"<td{_breakable(cell)}>{cell}</td>" for cell in row[1:])
        + "</tr>"
        for i, row in enumerate(rows)
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{_attribute(caption)}">'
        f'<table class="numbers"><caption>{caption}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _attribute(markup: str) -> str:
    """Ready HTML as the text of an attribute: its tags dropped, its entities kept."""
    return re.sub(r"<[^>]*>", "", markup)


def _breakable(cell: str) -> str:
    """Keep a word or a number on one line; only prose and tokens may break."""
    return " class=long" if len(cell) >= 16 or "<" in cell else ""


@dataclass(frozen=True)
class Numbers:
    """A matrix under its labels; a frame is made of it only where one is asked for."""

    values: NDArray[np.floating[Any]]
    rows: Sequence[str]
    columns: Sequence[str]

    def frame(self) -> pd.DataFrame:
        """The same as a frame."""
        return pd.DataFrame(self.values, index=list(self.rows), columns=list(self.columns))


def numbers_and_files(
    page: str,
    link: Callable[[], str],
    pictures: Callable[[], Mapping[str, Picture]],
    tables: Callable[[], Mapping[str, Numbers]],
) -> None:
    """The numbers of a page as tables, and its pictures and numbers as files.

    What is not open costs nothing: tables and files are made when they are asked for.
    """
    view = current_view()
    shown = numbers_opened(page)
    if shown is not None:
        with shown:
            number_tables(tables())
    files = files_opened(page)
    if files is not None:
        with files:
            save_buttons(view, page, link(), pictures(), tables())


def numbers_opened(page: str) -> DeltaGenerator | None:
    """Where the numbers of a page are, if it is open."""
    place = st.expander("The numbers as tables", on_change=notice, key=f"{page}_tables")
    return place if place.open else None


def files_opened(page: str) -> DeltaGenerator | None:
    """Where its files are, if it is open."""
    place = st.expander("Save pictures and numbers", on_change=notice, key=f"{page}_files")
    return place if place.open else None


def number_tables(tables: Mapping[str, Numbers]) -> None:
    """Matrices as tables: plain text where they are small, scrolled in themselves where large."""
    small: list[str] = []
    for caption, numbers in tables.items():
        if max(numbers.values.shape) <= FEW:
            small.append(_number_table(caption, numbers))
            continue
        st.html("".join([*small, f"<p><strong>{literal(caption)}</strong></p>"]))
        st.dataframe(numbers.frame(), alt=caption)
        small.clear()
    if small:
        st.html("".join(small))


def _number_table(caption: str, numbers: Numbers) -> str:
    rows = [
        (literal(name), *(exact(value) for value in row))
        for name, row in zip(numbers.rows, numbers.values.tolist(), strict=True)
    ]
    return _table(literal(caption), ("", *map(literal, numbers.columns)), rows)


def save_buttons(
    view: View,
    page: str,
    link: str,
    pictures: Mapping[str, Picture],
    numbers: Mapping[str, Numbers],
) -> None:
    """A button for each file of a page."""
    tables = {name: matrix.frame() for name, matrix in numbers.items()}
    theme: exports.Theme = "dark" if st.context.theme.type == "dark" else "light"
    with st.container(horizontal=True):
        _save("Numbers", "csv", "text/csv", view, page, lambda: exports.numbers_csv(tables))
        _save(
            "Numbers, settings and link",
            "json",
            "application/json",
            view,
            page,
            lambda: exports.view_json(view, link, tables),
        )
    for name, picture in pictures.items():
        with st.container(horizontal=True):
            _save(
                name,
                "png",
                "image/png",
                view,
                name,
                partial(exports.picture_file, picture, "png", theme),
            )
            _save(
                name,
                "svg",
                "image/svg+xml",
                view,
                name,
                partial(exports.picture_file, picture, "svg", theme),
            )


def _save(
    name: str, ending: str, mime: str, view: View, what: str, make: Callable[[], str | bytes]
) -> None:
    """A button that makes its file only when it is pressed."""
    st.download_button(
        f"{name} as {ending.upper()}",
        make,
        exports.file_name(view, what, ending),
        mime,
        key=f"save_{name}_{ending}",
        on_click="ignore",
    )


def _arrow(columns: Columns) -> bytes:
    """A table in the form in which the platform sends it to the browser."""
    if not isinstance(columns, Lasting):
        return _written(columns)
    columns.written = columns.written or _written(columns)
    return columns.written


def _written(columns: Columns) -> bytes:
    whole = pa.table(columns)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, whole.schema) as stream:
        stream.write_table(whole)
    return bytes(sink.getvalue())


def show(
    picture: Picture,
    key: str,
    *,
    selection: str | None = None,
    on_select: Callable[[], None] | None = None,
) -> None:
    """Draw a picture; with a `selection`, a click in it calls `on_select` before the rerun."""
    spec = {**picture.spec, "datasets": {k: _arrow(v) for k, v in picture.data.items()}}
    picture_names()[key] = picture.alt
    if selection is None or on_select is None:
        st.vega_lite_chart(None, spec, key=key, width="stretch")
    else:
        st.vega_lite_chart(
            None, spec, key=key, width="stretch", on_select=on_select, selection_mode=selection
        )


def picture_names() -> dict[str, str]:
    """The accessible names of the pictures on the page, by key, in the order of the page."""
    names: dict[str, str] = st.session_state.setdefault("picture_names", {})
    return names
