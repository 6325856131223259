"""What the lists hear of: seats that come free, hands that end, tables that change, bans that begin. Imported when the
room starts.
"""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.dispatch import receiver
from django.utils import timezone

from cardroom.accounts import bans
from cardroom.core.models import User
from games.tables import signals as table_signals
from games.tables.models.tables import Table
from games.waitlists import filling, joining, store
from games.waitlists.models import ListEntry

_ACTIVE = ListEntry.objects.filter(state__in=ListEntry.ACTIVE)


@receiver(table_signals.game_changed)
def game_changed(*, table_id: int, **_: Any) -> None:
    """Somebody sat down or left, or a table opened or closed: the lists of its game may have to be brought up to date.

    Comes after the commit. Should it be lost, whatever moves on these lists next brings them up to date.
    """
    table = Q(offer=OuterRef("offer")) | Q(table=OuterRef("pk")) | Q(called_to=OuterRef("pk"))
    is_feeding = Q(must_move_to__isnull=False)
    if Table.objects.filter(Exists(_ACTIVE.filter(table)) | is_feeding, pk=table_id).exists():
        store.wake_lists(table=table_id, now=timezone.now())


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
