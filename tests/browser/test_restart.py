"""A server that ends and starts again under an open tab: the view comes back from its address."""

from contextlib import ExitStack
from pathlib import Path

from tests.browser import server as servers
from tests.browser.conftest import Arrive


def test_a_tab_outlives_its_server(arrive: Arrive, after_visits: ExitStack, tmp_path: Path) -> None:
    with servers.serve(tmp_path, tmp_path / "first.txt") as first:
        visitor = arrive(first)
        visitor.open("/edit", {"text": "a cat ran home", "sharpness": "2.5", "at": "4"})
        visitor.fill("with", "king")
        visitor.toggle("Causal mask")
        address, shown = visitor.page.url, visitor.seen()
    port = int(first.host.rpartition(":")[2])
    with visitor.page.expect_event("websocket"):
        after_visits.enter_context(servers.serve(tmp_path, tmp_path / "second.txt", port=port))
    visitor.page.wait_for_function(
        "() => document.querySelector('[data-testid=stApp]').dataset.testConnectionState"
        " === 'CONNECTED'"
    )
    visitor.settle()
    assert visitor.page.url == address
    assert visitor.seen() == shown
    # And it goes on from there, with the first change that is made.
    visitor.fill("with", "queen")
    assert (visitor.held("with"), visitor.query["to"]) == ("queen", "queen")
    visitor.toggle("Causal mask")
    assert "causal" not in visitor.query
    # What the browser said while nobody answered is the platform's.
    assert [problem for problem in visitor.problems if first.host not in problem] == []
    visitor.problems.clear()
