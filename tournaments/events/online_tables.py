"""What an online event asks of those who run its tables, and where they say that they do.

Registration, the director's commands and the alarm know nothing of tables of `games`; what seats, deals and pays chips
out there registers here, in `AppConfig.ready`, and is called with the event locked, in the caller's transaction. An
event in the room never calls it.
"""

from datetime import datetime
from typing import Protocol

from tournaments.events.locking import Locked
from tournaments.events.models import Tournament


class Tables(Protocol):
    """Every call comes with the event locked. `entrant`: the engine's number."""

    def begin(self, locked: Locked, *, now: datetime) -> None:
        """The event has started and its seats are drawn: open the tables and deal."""

    def entered(self, locked: Locked, entrant: int, *, now: datetime) -> None:
        """Somebody entered a running event: find them a seat, or leave them waiting for one."""

    def add_chips(self, locked: Locked, entrant: int, chips: int, *, reference: str, now: datetime) -> bool:
        """Chips were bought; False while their hand is being played: they get them after it."""

    def left(self, locked: Locked, entrants: list[int], *, now: datetime) -> None:
        """These were taken out of a running event by the staff: their seats and chips go."""

    def new_level(self, locked: Locked, *, now: datetime) -> None:
        """A level or break began; `moved_on` follows."""

    def moved_on(self, locked: Locked, *, now: datetime) -> None:
        """The clock was changed or went on, or the event was paused or goes on: stakes, breaks and holds follow."""

    def played(self, locked: Locked, *, now: datetime) -> None:
        """Something was played that the tables were told nothing of: where seats changed by it, they follow."""

    def cancelled(self, locked: Locked, *, now: datetime) -> None:
        """The event is off: close the tables."""

    def due_at(self, locked: Locked, *, now: datetime) -> datetime | None:
        """When the event's alarm should ring for the tables' sake; None: only for its own."""

    def wake(self, locked: Locked, *, now: datetime) -> None:
        """The event's alarm has rung: do what `due_at` was about, if it is."""


class _Nobody:
    """Before somebody has registered: an online event is taken in and started, and no table is opened."""

    def begin(self, locked: Locked, *, now: datetime) -> None: ...

    def entered(self, locked: Locked, entrant: int, *, now: datetime) -> None: ...

    def add_chips(self, locked: Locked, entrant: int, chips: int, *, reference: str, now: datetime) -> bool:
        return True

    def left(self, locked: Locked, entrants: list[int], *, now: datetime) -> None: ...

    def new_level(self, locked: Locked, *, now: datetime) -> None: ...

    def moved_on(self, locked: Locked, *, now: datetime) -> None: ...

    def played(self, locked: Locked, *, now: datetime) -> None: ...

    def cancelled(self, locked: Locked, *, now: datetime) -> None: ...

    def due_at(self, locked: Locked, *, now: datetime) -> datetime | None:
        return None

    def wake(self, locked: Locked, *, now: datetime) -> None: ...


_nobody: Tables = _Nobody()
_tables: Tables = _nobody


def run_tables(tables: Tables) -> None:
    """Say who runs the tables of online events: a module with these functions will do."""
    global _tables
    _tables = tables


def tables_of(tournament: Tournament) -> Tables:
    """Who runs the tables of this event; for one in the room, nobody."""
    return _tables if tournament.conduct == Tournament.Conduct.ONLINE else _nobody
