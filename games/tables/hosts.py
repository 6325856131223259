"""The interface of hosts: what a table asks the rooms above, which run its game.

A cash game and an event have different hosts. Which class is the host of which kind of table stands in
`settings.TABLE_HOSTS`; the rooms above implement `TableHost`, and this room imports none of them.
"""

from abc import ABC, abstractmethod
from datetime import datetime

import structlog
from django.conf import settings

from cardroom.core.interfaces import implementation
from cardroom.core.models import User
from cardroom.core.sentences import StoredText
from games.engine.facts.play import HandStarted
from games.notation.events import EventDetails
from games.tables.models.tables import Seat, Table

log = structlog.get_logger(__name__)

CASH, EVENT = "cash", "tournament"


class TableHost(ABC):
    """Runs the games at tables of one kind.

    Most methods are called with the table locked, in the transaction of the caller: they may write rows and set alarms,
    take no lock but the one they name, and refuse by an exception, which takes everything back.
    """

    @abstractmethod
    def next_hand(self, table: Table, *, now: datetime) -> bool:
        """The table's alarm rang between two hands: deal the next one, or have the table wait. Returns whether anything
        was done.

        Called with nothing locked. `table.version` is as the alarm found it: where the table has moved on since,
        nothing is done. A table that is neither dealt at nor held asks again some seconds later.
        """

    def seats_promised(self, table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
        """The free seats that are promised to others, when a player sits down by themselves in seat `number` (None: any
        free one). Refuses the player a seat where it is not their turn."""
        return frozenset()

    def seat_freed(self, *, table_id: int, now: datetime) -> None:
        """A seat that was taken, or held for somebody, is free."""
        return

    def seat_lost(self, seat: Seat, table: Table, *, by: User | None, why: StoredText, now: datetime) -> None:
        """The game broke, and no other seat was found for this player."""
        return

    def has_entered(self, table: Table, player: User) -> bool:
        """Whether the player has, or had, an entry in what is played at this table, be it without a seat yet."""
        return False

    def event_of_hand(self, table: Table, started: HandStarted) -> EventDetails | None:
        """The event's part of the file of a hand at this table that began with `started`; None for a cash game."""
        return None

    def is_in_lobby(self, number: int) -> bool:
        """Whether there is an event of this number that everybody may see."""
        return False


class NoHost(TableHost):
    """The host of tables whose kind has no host in the settings: they wait."""

    def next_hand(self, table: Table, *, now: datetime) -> bool:
        log.error("table of an event that nobody runs", table=table.pk, whose=table.event)
        return False


def host_of(table: Table) -> TableHost:
    """The host that runs the game at this table."""
    return host(table.event.partition(":")[0] or CASH)


def host(kind: str) -> TableHost:
    """The host of the tables of this kind."""
    return implementation(settings.TABLE_HOSTS.get(kind, f"{__name__}.NoHost"), TableHost)
