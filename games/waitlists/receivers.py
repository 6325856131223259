"""What the lists hear of: seats that come free, hands that end, tables that change, bans that begin. Imported when the
room starts.
"""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver
from django.utils import timezone

from cardroom.accounts import bans
from cardroom.accounts import signals as account_signals
from cardroom.core.errors import Illegal
from cardroom.core.models import Notice, User
from games.tables import signals as table_signals
from games.tables.models.offers import ListEntry, SeatHold
from games.tables.models.tables import Seat, Table
from games.waitlists import calling, choosing, filling, joining, store

_ACTIVE = ListEntry.objects.filter(state__in=ListEntry.ACTIVE)


@receiver(table_signals.seat_freed)
def seat_freed(*, table_id: int, now: datetime, **_: Any) -> None:
    """Set the alarm of the lists whose names could take the seat."""
    waits = Exists(_ACTIVE.filter(offer=OuterRef("offer")))
    fed = Exists(Table.objects.filter(must_move_to=OuterRef("pk")))
    if Table.objects.filter(waits | fed, pk=table_id, offer__isnull=False).exists():
        store.look_again(table=table_id, now=now)


@receiver(table_signals.table_changed)
def table_changed(*, table_id: int, **_: Any) -> None:
    """Somebody sat down or left, or a table opened or closed: the lists of its game may have to be brought up to date.

    Comes after the commit. Should it be lost, whatever moves on these lists next brings them up to date.
    """
    table = Q(offer=OuterRef("offer")) | Q(table=OuterRef("pk")) | Q(called_to=OuterRef("pk"))
    is_feeding = Q(must_move_to__isnull=False)
    if Table.objects.filter(Exists(_ACTIVE.filter(table)) | is_feeding, pk=table_id, offer__isnull=False).exists():
        store.look_again(table=table_id, now=timezone.now())


@receiver(table_signals.hand_ended)
def hand_ended(*, hand_id: int, **_: Any) -> None:
    """Comes after the commit; an alarm asks again, should it be lost."""
    if ListEntry.objects.filter(in_hand=hand_id).exists():
        filling.hand_ended(hand_id=hand_id, now=timezone.now())


@receiver(bans.banned)
def banned(*, player: User, ban: Any, now: datetime, **_: Any) -> None:
    """Take a banned player off the lists; a second call does nothing."""
    where = getattr(ban, "where", "both")
    joining.strike_off(player=player, now=now, is_online=where != "room", is_room=where != "online")


@receiver(account_signals.words_after)
def where_to_answer(*, notice: Notice, **_: Any) -> str:
    return calling.link_of(notice)


@receiver(table_signals.about_to_sit)
def check_turn(*, table: Table, player: User, number: int | None, now: datetime, **_: Any) -> frozenset[int]:
    """Refuse a seat out of turn: `Illegal` where as many names could have a seat here as are free, and where
    the seat goes to somebody who plays this game already and changes or moves to it. Says which seats those are.

    Who is called to a seat, or changes from another table, has it held for them.
    """
    if table.offer_id is None or player.is_bot or not _anybody_waits(table):
        return frozenset()
    counts = Q(until=None) | Q(until__gt=now)
    if SeatHold.objects.filter(counts, table=table, player=player).exists():
        return frozenset()
    room = choosing.look([table], now=now)
    theirs = choosing.first_right(player.pk, table, now=now, room=room)
    free = [each for each in room.free(table) if each not in theirs]
    before = choosing.names_before(player.pk, table, free, now=now, room=room)
    if before and before >= len(free):
        raise Illegal(
            f"Names waiting for this game: {before}. Join its list; you are called when it is your turn.",
            "list-first",
            rule=choosing.BY_SLUG["list"].cite,
        )
    if number in theirs or (theirs and not free):
        rule = theirs[number] if number in theirs else next(iter(theirs.values()))
        said = "Choose another seat, or put" if free else "Put"
        raise Illegal(
            f"{rule.text} {said} your name on the list, and you are called when it is your turn.",
            "list-first",
            rule=rule.cite,
        )
    return frozenset(theirs)


@receiver(table_signals.left_over)
def put_back(*, table: Table, seat: Seat, by: User | None, why: str, now: datetime, **_: Any) -> None:
    """A game broke, and this player found no other seat: to the top of the list."""
    assert table.offer_id is not None  # the sender asked
    joining.put_back(offer_id=table.offer_id, player=seat.player, now=now, by=by, why=why, table_id=table.pk)


def _anybody_waits(table: Table) -> bool:
    waiting = _ACTIVE.filter(offer=table.offer_id, state=ListEntry.State.WAITING)
    return waiting.exists() or Table.objects.filter(must_move_to=table).exists()
