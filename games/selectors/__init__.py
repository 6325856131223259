"""What the tables and hands can be asked; nothing here writes, and no fact leaves here unredacted."""

from games.models import FloorOrder
from games.selectors.floor import floor_log, floor_view, open_call_of, open_calls, open_orders
from games.selectors.hands import HandRow, HandStory, facts_for, hand_story, hand_view, hands_of, seat_in_hand
from games.selectors.onlookers import check_may_look_on, may_look_on
from games.selectors.procedure import Procedure, procedure
from games.selectors.rulings import RulingRow, rulings
from games.selectors.tables import (
    TableRow,
    Viewer,
    clock,
    lobby,
    places_in,
    seats_of,
    table,
    table_view,
    table_views,
    viewer_seat,
)

__all__ = [
    "FloorOrder",
    "HandRow",
    "HandStory",
    "Procedure",
    "RulingRow",
    "TableRow",
    "Viewer",
    "check_may_look_on",
    "clock",
    "facts_for",
    "floor_log",
    "floor_view",
    "hand_story",
    "hand_view",
    "hands_of",
    "lobby",
    "may_look_on",
    "open_call_of",
    "open_calls",
    "open_orders",
    "places_in",
    "procedure",
    "rulings",
    "seat_in_hand",
    "seats_of",
    "table",
    "table_view",
    "table_views",
    "viewer_seat",
]
