"""The controls that pages share: what they are called, how far they go, what they change."""

from dashboard.controls.order import (
    order_of,
    order_settings,
    pick_order,
)
from dashboard.controls.positions import (
    new_token,
    pick_edited,
    pick_row,
    row_moves,
    take_picked_row,
    tolerance,
)
from dashboard.controls.sidebar import (
    menu,
    share,
    share_link,
    sidebar,
)
from dashboard.controls.window import (
    brushed,
    pick_pool,
    pick_window,
    take_brushed_window,
    window_of,
)

__all__ = [
    "brushed",
    "menu",
    "new_token",
    "order_of",
    "order_settings",
    "pick_edited",
    "pick_order",
    "pick_pool",
    "pick_row",
    "pick_window",
    "row_moves",
    "share",
    "share_link",
    "sidebar",
    "take_brushed_window",
    "take_picked_row",
    "tolerance",
    "window_of",
]
