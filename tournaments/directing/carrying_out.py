"""How a director's order is carried out: in the event, and at its tables.

Online, an order that would take somebody out of a hand is refused until the hand is over. An order after which somebody
would have won another prize than was paid is refused.
"""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.utils.translation import gettext_noop

from cardroom.core.errors import Illegal
from cardroom.core.models import User
from games.play import event_seats
from games.tables.stacks import places_in
from tournaments.engine.facts import ActionUndone, EventFact, Penalised
from tournaments.events import playing
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.events.playing import HeldEvent
from tournaments.online import play, seating, suggestions
from tournaments.prizes import payouts


class Rooms:
    """The room's tables of an event as they were before the order; none for an event in the room itself."""

    def __init__(self, locked: Locked) -> None:
        is_online = locked.row.conduct == Tournament.Conduct.ONLINE and locked.row.is_live
        self._locked = locked
        self._hall = Hall(locked) if is_online else None

    @property
    def busy(self) -> tuple[int, ...]:
        """The event's tables whose players cannot be moved now."""
        return self._hall.busy() if self._hall is not None else ()

    def follow(self, facts: Sequence[EventFact], *, now: datetime) -> None:
        """Carry these facts out at the tables. `Conflict` where a player concerned is in a hand."""
        if self._hall is None or not facts:
            return
        state = self._locked.state
        for fact in facts:
            undone = state.facts[fact.first - 1 : fact.last] if isinstance(fact, ActionUndone) else ()
            if any(isinstance(undone_fact, Penalised) and undone_fact.hands for undone_fact in undone):
                message = gettext_noop("The player's seat serves the penalty already: it is not undone.")
                raise Illegal("penalty-served", message, rule="TDA 71")
        seating.follow_facts(self._locked, self._hall, now=now)
        penalties = [fact for fact in facts if isinstance(fact, Penalised) and fact.hands]
        hands = {state.entrants[fact.entrant].player: fact.hands for fact in penalties}
        for player, (table, _) in places_in(event=self._locked.row.unit, players=hands).items():
            event_seats.penalise(table_id=table, player_id=player, hands=hands[player], now=now)
        play.refresh_tables(self._locked, now=now)


@contextmanager
def event_and_tables(
    tournament_id: int, *, by: User | None, expected_seq: int | None = None, arranges: bool = True
) -> Iterator[HeldEvent]:
    """An event held for an order of the floor, as `playing.event` does. At the end of the block its tables follow what
    was done and, where it `arranges`, what the event then arranges by itself."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        rooms, first = Rooms(event.locked), event.row.seq
        event.busy = rooms.busy
        yield event
        rooms.follow(event.state.facts[first:], now=event.now)
        if arranges and event.row.conduct == Tournament.Conduct.ROOM:
            suggestions.arrange(event.locked, now=event.now)
        payouts.check_paid(event.locked)


def seed() -> int:
    """A seed for a draw; it is kept with the fact, so that anybody can repeat the draw."""
    return secrets.randbits(64)
