"""Questions of the house to the games that are played in it: cash games and events, of which it imports neither.

`settings.PLAYED_GAMES` names the classes that answer. They read, in the transaction of the caller, and lock nothing.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.conf import settings

from cardroom.core.interfaces import implementation
from cardroom.core.models import Notice, User

Span = tuple[datetime, datetime]


class PlayedGames:
    """Games of one sort. What they have no answer to they leave as it is here."""

    def minutes_played(self, players: Collection[int], spans: Sequence[Span]) -> dict[int, list[int]]:
        """By player (id), for how many whole minutes they sat in each of the spans and did not sit out."""
        return {player: [0 for _ in spans] for player in players}

    def net_buy_in(self, player: User, since: datetime) -> int:
        """How many of the chips that came home since that moment, or still may, the player had brought to games before:
        they are no winnings. What lies in a stack of their own is left out."""
        return 0

    def chips_at_tables(self, player_id: int) -> int:
        """How many chips a player has on tables beside those in stacks of their own: in the room all chips of a table
        lie in one pool."""
        return 0

    def seat_in_room(self, player: User) -> str:
        """Where in the room the player has a seat, in words such as "Larch, seat 3"; "" nowhere."""
        return ""

    def words_after(self, notice: Notice) -> str:
        """What is added to a notice that goes out by e-mail or text message, such as where to answer; "" nothing."""
        return ""

    def play_time_changed(self, player: User, *, now: datetime) -> None:
        """A limit of the player's own has changed, or a stay of theirs at a table has begun or ended. With the player's
        row locked where a limit has changed."""
        return


def games() -> list[PlayedGames]:
    """Everything that is played here."""
    return [implementation(path, PlayedGames) for path in settings.PLAYED_GAMES]
