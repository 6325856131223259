"""Who might get a free seat of a table, as the database knows it, and whose it is: `next_for`.

Reads and locks nothing: who acts on it has the offer locked, and asks again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from cardroom.services import limits, standing
from cardroom.services.errors import Forbidden, Illegal
from games.models import Invitation, ListEntry, Seat, SeatHold, Table
from games.services.lists import rules, store
from games.services.lists.rules import Candidate, Chosen, Rule

Kind = ListEntry.Kind

#: Why is nobody's business but his and the staff's.
_MAY_NOT = "may not play at the moment"


#: What is read where a choice is only shown: there may be thousands of rows.
_ENTRY_SHOWN = (
    *("offer", "table", "player", "kind", "state", "tier", "place", "wishes", "joined_at"),
    *("player__username", "table__name", "offer__tables_per_player"),
)
_SEAT_SHOWN = (
    *("table", "number", "player", "state", "sat_at"),
    *("table__name", "table__must_move_to", "player__username", "player__is_bot"),
)


@dataclass(frozen=True)
class Choice:
    """Whose the seat is, by which rule and why, and who came before him and was passed over, each with the reason.

    The entry of a must-move player who was not obliged yet is not stored (no `pk`).
    """

    entry: ListEntry
    table: Table
    number: int
    rule: Rule
    why: str
    passed_over: list[tuple[ListEntry, str]]

    @property
    def passed_names(self) -> list[tuple[str, str]]:
        return [(entry.player.username, why) for entry, why in self.passed_over]


@dataclass(frozen=True)
class Room:
    """What the choices at some tables of games on offer are made from, read in six queries however many they are.

    `seats`: those of the tables, of the tables that feed them, and of everybody who waits for one of these games.
    `barred`: those who may not play; None: asked of each whose turn it is, as whoever acts on a choice has to.
    """

    tables: frozenset[int]
    entries: dict[int, list[ListEntry]]
    seats: list[Seat]
    held: dict[int, set[int]]
    invited: dict[int, set[int]]
    obliged: set[int]
    barred: frozenset[int] | None = None

    def free(self, table: Table) -> list[int]:
        """Seats that are neither taken nor held."""
        taken = {seat.number for seat in self.at_table[table.pk]} | self.held.get(table.pk, set())
        return [number for number in range(1, table.seat_count + 1) if number not in taken]

    @cached_property
    def at_table(self) -> Mapping[int, list[Seat]]:
        return _by(self.seats, lambda seat: seat.table_id)

    @cached_property
    def of_player(self) -> Mapping[int, list[Seat]]:
        return _by(self.seats, lambda seat: seat.player_id)

    @cached_property
    def feeding(self) -> Mapping[int, list[Seat]]:
        """By the main game that they must move to."""
        return _by(self.seats, lambda seat: seat.table.must_move_to_id or 0)

    @cached_property
    def players(self) -> Counter[int]:
        """How many sit at each of the tables, and where somebody who waits sits."""
        there = {entry.table_id: entry.players_there for names in self.entries.values() for entry in names}
        return Counter(there | {table: len(self.at_table[table]) for table in self.tables})


def _by(seats: Iterable[Seat], key: Callable[[Seat], int]) -> Mapping[int, list[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        found[key(seat)].append(seat)
    return found


def look(tables: Collection[Table], *, now: datetime, is_for_show: bool = False) -> Room:
    """Read what the lists of these tables' games are about. `is_for_show`: who may not play is asked once for all."""
    offers, ids = {table.offer_id for table in tables}, {table.pk for table in tables}
    entries: dict[int, list[ListEntry]] = defaultdict(list)
    waiting = ListEntry.objects.filter(offer__in=offers, state=ListEntry.State.WAITING).exclude(kind=Kind.MUST_MOVE)
    there = Seat.objects.filter(table=OuterRef("table")).order_by().values("table").annotate(n=Count("pk")).values("n")
    waits = Exists(waiting.filter(player=OuterRef("player")))
    waiting = waiting.select_related("player", "table", "offer").annotate(players_there=Coalesce(Subquery(there), 0))
    for entry in waiting.only(*_ENTRY_SHOWN) if is_for_show else waiting:
        entries[entry.offer_id].append(entry)
    needed = Q(table__in=ids) | Q(table__must_move_to__in=ids) | (Q(table__offer__in=offers) & waits)
    seats = Seat.objects.filter(needed).select_related("table", "player").order_by("pk")
    seats = list(seats.only(*_SEAT_SHOWN) if is_for_show else seats)
    held, invited = defaultdict(set), defaultdict(set)
    counts = Q(until__isnull=True) | Q(until__gt=now)
    for table_id, number in SeatHold.objects.filter(counts, table__in=ids).values_list("table", "number"):
        held[table_id].add(number)
    private = [table.pk for table in tables if table.is_private]
    for table_id, player_id in Invitation.objects.filter(table__in=private).values_list("table", "player"):
        invited[table_id].add(player_id)
    moving = ListEntry.objects.filter(kind=Kind.MUST_MOVE, state__in=ListEntry.ACTIVE, table__must_move_to__in=ids)
    obliged = set(moving.values_list("player", flat=True))
    people = {entry.player_id for names in entries.values() for entry in names} | {seat.player_id for seat in seats}
    barred = standing.barred(people, now=now) if is_for_show else None
    return Room(frozenset(ids), entries, seats, held, invited, obliged, barred)


