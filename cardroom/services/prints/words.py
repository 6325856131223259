"""How paper says moments: it cannot know where it is read, so the zone stands beside them."""

from datetime import datetime

from cardroom.services import room_time


def moment(at: datetime) -> str:
    """`5 January 2030, 20:00 CET`, in the room's zone."""
    return room_time.said(at)
