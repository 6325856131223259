"""Whose a free seat of a table is: `next_for`, by the rules, from what `gathering` has read.

A page that shows the choice and whoever acts on it ask here, and get the same answer.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from cardroom.services import people
from games.models import ListEntry, Seat, Table
from games.services.lists import rules, store
from games.services.lists.gathering import Room, look
from games.services.lists.rules import Candidate, Chosen, Rule

Kind = ListEntry.Kind

#: Why is nobody's business but theirs and the staff's.
_MAY_NOT = "may not play at the moment"
_NO_LOGIN = "has no login, and this table is online"
_PASSED = "was passed over by the floor a short while ago"
_GOING = (Seat.State.LEAVING, Seat.State.REMOVED)


@dataclass(frozen=True)
class Choice:
    """Whose the seat is, by which rule and why, and who came before them and was passed over, each with the reason.

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
    waiting = _candidates(table, room, now=now)
    if skipped:
        waiting = [replace(one, bars=(skipped[one.player],)) if one.player in skipped else one for one in waiting]
    chosen = _first(free, waiting, table, room)
    return None if chosen is None else _choice(table, chosen)


def first_right(player: int, table: Table, *, now: datetime, room: Room) -> dict[int, Rule]:
    """The free seats that go to others before this player, as they play the game already and change or move here:
    one for each of them, by the rules."""
    free, found = room.free(table), dict[int, Rule]()
    waiting = [each for each in _candidates(table, room, now=now) if each.kind not in (Kind.LIST, Kind.INTEREST)]
    while (chosen := _first(free, waiting, table, room)) is not None and chosen.candidate.player != player:
        found[chosen.number] = chosen.rule
        free = [number for number in free if number != chosen.number]
        waiting = [each for each in waiting if each.player != chosen.candidate.player]
    return found


def _first(free: Sequence[int], waiting: list[Candidate], table: Table, room: Room) -> Chosen | None:
    """Whose one of these seats is, of those who may play."""
    while (chosen := rules.choose(free, waiting)) is not None:
        barred = _barred(chosen.candidate, table, room)
        if not barred:
            return chosen
        one = chosen.candidate
        waiting = [replace(each, bars=(barred,)) if each is one else each for each in waiting]
    return None


def names_before(player: int, table: Table, free: Collection[int], *, now: datetime, room: Room) -> int:
    """How many others on the list of this game could have one of these free seats of this table."""
    seats = set(free)
    return sum(
        each.kind in (Kind.LIST, Kind.INTEREST)
        and each.player != player
        and not each.bars
        and bool((each.seats or seats) & seats - each.passed)
        and not _barred(each, table, room)
        for each in _candidates(table, room, now=now)
    )


def _candidates(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """Everybody who waits for a seat of this table: on the lists of its game, at its must-move table, at itself."""
    found = [
        _of_entry(entry, table, room) for entry in room.entries.get(table.offer_id or 0, []) if _is_about(entry, table)
    ]
    return [*found, *_must_move(table, room, now=now)]


def _is_about(entry: ListEntry, table: Table) -> bool:
    if entry.kind == Kind.SEAT_CHANGE:
        return entry.table_id == table.pk
    return not (entry.kind == Kind.TABLE_CHANGE and entry.table_id == table.pk)


def _of_entry(entry: ListEntry, table: Table, room: Room) -> Candidate:
    passed = room.passed.get(entry.pk, set())
    return Candidate(
        player=entry.player_id,
        name=entry.player.username,
        kind=entry.kind,
        order=(entry.tier, entry.place, entry.pk),
        entry=entry,
        tier=entry.tier,
        seats=frozenset(entry.wish("seats") or ()),
        passed=frozenset(number for at, number in passed if at == table.pk),
        bars=(_PASSED,) if (0, 0) in passed else tuple(_bars(entry, table, room)),
    )


def _bars(entry: ListEntry, table: Table, room: Room) -> Iterable[str]:
    """Why a seat of this table cannot be theirs, whichever it is."""
    # Their seats in other games are no matter here.
    mine = [seat for seat in room.of_player[entry.player_id] if seat.table.offer_id == table.offer_id]
    wanted = entry.wish("tables")
    if wanted and table.pk not in wanted:
        yield "wants another table"
    is_here = entry.table_id == table.pk
    if table.is_private and not is_here and entry.player_id not in room.invited.get(table.pk, set()):
        yield f"has no invitation to {table.name}"
    at_table = next((seat for seat in mine if seat.table_id == entry.table_id), None)
    if entry.is_move and at_table is None:
        yield "has left the table they were to move from"
    elif entry.is_move and at_table.state in _GOING:
        yield "leaves after this hand"
    elif entry.kind == Kind.TABLE_CHANGE:
        yield from _bars_of_transfer(entry, table, mine, room.players)
    elif not entry.is_move and mine:
        yield from _bars_of_seated(entry, table, mine)


def _bars_of_transfer(entry: ListEntry, table: Table, mine: list[Seat], players: Counter[int]) -> Iterable[str]:
    if any(seat.table_id == table.pk for seat in mine):
        yield f"sits at {table.name} already"
    left, entered = players[entry.table_id or 0] - 1, players[table.pk]
    if left < entered:
        yield f"would leave {left} where they play, and {entered} play here ({rules.TRANSFER_CITE})"


def _bars_of_seated(entry: ListEntry, table: Table, mine: list[Seat]) -> Iterable[str]:
    at = next((seat.table for seat in mine if seat.table_id == table.pk), None)
    if at is not None:
        yield f"sits at {at.name} already"
    elif table.is_physical or len(mine) >= entry.offer.tables_per_player:
        yield f"sits at {mine[0].table.name} already"


def _must_move(table: Table, room: Room, *, now: datetime) -> list[Candidate]:
    """The players of the tables that feed this one: first in there, first out of it."""
    feeding = [seat for seat in room.feeding[table.pk] if not seat.player.is_bot and not seat.is_obliged]
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
            bars=_bars_of_feeding(seat, table, room, now=now),
        )
        for seat in feeding
    ]  # fmt: skip


def _bars_of_feeding(seat: Seat, table: Table, room: Room, *, now: datetime) -> tuple[str, ...]:
    if seat.state in _GOING:
        return ("leaves after this hand",)
    if any(other.player_id == seat.player_id for other in room.at_table[table.pk]):
        return (f"sits at {table.name} already",)
    spared = seat.spared_at
    if spared is not None and seat.sat_at <= spared and now < spared + timedelta(minutes=table.offer.hold_minutes):
        return (_PASSED,)
    return ("is away from the table",) if seat.state == Seat.State.SITTING_OUT else ()


def _barred(candidate: Candidate, table: Table, room: Room) -> str:
    """Why they may not play at all, "" where they may."""
    entry = candidate.entry
    assert entry is not None
    if not (table.is_physical or entry.is_move or people.can_log_in(entry.player)):
        return _NO_LOGIN
    is_banned = candidate.player in room.barred["room" if table.is_physical else "online"]
    return _MAY_NOT if is_banned or (not entry.is_move and entry.player_id in room.over_limit) else ""


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
        said = f"put back at {since} when their game broke, before the list"
    if chosen.passed_over:
        said += f"; passed over: {', '.join(f'{each.name} ({why})' for each, why in chosen.passed_over)}"
    return f"{chosen.candidate.name}: {said}."
