"""What a moved sharpness costs: what is sent, and what is left as it was."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from streamlit.proto.Element_pb2 import Element

from core import LessonHead
from dashboard.charts.labels import exact
from dashboard.link import WINDOW, View, share_query
from deploy.visit import Visitor, visit
from tests.browser.server import APP, HOSTED, ROOT, Server, serve


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("costs")
    with serve(folder, folder / "log.txt", HOSTED) as running:
        yield running


def moved(server: Server, page: str = "", n: int = 0) -> Visitor:
    """A visitor whose sharpness has just moved, on a sentence of n tokens or the lesson's."""

    async def move() -> Visitor:
        link = f"/?{share_query(View(text=text(n)), page or 'weights')}" if n else ""
        async with visit(server.address + link) as visitor:
            await visitor.open(page)
            await visitor.change("Sharpness β", 2.5)
            return visitor

    visitor = asyncio.run(move())
    assert visitor.faults() == []
    assert "sharpness=2.5" in visitor.query
    return visitor


def text(n: int) -> str:
    words = ["the", "cat", "sat", "on", "mat", *(f"w{i}" for i in range(n))]
    return " ".join(words[i * i % len(words)] for i in range(n))


def kinds(visitor: Visitor) -> Counter[str]:
    return Counter(str(element.WhichOneof("type")) for element in visitor.drawn_anew())


@pytest.mark.parametrize(("page", "still", "follow"), [("", 1, 2), ("edit", 3, 2), ("order", 3, 2)])
def test_a_moved_sharpness_draws_what_follows_it_and_nothing_else(
    hosted: Server, page: str, still: int, follow: int
) -> None:
    visitor = moved(hosted, page)
    drawn = kinds(visitor)
    assert drawn["vega_lite_chart"] == follow  # the matrices move by themselves
    assert (
        sum(e.WhichOneof("type") == "vega_lite_chart" for e in visitor.elements) == still + follow
    )
    assert drawn["slider"] == 1
    for control in ("text_input", "checkbox", "radio", "button", "selectbox", "number_input"):
        assert drawn[control] == 0, control
    assert visitor.received <= 70_000


# What each page sends when the sharpness moves, beside the slider and what the browser does: a
# claim, a table of rows (that of checks is with the claim), and two pictures under their words.
FOLLOWS = {"": 4, "edit": 4, "order": 3}


@pytest.mark.parametrize("n", [0, 64])
@pytest.mark.parametrize("page", FOLLOWS)
def test_a_moved_sharpness_sends_as_few_messages_as_it_can(
    hosted: Server, page: str, n: int
) -> None:
    visitor = moved(hosted, page, n)
    assert kinds(visitor) == Counter(
        ["slider", "bidi_component", *["vega_lite_chart"] * 2, *["html"] * FOLLOWS[page]]
    )
    assert visitor.messages == sum(kinds(visitor).values()) + 8  # the platform's own, and 3 places


def test_garbage_is_collected_after_a_whole_page_and_not_after_a_moved_sharpness(
    tmp_path: Path,
) -> None:
    async def move(address: str) -> None:
        async with visit(address) as visitor:
            await visitor.open()
            for turn in range(20):
                await visitor.change("Sharpness β", 1.5 + turn % 3)
            await visitor.change("Causal mask", True)

    collector = (str(Path(__file__).with_name("collector.py")),)
    with serve(ROOT, tmp_path / "log.txt", APP, platform=collector) as server:
        asyncio.run(move(server.address))
    found = re.findall(r"run collected (\d+) times with (\d+) set aside", server.log)
    first, *moves, last = [int(times) for times, _ in found]
    assert first >= 1
    assert last >= 1
    assert len(moves) == 20
    assert sum(moves) <= 3  # of Python's own, when much was made
    aside = [int(objects) for _, objects in found]
    assert min(aside) > 100_000
    assert max(aside) - min(aside) < 10_000  # once: what came after the first page is collected


