"""How many people at once, and what each costs: ``python benchmarks/load.py``.

Each session is a real one over the websocket. It opens a link and then changes something once a
second: sharpness, the edited word, the order. A time runs from the moment at which a change was due
until its answer is complete, so a late server cannot hide behind what it kept waiting. A bare page
with one slider and one chart is measured in the same run, by turns; one process is asked directly,
two are asked through nginx under the settings of ``deploy/``.
"""

import argparse
import asyncio
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).parents[1]))  # the dashboard is run from its folder

from dashboard.link import MAX_CHARACTERS, MAX_TOKENS, PAGES, View, share_query
from deploy.visit import Visitor, visit
from tests.browser.proxy import proxy
from tests.browser.server import HOSTED, Server, serve

BARE = Path(__file__).with_name("bare.py")
LINK = "?v=1&text=the%20cat%20sat%20on%20the%20mat&sharpness=2"
GOAL = 0.300  # seconds at the 95th percentile
HOPELESS = 1.5  # past this, more sessions tell nothing new
STEPS = (2, 4, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 80, 100, 120)

Change = tuple[str, object]


@dataclass(frozen=True)
class Step:
    """What was measured with so many sessions at once."""

    sessions: int
    refused: int
    times: tuple[float, ...]
    megabytes: float  # of all processes, over what they held before

    @property
    def p95(self) -> float:
        """The time that 95 of 100 answers keep."""
        return quantiles(self.times, n=20)[-1] if len(self.times) > 1 else float("inf")


def changes_of_the_dashboard(which: int) -> tuple[str, Iterator[Change]]:
    """The page that a session opens, and what it changes, over and over."""
    sharpness = (("Sharpness β", value) for value in itertools.cycle((0.5, 1.0, 1.5, 2.5, 4.0)))
    words = (("with", word) for word in itertools.cycle(("fox", "king", "mat", "dog")))
    orders = ((name, True) for name in itertools.cycle(("Rotate by one", "Reverse")))
    other = (sharpness, words, orders)[which % 3]
    by_turns = (change for pair in zip(sharpness, other, strict=False) for change in pair)
    return ("", "edit", "order")[which % 3], sharpness if which % 3 == 0 else by_turns


def changes_of_the_bare_page(which: int) -> tuple[str, Iterator[Change]]:
    """The same for the bare page, which has its slider only."""
    return "", (("Sharpness β", value) for value in itertools.cycle((0.5, 1.0, 1.5, 2.5, 4.0)))


async def ramp(
    front: Server,
    servers: Sequence[Server],
    changes: Callable[[int], tuple[str, Iterator[Change]]],
    steps: Sequence[int],
    seconds: int,
) -> list[Step]:
    """Measure with more and more sessions, until the goal is missed by far."""
    measured: list[Step] = []
    refused = 0
    async with AsyncExitStack() as open_tabs:
        tabs: list[tuple[Visitor, Iterator[Change]]] = []
        for server in servers:  # what the first visit of each page loads is not a session's
            for which in range(3):
                async with opened(server.address, changes(which)[0]):
                    pass
        before = megabytes(servers)
        for n in steps:
            while len(tabs) + refused < n:
                page, plan = changes(len(tabs))
                try:
                    tab = await open_tabs.enter_async_context(opened(front.address, page))
                except (OSError, TimeoutError) as fault:
                    print(f"refused: {fault!r}", file=sys.stderr)
                    refused += 1
                    continue
                tabs.append((tab, plan))
            times = await asyncio.gather(*(use(*tab, seconds) for tab in tabs))
            every = tuple(itertools.chain.from_iterable(times))
            measured.append(Step(n, refused, every, megabytes(servers) - before))
            if measured[-1].p95 > HOPELESS:
                break
    return measured


@asynccontextmanager
async def opened(address: str, page: str) -> AsyncIterator[Visitor]:
    """A tab in which the link has been answered."""
    cookie = f"_streamlit_xsrf={time.monotonic_ns()}"
    # As a browser, it sends no pings of its own, and waits.
    async with visit(address + "/" + LINK, cookie=cookie, ping_interval=None) as tab:
        await asyncio.wait_for(tab.open(page), 60)
        assert not tab.faults(), tab.faults()
        yield tab


