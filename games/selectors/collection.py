"""Time at a table as players and the floor look at it: when it is collected next, what each pays, who owes."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from cardroom.services.errors import NotFound
from games.engine.drop import time_charge
from games.models import DropSchedule, Table, TimeCharge, TimeClock, TimePause

_LAST = 40


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table, or who would not pay before they left it (`seat` 0). `standing`: "pause", "refusal" or
    nothing; `owed`: chips; `courtesy`: hands they are dealt though they did not pay."""

    player: int
    name: str
    seat: int
    standing: str
    why: str
    since: datetime | None
    owed: int
    courtesy: int = 0


@dataclass(frozen=True)
class TableTime:
    """`due_at`: the next collection; `each`: what everybody would pay then, by how many sit there now."""

    table: Table
    schedule: DropSchedule | None
    due_at: datetime | None
    is_paused: bool
    each: int
    sitters: list[Sitter]
    charges: list[TimeCharge]

    def of(self, player: int | None) -> Sitter | None:
        """How it stands with this player; None where they have nothing to do with it."""
        return next((row for row in self.sitters if row.player == player), None)


def time_at(table_id: int) -> TableTime:
    """How time stands at a table. `NotFound` where there is no such table. Six queries at most."""
    table = Table.objects.select_related("drop").filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("There is no such table.", "no-such-table")
    schedule = table.drop if table.drop is not None and table.drop.kind == DropSchedule.Kind.TIME else None
    pauses = {row.player_id: row for row in _standing(table)}
    charges = list(TimeCharge.objects.filter(table=table).select_related("player", "by").order_by("-pk")[:_LAST])
    seats = list(table.seats.select_related("player").order_by("number"))
    owed: dict[int, int] = {}
    for charge in TimeCharge.objects.filter(table=table, state__in=("due", "owed")):
        owed[charge.player_id] = owed.get(charge.player_id, 0) + charge.owed
    people = [(seat.player_id, seat.player.username, seat.number) for seat in seats]
    there = {player for player, _, _ in people}
    people += [(row.player_id, row.player.username, 0) for row in pauses.values() if row.player_id not in there]
    sitters = [_sitter(*each, pauses.get(each[0]), owed.get(each[0], 0)) for each in people]
    clock = TimeClock.objects.filter(pk=table.pk).first()
    players = sum(1 for row in sitters if row.seat and row.standing != TimePause.Kind.PAUSE)
    return TableTime(
        table=table,
        schedule=schedule,
        due_at=clock.due_at if clock else None,
        is_paused=table.paused_at is not None,
        each=time_charge(schedule.time_charges, players) if schedule else 0,
        sitters=sitters,
        charges=charges,
    )


def _standing(table: Table) -> QuerySet[TimePause]:
    return TimePause.objects.filter(table=table, until=None, player__isnull=False).select_related("player")


def _sitter(player: int, name: str, seat: int, pause: TimePause | None, owed: int) -> Sitter:
    return Sitter(
        player=player,
        name=name,
        seat=seat,
        standing=str(pause.kind) if pause else "",
        why=pause.reason if pause else "",
        since=pause.since if pause else None,
        owed=owed,
        courtesy=pause.hands_left if pause and pause.is_due else 0,
    )