def next_for(
    table: Table, *, now: datetime, numbers: Iterable[int] | None = None, skipped: Mapping[int, str] | None = None,
    room: Room | None = None,
) -> Choice | None:  # fmt: skip
    """Whose a free seat of this table is by the rules of the lists; None where none is free or nobody waits.

    `numbers`: only these seats; `skipped`: players, and why they cannot have one. Who may not play is passed over.
    """
    if table.offer_id is None or table.event or table.state != Table.State.OPEN:
        return None
    room = look([table], now=now) if room is None else room
    free = [number for number in room.free(table) if numbers is None or number in set(numbers)]
    if not free:
        return None
    waiting = _candidates(table, room)
    if skipped:
        waiting = [replace(one, bars=(skipped[one.player],)) if one.player in skipped else one for one in waiting]
    while (chosen := rules.choose(free, waiting)) is not None:
        barred = _barred(chosen.candidate, table, room, now=now)
        if not barred:
            return _choice(table, chosen)
        one = chosen.candidate
        waiting = [replace(each, bars=(barred,)) if each is one else each for each in waiting]
    return None


def _candidates(table: Table, room: Room) -> list[Candidate]:
    """Everybody who waits for a seat of this table: on the lists of its game, at its must-move table, at itself."""
    invited = room.invited.get(table.pk, set()) if table.is_private else None
    found = [
        _of_entry(entry, table, room.of_player[entry.player_id], room.players, invited)
        for entry in room.entries.get(table.offer_id or 0, [])
        if _is_about(entry, table)
    ]
    return [*found, *_must_move(table, room)]


def _is_about(entry: ListEntry, table: Table) -> bool:
    if entry.kind == Kind.SEAT_CHANGE:
        return entry.table_id == table.pk
    return not (entry.kind == Kind.TABLE_CHANGE and entry.table_id == table.pk)


def _of_entry(
    entry: ListEntry, table: Table, mine: list[Seat], players: Counter[int], invited: set[int] | None
) -> Candidate:
    return Candidate(
        player=entry.player_id,
        name=entry.player.username,
        kind=entry.kind,
        order=(entry.tier, entry.place, entry.pk),
        entry=entry,
        tier=entry.tier,
        seats=frozenset(entry.wish("seats") or ()),
        bars=tuple(_bars(entry, table, mine, players, invited)),
    )


