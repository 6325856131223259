"""What the tables and hands can be asked; nothing here writes, and no fact leaves here unredacted."""

from games.selectors.hands import HandRow, HandStory, facts_for, hand_story, hand_view, hands_of, seat_in_hand
from games.selectors.tables import (
    TableRow,
    Viewer,
    clock,
    lobby,
    seats_of,
    table,
    table_view,
    table_views,
    viewer_seat,
)

__all__ = [
    "HandRow",
    "HandStory",
    "TableRow",
    "Viewer",
    "clock",
    "facts_for",
    "hand_story",
    "hand_view",
    "hands_of",
    "lobby",
    "seat_in_hand",
    "seats_of",
    "table",
    "table_view",
    "table_views",
    "viewer_seat",
]
