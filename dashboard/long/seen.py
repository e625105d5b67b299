"""A long sentence as page 1 shows it, worked out anew when a control moves."""

from dataclasses import dataclass, replace

from core import Attention, LongAttention, Overview, Pooled, mask_blocks
from core.pooling import How
from dashboard import controls, words
from dashboard.charts.blocks_text import PIXELS
from dashboard.charts.labels import labels_of
from dashboard.heads import chosen_head, settings
from dashboard.link import WINDOW, View
from dashboard.session import kept
from dashboard.words import emphasised


@dataclass(frozen=True)
class Seen:
    """A long sentence as the page shows it."""

    read: LongAttention
    attention: Attention  # of the row looked at alone
    labels: list[str]
    row: int
    place: tuple[int, int]  # where the window begins
    over: Overview
    pooled: Pooled  # as `over` has it, without what the mask forbids

    @property
    def n(self) -> int:
        """Positions of the sentence."""
        return len(self.labels)

    @property
    def part(self) -> tuple[slice, slice]:
        """Rows and columns of the window."""
        row, column = self.place
        return slice(row, row + WINDOW), slice(column, column + WINDOW)

    def who(self, mark: words.Mark = emphasised) -> str:
        """The row looked at, by name."""
        return words.name(self.read.query_tokens, self.row, mark)


def read_long(view: View) -> LongAttention:
    """The sentence as the head of the view reads it; its vectors outlast a moved sharpness."""
    given = settings(view)
    read = kept(
        "read_long",
        (view.text, view.head, view.seed, view.causal, view.positions),
        lambda: chosen_head(view).attend_long(view.tokens, **given),
    )
    return replace(read, sharpness=given["sharpness"])


def how_pooled(view: View) -> How:
    """What a pixel tells of its block."""
    return "mean" if view.pool == "mean" else "max"


def look(view: View) -> Seen:
    """All that is worked out anew when a control moves; the last view's is kept."""

    def make() -> Seen:
        read, row = read_long(view), view.row_shown - 1
        over = kept(
            "over",
            replace(view, row=None, window=None),  # whatever is looked at, the whole is the same
            lambda: read.overview(PIXELS, how_pooled(view)),
        )
        return Seen(
            read=read,
            attention=read.row(row),
            labels=labels_of(read.query_tokens),
            row=row,
            place=controls.window_of(view),
            over=over,
            pooled=mask_blocks(over.pooled, read.allowed),
        )

    return kept("look", view, make)
