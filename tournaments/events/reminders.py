"""Ten minutes before an event starts, everybody who has entered is reminded of it, once."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.dispatch import receiver

from cardroom.core import alarms, room_time
from tournaments.engine.facts import Entered, EnteredAsAlternate, Fact
from tournaments.events import notices, playing
from tournaments.events import signals as event_signals
from tournaments.events.locking import Locked
from tournaments.events.models import Tournament
from tournaments.events.notices import Told

ALARM = "tournament-reminder"
BEFORE = timedelta(minutes=10)


@receiver(event_signals.facts_written)
def follow(locked: Locked, facts: Sequence[Fact], *, now: datetime, **_: Any) -> None:
    """Somebody has entered: there is somebody to be reminded."""
    starts_at = locked.row.starts_at
    if starts_at is None or now >= starts_at - BEFORE or locked.row.state != Tournament.State.OPEN:
        return
    if any(isinstance(fact, Entered | EnteredAsAlternate) for fact in facts):
        alarms.set(kind=ALARM, key=str(locked.pk), due_at=starts_at - BEFORE, fence=0)


def remind(*, tournament_id: int, now: datetime) -> bool:
    """The alarm has rung: remind them if it is time, else have it ring again when it is, should the start have been put
    off. False where there is nothing more to remind of."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "state", "starts_at").first()
    if row is None or row.state != Tournament.State.OPEN or row.starts_at is None or now >= row.starts_at:
        return False
    if now < row.starts_at - BEFORE:
        alarms.set(kind=ALARM, key=str(tournament_id), due_at=row.starts_at - BEFORE, fence=0)
        return True
    with playing.holding(tournament_id, now=now) as locked:
        if locked.row.state == Tournament.State.OPEN:
            notices.tell(locked.row, _told(locked), now=now)
    return False


def _told(locked: Locked) -> list[Told]:
    starts_at = locked.row.starts_at
    text = f"{locked.row.name} starts at {room_time.clock_and_zone(starts_at)}: be there in time."
    key = f"starting-soon:{starts_at:%Y%m%d%H%M}"
    expected = [one for one in locked.state.entrants.values() if one.status in ("in", "alternate")]
    return [Told(one.player, "starting-soon", text, key) for one in expected]
