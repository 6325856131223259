"""Whose turn it is for a free seat of a game, where players who sit down by themselves and names on its list meet."""

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext

from cardroom.core.errors import Illegal, Verbatim
from cardroom.core.models import User
from games.tables.models.offers import SeatHold
from games.tables.models.tables import Table
from games.waitlists import choosing
from games.waitlists.models import ListEntry


def check_turn(table: Table, player: User, number: int | None, *, now: datetime) -> frozenset[int]:
    """Refuse a seat out of turn: `Illegal` where as many names could have a seat here as are free, and where
    the seat goes to somebody who plays this game already and changes or moves to it. Returns those seats.

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
            "list-first",
            "Names waiting for this game: {before}. Join its list; you are called when it is your turn.",
            rule=choosing.BY_SLUG["list"].cite,
            before=before,
        )
    if number in theirs or (theirs and not free):
        rule = theirs[number] if number in theirs else next(iter(theirs.values()))
        said = (
            gettext("Choose another seat, or put your name on the list, and you are called when it is your turn.")
            if free
            else gettext("Put your name on the list, and you are called when it is your turn.")
        )
        raise Illegal("list-first", Verbatim(f"{rule.text} {said}"), rule=rule.cite)
    return frozenset(theirs)


def _anybody_waits(table: Table) -> bool:
    waiting = ListEntry.objects.filter(offer=table.offer_id, state=ListEntry.State.WAITING)
    return waiting.exists() or Table.objects.filter(must_move_to=table).exists()
