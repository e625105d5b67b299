"""Two replicas behind a real nginx: every link opens, and a view outlives its replica."""

import http.client
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard.link import MAX_CHARACTERS
from tests.browser.conftest import Arrive
from tests.browser.driver import Visitor
from tests.browser.proxy import Site
from tests.browser.server import HOSTED, Server, serve

TITLES = {"/": "Copy or blend?", "/edit": "Change one token", "/order": "Shuffle the tokens"}
STATE = {"sharpness": "2.5", "text": "a fox sat by the mat & ran"}
MARK = "zebrafinch"


@pytest.fixture(
    scope="module",
    params=[("", False), ("/lessons/one", True)],
    ids=["http", "prefix-https"],
)
def a_site(request: pytest.FixtureRequest, raise_site: Callable[..., Site]) -> Site:
    prefix, tls = request.param
    return raise_site(prefix=prefix, tls=tls)


def shows(visitor: Visitor, path: str) -> None:
    """The page is the one asked for, on the address asked for, and holds the state of the link."""
    assert visitor.page.url.startswith(f"{visitor.server.address}{path}")
    assert visitor.query == STATE
    assert visitor.seen()["headings"][0] == TITLES[path]
    assert visitor.held("Sharpness β") == "2.5"
    assert visitor.held("Sentence") == STATE["text"]


def test_every_page_opens_and_reloads_through_the_proxy(arrive: Arrive, a_site: Site) -> None:
    visitor = arrive(a_site.front)
    for path in TITLES:
        visitor.open(path, STATE)
        shows(visitor, path)
        visitor.reload()
        shows(visitor, path)
        if path != "/":
            visitor.open(f"{path}/", STATE)
            shows(visitor, path)
    for title in ("Weights: copy or blend?", "Edit: change one token", "Order: shuffle the tokens"):
        visitor.follow(title)
        assert visitor.page.url.startswith(a_site.front.address + "/")
        assert visitor.held("Sentence") == STATE["text"]


def test_a_prefix_needs_no_slash(arrive: Arrive, a_site: Site) -> None:
    visitor = arrive(a_site.front)
    visitor.open("", STATE)
    shows(visitor, "/")
    visitor.open("")
    assert visitor.query == {}
    assert visitor.path == "/"


def test_a_shared_link_names_the_proxy_and_opens_the_same_view(
    arrive: Arrive, a_site: Site
) -> None:
    sender, reader = arrive(a_site.front), arrive(a_site.front)
    for path in TITLES:
        sender.open(path, STATE)
        sender.toggle("Causal mask")
        link = sender.shared_link()
        assert link.startswith(f"{a_site.front.address}{path}?")
        reader.arrive_at(link)
        assert reader.seen() == sender.seen()


def test_every_kind_of_part_obeys_the_policy(arrive: Arrive, a_site: Site) -> None:
    # Long sentences are drawn as images, and their tables by another part of the platform.
    visitor = arrive(a_site.front, colour_scheme="dark")
    visitor.open("/", {"text": " ".join(f"word{i}" for i in range(50))})
    visitor.page.get_by_text("The numbers as tables").click()
    visitor.settle()
    expect(visitor.page.get_by_test_id("stDataFrame").first).to_be_visible()
    assert visitor.problems == []


def test_the_longest_sentence_comes_through(arrive: Arrive, a_site: Site) -> None:
    text = "字" * (MAX_CHARACTERS - 4) + " a b"
    visitor = arrive(a_site.front)
    visitor.open("/edit/", {"text": text, "sharpness": "2.5"})
    assert visitor.query == {"text": text, "sharpness": "2.5"}
    expect(visitor.page.get_by_label("Sentence", exact=True)).to_have_value(text)


def test_a_saved_file_comes_whichever_replica_is_asked(arrive: Arrive, a_site: Site) -> None:
    visitor = arrive(a_site.front)
    visitor.open("/", STATE)
    visitor.page.get_by_text("Save pictures and numbers").click()
    visitor.settle()
    with visitor.page.expect_download() as coming:
        visitor.page.get_by_role("button", name="Numbers as CSV").click()
    assert "fox" in Path(coming.value.path()).read_text(encoding="utf-8")
    # Other browsers are sent to other replicas, and only one of the two has the file.
    for other in range(12):
        cookie = {"Cookie": f"_streamlit_xsrf={other}"}
        answer = visitor.page.request.get(coming.value.url, headers=cookie)
        assert answer.status == 200
        assert "fox" in answer.text()


