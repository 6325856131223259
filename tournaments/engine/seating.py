"""Who sits where: the draw of a whole event, a late seat, tables that break, tables that are kept even.

Tables and seats are numbered from 1. Nothing here is kept: values go in, values come out, and the same seed draws the
same seats again. Knows nothing of hands or clocks.

A table breaks when the rest can seat everybody, and always before anybody balances. Its players draw twice (TDA 10B):
for the order, then each for a seat. An open table where nobody sits is no table yet: it neither breaks nor offers its
seats while others have room.

Balancing in stud (TDA 11A): the fullest table between hands gives; the seat filled is the one that opened last at the
shortest table, and the player moved is the giving table's in that same seat number, else the next one clockwise. Which
table gives is the room's to say (TDA 11C); ours is in ``plan_balance``.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.engine import labels
from tournaments.engine.config import MOST_STUD_SEATS
from tournaments.engine.errors import IllegalAction, Phrase, Said, counted
from tournaments.engine.plain import Chance, ordinal

#: (table, seat), both from 1.
Place = tuple[int, int]

DRAWN_AT_RANDOM = "TDA 7"
LATE_AT_RANDOM = "TDA 8A"
TWO_RANDOM_STEPS = "TDA 10B"
#: Its nine cannot be dealt in stud; how many seats the table has is for the event to say, and eight is usual.
FINAL_TABLE = "TDA RP-9"
BY_POSITION = "TDA 11A"


@dataclass(frozen=True, slots=True)
class TableView:
    """One open table as the floor sees it.

    ``seats``: seat -> entrant; ``opened``: its empty seats, the one that opened last first (an empty seat that is not
    in it has been empty from the start); ``size``: its seats; ``fixed``: entrants who may not be moved; ``reserved``:
    seats kept for somebody, empty or not.
    """

    number: int
    seats: Mapping[int, int]
    opened: tuple[int, ...] = ()
    size: int = MOST_STUD_SEATS
    is_between_hands: bool = True
    fixed: frozenset[int] = frozenset()
    reserved: frozenset[int] = frozenset()

    @property
    def players(self) -> int:
        return len(self.seats)

    def is_free(self, seat: int) -> bool:
        return 1 <= seat <= self.size and seat not in self.seats and seat not in self.reserved

    def free(self) -> tuple[int, ...]:
        """The seats that anybody may take: the one that opened last first, then those that never opened, from 1 on."""
        once_taken = [seat for seat in dict.fromkeys(self.opened) if self.is_free(seat)]
        known = frozenset(once_taken)
        return (*once_taken, *[seat for seat in range(1, self.size + 1) if seat not in known and self.is_free(seat)])


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move that somebody may yet refuse. ``rule``: its citation (``"TDA 11A"``); ``why``: a sentence for people.

    ``numbers``: players at the table that is left and at the table that is joined, both before this move.
    """

    entrant: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    rule: str
    why: str
    numbers: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Tables that are due to become fewer. ``table``: the one that breaks; 0: all go to the final table."""

    table: int
    rule: str
    why: str


# -- the draw, and late seats ------------------------------------------------------------------------------------------


def draw(
    entrants: Sequence[int], *, seats: int, seed: int, reserved: Mapping[int, Place] | None = None
) -> dict[int, Place]:
    """entrant -> (table, seat) for all, at random (TDA 7), at as few tables as hold them, numbered from 1.

    The tables are as even as the reservations let them be. ``reserved``: entrant -> the place that is kept for it;
    one who is not among ``entrants`` is still to come, and nobody else gets that seat. Raises ``IllegalAction`` for an
    entrant who is there twice and for a reservation that cannot be kept.
    """
    kept = dict(reserved or {})
    waiting = [entrant for entrant in entrants if entrant not in kept]
    count = -(-(len(waiting) + len(kept)) // seats)
    _check_draw(entrants, kept, seats, count)
    chance = Chance(seed)
    taken: dict[int, set[int]] = {table: set() for table in range(1, count + 1)}
    for table, seat in kept.values():
        taken[table].add(seat)
    places: list[Place] = []
    for table, more in _even({table: len(used) for table, used in taken.items()}, len(waiting)).items():
        open_seats = [seat for seat in range(1, seats + 1) if seat not in taken[table]]
        places += [(table, seat) for seat in sorted(chance.shuffled(open_seats)[:more])]
    drawn = dict(zip(chance.shuffled(waiting), places, strict=True))
    return {entrant: kept.get(entrant) or drawn[entrant] for entrant in entrants}


def late_seat(tables: Sequence[TableView], *, seats: int, seed: int) -> Place | None:
    """A random free seat of the shortest tables that have one (TDA 8A); None where a table must be opened first.

    ``seats``: the most that sit at a table now, where that is fewer than the table's own seats.
    """
    rooms = [
        (view, [seat for seat in sorted(view.free()) if seat <= seats])
        for view in sorted(tables, key=lambda view: view.number)
        if view.players < seats
    ]
    least = min([view.players for view, free in rooms if free], default=None)
    places = [(view.number, seat) for view, free in rooms if view.players == least for seat in free]
    return places[Chance(seed).below(len(places))] if places else None


def _even(players: Mapping[int, int], more: int) -> dict[int, int]:
    """table -> how many of ``more`` players it gets, so that the tables end as even as can be; low numbers first."""
    final = dict(players)
    level = min(final.values(), default=0)
    while more:
        for table in [table for table, count in final.items() if count == level][:more]:
            final[table] += 1
            more -= 1
        level += 1
    return {table: count - players[table] for table, count in final.items()}


def _check_draw(entrants: Sequence[int], kept: Mapping[int, Place], seats: int, count: int) -> None:
    if len(set(entrants)) != len(entrants):
        twice = next(entrant for entrant in entrants if entrants.count(entrant) > 1)
        raise IllegalAction(
            "drawn-twice", "Entrant {twice} is in the draw twice: enter each once.", DRAWN_AT_RANDOM, twice=twice
        )
    owners: dict[Place, int] = {}
    for entrant, (table, seat) in kept.items():
        if not 1 <= seat <= seats:
            raise IllegalAction(
                "reserved-seat-missing",
                "Entrant {entrant} has seat {seat} of table {table} reserved: the tables have seats 1 to {seats}.",
                entrant=entrant,
                seat=seat,
                table=table,
                seats=seats,
            )
        if not 1 <= table <= count:
            raise IllegalAction(
                "reserved-table-missing",
                "Entrant {entrant} has a seat at table {table} reserved, and the field fills only {count}: reserve one "
                "of those.",
                entrant=entrant,
                table=table,
                count=count,
            )
        if (table, seat) in owners:
            raise IllegalAction(
                "reserved-twice",
                "Seat {seat} of table {table} is reserved for both {first} and {second}: give one of them another.",
                seat=seat,
                table=table,
                first=owners[table, seat],
                second=entrant,
            )
        owners[table, seat] = entrant


# -- tables that break, and the final table ----------------------------------------------------------------------------


def in_use(tables: Sequence[TableView]) -> list[TableView]:
    return [view for view in tables if view.seats]


def in_break_order(tables: Sequence[TableView], break_order: Sequence[int] = ()) -> list[TableView]:
    """The tables, first to break first: those of the published order, then the others from the highest number down."""
    published = {number: position for position, number in enumerate(break_order)}
    unpublished = len(published)
    return sorted(tables, key=lambda view: (published.get(view.number, unpublished), -view.number))


def is_final_table_due(tables: Sequence[TableView], *, final_seats: int) -> bool:
    """Whether all who are left fit at the final table and do not sit at one table yet."""
    used = in_use(tables)
    return len(used) > 1 and sum(view.players for view in used) <= final_seats


def due(tables: Sequence[TableView], *, break_order: Sequence[int] = (), final_seats: int = 0) -> Consolidation | None:
    """The final table or the break that comes before any balancing, with its reason in words."""
    used = in_use(tables)
    if is_final_table_due(used, final_seats=final_seats):
        left = sum(view.players for view in used)
        why = Said(
            "{left} players are left at {tables} tables, and the final table has {seats} seats.",
            left=left,
            tables=len(used),
            seats=final_seats,
        )
        return Consolidation(0, FINAL_TABLE, why)
    found = _first_that_breaks(used, break_order, final_seats)
    if found is None:
        return None
    why = Said(
        "Table {table} is the next to break: the rest ({tables}) has {room} for its {players}.",
        table=found.number,
        tables=counted(len(used) - 1, "{n} table", "{n} tables"),
        room=counted(_room(used) - len(found.free()), "{n} free seat", "{n} free seats"),
        players=counted(found.players, "{n} player", "{n} players"),
    )
    return Consolidation(found.number, TWO_RANDOM_STEPS, why)


def plan_break(table: TableView, others: Sequence[TableView], *, seed: int) -> list[PlannedMove]:
    """The moves that empty ``table``, in the order of drawing.

    Each player drawn draws a seat among the free ones of the tables that are the emptiest by then, so that the tables
    end as even as they can. Raises ``IllegalAction`` while a hand is running there, when the others have too few
    seats, and when somebody there may not be moved.
    """
    _check_break(table, others)
    if _room(in_use(others)) >= table.players:
        others = in_use(others)
    others = sorted(others, key=lambda view: view.number)
    chance = Chance(seed)
    free = {view.number: sorted(view.free()) for view in others}
    players = {view.number: view.players for view in others}
    moves: list[PlannedMove] = []
    for turn, seat in enumerate(chance.shuffled(sorted(table.seats)), 1):
        least = min(players[number] for number, seats in free.items() if seats)
        choice = [(number, one) for number, seats in free.items() if players[number] == least for one in seats]
        number, chosen = choice[chance.below(len(choice))]
        why = _DRAWN(
            table=table.number,
            turn=ordinal(turn),
            players=table.players,
            seat=chosen,
            to=number,
            seats=labels.free_seats(len(choice)),
            least=labels.players(least),
        )
        leaving = table.players - turn + 1
        entrant = table.seats[seat]
        moves.append(PlannedMove(entrant, table.number, seat, number, chosen, TWO_RANDOM_STEPS, why, (leaving, least)))
        free[number].remove(chosen)
        players[number] += 1
    return moves


def final_table(
    tables: Sequence[TableView], *, final_seats: int, seed: int, number: int = 0, break_order: Sequence[int] = ()
) -> dict[int, Place]:
    """entrant -> (table, seat) after the draw of the final table; some may keep the seat they have.

    All draw one of the seats 1 to ``final_seats`` of table ``number``. 0: the table of one who may not be moved, else
    the one that would break last. Who may not be moved and sits at that table keeps their seat, if the final has it.
    Raises ``IllegalAction`` when more are left than the table seats, and while a hand is running anywhere.
    """
    left = sum(view.players for view in tables)
    if left > final_seats:
        raise IllegalAction(
            "too-many-left",
            "{left} players are left and the final table has {seats} seats: play on.",
            FINAL_TABLE,
            left=left,
            seats=final_seats,
        )
    _check_between_hands(tables)
    if not left:
        return {}
    number = number or _table_of_the_final(in_use(tables), break_order)
    staying = {
        entrant: (number, seat)
        for view in tables
        for seat, entrant in view.seats.items()
        if view.number == number and entrant in view.fixed and seat <= final_seats
    }
    kept = {seat for _, seat in staying.values()}
    drawn = iter(Chance(seed).shuffled(seat for seat in range(1, final_seats + 1) if seat not in kept))
    sitting = sorted((view.number, seat, entrant) for view in tables for seat, entrant in view.seats.items())
    return {entrant: staying.get(entrant) or (number, next(drawn)) for _, _, entrant in sitting}


def _table_of_the_final(tables: Sequence[TableView], break_order: Sequence[int]) -> int:
    last_first = in_break_order(tables, break_order)[::-1]
    staying = [view for view in last_first if not _may_break(view)]
    return (staying or last_first)[0].number


def _may_break(view: TableView) -> bool:
    """Whether nobody sits there who may not be moved."""
    return view.fixed.isdisjoint(view.seats.values())


def _first_that_breaks(tables: Sequence[TableView], break_order: Sequence[int], final_seats: int) -> TableView | None:
    used = in_use(tables)
    if len(used) < 2 or (final_seats and len(used) == 2):
        return None
    first = next((view for view in in_break_order(used, break_order) if _may_break(view)), None)
    if first is None or _room(used) - len(first.free()) < first.players:
        return None
    return first


def _room(tables: Sequence[TableView]) -> int:
    return sum(len(view.free()) for view in tables)


def _check_break(table: TableView, others: Sequence[TableView]) -> None:
    _check_between_hands([table])
    held = sorted(seat for seat, entrant in table.seats.items() if entrant in table.fixed)
    if held:
        raise IllegalAction(
            "player-is-fixed",
            "Table {table} cannot break, for the player in seat {seat} may not be moved: lift the reservation first.",
            TWO_RANDOM_STEPS,
            table=table.number,
            seat=held[0],
        )
    room = _room(others)
    if room < table.players:
        raise IllegalAction(
            "no-room",
            "Table {table} cannot break: {players} for {seats} elsewhere.",
            TWO_RANDOM_STEPS,
            table=table.number,
            players=counted(table.players, "{n} player", "{n} players"),
            seats=counted(room, "{n} free seat", "{n} free seats"),
        )


def _check_between_hands(tables: Sequence[TableView]) -> None:
    for view in tables:
        if not view.is_between_hands:
            raise IllegalAction(
                "hand-running",
                "A hand is running at table {table}: its players move when it is over.",
                table=view.number,
            )


# -- tables that are kept even -----------------------------------------------------------------------------------------


def plan_balance(tables: Sequence[TableView], *, at: int = 2, break_order: Sequence[int] = ()) -> list[PlannedMove]:
    """The fewest moves after which no table between hands has ``at`` players (two at least) more than the shortest.

    Of tables as full as each other the first to break gives; of tables as short the last to break gets, as its players
    are the least likely to be moved again. Nobody moves twice, no ``fixed`` player at all, and no ``reserved`` seat is
    filled; so tables may stay apart where everybody is fixed. An open table where nobody sits gets nobody: those who
    come late fill it. Each move counts on those before it.
    """
    return list(_Floor(tables, at, break_order).moves())


def next_move(tables: Sequence[TableView], *, at: int = 2, break_order: Sequence[int] = ()) -> PlannedMove | None:
    """The first move of ``plan_balance``, None while the tables are even enough."""
    return next(_Floor(tables, at, break_order).moves(), None)


class _Shelf:
    """Tables by their number of players; each table is its rank in the break order, 0 the first to break."""

    def __init__(self) -> None:
        self._ranks: dict[int, list[int]] = {}

    def put(self, players: int, rank: int) -> None:
        insort(self._ranks.setdefault(players, []), rank)

    def drop(self, players: int, rank: int) -> None:
        ranks = self._ranks.get(players, [])
        position = bisect_left(ranks, rank)
        if position < len(ranks) and ranks[position] == rank:
            del ranks[position]
            if not ranks:
                del self._ranks[players]

    def fullest(self) -> tuple[int, int] | None:
        """(players, rank) of the fullest table, of several the first to break."""
        return (most, self._ranks[most][0]) if (most := max(self._ranks, default=None)) is not None else None

    def shortest(self) -> tuple[int, int] | None:
        """(players, rank) of the shortest table, of several the last to break."""
        return (least, self._ranks[least][-1]) if (least := min(self._ranks, default=None)) is not None else None


class _Table:
    """A table in the course of a plan. ``free``: its free seats, the one that opened last at the end."""

    def __init__(self, view: TableView) -> None:
        self.number = view.number
        self.size = view.size
        self.seats = dict(view.seats)
        self.free = list(reversed(view.free()))
        self.opened = frozenset(view.opened)
        self.fixed = view.fixed
        self.gives = view.is_between_hands

    @property
    def players(self) -> int:
        return len(self.seats)

    def mover(self, first: int) -> int | None:
        """The seat at or after ``first`` whose player may move."""
        return next((seat for seat in self.clockwise(first) if self.seats.get(seat, 0) not in {0, *self.fixed}), None)

    def clockwise(self, first: int) -> Iterator[int]:
        """Every seat once, from ``first`` on; from seat 1 where the table has no such seat."""
        start = first if 1 <= first <= self.size else 1
        return (1 + (start - 1 + step) % self.size for step in range(self.size))

    def leave(self, seat: int) -> int:
        """The entrant who leaves ``seat``. Nobody is moved into it in the same plan, see ``_Floor``."""
        return self.seats.pop(seat)

    def join(self, entrant: int, seat: int) -> None:
        self.seats[seat] = entrant
        self.free.remove(seat)


_DRAWN = Phrase(
    "drawn-from-a-table-that-breaks",
    "Table {table} breaks. Drawn {turn} of {players}, then seat {seat} of table {to} drawn from {seats} where "
    "{least} sat, the fewest.",
)
_OPENED = Phrase(
    "seat-opened",
    "Seat {seat} opened last at table {table}, and the player in seat {other_seat} of table {other_table} moves into "
    "it",
)
_NEVER_TAKEN = Phrase(
    "seat-never-taken",
    "Seat {seat} is the first that was never taken at table {table}, and the player in seat {other_seat} of table "
    "{other_table} moves into it",
)
_DIFFERENCE = Phrase("difference", "Table {table} has {players} players and table {other} has {others}. {why}")
_SAME_SEAT = Phrase("same-seat", "{why}.")
_FIXED_THERE = Phrase("next-fixed", "{why}, the next clockwise: seat {seat} there has a player who may not be moved.")
_EMPTY_THERE = Phrase("next-empty", "{why}, the next clockwise: seat {seat} there is empty.")


class _Floor:
    """All tables in the course of a plan, the fullest that may give and the shortest that has room at hand.

    A table that gave is never more than one short of any that may still give, and one that got is never two ahead of
    any with room: neither changes its part, so nobody moves twice and no seat that was left is filled.
    """

    def __init__(self, tables: Sequence[TableView], at: int, break_order: Sequence[int]) -> None:
        if at < 2:
            raise ValueError(
                f"tables cannot be kept less than {at} apart: a move over a difference of 1 only swaps them"
            )
        self._at = at
        self._tables = [_Table(view) for view in in_break_order(in_use(tables), break_order)]
        self._giving, self._taking = _Shelf(), _Shelf()
        for rank in range(len(self._tables)):
            self._put(rank)

    def moves(self) -> Iterator[PlannedMove]:
        while (giving := self._giving.fullest()) and (taking := self._taking.shortest()):
            (most, giver), (least, taker) = giving, taking
            if most - least < self._at:
                return
            found = self._seats(self._tables[giver], self._tables[taker])
            if found:
                yield self._move(giver, taker, *found)
            else:
                self._drop(giver)  # who is as full as this one is the shortest for nobody

    def _seats(self, giver: _Table, taker: _Table) -> tuple[int, int, str] | None:
        """(seat that is left, seat that is filled, why these two); None if nobody at ``giver`` may move."""
        to_seat = taker.free[-1]
        from_seat = giver.mover(to_seat)
        if from_seat is None:
            return None
        pattern = _OPENED if to_seat in taker.opened else _NEVER_TAKEN
        why = pattern(seat=to_seat, table=taker.number, other_seat=from_seat, other_table=giver.number)
        if from_seat == to_seat:
            return from_seat, to_seat, _SAME_SEAT(why=why)
        pattern = _FIXED_THERE if to_seat in giver.seats else _EMPTY_THERE
        return from_seat, to_seat, pattern(why=why, seat=to_seat)

    def _move(self, giver_rank: int, taker_rank: int, from_seat: int, to_seat: int, reason: str) -> PlannedMove:
        giver, taker = self._tables[giver_rank], self._tables[taker_rank]
        numbers = giver.players, taker.players
        why = _DIFFERENCE(table=giver.number, players=numbers[0], other=taker.number, others=numbers[1], why=reason)
        self._drop(giver_rank)
        self._drop(taker_rank)
        entrant = giver.leave(from_seat)
        taker.join(entrant, to_seat)
        self._put(giver_rank)
        self._put(taker_rank)
        return PlannedMove(entrant, giver.number, from_seat, taker.number, to_seat, BY_POSITION, why, numbers)

    def _put(self, rank: int) -> None:
        table = self._tables[rank]
        if table.gives:
            self._giving.put(table.players, rank)
        if table.free:
            self._taking.put(table.players, rank)

    def _drop(self, rank: int) -> None:
        players = self._tables[rank].players
        self._giving.drop(players, rank)
        self._taking.drop(players, rank)
