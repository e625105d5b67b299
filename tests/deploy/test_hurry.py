"""Who moves a second control before the browser shows what the first one did loses neither.

The browser sends every control along as it still shows it; so does the visitor here, always.
"""

import asyncio
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest

from dashboard.orders import rotated
from deploy.visit import visit
from tests.browser.server import HOSTED, Server, serve

ORDER, MASK, SHARPNESS = "New order of the positions", "Causal mask", "Sharpness β"
TYPED = "2-1-3-4-5-6"
ROTATED = "-".join(map(str, rotated((2, 1, 3, 4, 5, 6))))


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hurry")
    with serve(folder, folder / "log.txt", HOSTED) as running:
        yield running


def query_after(server: Server, page: str, link: str, *moves: tuple[str, object]) -> dict[str, str]:
    """The query of the address after some moves; one without a value is of what unfolds."""

    async def move() -> str:
        async with visit(server.address + "/" + link) as visitor:
            await visitor.open(page)
            for label, value in moves:
                if value is None:
                    await visitor.unfold(label)
                else:
                    await visitor.change(label, value)
            assert visitor.faults() == []
            return visitor.query

    return {name: value for name, (value,) in parse_qs(asyncio.run(move())).items()}


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ((MASK, True), {"causal": "true"}),
        ((SHARPNESS, 2.5), {"sharpness": "2.5"}),
        (("Sentence", "a b c d e f"), {"text": "a b c d e f"}),
        (("The numbers as tables", None), {}),
        (("Share this view", None), {}),
    ],
)
def test_an_order_set_by_a_button_outlives_the_next_move(
    hosted: Server, then: tuple[str, object], told: dict[str, str]
) -> None:
    found = query_after(hosted, "order", "", (ORDER, TYPED), ("Rotate by one", True), then)
    assert found == {"v": "1", "order": ROTATED} | told


def test_two_buttons_in_a_row_both_count(hosted: Server) -> None:
    twice = "-".join(map(str, rotated(rotated((2, 1, 3, 4, 5, 6)))))
    press = ("Rotate by one", True)
    assert query_after(hosted, "order", "", (ORDER, TYPED), press, press)["order"] == twice


def test_an_order_that_is_typed_again_is_taken(hosted: Server) -> None:
    moves = ((ORDER, TYPED), ("Rotate by one", True), (ORDER, TYPED))
    assert query_after(hosted, "order", "", *moves)["order"] == TYPED


def test_a_new_head_and_a_reset_outlive_the_next_move(hosted: Server) -> None:
    moves = (("Seed", 5), ("New head", True), (MASK, True))
    assert query_after(hosted, "", "?head=random", *moves)["seed"] == "6"
    moves = ((SHARPNESS, 2.5), ("Reset to the lesson", True), (MASK, True))
    assert query_after(hosted, "", "", *moves) == {"v": "1", "causal": "true"}
    moves = ((SHARPNESS, 2.5), ("Reset to the lesson", True), (SHARPNESS, 2.5))
    assert query_after(hosted, "", "", *moves) == {"v": "1", "sharpness": "2.5"}


@pytest.mark.parametrize("which", ["From row", "From column"])
def test_a_window_keeps_the_number_that_was_not_moved(hosted: Server, which: str) -> None:
    link = f"?text={'+'.join('abcdefghij' * 20)}&window=20-30"
    found = query_after(hosted, "", link, (which, 40))
    assert found["window"] == {"From row": "40-30", "From column": "20-40"}[which]
