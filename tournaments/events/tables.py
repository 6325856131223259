"""What an event asks of those who run its tables, in the transaction that holds it.

Online they follow the event by themselves: `settings.EVENT_TABLES` names the class. An event in the room has no tables
here, and its staff see to everything.
"""

from abc import ABC, abstractmethod
from datetime import datetime

from django.conf import settings

from cardroom.core.interfaces import implementation
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament


class EventTables(ABC):
    """Runs the tables of an event, which is `locked`. `entrant`: the engine's number."""

    @abstractmethod
    def entrant_came(self, locked: Locked, *, entrant: int, now: datetime) -> None:
        """Somebody entered a running event: find them a seat, or leave them waiting for one."""

    @abstractmethod
    def entrants_went(self, locked: Locked, *, entrants: list[int], now: datetime) -> None:
        """These were taken out of a running event by the staff: their seats and chips go. `Conflict` while one of them
        is in a hand."""

    @abstractmethod
    def add_chips(self, locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> bool:
        """Put chips that were bought in front of the entrant. Whether they lie there; False while a hand of theirs is
        being played: they get them after it."""

    @abstractmethod
    def level_began(self, locked: Locked, *, now: datetime) -> None:
        """A level or break began; `clock_moved` follows."""

    @abstractmethod
    def clock_moved(self, locked: Locked, *, now: datetime) -> None:
        """The clock was changed or went on, or the event was paused or goes on: stakes, breaks and holds follow."""

    @abstractmethod
    def catch_up(self, locked: Locked, *, now: datetime) -> None:
        """Something was played of which the tables do not know: where seats changed by it, they follow."""

    @abstractmethod
    def close_all(self, locked: Locked, *, now: datetime) -> None:
        """The event is over, by a deal: close the tables."""


class NoTables(EventTables):
    """Of an event in the room: nothing is done, and chips that were bought count as given."""

    def entrant_came(self, locked: Locked, *, entrant: int, now: datetime) -> None:
        return None

    def entrants_went(self, locked: Locked, *, entrants: list[int], now: datetime) -> None:
        return None

    def add_chips(self, locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> bool:
        return True

    def level_began(self, locked: Locked, *, now: datetime) -> None:
        return None

    def clock_moved(self, locked: Locked, *, now: datetime) -> None:
        return None

    def catch_up(self, locked: Locked, *, now: datetime) -> None:
        return None

    def close_all(self, locked: Locked, *, now: datetime) -> None:
        return None


def tables_of(locked: Locked) -> EventTables:
    """The implementation that runs the tables of this event."""
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        return implementation(settings.EVENT_TABLES, EventTables)
    return NoTables()
