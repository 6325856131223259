"""The answers of cash games: to their tables as the host, and to the house as one of its games."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef

from cardroom.core.models import Notice, User
from cardroom.core.played import PlayedGames, Span
from cardroom.core.sentences import StoredText
from games.play import between_hands, playtime
from games.tables import stacks
from games.tables.hosts import TableHost
from games.tables.models.tables import Seat, Table
from games.waitlists import calling, joining, store, turns
from games.waitlists.models import ListEntry


class CashHost(TableHost):
    """Runs the cash games. It lies here, above `games.play`, because a free seat goes first to names on a list."""

    def next_hand(self, table: Table, *, now: datetime) -> bool:
        return between_hands.next_hand(table, now=now)

    def seats_promised(self, table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
        return turns.check_turn(table, player, number, now=now)

    def seat_freed(self, *, table_id: int, now: datetime) -> None:
        """Set the alarm of the lists whose names could take the seat."""
        waits = Exists(ListEntry.objects.filter(state__in=ListEntry.ACTIVE, offer=OuterRef("offer")))
        fed = Exists(Table.objects.filter(must_move_to=OuterRef("pk")))
        if Table.objects.filter(waits | fed, pk=table_id, offer__isnull=False).exists():
            store.wake_lists(table=table_id, now=now)

    def seat_lost(self, seat: Seat, table: Table, *, by: User | None, why: StoredText, now: datetime) -> None:
        """Put the player at the top of the list of the game."""
        assert table.offer_id is not None  # the caller has checked it
        joining.put_back(offer_id=table.offer_id, player=seat.player, now=now, by=by, why=why, table_id=table.pk)


class CashGames(PlayedGames):
    """Seats at tables, of events too: they count as time played, and their chips as chips on tables."""

    def minutes_played(self, players: Collection[int], spans: Sequence[Span]) -> dict[int, list[int]]:
        return playtime.minutes(players, spans)

    def net_buy_in(self, player: User, since: datetime) -> int:
        return stacks.net_buy_in(player, since)

    def chips_at_tables(self, player_id: int) -> int:
        return stacks.counted_chips_of(player_id)

    def seat_in_room(self, player: User) -> str:
        return playtime.seated_at(player)

    def words_after(self, notice: Notice) -> str:
        """The link to answer a call to a seat."""
        return calling.link_of(notice)

    def play_time_changed(self, player: User, *, now: datetime) -> None:
        """Set again when the player is next told how long they have played, or stopped by their own limit."""
        playtime.keep(player, now)
