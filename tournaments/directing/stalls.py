"""Events that stand still, for the house's `watchdog`.

They are due and without their alarm, or run online with nobody who deals and no break, pause or player that is waited
for.
"""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q
from django.utils import timezone

from cardroom.core import watchdog
from cardroom.core.models import Alarm
from cardroom.core.watchdog import Stall
from games.play import event_tables
from tournaments.events import journal as event_journal
from tournaments.events.hall import number_of
from tournaments.events.models import Tournament
from tournaments.online import next_hands

State = Tournament.State


def find_stalls() -> Iterator[Stall]:
    """Events that stand still, in order."""
    now = timezone.now()
    alarms = dict(Alarm.objects.filter(kind=event_journal.ALARM).values_list("key", "due_at"))
    going = Q(state__in=(State.ANNOUNCED, State.OPEN, State.RUNNING, State.PAUSED))
    for row in Tournament.objects.filter(going | ~Q(wake_at=None)).order_by("pk"):
        if row.wake_at is not None and alarms.get(str(row.pk)) is None:
            yield _stall(row, f"is due at {row.wake_at:%H:%M:%S}, and its alarm is not set")
        elif (
            row.state == State.RUNNING
            and row.conduct == Tournament.Conduct.ONLINE
            and (why := _why_it_stalls(row, now))
        ):
            yield _stall(row, why)


def _why_it_stalls(row: Tournament, now: datetime) -> str:
    """Why an online event stands still; "" where it does not."""
    lines = event_tables.listing(event=row.unit)
    if not lines:
        return "runs, and has no table"
    held = [line for line in lines.values() if line.hand is None and line.due_at is None]
    if not held:
        return ""
    with event_journal.looking(row.pk, upto=row.seq) as state:
        # A break is what the event noted, and lasts until its alarm has rung.
        if state.structure.levels[row.level].is_break:
            return ""
        now_ms = max(event_journal.ms(now), state.facts[-1].at)
        for line in held:
            if not next_hands.why_held(state, number_of(line.name), now_ms=now_ms):
                return f"holds {line.name} back for nothing"
    return "waits at every table for another one" if len(held) == len(lines) else ""


def _stall(row: Tournament, how: str) -> Stall:
    return Stall(f"event:{row.pk}:{row.seq}", f"{row.name} (event {row.pk}) {how}.", ("director",))


watchdog.register("event", find_stalls)
