"""A player is banned: taken off every table after the hand being played, and no seat is held for them any more."""

from datetime import datetime
from typing import Any

from cardroom.models import Ban, User, Where
from cardroom.services import standing
from games.services import seating

_UID = "games.seats"


def connect() -> None:
    """Hear of bans; once, from `AppConfig.ready`."""
    standing.banned.connect(_take_off, dispatch_uid=_UID)


def _take_off(sender: object, *, player: User, ban: Ban, now: datetime, **_: Any) -> None:
    seating.take_off_everywhere(player=player, where=ban.where or Where.BOTH, reason="banned", now=now)