def test_what_is_open_follows_too(hosted: Server) -> None:
    async def move() -> Visitor:
        async with visit(f"{hosted.address}/") as visitor:
            await visitor.open()
            await visitor.change("Sharpness β", 2.5)
            before = visitor.text()
            await visitor.unfold("The numbers as tables")
            assert visitor.text() != before
            await visitor.change("Sharpness β", 3.0)
            return visitor

    visitor = asyncio.run(move())
    assert visitor.faults() == []
    tables = [e.html.body for e in visitor.drawn_anew() if "Weights: row" in str(e.html.body)]
    assert len(tables) == 1
    reading = LessonHead().attend(View().tokens, sharpness=3.0)
    assert exact(reading.weights[2, 1]) in tables[0]


@pytest.mark.parametrize("page", ["", "edit", "order"])
@pytest.mark.parametrize(("n", "most"), [(64, 150_000), (512, 250_000), (2048, 300_000)])
def test_a_long_text_costs_no_more_than_is_promised(
    hosted: Server, page: str, n: int, most: int
) -> None:
    visitor = moved(hosted, page, n)
    assert visitor.messages <= 50
    assert visitor.received <= most


def drawn_after(
    hosted: Server, page: str, *, sharpness: float = 2.0, **fields: float
) -> list[Element]:
    """What a page of 512 tokens draws anew when one of its controls has moved."""

    async def move() -> list[Element]:
        link = f"/?{share_query(View(text=text(512)), page)}"
        async with visit(hosted.address + link) as visitor:
            await visitor.open("" if page == "weights" else page)
            await visitor.change("Sharpness β", sharpness)
            for label, value in fields.items():
                await visitor.change(label, value)
            return visitor.drawn_anew()

    return asyncio.run(move())


def kinds_of(elements: list[Element]) -> list[str]:
    return [str(element.WhichOneof("type")) for element in elements]


def tables_of(element: Element) -> list[str]:
    return [dataset.name for dataset in element.vega_lite_chart.datasets]


def test_the_window_that_the_eye_waits_for_comes_first(hosted: Server) -> None:
    came = drawn_after(hosted, "weights", **{"From row": 5.0})
    kinds = kinds_of(came)
    first = kinds.index("vega_lite_chart")
    assert "cells" in tables_of(came[first])
    assert "slider" in kinds[first:]  # of the sidebar, which stands before all pictures
    assert kinds.count("vega_lite_chart") == 4  # all but the picture of all weights


@pytest.mark.parametrize(
    ("page", "charts", "given"), [("weights", 4, 0), ("edit", 2, 0), ("order", 2, 1)]
)
def test_a_moved_sharpness_sends_no_matrix_of_a_long_text(
    hosted: Server, page: str, charts: int, given: int
) -> None:
    came = drawn_after(hosted, page)
    assert kinds_of(came).count("vega_lite_chart") == charts
    # The gap between two orders alone is not worked out by the page.
    assert sum("image" in tables_of(element) for element in came) == given
    vectors = [e for e in came if e.bidi_component.component_name == "attention_pooled"]
    assert vectors == []


@pytest.mark.parametrize("n", [0, 64, 512])
@pytest.mark.parametrize("page", ["", "edit", "order"])
def test_nothing_is_sent_by_the_name_of_what_was_sent_before(
    hosted: Server, page: str, n: int
) -> None:
    assert moved(hosted, page, n).cacheable == 0


def test_no_table_of_a_long_text_grows_with_it(hosted: Server) -> None:
    charts = [
        e.vega_lite_chart for e in moved(hosted, n=2048).elements if e.HasField("vega_lite_chart")
    ]
    assert len(charts) == 5
    for chart in charts:
        for dataset in chart.datasets:
            rows = pa.ipc.open_stream(dataset.data.data).read_all().num_rows
            assert rows <= WINDOW * WINDOW, dataset.name
