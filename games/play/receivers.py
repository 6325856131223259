"""Receivers of the tables: of bans that begin, and of their own alarms. Imported when the room starts."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.dispatch import receiver

from cardroom.accounts import bans
from cardroom.accounts.models import Ban, Where
from cardroom.core.models import User
from cardroom.core.verb import current_time
from games.play import clocks, hands, seating
from games.play.bots import house_bots
from games.tables import hosts, reasons
from games.tables.models.tables import Table


@receiver(bans.banned)
def banned(*, player: User, ban: Ban, now: datetime, **_: Any) -> None:
    """Take a banned player off every table after the hand being played, and release the seats held for them."""
    seating.take_off_everywhere(player=player, where=ban.where or Where.BOTH, reason=reasons.BANNED(), now=now)


#: While a newcomer waits, the bots of a hand play so many turns at one ringing of the alarm.
_TURNS_IN_A_HURRY = 4


def wake(*, table_id: int, fence: int | None, now: datetime | None = None) -> bool:
    """The table's alarm: do what is due by the table's row, once; False where nothing is due.

    In a hand a bot's move or a clock that has run out; between two hands whatever the table's host does (the next deal,
    a seat to be picked up, the end of a game that breaks up), called with nothing locked. An alarm that is late, early,
    rung twice or overtaken does no harm (`fence`: the version of the table it was set for; None: any). Locks the table.
    """
    table = Table.objects.select_related("play__hand").filter(pk=table_id).first()
    # A change of the table after this changes its version, and then nothing is done here.
    now = now or current_time()
    if table is None or not _is_due(table, fence, now):
        return False
    if table.event:
        clocks.note_alarm(table.wake_at, now=now)
    if table.hand_id is None:
        return hosts.host_of(table).next_hand(table, now=now)
    if house_bots.is_to_act(table):
        return _let_bots_act(table, now=now)
    return hands.time_out(hand_id=table.hand_id, expected_seq=table.seq, now=now)


def _is_due(table: Table, fence: int | None, now: datetime) -> bool:
    if fence is not None and fence != table.version:
        return False
    return table.wake_at is not None and now >= table.wake_at


def _let_bots_act(table: Table, *, now: datetime) -> bool:
    """One bot's move, or several in a row while a newcomer waits to be dealt in, or where nobody watches."""
    if table.event and house_bots.are_alone(table) and not clocks.is_watched(table.pk, now=now):
        return house_bots.play_on(table.pk, version=table.version, turns=settings.CARDROOM_BOT_TURNS, now=now)
    if not house_bots.move(table, now=now):
        return False
    for _ in range(_TURNS_IN_A_HURRY - 1 if table.people_waiting else 0):
        after = Table.objects.select_related("play__hand").get(pk=table.pk)
        if after.hand_id != table.hand_id or not house_bots.is_to_act(after) or not house_bots.move(after, now=now):
            break
    return True
