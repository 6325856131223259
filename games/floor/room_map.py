"""The room as its staff sees it at a glance: sections, their tables, the players, and what needs attention."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import F, Q, Sum
from django.utils.translation import gettext_lazy

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from games.floor.models import FloorCall
from games.rake.models.times import TimeCharge
from games.tables.models.offers import SeatHold, Section
from games.tables.models.tables import Seat, Table
from games.tables.words import is_dead_spread, phase_of
from games.waitlists.queries import TableDemand, tables_wanted, waiting

NO_SECTION = gettext_lazy("Online and elsewhere")


@dataclass(frozen=True, slots=True)
class SeatGlance:
    """A seat as it is: `state` is "free", "held", or that of its player."""

    number: int
    state: str
    player: int | None = None
    name: str = ""
    is_bot: bool = False
    stack: int = 0
    sat_at: datetime | None = None
    out_since: datetime | None = None
    held_until: datetime | None = None
    held_why: str = ""
    owes: int = 0

    @property
    def is_taken(self) -> bool:
        return self.state not in ("free", "held")


@dataclass
class TableGlance:
    """A table and its seats; `calls`: open calls for the floor; `waiting`: names on the list of its game."""

    table: Table
    phase: str
    seats: list[SeatGlance]
    calls: int = 0
    waiting: int = 0

    @property
    def taken(self) -> int:
        return sum(seat.is_taken for seat in self.seats)

    @property
    def free(self) -> int:
        return sum(seat.state == "free" for seat in self.seats)

    @property
    def owes(self) -> int:
        return sum(seat.owes for seat in self.seats)

    @property
    def is_dead_spread(self) -> bool:
        """Whether a dealer is there without players."""
        return is_dead_spread(self.table, self.taken)


@dataclass
class SectionGlance:
    name: str
    id: int | None = None
    tables: list[TableGlance] = field(default_factory=list)


@dataclass(frozen=True)
class RoomMap:
    """The whole room. `wanted`: games with enough names on their lists for another table."""

    sections: list[SectionGlance]
    calls: list[FloorCall]
    wanted: list[TableDemand] = field(default_factory=list)

    @property
    def tables(self) -> list[TableGlance]:
        return [table for section in self.sections for table in section.tables]

    @property
    def phases(self) -> Counter[str]:
        return Counter(table.phase for table in self.tables)

    @property
    def players(self) -> int:
        return sum(table.taken for table in self.tables)

    @property
    def free(self) -> int:
        return sum(table.free for table in self.tables if table.phase in ("open", "going", "paused"))


def room_map(*, now: datetime, section: int | None = None) -> RoomMap:
    """Every table of the room that is not closed, or those of one section. Eight queries."""
    tables = Table.objects.filter(event="").exclude(state=Table.State.CLOSED).select_related("offer")
    if section is not None:
        tables = tables.filter(section=section)
    glances = _glances(list(tables.order_by("name")), now=now)
    sections = {row.pk: SectionGlance(row.name, row.pk) for row in Section.objects.all()}
    others = SectionGlance(NO_SECTION)
    calls = list(FloorCall.objects.filter(answered_at=None).select_related("table", "player").order_by("at", "pk"))
    by_table = Counter(call.table_id for call in calls)
    for glance in glances:
        glance.calls = by_table[glance.table.pk]
        sections.get(glance.table.section_id or 0, others).tables.append(glance)
    shown = [part for part in (*sections.values(), others) if part.tables]
    return RoomMap(shown, calls, list(tables_wanted().values()))


def table_glance(table_id: int, *, now: datetime) -> TableGlance:
    """One table of the room; `NotFound` where there is none."""
    rows = Table.objects.select_related("offer", "section", "drop", "must_move_to", "dealer_on")
    table = rows.filter(pk=table_id, event="").first()
    if table is None:
        raise NotFound("no-such-table", "There is no such table.")
    (glance,) = _glances([table], now=now)
    glance.calls = FloorCall.objects.filter(table=table, answered_at=None).count()
    return glance


def _glances(tables: list[Table], *, now: datetime) -> list[TableGlance]:
    ids = [table.pk for table in tables]
    seats = _seats(ids)
    owed = _unpaid_time(ids)
    names = waiting()
    holds: dict[int, dict[int, SeatGlance]] = defaultdict(dict)
    in_force = SeatHold.objects.filter(Q(until=None) | Q(until__gt=now), table__in=ids).select_related("player")
    for hold in in_force:
        holds[hold.table_id][hold.number] = SeatGlance(
            hold.number,
            "held",
            hold.player_id,
            hold.player.shown_name,
            held_until=hold.until,
            held_why=hold.get_why_display(),
        )
    return [_glance(table, seats[table.pk], holds[table.pk], owed, names) for table in tables]


def _glance(
    table: Table,
    rows: list[tuple[object, ...]],
    held: dict[int, SeatGlance],
    owed: dict[tuple[int, int], int],
    names: Counter[tuple[int, str]],
) -> TableGlance:
    taken = {seat.number: seat for seat in (_seat(table, row, owed) for row in rows)}
    seats = [
        taken.get(number) or held.get(number) or SeatGlance(number, "free") for number in range(1, table.seat_count + 1)
    ]
    on_list = names[table.offer_id, "list"] if table.offer_id else 0
    return TableGlance(table, phase_of(table, len(taken)), seats, waiting=on_list)


_COLUMNS = ("table", "number", "state", "player", "shown", "player__is_bot")
_MORE = ("account__balance", "counted", "sat_at", "out_since")


def _seats(ids: list[int]) -> dict[int, list[tuple[object, ...]]]:
    """The taken seats of these tables, as plain rows: there may be thousands."""
    seats: dict[int, list[tuple[object, ...]]] = defaultdict(list)
    rows = Seat.objects.filter(table__in=ids).annotate(shown=User.shown_name_of("player")).order_by("number")
    for row in rows.values_list(*_COLUMNS, *_MORE):
        seats[row[0]].append(row)
    return seats


def _seat(table: Table, row: tuple[object, ...], owed: dict[tuple[int, int], int]) -> SeatGlance:
    _, number, state, player, name, is_bot, balance, counted, sat_at, out_since = row
    stack = counted if table.is_physical else balance
    owes = owed.get((table.pk, player), 0)  # type: ignore[arg-type]
    return SeatGlance(number, state, player, name, is_bot, stack, sat_at, out_since, owes=owes)  # type: ignore[arg-type]


def _unpaid_time(ids: list[int]) -> dict[tuple[int, int], int]:
    """Time that is still to be paid, by (table, player)."""
    unpaid = TimeCharge.objects.filter(table__in=ids, state__in=("due", "owed")).order_by()
    rows = unpaid.values_list("table", "player").annotate(rest=Sum(F("amount") - F("paid")))
    return {(table, player): rest for table, player, rest in rows}
