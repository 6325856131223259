"""Keeping tables even: who moves, from where to where, by which rule, and which tables wait meanwhile.

Stud (TDA 11A): the fullest table between hands gives; the seat filled is the one that opened last at the shortest
table, and the player moved is the giving table's in that same seat number, else the next one clockwise. In mixed
events (TDA 11B) the player due to be big blind moves, to the seat that pays it soonest. Which table gives is the
room's to say (TDA 11C); ours is in ``plan``.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence

from .breaking import Consolidation, due, in_break_order, in_use
from .errors import IllegalAction
from .seating import PlannedMove, TableView

BY_POSITION = "TDA 11A"
BIG_BLIND_MOVES = "TDA 11B"


def plan(
    tables: Sequence[TableView], *, at: int = 2, break_order: Sequence[int] = (), is_mixed: bool = False
) -> list[PlannedMove]:
    """The fewest moves after which no table between hands has ``at`` players (two at least) more than the shortest.

    Of tables as full as each other the first to break gives; of tables as short the last to break gets, as its players
    are the least likely to be moved again. Nobody moves twice, no ``fixed`` player at all, and no ``reserved`` seat is
    filled; so tables may stay apart where everybody is fixed. An open table where nobody sits gets nobody: those who
    come late fill it. Each move counts on those before it.

    Raises ``IllegalAction`` in a mixed event where nobody has said who is due to be big blind: it is never guessed.
    """
    return list(_Floor(tables, at, break_order, is_mixed).moves())


def next_move(
    tables: Sequence[TableView], *, at: int = 2, break_order: Sequence[int] = (), is_mixed: bool = False
) -> PlannedMove | None:
    """The first move of ``plan``, None while the tables are even enough."""
    return next(_Floor(tables, at, break_order, is_mixed).moves(), None)


def suggestion(
    tables: Sequence[TableView],
    *,
    at: int = 2,
    break_order: Sequence[int] = (),
    final_seats: int = 0,
    is_mixed: bool = False,
) -> Consolidation | PlannedMove | None:
    """What the floor does next: fewer tables before even ones, None where all is well."""
    consolidation = due(tables, break_order=break_order, final_seats=final_seats)
    return consolidation or next_move(tables, at=at, break_order=break_order, is_mixed=is_mixed)


def halted(tables: Sequence[TableView], *, short: int = 3) -> frozenset[int]:
    """The tables that stop dealing, being ``short`` players or more short of the fullest (TDA 11D); 0: none ever."""
    most = max([view.players for view in tables], default=0)
    return frozenset([view.number for view in in_use(tables) if short and most - view.players >= short])


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
        self.big_blind = view.big_blind
        self.gives = view.is_between_hands

    @property
    def players(self) -> int:
        return len(self.seats)

    def mover(self, first: int) -> int | None:
        """The seat at or after ``first`` whose player may move."""
        return next((seat for seat in self.clockwise(first) if self.seats.get(seat, 0) not in {0, *self.fixed}), None)

    def worst_seat(self) -> int:
        """The free seat that is big blind soonest; the one that opened last where nobody knows the big blind."""
        small_blind = self.before(self.big_blind)
        return next((seat for seat in self.clockwise(small_blind + 1) if seat in self.free), self.free[-1])

    def clockwise(self, first: int) -> Iterator[int]:
        """Every seat once, from ``first`` on; from seat 1 where the table has no such seat."""
        start = first if 1 <= first <= self.size else 1
        return (1 + (start - 1 + step) % self.size for step in range(self.size))

    def before(self, seat: int) -> int:
        """The nearest occupied seat counter-clockwise of ``seat``; itself if there is no other."""
        back = (1 + (seat - 2 - step) % self.size for step in range(self.size))
        return next((one for one in back if one in self.seats), seat)

    def leave(self, seat: int) -> int:
        """The entrant who leaves ``seat``. Nobody is moved into it in the same plan, see ``_Floor``."""
        entrant = self.seats.pop(seat)
        if seat == self.big_blind:
            self.big_blind = next((one for one in self.clockwise(seat) if one in self.seats), 0)
        return entrant

    def join(self, entrant: int, seat: int) -> None:
        self.seats[seat] = entrant
        self.free.remove(seat)


class _Floor:
    """All tables in the course of a plan, the fullest that may give and the shortest that has room at hand.

    A table that gave is never more than one short of any that may still give, and one that got is never two ahead of
    any with room: neither changes its part, so nobody moves twice and no seat that was left is filled.
    """

    def __init__(self, tables: Sequence[TableView], at: int, break_order: Sequence[int], is_mixed: bool) -> None:
        if at < 2:
            raise ValueError(
                f"tables cannot be kept less than {at} apart: a move over a difference of 1 only swaps them"
            )
        self._at = at
        self._is_mixed = is_mixed
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
        if self._is_mixed:
            return self._by_big_blind(giver, taker)
        to_seat = taker.free[-1]
        from_seat = giver.mover(to_seat)
        if from_seat is None:
            return None
        opened = "opened last" if to_seat in taker.opened else "is the first that was never taken"
        why = f"Seat {to_seat} {opened} at table {taker.number}, and the player in seat {from_seat} of table "
        why += f"{giver.number} moves into it"
        if from_seat != to_seat:
            fault = "has a player who may not be moved" if to_seat in giver.seats else "is empty"
            why += f", the next clockwise: seat {to_seat} there {fault}"
        return from_seat, to_seat, f"{why}."

    def _by_big_blind(self, giver: _Table, taker: _Table) -> tuple[int, int, str] | None:
        if not giver.big_blind:
            message = f"A player of table {giver.number} moves, and nobody has said who is due to be big blind there"
            raise IllegalAction("big-blind-unknown", f"{message}: enter the seat first.", BIG_BLIND_MOVES)
        from_seat = giver.mover(giver.big_blind)
        if from_seat is None:
            return None
        to_seat = taker.worst_seat() if taker.big_blind else taker.free[-1]
        who = "due to be big blind" if from_seat == giver.big_blind else "next to be big blind who may be moved"
        seat = "the free seat that pays it soonest" if taker.big_blind else "the seat that opened last"
        why = f"The player {who}, in seat {from_seat} of table {giver.number}, moves to seat {to_seat} of table "
        return from_seat, to_seat, f"{why}{taker.number}, {seat}."

    def _move(self, giver_rank: int, taker_rank: int, from_seat: int, to_seat: int, reason: str) -> PlannedMove:
        giver, taker = self._tables[giver_rank], self._tables[taker_rank]
        numbers = giver.players, taker.players
        why = f"Table {giver.number} has {numbers[0]} players and table {taker.number} has {numbers[1]}. {reason}"
        self._drop(giver_rank)
        self._drop(taker_rank)
        entrant = giver.leave(from_seat)
        taker.join(entrant, to_seat)
        self._put(giver_rank)
        self._put(taker_rank)
        rule = BIG_BLIND_MOVES if self._is_mixed else BY_POSITION
        return PlannedMove(entrant, giver.number, from_seat, taker.number, to_seat, rule, why, numbers)

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
