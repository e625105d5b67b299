"""The lines of the table: which page, of how many tokens, and how its server does by itself."""

import asyncio
import random
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from core.lesson import WORDS
from deploy.visit import visit
from tests.browser.driver import Visitor
from tests.browser.server import APP, Server, serve

HERE = Path(__file__).parent
SLIDER = "Sharpness β"
PICTURE = '[data-testid="stVegaLiteChart"]'
NUMBER = '[data-testid="stMarkdown"]'
WINDOW_ROW = "From row"
WARM = 2  # moves before those that count


@dataclass
class Line:
    """One page of the table, and what its moves took."""

    name: str
    server: Server
    path: str = "/"
    query: Mapping[str, object] = field(default_factory=dict)
    target: str = PICTURE
    which: int = 0  # of several such
    control: str = SLIDER
    n: int = 0
    moves: list[dict[str, float]] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)  # milliseconds of the server's runs
    kept: bool = True
    trouble: str = ""
    visitor: Visitor | None = None
    floor: "Line | None" = None  # the floor's moves, by turns with these


def planned(stack: ExitStack) -> list[Line]:
    """Start the servers; the lines of the table, the floors first."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))

    def start(app: Path) -> Server:
        log = folder / f"{app.stem}.txt"
        return stack.enter_context(
            serve(HERE.parent, log, app, platform=(str(HERE / "stopwatch.py"),))
        )

    stock, floor, ours = start(HERE / "stock_floor.py"), start(HERE / "floor.py"), start(APP)
    return [
        Line("floor, stock", stock, target=NUMBER),
        Line("floor", floor, target=NUMBER),
        *(
            Line(f"weights, n = {n}", ours, query={} if n == 6 else {"text": text(n)}, n=n)
            for n in (6, 64, 512, 2048)
        ),
        Line("edit, n = 6", ours, "/edit", n=6),
        Line("order, n = 6", ours, "/order", n=6),
        *(
            Line(f"{page}, n = {n}", ours, f"/{page}", {"text": text(n)}, n=n)
            for n in (64, 512, 2048)
            for page in ("edit", "order")
        ),
        *(
            Line(
                f"window, n = {n}",
                ours,
                query={"text": text(n)},
                which=1,  # below the picture of all
                control=WINDOW_ROW,
                n=n,
            )
            for n in (512, 2048)
        ),
    ]


def text(n: int) -> str:
    """A text of n tokens: the lesson's words, and as many again that it does not know."""
    draw = random.Random(n)
    words = [*WORDS, *(f"w{i}" for i in range(n))]
    return " ".join(draw.choice(words) for _ in range(n))


async def without_browser(line: Line, moves: int) -> None:
    """Make the same moves over the websocket, while no page is open."""
    address = f"{line.server.address}/?{urlencode(line.query)}"
    async with visit(address, cookie="_streamlit_xsrf=1", ping_interval=None) as visitor:
        await visitor.open(line.path.strip("/"))
        await until_told(line.server, 0)
        for turn in range(WARM + moves):
            said = len(line.server.log)
            await asyncio.sleep(0.1)  # as from a hand, and not from a queue
            step = float(turn + 2) if line.control == WINDOW_ROW else 1.1 + 0.1 * turn
            await visitor.change(line.control, step)
            took = await until_told(line.server, said)
            if turn >= WARM:
                line.alone.append(took)


async def until_told(server: Server, said: int) -> float:
    """Milliseconds of the runs that a server has told of since, at least one."""
    while True:
        told = server.log[said:].split("run took ")[1:]
        if told and told[-1].endswith("\n"):
            return sum(float(run.split(" ms")[0]) for run in told)
        await asyncio.sleep(0.005)
