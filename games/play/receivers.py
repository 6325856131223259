"""What the tables hear from the house and tell it: bans, a player's own limits, and where they sit, how long and with
what. Imported when the room starts.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from cardroom.accounts import bans
from cardroom.accounts import signals as account_signals
from cardroom.accounts.models import Ban, Where
from cardroom.core.models import User
from cardroom.ledger import signals as ledger_signals
from games.play import playtime, seating
from games.rake.time_charges import Span
from games.tables import signals as table_signals
from games.tables import stacks


@receiver(bans.banned)
def banned(*, player: User, ban: Ban, now: datetime, **_: Any) -> None:
    """Taken off every table after the hand being played, and no seat is held for them any more."""
    seating.take_off_everywhere(player=player, where=ban.where or Where.BOTH, reason="banned", now=now)


@receiver([ledger_signals.limit_changed, table_signals.stay_changed])
def keep_play_time(*, player: User, now: datetime, **_: Any) -> None:
    """When they are told next how long they have been playing, or taken off by their own limit."""
    playtime.keep(player, now)


@receiver(ledger_signals.minutes_played)
def minutes_played(*, players: Collection[int], spans: Sequence[Span], **_: Any) -> dict[int, list[int]]:
    return playtime.minutes(players, spans)


@receiver(ledger_signals.net_buy_in)
def net_buy_in(*, player: User, since: datetime, **_: Any) -> int:
    return stacks.net_buy_in(player, since)


@receiver(ledger_signals.chips_at_tables)
def chips_at_tables(*, player_id: int, **_: Any) -> int:
    return stacks.lying(player_id)


@receiver(account_signals.seat_in_room)
def seat_in_room(*, player: User, **_: Any) -> str:
    return playtime.seated_at(player)
