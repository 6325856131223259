"""The host of the tables of events: it deals the next hand, or moves people, as the event says."""

from datetime import datetime

from cardroom.core.models import User
from games.engine.facts.play import HandStarted
from games.notation.events import EventDetails
from games.tables.hosts import TableHost
from games.tables.models.tables import Table
from tournaments.events import hall, playing
from tournaments.events.hall import Hall
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.online import last_hands, next_hands, play


class EventHost(TableHost):
    """Runs the tables of events online. In the room a director does, and only what is read is answered here."""

    def next_hand(self, table: Table, *, now: datetime) -> bool:
        """See to a table that is between hands, and to what its last hand means for the others. Called twice, it finds
        a hand in play the second time, or the table held. Locks the event."""
        with playing.holding(_number(table), now=now) as locked:
            hall = Hall(locked, asking=table.pk)
            if table.pk not in hall.lines or hall.lines[table.pk].hand is not None:
                return False
            if not locked.row.is_live:
                play.close_tables(locked, hall, now=now)
                return True
            playing.follow_clock(locked, now=now)
            until = last_hands.take_in_last_hand(locked, hall, table.pk, now=now)
            play.arrange_and_deal(locked, hall, now=now)
            if table.pk in hall.lines and locked.state.phase == "running":
                next_hands.deal_next_hand(locked, hall, table.pk, until=until, now=now)
        return True

    def has_entered(self, table: Table, player: User) -> bool:
        return TournamentEntry.objects.filter(tournament=_number(table), player=player).exists()

    def event_of_hand(self, table: Table, started: HandStarted) -> EventDetails | None:
        return hall.of_hand(_number(table), table, started)

    def is_in_lobby(self, number: int) -> bool:
        """Every event but a draft."""
        return Tournament.objects.filter(pk=number).exclude(state=Tournament.State.DRAFT).exists()


def _number(table: Table) -> int:
    return int(table.event.partition(":")[2])
