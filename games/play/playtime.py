"""How long a player has been playing: for the limits they set themselves, and for the reminders they asked for.

Counts the same time as comps: in a seat of a cash table, neither sat out nor paused; two tables at once count once. One
alarm per player rings when the next reminder is due, or their own limit of the day is used up; then they are taken off
their tables after the hand, as if they had left.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from cardroom.core import alarms, languages, notices, room_time
from cardroom.core.arguments import RowId
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from cardroom.ledger import limits
from games.play import seating
from games.rake import comps, time_spans
from games.tables import reasons
from games.tables.models.times import Stay

ALARM = alarms.register("play-time", "games.tasks.tell_play_time")
_MINUTE = timedelta(minutes=1)


def minutes(players: Collection[int], spans: Sequence[time_spans.Span]) -> dict[int, list[int]]:
    """By player, the whole minutes they played in each of these spans, wherever they sat. Two queries."""
    if not spans:
        return {player: [] for player in players}
    begins, ends = min(since for since, _ in spans), max(until for _, until in spans)
    stays = Stay.objects.filter(Q(left_at=None) | Q(left_at__gt=begins), player__in=players, sat_at__lt=ends)
    rows = list(stays.order_by("pk"))
    outs, stays_by_player = comps.outs_of(rows), defaultdict[int, list[Stay]](list)
    for stay in rows:
        stays_by_player[stay.player_id].append(stay)
    return {
        player: [
            time_spans.seconds(_merged_spans(_spans_played(stays_by_player[player], outs, *span))) // 60
            for span in spans
        ]
        for player in players
    }


def seated_at(player: User) -> str:
    """Where in the room the player has a seat, in words; "" for nowhere."""
    stay = Stay.objects.select_related("table").filter(player=player, left_at=None, table__is_physical=True).first()
    if stay is None:
        return ""
    return gettext("{table}, seat {number}").format(table=stay.table.name, number=stay.number)


def keep(player: User, now: datetime) -> None:
    """Set or cancel the alarm for the player's next reminder. Call in the transaction of the change."""
    due = _next(player, now)
    if due is None:
        alarms.cancel(kind=ALARM, key=str(player.pk))
    else:
        alarms.set(kind=ALARM, key=str(player.pk), due_at=due, fence=int(due.timestamp()))


@verb("playtime.knock")
def remind_or_take_off(*, player_id: RowId) -> None:
    """The player's alarm: remind them how long they have been playing, or take them off their tables where their own
    limit is used up.

    Computes anew what is due, so a second ring does nothing. Locks tables one by one, in the order of their ids.
    """
    player, now = lock(User, player_id)
    since = _sitting_since(player)
    if since is None:
        return
    if limits.minutes_left(player, now=now) == 0:
        with languages.spoken_to(player):
            message = gettext(
                "The time you have set yourself for today is over. You are taken off after the hand you are in."
            )
        notices.tell(player=player, kind="time-limit", text=message, now=now, key=f"time-limit:{room_time.today(now)}")
        seating.take_off_everywhere(player=player, reason=reasons.OWN_LIMIT(), now=now)
        return
    every = limits.reminder_minutes(player, now=now)
    played = int((now - since) / _MINUTE)
    if every is not None and (times := played // every):
        key = f"play-time:{since.timestamp():.0f}:{every}:{times}"
        with languages.spoken_to(player):
            message = _words(played)
        notices.tell(player=player, kind="play-time", text=message, now=now, key=key)
    keep(player, now)


def _next(player: User, now: datetime) -> datetime | None:
    since = _sitting_since(player)
    if since is None:
        return None
    due = []
    if (every := limits.reminder_minutes(player, now=now)) is not None:
        times = int((now - since) / _MINUTE) // every + 1
        due.append(since + times * every * _MINUTE)
    if (left := limits.minutes_left(player, now=now)) is not None:
        due.append(now + max(left, 1) * _MINUTE if left else now)
        # The count begins anew with the day, so the rest is computed again then.
        due.append(room_time.midnight(room_time.today(now) + timedelta(days=1)) + _MINUTE)
    return min(due, default=None)


def _sitting_since(player: User) -> datetime | None:
    """Since when they have been sitting somewhere without a break, as far as their open stays tell."""
    return Stay.objects.filter(player=player, left_at=None).order_by("sat_at").values_list("sat_at", flat=True).first()


def _spans_played(stays: Sequence[Stay], outs: comps.Outs, since: datetime, until: datetime) -> list[time_spans.Span]:
    spans: list[time_spans.Span] = []
    for stay in stays:
        began, ended = max(since, stay.sat_at), min(until, stay.left_at or until)
        if began < ended:
            spans += comps.spans_in_game(stay, began, ended, outs)
    return spans


def _merged_spans(parts: list[time_spans.Span]) -> list[time_spans.Span]:
    merged: list[time_spans.Span] = []
    for since, until in sorted(parts):
        if merged and since <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(until, merged[-1][1]))
        else:
            merged.append((since, until))
    return merged


def _words(played: int) -> str:
    hours, rest = divmod(played, 60)
    minutes = ngettext("{n} minute", "{n} minutes", rest).format(n=rest)
    if not hours:
        return gettext("You have been playing for {time}.").format(time=minutes)
    whole = ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    if not rest:
        return gettext("You have been playing for {time}.").format(time=whole)
    return gettext("You have been playing for {hours} and {minutes}.").format(hours=whole, minutes=minutes)
