"""Which players move so that tables stay even."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

from tournaments.engine.breaking import in_break_order, in_use
from tournaments.engine.errors import Phrase
from tournaments.engine.seating import BY_POSITION, PlannedMove, TableView


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


class _TableSeats:
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
        self._tables = [_TableSeats(view) for view in in_break_order(in_use(tables), break_order)]
        self._giving, self._taking = _Shelf(), _Shelf()
        for rank in range(len(self._tables)):
            self._put(rank)

    def moves(self) -> Iterator[PlannedMove]:
        while (giving := self._giving.fullest()) and (taking := self._taking.shortest()):
            (most, giver), (least, taker) = giving, taking
            if most - least < self._at:
                return
            seats = self._seats(self._tables[giver], self._tables[taker])
            if seats:
                yield self._move(giver, taker, *seats)
            else:
                self._drop(giver)  # who is as full as this one is the shortest for nobody

    def _seats(self, giver: _TableSeats, taker: _TableSeats) -> tuple[int, int, str] | None:
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
