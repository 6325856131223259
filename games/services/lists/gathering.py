"""Who might get a free seat of a table, as the database knows it, and whose it is: `next_for`.

Reads and locks nothing: who acts on it has the offer locked, and asks again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from cardroom.services import limits, standing
from cardroom.services.errors import Forbidden, Illegal
from games.models import Invitation, ListEntry, Seat, Table
from games.services import holds
from games.services.lists import rules, store
from games.services.lists.rules import Candidate, Chosen, Rule

Kind = ListEntry.Kind


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


def next_for(
    table: Table, *, now: datetime, numbers: Iterable[int] | None = None, skipped: Mapping[int, str] | None = None
) -> Choice | None:
    """Whose a free seat of this table is by the rules of the lists; None where none is free or nobody waits.

    `numbers`: only these seats; `skipped`: players, and why they cannot have one. Who may not play is passed over.
    """
    if table.offer_id is None or table.event or table.state != Table.State.OPEN:
        return None
    free = holds.free_seats(table, now=now)
    if numbers is not None:
        free = [number for number in free if number in set(numbers)]
    if not free:
        return None
    waiting = candidates(table, now=now)
    if skipped:
        waiting = [replace(one, bars=(skipped[one.player],)) if one.player in skipped else one for one in waiting]
    return among(table, free, waiting, now=now)


def among(table: Table, free: list[int], waiting: list[Candidate], *, now: datetime) -> Choice | None:
    """The choice among these; whether he may play is asked only of him whose turn it is."""
    while (chosen := rules.choose(free, waiting)) is not None:
        barred = _barred(chosen.candidate, table, now=now)
        if not barred:
            return _choice(table, chosen)
        one = chosen.candidate
        waiting = [replace(each, bars=(barred,)) if each is one else each for each in waiting]
    return None


def candidates(table: Table, *, now: datetime) -> list[Candidate]:
    """Everybody who waits for a seat of this table: on the lists of its game, at its must-move table, at itself."""
    entries = list(
        ListEntry.objects.filter(offer=table.offer_id, state=ListEntry.State.WAITING)
        .exclude(kind=Kind.MUST_MOVE)
        .select_related("player", "table", "offer")
    )
    seats = _seats_of_the_game(table, entries)
    players = {pk: sum(1 for seat in seats if seat.table_id == pk) for pk in {seat.table_id for seat in seats}}
    invited = _invited(table)
    found = [_of_entry(entry, table, seats, players, invited) for entry in entries if _is_about(entry, table)]
    obliged = set(
        ListEntry.objects.filter(
            kind=Kind.MUST_MOVE, state__in=ListEntry.ACTIVE, table__must_move_to=table
        ).values_list("player", flat=True)
    )
    return [*found, *_must_move(table, seats, obliged)]


def _seats_of_the_game(table: Table, entries: list[ListEntry]) -> list[Seat]:
    """The seats at the tables of this game, and at those that feed this table."""
    same = Seat.objects.filter(table__offer=table.offer_id) | Seat.objects.filter(table__must_move_to=table)
    return list(same.select_related("table", "player").distinct())


def _invited(table: Table) -> set[int] | None:
    if not table.is_private:
        return None
    return set(Invitation.objects.filter(table=table).values_list("player", flat=True))


def _is_about(entry: ListEntry, table: Table) -> bool:
    if entry.kind == Kind.SEAT_CHANGE:
        return entry.table_id == table.pk
    return not (entry.kind == Kind.TABLE_CHANGE and entry.table_id == table.pk)


def _of_entry(
    entry: ListEntry, table: Table, seats: list[Seat], players: dict[int, int], invited: set[int] | None
) -> Candidate:
    mine = [seat for seat in seats if seat.player_id == entry.player_id]
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
    entry: ListEntry, table: Table, mine: list[Seat], players: dict[int, int], invited: set[int] | None
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


def _bars_of_transfer(entry: ListEntry, table: Table, mine: list[Seat], players: dict[int, int]) -> Iterable[str]:
    if any(seat.table_id == table.pk for seat in mine):
        yield f"sits at {table.name} already"
    left, entered = players.get(entry.table_id or 0, 0) - 1, players.get(table.pk, 0)
    if left < entered:
        yield f"would leave {left} where he plays, and {entered} play here ({rules.TRANSFER_CITE})"


def _bars_of_seated(entry: ListEntry, table: Table, mine: list[Seat]) -> Iterable[str]:
    at = next((seat.table for seat in mine if seat.table_id == table.pk), None)
    if at is not None:
        yield f"sits at {at.name} already"
    elif table.is_physical or len(mine) >= entry.offer.tables_per_player:
        yield f"sits at {mine[0].table.name} already"


def _must_move(table: Table, seats: list[Seat], obliged: set[int]) -> list[Candidate]:
    """The players of the tables that feed this one: first in there, first out of it."""
    feeding = [
        seat
        for seat in seats
        if seat.table.must_move_to_id == table.pk and not seat.player.is_bot and seat.player_id not in obliged
    ]
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


def _barred(candidate: Candidate, table: Table, *, now: datetime) -> str:
    """Why he may not play at all, "" where he may."""
    assert candidate.entry is not None
    where = "room" if table.is_physical else "online"
    try:
        standing.check_may_play(player=candidate.entry.player, now=now, where=where)
        if not candidate.entry.is_move:
            limits.check(player=candidate.entry.player, kind="time", now=now)
    except (Forbidden, Illegal):
        return "may not play at the moment"  # why is nobody's business but his and the staff's
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
    }.get(entry.kind, f"on the list since {since}, the first name on it")
    if entry.tier == 0:
        said = f"put back at {since} when his game broke, before the list"
    if chosen.passed_over:
        said += f"; passed over: {', '.join(f'{each.name} ({why})' for each, why in chosen.passed_over)}"
    return f"{chosen.candidate.name}: {said}."
