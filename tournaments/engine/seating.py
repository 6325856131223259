"""Who sits where: the draw of a whole event, the seat of one who comes late, and what a planned move says.

Tables and seats are numbered from 1. Nothing here is kept: values go in, values come out, and the same seed draws the
same seats again. Knows nothing of balancing (`balancing`) or of tables that break (`breaking`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .chance import Chance
from .errors import IllegalAction

#: (table, seat), both from 1.
Place = tuple[int, int]

DRAWN_AT_RANDOM = "TDA 7"
LATE_AT_RANDOM = "TDA 8A"


@dataclass(frozen=True, slots=True)
class TableView:
    """One open table as the floor sees it.

    ``seats``: seat -> entrant; ``opened``: its empty seats, the one that opened last first (an empty seat that is not
    in it has been empty from the start); ``size``: its seats; ``fixed``: entrants who may not be moved; ``reserved``:
    seats kept for somebody, empty or not; ``big_blind``: in mixed events, the seat that is due to be big blind in the
    next hand, 0 if nobody knows.
    """

    number: int
    seats: Mapping[int, int]
    opened: tuple[int, ...] = ()
    size: int = 8
    is_between_hands: bool = True
    fixed: frozenset[int] = frozenset()
    reserved: frozenset[int] = frozenset()
    big_blind: int = 0

    @property
    def players(self) -> int:
        return len(self.seats)

    def is_free(self, seat: int) -> bool:
        return 1 <= seat <= self.size and seat not in self.seats and seat not in self.reserved

    def free(self) -> tuple[int, ...]:
        """The seats that anybody may take: the one that opened last first, then those that never opened, from 1 on."""
        once_taken = [seat for seat in dict.fromkeys(self.opened) if self.is_free(seat)]
        known = frozenset(once_taken)
        return (
            *once_taken,
            *[seat for seat in range(1, self.size + 1) if seat not in known and self.is_free(seat)],
        )


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


def counted(count: int, noun: str) -> str:
    """``1 player``, ``2 players``: how the sentences of a plan count."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
        raise IllegalAction("drawn-twice", f"Entrant {twice} is in the draw twice: enter each once.", DRAWN_AT_RANDOM)
    owners: dict[Place, int] = {}
    for entrant, (table, seat) in kept.items():
        if not 1 <= seat <= seats:
            message = (
                f"Entrant {entrant} has seat {seat} of table {table} reserved: the tables have seats 1 to {seats}."
            )
            raise IllegalAction("reserved-seat-missing", message)
        if not 1 <= table <= count:
            message = f"Entrant {entrant} has a seat at table {table} reserved, and the field fills only {count}"
            raise IllegalAction("reserved-table-missing", f"{message}: reserve one of those.")
        if (table, seat) in owners:
            message = f"Seat {seat} of table {table} is reserved for both {owners[table, seat]} and {entrant}"
            raise IllegalAction("reserved-twice", f"{message}: give one of them another.")
        owners[table, seat] = entrant
