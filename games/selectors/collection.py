"""Time at a table as players and the floor look at it: when it is collected next, what each pays, who owes."""

from dataclasses import dataclass
from datetime import datetime

from cardroom.services.errors import NotFound
from games.models import DropSchedule, Table, TimeCharge, TimeClock, TimePause

_LAST = 40


@dataclass(frozen=True)
class Sitter:
    """Somebody at the table. `standing`: "pause", "refusal" or nothing; `owed`: chips."""

    player: int
    name: str
    seat: int
    standing: str
    why: str
    since: datetime | None
    owed: int


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


def time_at(table_id: int) -> TableTime:
    """How time stands at a table. `NotFound` where there is no such table. Six queries at most."""
    table = Table.objects.select_related("drop").filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("There is no such table.", "no-such-table")
    schedule = table.drop if table.drop is not None and table.drop.kind == DropSchedule.Kind.TIME else None
    pauses = {row.player_id: row for row in TimePause.objects.filter(table=table, until=None)}
    charges = list(TimeCharge.objects.filter(table=table).select_related("player", "by").order_by("-pk")[:_LAST])
    seats = list(table.seats.select_related("player").order_by("number"))
    owed: dict[int, int] = {}
    for charge in TimeCharge.objects.filter(table=table, state__in=("due", "owed")):
        owed[charge.player_id] = owed.get(charge.player_id, 0) + charge.owed
    sitters = []
    for seat in seats:
        pause = pauses.get(seat.player_id)
        sitters.append(
            Sitter(
                player=seat.player_id,
                name=seat.player.username,
                seat=seat.number,
                standing=str(pause.kind) if pause else "",
                why=pause.reason if pause else "",
                since=pause.since if pause else None,
                owed=owed.get(seat.player_id, 0),
            )
        )
    clock = TimeClock.objects.filter(pk=table.pk).first()
    return TableTime(
        table=table,
        schedule=schedule,
        due_at=clock.due_at if clock else None,
        is_paused=table.paused_at is not None,
        each=_each(schedule, sum(1 for row in sitters if row.standing != TimePause.Kind.PAUSE)),
        sitters=sitters,
        charges=charges,
    )


def _each(schedule: DropSchedule | None, players: int) -> int:
    fitting = [(least, chips) for least, chips in schedule.time_charges if least <= players] if schedule else []
    return max(fitting)[1] if fitting else 0
