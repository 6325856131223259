"""The draw of seats, and seats for players who come late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.engine.errors import IllegalCommand
from tournaments.engine.plain import Chance
from tournaments.engine.seating import DRAWN_AT_RANDOM, Place, TableView


def draw(
    entrants: Sequence[int], *, seats: int, seed: int, reserved: Mapping[int, Place] | None = None
) -> dict[int, Place]:
    """entrant -> (table, seat) for all, at random (TDA 7), at as few tables as hold them, numbered from 1.

    The tables are as even as the reservations let them be. ``reserved``: entrant -> the place that is kept for it;
    one who is not among ``entrants`` is still to come, and nobody else gets that seat. Raises ``IllegalCommand`` for an
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
    for table, more in _even_shares({table: len(used) for table, used in taken.items()}, len(waiting)).items():
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


def _even_shares(players: Mapping[int, int], more: int) -> dict[int, int]:
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
        raise IllegalCommand(
            "drawn-twice", "Entrant {twice} is in the draw twice: enter each once.", DRAWN_AT_RANDOM, twice=twice
        )
    owners: dict[Place, int] = {}
    for entrant, (table, seat) in kept.items():
        if not 1 <= seat <= seats:
            raise IllegalCommand(
                "reserved-seat-missing",
                "Entrant {entrant} has seat {seat} of table {table} reserved: the tables have seats 1 to {seats}.",
                entrant=entrant,
                seat=seat,
                table=table,
                seats=seats,
            )
        if not 1 <= table <= count:
            raise IllegalCommand(
                "reserved-table-missing",
                "Entrant {entrant} has a seat at table {table} reserved, and the field fills only {count}: reserve one "
                "of those.",
                entrant=entrant,
                table=table,
                count=count,
            )
        if (table, seat) in owners:
            raise IllegalCommand(
                "reserved-twice",
                "Seat {seat} of table {table} is reserved for both {first} and {second}: give one of them another.",
                seat=seat,
                table=table,
                first=owners[table, seat],
                second=entrant,
            )
        owners[table, seat] = entrant
