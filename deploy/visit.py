"""A visitor without a browser: opens a link over the websocket, moves controls, sees answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

# Which field of a widget's state carries the value of an element.
FIELDS = {
    "button": "trigger_value",
    "checkbox": "bool_value",
    "number_input": "double_value",
    "slider": "double_array_value",
    "text_input": "string_value",
}


class Drawn(NamedTuple):
    """One element, the fragment that drew it, if one did, and in which run."""

    element: Element
    fragment: str
    run: int


class Visitor:
    """One open tab.

    Attributes
    ----------
    elements : list
        What is on the page, in the order of their places.
    query : str
        The query of the address as it is now.
    about : str
        What About says, as Markdown.
    received, messages : int
        Bytes and messages that came with the last answer.
    largest : int
        Bytes of the largest single message so far.
    cacheable : int
        Messages so far of which the server may later send the name alone.
    """

    def __init__(self, socket: ClientConnection, address: str) -> None:
        where = urlsplit(address)
        self.query = where.query
        self.about = ""
        self.received = self.messages = self.largest = self.cacheable = 0
        self._socket = socket
        self._address = address
        self._page = ""
        self._states: dict[str, WidgetState] = {}
        self._drawn: dict[tuple[int, ...], Drawn] = {}
        self._folded: dict[str, tuple[str, str]] = {}  # what unfolds: its widget and its fragment
        self._came: list[Element] = []
        self._runs = 0

    @property
    def elements(self) -> list[Element]:
        """What is on the page."""
        return [self._drawn[place].element for place in sorted(self._drawn)]

    async def open(self, page: str = "") -> None:
        """Ask for a page, as a browser does when it has loaded the address."""
        await self._run(page_name=page)

    async def change(self, label: str, value: object) -> None:
        """Move one control, found by its label, and wait for the answer."""
        kind, widget, fragment = self._widget(label)
        state = WidgetState(id=widget)
        if kind == "slider":
            state.double_array_value.data[:] = [value]
        else:
            setattr(state, FIELDS[kind], value)
        self._states[widget] = state
        await self._run(page_script_hash=self._page, fragment_id=fragment)
        if kind == "button":
            del self._states[widget]

    async def unfold(self, label: str) -> None:
        """Open what is folded away under a label, and wait for the answer."""
        widget, fragment = self._folded[label]
        self._states[widget] = WidgetState(id=widget, bool_value=True)
        await self._run(page_script_hash=self._page, fragment_id=fragment)

    def text(self) -> str:
        """All that is on the page, as text."""
        return "\n".join(map(str, self.elements))

    def drawn_anew(self) -> list[Element]:
        """What the last answer drew, in the order in which it came; the rest stayed as it was."""
        return list(self._came)

    def faults(self) -> list[str]:
        """The exceptions on the page."""
        return [str(e.exception) for e in self.elements if e.WhichOneof("type") == "exception"]

    def _widget(self, label: str) -> tuple[str, str, str]:
        for drawn in self._drawn.values():
            kind = drawn.element.WhichOneof("type")
            if kind in FIELDS and getattr(drawn.element, kind).label == label:
                return kind, getattr(drawn.element, kind).id, drawn.fragment
        raise LookupError(f"no control is called {label!r}")

    async def _run(self, **asked: str) -> None:
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.context_info.url = self._address
        message.rerun_script.widget_states.widgets.extend(self._states.values())
        for name, value in asked.items():
            setattr(message.rerun_script, name, value)
        await self._socket.send(message.SerializeToString())
        self.received = self.messages = 0
        self._came.clear()
        self._runs += 1
        while True:
            frame = await self._socket.recv(decode=False)
            self.received += len(frame)
            self.messages += 1
            self.largest = max(self.largest, len(frame))
            message = ForwardMsg.FromString(frame)
            self.cacheable += message.metadata.cacheable
            if self._take(message):
                self._drop_stale(asked.get("fragment_id", ""))
                return

    def _drop_stale(self, fragment: str) -> None:
        """Forget what a run left out: of the whole page, or of the one fragment that ran."""
        self._drawn = {
            place: drawn
            for place, drawn in self._drawn.items()
            if drawn.run == self._runs or (fragment and drawn.fragment != fragment)
        }

    def _take(self, message: ForwardMsg) -> bool:
        """Note what a message tells; whether the run has ended with it."""
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.HasField("new_element"):
            delta = message.delta
            place = tuple(message.metadata.delta_path)
            self._drawn[place] = Drawn(delta.new_element, delta.fragment_id, self._runs)
            self._came.append(delta.new_element)
        elif kind == "delta" and message.delta.add_block.expandable.id:
            block = message.delta.add_block.expandable
            self._folded[block.label] = (block.id, message.delta.fragment_id)
        elif kind == "new_session":
            self._page = message.new_session.page_script_hash
        elif kind == "navigation":
            self._page = message.navigation.page_script_hash
        elif kind == "page_config_changed":
            self.about = message.page_config_changed.menu_items.about_section_md or self.about
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "script_finished":
            return bool(message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN)
        return False


@asynccontextmanager
async def visit(
    address: str, *, origin: str = "", cookie: str = "", **options: Any
) -> AsyncIterator[Visitor]:
    """Connect to the dashboard whose front page is at `address`, whatever its query."""
    where = urlsplit(address)
    scheme = "wss" if where.scheme == "https" else "ws"
    socket = f"{scheme}://{where.netloc}{where.path.rstrip('/')}/_stcore/stream"
    headers = {"Cookie": cookie} if cookie else {}
    async with connect(
        socket,
        origin=Origin(origin or f"{where.scheme}://{where.netloc}"),
        subprotocols=[Subprotocol("streamlit")],
        additional_headers=headers,
        max_size=None,
        **options,
    ) as connection:
        yield Visitor(connection, address)
