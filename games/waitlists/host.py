"""The host of cash tables: the next hand is dealt by the table itself, and free seats belong to the lists."""

from datetime import datetime

from django.db.models import Exists, OuterRef

from cardroom.core.models import User
from games.play import between_hands
from games.tables.hosts import TableHost
from games.tables.models.offers import ListEntry
from games.tables.models.tables import Seat, Table
from games.waitlists import joining, store, turns


class CashHost(TableHost):
    """Runs the cash games. It lies here, above `games.play`, for a free seat is first of all for those on a list."""

    def next_hand(self, table: Table, *, now: datetime) -> bool:
        return between_hands.next_hand(table, now=now)

    def seats_promised(self, table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
        return turns.check_turn(table, player, number, now=now)

    def seat_freed(self, *, table_id: int, now: datetime) -> None:
        """Set the alarm of the lists whose names could take the seat."""
        waits = Exists(ListEntry.objects.filter(state__in=ListEntry.ACTIVE, offer=OuterRef("offer")))
        fed = Exists(Table.objects.filter(must_move_to=OuterRef("pk")))
        if Table.objects.filter(waits | fed, pk=table_id, offer__isnull=False).exists():
            store.look_again(table=table_id, now=now)

    def seat_lost(self, seat: Seat, table: Table, *, by: User | None, why: str, now: datetime) -> None:
        """The player goes to the top of the list of the game."""
        assert table.offer_id is not None  # the caller has looked
        joining.put_back(offer_id=table.offer_id, player=seat.player, now=now, by=by, why=why, table_id=table.pk)