@pytest.fixture
def course(after_visits: ExitStack) -> Callable[[str], str]:
    """Put up a page of another host, as a browser sees it, and tell its address."""

    def put_up(page: str) -> str:
        class Course(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *what: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Course)
        threading.Thread(target=server.serve_forever).start()
        after_visits.callback(server.server_close)
        after_visits.callback(server.shutdown)
        return f"http://localhost:{server.server_port}/"

    return put_up


def test_a_course_page_may_show_it_in_a_frame(
    arrive: Arrive, a_site: Site, course: Callable[[str], str]
) -> None:
    visitor = arrive(a_site.front)
    source = f"{a_site.front.address}/edit?embed=true&sharpness=2.5"
    address = course(f"<title>.</title><iframe src='{source}' width=1000 height=700></iframe>")
    visitor.page.goto(address)
    inside = visitor.page.frame_locator("iframe")
    expect(inside.get_by_role("heading", name=TITLES["/edit"])).to_be_visible()
    expect(inside.get_by_test_id("stVegaLiteChart").locator("svg").first).to_be_visible()
    others = [problem for problem in visitor.problems if address not in problem]
    assert others == []
    visitor.problems.clear()


def test_no_sentence_reaches_a_log(arrive: Arrive, a_site: Site) -> None:
    visitor = arrive(a_site.front)
    visitor.open("/edit/", {"text": f"the {MARK} sat", "to": MARK, "order": MARK, MARK: MARK})
    visitor.fill("Sentence", f"{MARK} sat down")
    visitor.follow("Order: shuffle the tokens")
    visitor.fill("New order of the positions", MARK)
    visitor.reload()
    for agent in ("interact", "mcp"):
        visitor.page.request.post(f"{a_site.front.address}/_stcore/agent/{agent}?{MARK}", data=MARK)
    assert "/_stcore/stream" in a_site.logs()
    assert MARK not in a_site.logs()


def sessions(replica: Server) -> int:
    """How many open tabs a replica holds."""
    connection = http.client.HTTPConnection(replica.host, timeout=30)
    connection.request("GET", f"{replica.prefix}/_stcore/metrics")
    told = connection.getresponse().read().decode()
    connection.close()
    found = re.search(r"^active_sessions (\d+)", told, re.MULTILINE)
    assert found, told
    return int(found[1])


def wait_for_all(replica: Server, visitors: Sequence[Visitor]) -> None:
    """Wait until every tab is open at one replica, and every page has come to rest."""
    for _ in range(600):
        if sessions(replica) >= len(visitors):
            break
        # What the browser tells of the way there is taken in between.
        visitors[0].page.wait_for_timeout(100)
    assert sessions(replica) == len(visitors)
    for visitor in visitors:
        visitor.find_server_again()


@pytest.mark.parametrize("prefix", ["", "/lessons"])
def test_every_view_outlives_its_replica(
    arrive: Arrive,
    raise_site: Callable[..., Site],
    tmp_path: Path,
    after_visits: ExitStack,
    prefix: str,
) -> None:
    site = raise_site(prefix=prefix)
    first, second = site.replicas
    visitors: list[Visitor] = []
    while not (sessions(first) and sessions(second) and len(visitors) >= len(TITLES)):
        assert len(visitors) < 12, "all keep to one replica"
        visitors.append(arrive(site.front))
        visitors[-1].open(list(TITLES)[len(visitors) % len(TITLES)], STATE)
        visitors[-1].toggle("Causal mask")
    before = [(visitor.page.url, visitor.seen()) for visitor in visitors]
    for visitor in visitors:
        visitor.may_lose_server = True

    first.end()
    wait_for_all(second, visitors)
    assert [(visitor.page.url, visitor.seen()) for visitor in visitors] == before

    port = int(first.host.rpartition(":")[2])
    again = after_visits.enter_context(
        serve(tmp_path, tmp_path / "again.txt", HOSTED, port=port, prefix=prefix)
    )
    second.end()
    wait_for_all(again, visitors)
    assert [(visitor.page.url, visitor.seen()) for visitor in visitors] == before
    # What stands there is what the address says, and can be worked with.
    for visitor in visitors:
        visitor.reload()
    assert [(visitor.page.url, visitor.seen()) for visitor in visitors] == before
    for visitor in visitors:
        visitor.toggle("Causal mask")
        assert visitor.query == {"v": "1", **STATE}
        assert visitor.held("Causal mask") is False
