"""One table of an event seat by seat, for the director's console and the tablets."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from datetime import datetime

from tournaments.engine.state import Entrant
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Tournament, TournamentEntry
from tournaments.moments import moment, ms
from tournaments.web.flyer import looking


@dataclass(frozen=True)
class Chair:
    """A seat. `entrant` 0: nobody sits there. `called_until`: the clock is on them until then, ms; `is_held`: out when
    the hand of hand-for-hand is over; `is_found`: this one was looked for. `counted_at`: when the stack was counted;
    where it never was, it is not `is_counted`, and `chips` are those of the beginning."""

    number: int
    entrant: int = 0
    name: str = ""
    chips: int = 0
    is_counted: bool = True
    counted_at: datetime | None = None
    missing: int = 0
    called_until: int = 0
    is_held: bool = False
    is_reserved: bool = False
    is_seen: bool = True
    is_found: bool = False


@dataclass(frozen=True)
class Table:
    """`waits`: its hand of hand-for-hand is still being played by others; `chips`: those of the stacks that were
    counted."""

    number: int
    chairs: tuple[Chair, ...]
    is_halted: bool
    hand_done: bool
    hands: int

    @property
    def seated(self) -> tuple[Chair, ...]:
        return tuple([chair for chair in self.chairs if chair.entrant])

    @property
    def players(self) -> int:
        return len(self.seated)

    @property
    def chips(self) -> int:
        return sum(chair.chips for chair in self.counted)

    @property
    def counted(self) -> tuple[Chair, ...]:
        return tuple([chair for chair in self.seated if chair.is_counted])

    @property
    def unseen(self) -> int:
        return sum(not chair.is_seen for chair in self.seated)


def counted_at(state: Engine, one: Entrant) -> datetime | None:
    """When the stack was last counted; None where it never was, and online, where every hand says it."""
    return moment(one.counted_at) if one.counted_at and state.config.conduct != "online" else None


def table_of(row: Tournament, number: int, *, now: datetime) -> Table | None:
    """One table; None where it is not open. Two queries at most."""
    with looking(row, now=now) as state:
        if number not in state.tables:
            return None
        numbers = state.tables[number].seats.values()
        unseen = TournamentEntry.objects.filter(tournament=row, number__in=list(numbers), arrived_at=None)
        return seated_at(state, number, unseen=frozenset(unseen.values_list("number", flat=True)), now_ms=ms(now))


def seated_at(state: Engine, number: int, *, unseen: Container[int], found: Container[int] = (), now_ms: int) -> Table:
    """Table `number`. `unseen`: those whom no dealer has seen in their seats; `found`: those who were looked for."""
    table = state.tables[number]
    kept = {seat: entrant for entrant, (at, seat) in state.reserved.items() if at == number}
    chairs = []
    for seat in range(1, table.size + 1):
        if seat not in table.seats:
            chairs.append(Chair(seat, is_reserved=seat in kept))
            continue
        one = state.entrants[table.seats[seat]]
        until = state.called.get(one.number, 0)
        chairs.append(
            Chair(
                number=seat,
                entrant=one.number,
                name=one.name,
                chips=one.stack,
                is_counted=state.is_counted(one),
                counted_at=counted_at(state, one),
                missing=one.missing,
                called_until=until if until > now_ms else 0,
                is_held=one.number in state.held,
                is_reserved=one.number in state.reserved,
                is_seen=one.number not in unseen,
                is_found=one.number in found,
            )
        )
    return Table(number, tuple(chairs), table.is_halted, table.hand_done, table.hands)
