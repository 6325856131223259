"""A player is banned, or has excluded themselves: entries in events that have not started are taken back and refunded.

Who plays already goes on, for their chips are in play and what they may win is theirs: the directors are told, and
decide by the rules of the event. What is done once is found done the next time.
"""

from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext

from cardroom.accounts import bans
from cardroom.accounts.models import Ban, Where
from cardroom.core import notices
from cardroom.core.errors import Refusal
from cardroom.core.languages import spoken_to
from cardroom.core.models import User
from tournaments.events import playing, reasons
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
        except Refusal as refusal:
            # The engine refused to take the player out: the directors decide.
            row = Tournament.objects.get(pk=event)
            if (left := _still_in(row, entry)) is not None:
                _tell_directors(row, left, ban, refusal.message, now=now)


def _leave(event: int, entry_id: int, ban: Ban, *, now: datetime) -> None:
    """Take a banned player out of one event, in one transaction. Locks the event."""
    with playing.holding(event, now=now) as locked:
        row, entry = locked.row, _still_in(locked.row, entry_id)
        if entry is None:
            return
        if row.is_live and entry.state == _State.IN:
            _tell_directors(row, entry, ban, "", now=now)
            return
        registration.take_off(locked, [entry], why="refund", reason=reasons.BANNED(), now=now, by=None)
        with spoken_to(ban.player):
            text = gettext("You were removed from {event}, and your payment is refunded.").format(event=row.name)
        key = f"banned:{ban.pk}:{entry.pk}"
        notices.tell(player=ban.player, kind="event", text=text, now=now, key=key, is_sent=True)


def _still_in(row: Tournament, entry_id: int) -> TournamentEntry | None:
    return None if row.is_over else row.entries.filter(pk=entry_id, state__in=_ENTERED).first()


def _tell_directors(row: Tournament, entry: TournamentEntry, ban: Ban, why: str, *, now: datetime) -> None:
    """Notify the directors, or managers where there are none. `why` the player could not be taken out; "":
    they play."""
    people = User.objects.filter(is_active=True).exclude(pk=entry.player_id)
    directors = list(people.filter(groups__name="director")) or list(people.filter(groups__name="manager"))
    for director in directors:
        with spoken_to(director):
            text = _ban_notice(ban, is_in_play=not why).format(
                name=entry.name, number=entry.number, event=row.name, why=why
            )
        notices.tell(player=director, kind="event", text=text, now=now, key=f"banned:{ban.pk}:{entry.pk}")


def _ban_notice(ban: Ban, *, is_in_play: bool) -> str:
    if ban.kind == Ban.Kind.SELF and is_in_play:
        return gettext(
            "{name}, entry {number} of {event}, has excluded themselves and plays in it: follow the rules of the "
            "tournament."
        )
    if ban.kind == Ban.Kind.SELF:
        return gettext(
            "{name}, entry {number} of {event}, has excluded themselves and stays in it ({why}): follow the rules of "
            "the tournament."
        )
    if is_in_play:
        return gettext(
            "{name}, entry {number} of {event}, was banned and plays in it: follow the rules of the tournament."
        )
    return gettext(
        "{name}, entry {number} of {event}, was banned and stays in it ({why}): follow the rules of the tournament."
    )