async def use(tab: Visitor, plan: Iterator[Change], seconds: int) -> list[float]:
    """Change something once a second; how long each answer took, from when it was due."""
    times = []
    start = time.perf_counter() + (id(tab) // 64 % 1000) / 1000  # not all in the same instant
    for turn in range(seconds):
        due = start + turn
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await asyncio.wait_for(tab.change(*next(plan)), 120)
        times.append(time.perf_counter() - due)
        assert not tab.faults(), tab.faults()
    return times


def megabytes(servers: Sequence[Server]) -> float:
    """Memory that all the processes hold."""
    return sum(server.megabytes for server in servers)


@contextmanager
def started(app: Path, replicas: int) -> Iterator[tuple[Server, list[Server]]]:
    """One process asked directly, or several through nginx."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = [
            stack.enter_context(serve(folder, folder / f"log-{i}.txt", app))
            for i in range(replicas)
        ]
        yield (stack.enter_context(proxy(servers, folder)) if replicas > 1 else servers[0]), servers


def load(steps: Sequence[int], seconds: int) -> None:
    """Print how the dashboard and the bare page answer more and more sessions."""
    print(f"{'':<32}{'sessions':>9}{'refused':>9}{'median':>10}{'95th':>10}{'a session':>12}")
    held: dict[tuple[str, int], int] = {}
    for replicas in (1, 2):
        for name, app, changes in (
            ("dashboard", HOSTED, changes_of_the_dashboard),
            ("bare page", BARE, changes_of_the_bare_page),
        ):
            wanted = [n * replicas for n in steps]
            with started(app, replicas) as (front, servers):
                measured = asyncio.run(ramp(front, servers, changes, wanted, seconds))
            for step in measured:
                where = f"{name}, {replicas} process{'es' if replicas > 1 else ''}"
                each = step.megabytes / max(1, step.sessions - step.refused)
                print(
                    f"{where:<32}{step.sessions:>9}{step.refused:>9}"
                    f"{1e3 * median(step.times):>7.0f} ms{1e3 * step.p95:>7.0f} ms{each:>9.2f} MB",
                    flush=True,
                )
            good = [step.sessions for step in measured if step.p95 < GOAL and not step.refused]
            held[name, replicas] = max(good, default=0)
    for replicas in (1, 2):
        ours, bare = held["dashboard", replicas], held["bare page", replicas]
        print(
            f"95 of 100 answers within {1e3 * GOAL:.0f} ms, {replicas} process"
            f"{'es' if replicas > 1 else ''}: {ours} sessions, the bare page {bare}"
            + (f", {ours / bare:.2f} of it" if bare else "")
        )


async def class_opens(front: Server, pupils: int) -> None:
    """Print how long a class waits that opens one link in the same instant."""

    async def open_one(tabs: AsyncExitStack) -> float:
        start = time.perf_counter()
        await tabs.enter_async_context(opened(front.address, ""))
        return time.perf_counter() - start

    async with AsyncExitStack() as tabs:
        waits = await asyncio.gather(*(open_one(tabs) for _ in range(pupils)))
    print(
        f"{pupils} open one link at once: half within {median(waits):.1f} s, all {max(waits):.1f}"
    )


async def heaviest(server: Server) -> None:
    """Print what the heaviest links cost on a fresh server: the first visit, and a rerun."""
    full = " ".join(f"w{i}" for i in range(MAX_TOKENS))
    long = "字" * MAX_CHARACTERS
    print(f"a fresh server holds {server.megabytes:.0f} MB")
    heavy = {
        "most tokens": View(text=full, positions="sinusoidal", head="random"),
        "most characters": View(text=long, to=long),
    }
    for page in PAGES:
        for name, view in heavy.items():
            link = f"{server.address}/?{share_query(view, page)}"
            async with visit(link) as tab:
                start = time.perf_counter()
                await tab.open("" if page == PAGES[0] else page)
                opened_in = time.perf_counter() - start
                start = time.perf_counter()
                await tab.change("Sharpness β", 2.5)
                took = time.perf_counter() - start
            print(
                f"{page}, {name}: first opened in {1e3 * opened_in:.0f} ms, "
                f"a rerun {1e3 * took:.0f} ms and {tab.received / 1e6:.2f} MB",
                flush=True,
            )
    print(f"and the server held at most {server.most_megabytes:.0f} MB")


async def memory_over(front: Server, servers: Sequence[Server], tabs: int, moves: int) -> None:
    """Print what is held while tabs come and go, and while one slider is moved and moved."""
    for opened_so_far in range(0, tabs * 6 + 1, tabs):
        print(
            f"{opened_so_far:>6} tabs opened and closed {megabytes(servers):>10.1f} MB", flush=True
        )
        for which in range(tabs):
            async with opened(front.address, changes_of_the_dashboard(which)[0]):
                pass
    async with opened(front.address, "") as tab:
        _, plan = changes_of_the_dashboard(0)
        for move in range(moves + 1):
            if move % (moves // 4) == 0:
                print(f"{move:>6} slider moves {megabytes(servers):>20.1f} MB", flush=True)
            await tab.change(*next(plan))


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=20, help="of each step; 0 for none")
    parser.add_argument("--steps", type=int, nargs="+", default=STEPS, help="sessions a process")
    parser.add_argument("--pupils", type=int, default=100, help="who open one link at once")
    parser.add_argument("--tabs", type=int, default=50, help="opened and closed, six times over")
    parser.add_argument("--moves", type=int, default=2000, help="of one slider")
    chosen = parser.parse_args()
    if chosen.seconds:
        load(chosen.steps, chosen.seconds)
    if chosen.pupils:
        with started(HOSTED, 1) as (front, _):
            asyncio.run(heaviest(front))
            asyncio.run(class_opens(front, chosen.pupils))
    if chosen.tabs:
        with started(HOSTED, 1) as (front, servers):
            asyncio.run(memory_over(front, servers, chosen.tabs, chosen.moves))


if __name__ == "__main__":
    main()
