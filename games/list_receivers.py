"""From the signals of the room to its lists. Imported once, when the app is ready."""

from typing import Any

from django.dispatch import receiver

from cardroom.services import standing
from games import signals
from games.services import freeing
from games.services.lists import hearing

freeing.when_free(hearing.seat_freed)
freeing.ask_before_sitting(hearing.check_turn)


@receiver(signals.table_changed)
def bring_up_to_date(sender: Any, *, table_id: int, **more: Any) -> None:
    hearing.table_changed(table_id=table_id)


@receiver(signals.hand_ended)
def start_clocks(sender: Any, *, hand_id: int, **more: Any) -> None:
    hearing.hand_ended(hand_id=hand_id)


@receiver(standing.banned)
def strike_off(sender: Any, *, player: Any, ban: Any, now: Any, **more: Any) -> None:
    hearing.banned(player=player, ban=ban, now=now)
