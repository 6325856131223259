"""What the director orders in an online event, done at its tables in the room: seats changed, tables closed, penalties.

Nobody is taken out of a hand: what would need that is refused until the hand is over.
"""

from collections.abc import Sequence
from datetime import datetime

from cardroom.services.errors import Illegal
from games import selectors as games
from games.services import events
from tournaments.engine.facts import ActionUndone, Fact, Penalised
from tournaments.models import Tournament
from tournaments.services import online
from tournaments.services.locking import Locked
from tournaments.services.play import placing
from tournaments.services.play.hall import Hall


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

    def follow(self, facts: Sequence[Fact], *, now: datetime) -> None:
        """Do at the tables what these facts say. `Conflict` where somebody concerned is in a hand."""
        if self._hall is None or not facts:
            return
        for fact in facts:
            if isinstance(fact, ActionUndone):
                self._check_undone(fact)
        placing.follow(self._locked, self._hall, now=now)
        self._penalise({fact.entrant: fact.hands for fact in facts if isinstance(fact, Penalised) and fact.hands}, now)
        online.tables_of(self._locked.row).moved_on(self._locked, now=now)

    def _penalise(self, hands: dict[int, int], now: datetime) -> None:
        players = {self._locked.state.entrants[number].player: count for number, count in hands.items()}
        for player, (table, _) in games.places_in(event=self._locked.row.unit, players=players).items():
            events.penalise(table_id=table, player_id=player, hands=players[player], now=now)

    def _check_undone(self, undone: ActionUndone) -> None:
        facts = self._locked.state.facts[undone.first - 1 : undone.last]
        if any(isinstance(fact, Penalised) and fact.hands for fact in facts):
            raise Illegal("The player's seat serves the penalty already: it is not undone.", "penalty-served", "TDA 71")
