"""The tables of an event in one query, for a director who looks at all of them between any two hands."""

from dataclasses import dataclass
from datetime import datetime

from cardroom.services.errors import NotFound
from games.models import Table
from games.services.tables import Stakes


@dataclass(frozen=True, slots=True)
class TableLine:
    """An open table without its seats. `hand`: the one being played, None between two; `due_at`: when its alarm rings,
    None while it is held; `stakes`, `game` and `betting`: of the next hand."""

    table: int
    name: str
    seat_count: int
    hand: int | None
    last_hand: int | None
    due_at: datetime | None
    stakes: Stakes
    game: str
    betting: str


def listing(*, event: str) -> dict[int, TableLine]:
    """The event's open tables by id. One query."""
    stakes = ("ante", "bring_in", "small_bet", "big_bet", "smallest_chip")
    rows = (
        Table.objects.filter(event=event, state=Table.State.OPEN)
        .order_by("pk")
        .values_list("pk", "name", "seat_count", "hand", "last_hand", "wake_at", *stakes, "game", "structure")
    )
    return {row[0]: TableLine(*row[:6], Stakes(*row[6:11]), *row[11:]) for row in rows}


def event_of(*, table_id: int) -> str:
    """The event that a table belongs to, "" for none. `NotFound` where there is no such table."""
    found = Table.objects.filter(pk=table_id).values_list("event", flat=True).first()
    if found is None:
        raise NotFound("There is no such table.", "no-such-table")
    return found
