"""A player is banned, or has excluded themselves: entries in events that have not started are taken back and refunded.

Who plays already goes on, for their chips are in play and what they may win is theirs: the directors are told, and
decide by the rules of the event. What is done once is found done the next time.
"""

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from cardroom.accounts import bans
from cardroom.accounts.models import Ban, Where
from cardroom.core import notices
from cardroom.core.errors import CardroomError
from cardroom.core.models import User
from tournaments.events import playing
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.registration import registration

_State = TournamentEntry.State
_ENTERED = (_State.IN, _State.ALTERNATE)
_CONDUCTS = {Where.ONLINE: [Tournament.Conduct.ONLINE], Where.ROOM: [Tournament.Conduct.ROOM]}


@receiver(bans.banned)
def banned(*, player: User, ban: Ban, now: datetime, **_: Any) -> None:
    entries = TournamentEntry.objects.filter(
        player=player,
        state__in=_ENTERED,
        tournament__conduct__in=_CONDUCTS.get(Where(ban.where), Tournament.Conduct.values),
        tournament__ended_at=None,
    )
    for event, entry in list(entries.order_by("tournament", "number").values_list("tournament", "pk")):
        try:
            _leave(event, entry, ban, now=now)
        except CardroomError as refusal:
            # The engine refused to take the player out: the directors decide.
            row = Tournament.objects.get(pk=event)
            if (left := _still_in(row, entry)) is not None:
                _tell_directors(row, left, ban, f"stays in it ({refusal.message})", now=now)


def _leave(event: int, entry_id: int, ban: Ban, *, now: datetime) -> None:
    """Take a banned player out of one event, in one transaction. Locks the event."""
    with playing.holding(event, now=now) as locked:
        row, entry = locked.row, _still_in(locked.row, entry_id)
        if entry is None:
            return
        if row.is_live and entry.state == _State.IN:
            _tell_directors(row, entry, ban, "plays in it", now=now)
            return
        registration.take_off(locked, [entry], why="refund", reason="banned", now=now, by=None)
        text = f"You were removed from {row.name}, and your payment is refunded."
        key = f"banned:{ban.pk}:{entry.pk}"
        notices.tell(player=ban.player, kind="event", text=text, now=now, key=key, is_sent=True)


def _still_in(row: Tournament, entry_id: int) -> TournamentEntry | None:
    return None if row.is_over else row.entries.filter(pk=entry_id, state__in=_ENTERED).first()


def _tell_directors(row: Tournament, entry: TournamentEntry, ban: Ban, how: str, *, now: datetime) -> None:
    """Notify the directors, or managers where there are none."""
    people = User.objects.filter(is_active=True).exclude(pk=entry.player_id)
    directors = list(people.filter(groups__name="director")) or list(people.filter(groups__name="manager"))
    what = "has excluded themselves" if ban.kind == Ban.Kind.SELF else "was banned"
    text = f"{entry.name}, entry {entry.number} of {row.name}, {what} and {how}: follow the rules of the event."
    for director in directors:
        notices.tell(player=director, kind="event", text=text, now=now, key=f"banned:{ban.pk}:{entry.pk}")
