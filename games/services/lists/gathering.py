"""What the database knows of those who might get a free seat: names, seats, held seats, invitations, bans, limits.

Read for one table or for all of them at once, and the same either way. Locks nothing: who acts on it has the offer
locked, and asks again.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db.models import Case, CharField, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from cardroom.services import limits, standing
from games.models import Invitation, ListEntry, ListMove, Seat, SeatHold, Table

Kind, State = ListEntry.Kind, ListEntry.State

#: Who was passed over is passed over for so long as their game holds a seat, and never longer than this.
_LONGEST_HOLD = timedelta(days=1)

#: What is read where a choice is only shown: there may be thousands of rows.
_SEAT_SHOWN = (
    *("table", "number", "player", "state", "sat_at"),
    *("table__name", "table__must_move_to", "table__offer", "player__username", "player__is_bot"),
)


@dataclass(frozen=True)
class Room:
    """What the choices at some tables of games on offer are made from, read in five queries however many they are; two
    more where somebody who waits has set themselves a limit of time.

    `seats`: those of the tables, of the tables that feed them, and of everybody who waits for one of these games.
    `passed`: by entry, the seats it was passed over for lately (0, 0: whichever); `barred`: who may not play, online
    and in the room.
    """

    tables: frozenset[int]
    entries: dict[int, list[ListEntry]]
    seats: list[Seat]
    held: dict[int, set[int]]
    invited: dict[int, set[int]]
    passed: dict[int, set[tuple[int, int]]]
    barred: Mapping[str, frozenset[int]]
    now: datetime

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

    @cached_property
    def over_limit(self) -> frozenset[int]:
        """Who waits and has played today as long as they allowed themselves."""
        waiting = [entry for names in self.entries.values() for entry in names if entry.time_limit is not None]
        return limits.over_time({entry.player_id: entry.time_limit for entry in waiting}, now=self.now)


def _by(seats: Iterable[Seat], key: Callable[[Seat], int]) -> Mapping[int, list[Seat]]:
    found: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats:
        found[key(seat)].append(seat)
    return found


def with_details(names: QuerySet[ListEntry], *, now: datetime) -> QuerySet[ListEntry]:
    """Names, with what a choice takes that their rows do not say."""
    there = Seat.objects.filter(table=OuterRef("table")).order_by().values("table").annotate(n=Count("pk")).values("n")
    limit = limits.of_time(now=now).filter(player=OuterRef("player")).values("amount")[:1]
    return names.annotate(players_there=Coalesce(Subquery(there), 0), time_limit=Subquery(limit))


def look(tables: Collection[Table], *, now: datetime, names: Iterable[ListEntry] | None = None) -> Room:
    """Read what the lists of these tables' games are about. `names`: of these games, where they were read already, to
    be shown; then no more is read of each seat than is shown either."""
    offers, ids = {table.offer_id for table in tables}, {table.pk for table in tables}
    entries: dict[int, list[ListEntry]] = defaultdict(list)
    waiting = ListEntry.objects.filter(offer__in=offers, state=ListEntry.State.WAITING).exclude(kind=Kind.MUST_MOVE)
    waits = Exists(waiting.filter(player=OuterRef("player")))
    read = with_details(waiting.select_related("player", "table", "offer"), now=now) if names is None else names
    for entry in read:
        if entry.offer_id in offers and entry.state == State.WAITING and entry.kind != Kind.MUST_MOVE:
            entries[entry.offer_id].append(entry)
    plays_on = Q(table__offer__in=offers) & ~Q(table__state=Table.State.BREAKING)
    needed = Q(table__in=ids) | Q(table__must_move_to__in=ids) | (plays_on & waits)
    seats = Seat.objects.filter(needed).select_related("table", "player").order_by("pk")
    seats = seats.annotate(**_of_moves(ids, now=now))
    seats = list(seats if names is None else seats.only(*_SEAT_SHOWN))
    held, invited = _kept_for(tables, now=now)
    people = {entry.player_id for names in entries.values() for entry in names} | {seat.player_id for seat in seats}
    barred, passed = standing.barred(people, now=now), _passed_over(offers, now=now)
    return Room(frozenset(ids), entries, seats, held, invited, passed, barred, now)


def _kept_for(tables: Collection[Table], *, now: datetime) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """By table, the seats that are held, and where it is private the players who are invited. One query for both."""
    what = {what: Value(what, output_field=CharField()) for what in ("seat", "player")}
    counts = Q(until__isnull=True) | Q(until__gt=now)
    kept = SeatHold.objects.filter(counts, table__in=[table.pk for table in tables]).order_by()
    rows = kept.values_list(what["seat"], "table", "number")
    if private := [table.pk for table in tables if table.is_private]:
        asked = Invitation.objects.filter(table__in=private).order_by()
        rows = rows.union(asked.values_list(what["player"], "table", "player"), all=True)
    found: dict[str, dict[int, set[int]]] = {each: defaultdict(set) for each in what}
    for kind, table_id, number in rows:
        found[kind][table_id].add(number)
    return found["seat"], found["player"]


def _of_moves(main_games: Collection[int], *, now: datetime) -> dict[str, Any]:
    """Of a seat that feeds one of these main games: whether its player is to move already, and when the floor took a
    move of theirs from there back, if it was a short while ago."""
    moves = ListEntry.objects.filter(player=OuterRef("player"), kind=Kind.MUST_MOVE)
    to_there = moves.filter(table__must_move_to=OuterRef("table__must_move_to"), state__in=ListEntry.ACTIVE)
    over = moves.filter(table=OuterRef("table"), state__in=(State.PASSED, State.LEFT), ended_at__gt=now - _LONGEST_HOLD)
    is_feeding = Q(table__must_move_to__in=main_games)
    return {
        "is_obliged": Case(When(is_feeding, then=Exists(to_there)), default=Value(False)),
        "spared_at": Case(When(is_feeding, then=Subquery(over.order_by("-pk").values("ended_at")[:1]))),
    }


def _passed_over(offers: Collection[int | None], *, now: datetime) -> dict[int, set[tuple[int, int]]]:
    named = Q(verb="passed-over", table__isnull=False) | Q(verb="held-back")
    moves = ListMove.objects.filter(named, at__gt=now - _LONGEST_HOLD)
    moves = moves.filter(entry__offer__in=offers, entry__state=State.WAITING)
    passed: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for entry, table, number, at, minutes in moves.values_list(
        "entry", "table", "number", "at", "entry__offer__hold_minutes"
    ):
        if at > now - timedelta(minutes=minutes):
            passed[entry].add((table or 0, number))
    return passed
