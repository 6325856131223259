"""Whether a player may sit down by themselves, where names on the list of the game wait for the same seats."""

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
    """Refuse (`Illegal`) a seat out of turn: where as many names could have a seat here as seats are free, and where
    the seat goes to a player of this game who changes seats or moves here. Returns the seats that go to such players.

    A player who is called to a seat, or changes from another table, has it held for them and is not refused.
    """
    if table.offer_id is None or player.is_bot or not _anybody_waits(table):
        return frozenset()
    counts = Q(until=None) | Q(until__gt=now)
    if SeatHold.objects.filter(counts, table=table, player=player).exists():
        return frozenset()
    room = choosing.read_room([table], now=now)
    promised = choosing.promised_to_others(player.pk, table, now=now, room=room)
    free = [seat for seat in room.free(table) if seat not in promised]
    before = choosing.names_before(player.pk, table, free, now=now, room=room)
    if before and before >= len(free):
        raise Illegal(
            "list-first",
            "Names waiting for this game: {before}. Join its list; you are called when it is your turn.",
            rule=choosing.BY_SLUG["list"].cite,
            before=before,
        )
    if number in promised or (promised and not free):
        rule = promised[number] if number in promised else next(iter(promised.values()))
        advice = (
            gettext("Choose another seat, or put your name on the list, and you are called when it is your turn.")
            if free
            else gettext("Put your name on the list, and you are called when it is your turn.")
        )
        raise Illegal("list-first", Verbatim(f"{rule.text} {advice}"), rule=rule.cite)
    return frozenset(promised)


def _anybody_waits(table: Table) -> bool:
    waiting = ListEntry.objects.filter(offer=table.offer_id, state=ListEntry.State.WAITING)
    return waiting.exists() or Table.objects.filter(must_move_to=table).exists()