def _bars(
    entry: ListEntry, table: Table, mine: list[Seat], players: Counter[int], invited: set[int] | None
) -> Iterable[str]:
    """Why a seat of this table cannot be his, whichever it is."""
    wanted = entry.wish("tables")
    if wanted and table.pk not in wanted:
        yield "wants another table"
    if invited is not None and entry.player_id not in invited:
        yield f"has no invitation to {table.name}"
    at_table = next((seat for seat in mine if seat.table_id == entry.table_id), None)
    if entry.is_move and at_table is None:
        yield "has left the table he was to move from"
    elif entry.is_move and at_table.state == Seat.State.LEAVING:
        yield "leaves after this hand"
    elif entry.kind == Kind.TABLE_CHANGE:
        yield from _bars_of_transfer(entry, table, mine, players)
    elif not entry.is_move and mine:
        yield from _bars_of_seated(entry, table, mine)


def _bars_of_transfer(entry: ListEntry, table: Table, mine: list[Seat], players: Counter[int]) -> Iterable[str]:
    if any(seat.table_id == table.pk for seat in mine):
        yield f"sits at {table.name} already"
    left, entered = players[entry.table_id or 0] - 1, players[table.pk]
    if left < entered:
        yield f"would leave {left} where he plays, and {entered} play here ({rules.TRANSFER_CITE})"


def _bars_of_seated(entry: ListEntry, table: Table, mine: list[Seat]) -> Iterable[str]:
    at = next((seat.table for seat in mine if seat.table_id == table.pk), None)
    if at is not None:
        yield f"sits at {at.name} already"
    elif table.is_physical or len(mine) >= entry.offer.tables_per_player:
        yield f"sits at {mine[0].table.name} already"


def _must_move(table: Table, room: Room) -> list[Candidate]:
    """The players of the tables that feed this one: first in there, first out of it."""
    feeding = [seat for seat in room.feeding[table.pk] if not seat.player.is_bot and seat.player_id not in room.obliged]
    return [
        Candidate(
            player=seat.player_id,
            name=seat.player.username,
            kind=Kind.MUST_MOVE,
            order=(int(seat.sat_at.timestamp() * 1_000_000), seat.pk),
            entry=ListEntry(
                offer=table.offer, table=seat.table, player=seat.player, kind=Kind.MUST_MOVE,
                source=ListEntry.Source.TRANSFER, place=0, joined_at=seat.sat_at,
            ),
            bars=_bars_of_feeding(seat),
        )
        for seat in feeding
    ]  # fmt: skip


def _bars_of_feeding(seat: Seat) -> tuple[str, ...]:
    if seat.state == Seat.State.LEAVING:
        return ("leaves after this hand",)
    return ("is away from the table",) if seat.state == Seat.State.SITTING_OUT else ()


def _barred(candidate: Candidate, table: Table, room: Room, *, now: datetime) -> str:
    """Why he may not play at all, "" where he may."""
    assert candidate.entry is not None
    if room.barred is not None:
        return _MAY_NOT if candidate.player in room.barred else ""
    where = "room" if table.is_physical else "online"
    try:
        standing.check_may_play(player=candidate.entry.player, now=now, where=where)
        if not candidate.entry.is_move:
            limits.check(player=candidate.entry.player, kind="time", now=now)
    except (Forbidden, Illegal):
        return _MAY_NOT
    return ""


def _choice(table: Table, chosen: Chosen) -> Choice:
    entry = chosen.candidate.entry
    assert entry is not None
    passed = [(each.entry, why) for each, why in chosen.passed_over if each.entry is not None]
    return Choice(entry, table, chosen.number, chosen.rule, _why(entry, chosen), passed)


def _why(entry: ListEntry, chosen: Chosen) -> str:
    since = store.clock(entry.joined_at)
    at = entry.table.name if entry.table is not None else ""
    said = {
        Kind.SEAT_CHANGE: f"asked for another seat at {since}, before any other player at the table",
        Kind.TABLE_CHANGE: f"asked at {since} to move here from {at}",
        Kind.MUST_MOVE: f"in the must-move game {at} since {since}, longest of those there",
    }.get(entry.kind, f"on the list since {since}, the first who waits")
    if entry.tier == 0:
        said = f"put back at {since} when his game broke, before the list"
    if chosen.passed_over:
        said += f"; passed over: {', '.join(f'{each.name} ({why})' for each, why in chosen.passed_over)}"
    return f"{chosen.candidate.name}: {said}."
