"""May this player play: bans of the house, and those who have excluded themselves.

`check_may_play` is what every door asks. A ban that begins ends the player's sessions and keys where it is about
playing online, and `banned` tells the apps, which take the player from seats and lists; a hand that runs is played to
its end.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated

import structlog
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import people, sessions
from cardroom.accounts.models import Ban, Where
from cardroom.core import access, alarms, audit_log, room_time, topics
from cardroom.core.arguments import Limits, Reason, RowId, internal
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, Verbatim
from cardroom.core.models import User
from cardroom.core.verb import lock, verb

log = structlog.get_logger(__name__)

ALARM = alarms.register("ban", "cardroom.tasks.begin_ban")
SHORTEST_EXCLUSION = timedelta(days=1)
LONGEST_EXCLUSION = timedelta(days=5 * 366)
LONGEST_BAN = timedelta(days=10 * 366)
_A_MOMENT, _DAY = timedelta(minutes=1), timedelta(days=1)

banned = Signal()
"""(player, ban, now): a ban has begun and is committed. Sent again until every receiver has returned, so each does its
work once however often it is told."""


def check_may_play(*, player: User, now: datetime, where: str = "online") -> None:
    """Before a seat, a list, an entry, a deposit: `Forbidden` with the reason and until when. Online this also refuses
    players without a login: guests that the desk registered by name. One query."""
    ban = _about(in_force(player, now=now), where).first()
    if ban is not None:
        raise Forbidden(_code(ban), Verbatim(words_for(ban)), until=ban.until.isoformat() if ban.until else None)
    if where == Where.ONLINE and not player.is_bot and not people.can_log_in(player):
        raise Forbidden(
            "no-login",
            "{player} has no login and cannot play online: add an e-mail address or a password to the"
            " account, or choose a game in the room.",
            player=player,
        )


def check_may_log_in(*, player: User, now: datetime) -> None:
    """Before a log-in: `Forbidden` for players banned from playing online; the cage still pays out their chips."""
    ban = _about(in_force(player, now=now), Where.ONLINE).first()
    if ban is not None:
        safe = gettext("Your chips are safe: the cashier pays them out.")
        raise Forbidden(
            _code(ban), Verbatim(f"{words_for(ban)} {safe}"), until=ban.until.isoformat() if ban.until else None
        )


def in_force(player: User, *, now: datetime) -> QuerySet[Ban]:
    """A player's bans in force at this moment, the longest first."""
    counts = Ban.objects.filter(player=player, since__lte=now, lifted_at=None).filter(Q(until=None) | Q(until__gt=now))
    return counts.order_by(F("until").desc(nulls_first=True), "-pk")


def barred(players: Collection[int], *, now: datetime) -> dict[str, frozenset[int]]:
    """The ids of those of these players that may not play, under "online" and "room". One query."""
    # Bans are few and people may be thousands: all of them are read, rather than thousands of numbers sent.
    counts = Ban.objects.filter(since__lte=now, lifted_at=None).filter(Q(until=None) | Q(until__gt=now))
    rows = list(counts.values_list("player", "where"))
    return {
        place: frozenset(player for player, about in rows if about in (place, Where.BOTH)).intersection(players)
        for place in (Where.ONLINE.value, Where.ROOM.value)
    }


def words_for(ban: Ban) -> str:
    """The sentence that the player reads about this ban."""
    until = gettext("permanently")
    if ban.until:
        until = gettext("until {time}").format(time=room_time.format_moment(ban.until))
    if ban.kind == Ban.Kind.SELF:
        return gettext("You have excluded yourself from playing {where} {until}. This cannot be undone.").format(
            where=ban.get_where_display(), until=until
        )
    if ban.where == Where.BOTH:  # "not online and in the room" would be one of them, in most languages
        words = gettext("You may play neither online nor in the room {until}: {reason}. For questions, ask a manager.")
        return words.format(until=until, reason=ban.reason)
    return gettext("You may not play {where} {until}: {reason}. For questions, ask a manager.").format(
        where=ban.get_where_display(), until=until, reason=ban.reason
    )


@verb("standing.ban")
def ban(
    *,
    player: User,
    reason: Reason,
    where: Where = Where.BOTH,
    until: Annotated[datetime | None, Limits(allow_null=True, help_text="null: permanent.")] = None,
    days: Annotated[
        int | None,
        Limits(
            allow_null=True,
            min_value=1,
            max_value=LONGEST_BAN.days,
            help_text="How many days it lasts, instead of `until`.",
        ),
    ] = None,
    since: Annotated[datetime | None, internal] = None,
    by: User,
) -> Ban:
    """Ban a player, from `since` (None: now) to `until`, or for a number of `days` (neither: for good). For managers;
    the floor may until tomorrow.

    Refuses: `Forbidden`, `Invalid` (no reason, an end before the beginning, two ends, oneself, a bot). Locks the
    player's row.
    """
    why = audit_log.reason_given(reason, what=gettext("a ban"))
    room_time.check(since, until)
    _, now = lock(User, player.pk)
    begins = max(since or now, now)
    if days is not None:
        if until is not None or not 0 < days <= LONGEST_BAN.days:
            raise Invalid("bad-until", "A ban lasts a number of days, or until a time, or is permanent.")
        until = room_time.later(begins, timedelta(days=days))
    _check_may_ban(by, player, begins, until)
    row = Ban(
        player=player,
        kind=Ban.Kind.HOUSE,
        where=_known_place(where),
        reason=why,
        since=begins,
        until=until,
        by=by,
        made_at=now,
    )
    _begin_or_set_alarm(row)
    audit_log.note(
        verb="standing.ban",
        subject=f"user:{player.pk}",
        player=player,
        by=by,
        now=now,
        reason=why,
        where=row.where,
        until=until.isoformat() if until else None,
        ban=row.pk,
    )
    return row


@verb("standing.exclude")
def exclude_oneself(
    *,
    where: Where = Where.BOTH,
    until: Annotated[datetime | None, Limits(allow_null=True, help_text="At least a day from now; null: permanent.")],
    by: User,
) -> Ban:
    """A player excludes themselves, for a day at least (None: for good). Nobody can take it back, neither they nor a
    manager.

    Refuses: `Invalid` (shorter than a day, longer than five years). Locks the player's row.
    """
    _, now = lock(User, by.pk)
    # The days were counted a moment before this.
    if until is not None and not SHORTEST_EXCLUSION - _A_MOMENT <= until - now <= LONGEST_EXCLUSION:
        raise Invalid("bad-exclusion", "A self-exclusion lasts from one day to five years, or permanently.")
    row = Ban(
        player=by,
        kind=Ban.Kind.SELF,
        where=_known_place(where),
        reason="self-exclusion",
        since=now,
        until=until,
        by=by,
        made_at=now,
    )
    return _begin_or_set_alarm(row)


@verb("standing.lift", roles=("manager",))
def lift(*, ban_id: RowId, reason: Reason, by: User) -> Ban:
    """Take a ban of the house back before its end. For managers, with a reason.

    Refuses: `NotFound`, `Illegal` (the player excluded themselves), `Conflict` (over already). Locks the ban.
    """
    why = audit_log.reason_given(reason, what=gettext("lifting a ban"))
    row, now = lock(Ban, ban_id)
    if row.player_id == by.pk:
        raise Forbidden("not-oneself", "This is your own ban: ask another manager to lift it.")
    if row.kind == Ban.Kind.SELF:
        raise Illegal(
            "own-exclusion",
            "The player has excluded themselves: nobody can lift this before its end.",
            rule=gettext_lazy("House rules: a self-exclusion lasts to its end"),
        )
    if row.lifted_at is not None or (row.until is not None and row.until <= now):
        raise Conflict("ban-over", "This ban has already ended.")
    row.lifted_at, row.lifted_by, row.lifted_why = now, by, why
    row.save(update_fields=["lifted_at", "lifted_by", "lifted_why"])
    alarms.cancel(kind=ALARM, key=str(row.pk))
    subject = f"user:{row.player_id}"
    audit_log.note(verb="standing.lift", subject=subject, player=row.player, by=by, now=now, reason=why, ban=row.pk)
    topics.tell(f"player:{row.player_id}", "players")
    return row


def begin(*, ban_id: int, now: datetime) -> bool:
    """A ban has begun: end sessions and keys, tell the apps. False where an app failed and has to hear of it again.

    For its alarm, and for the verb that made it; does nothing about a ban that is lifted, over, or still to come.
    """
    row = Ban.objects.select_related("player").filter(pk=ban_id, lifted_at=None, since__lte=now).first()
    if row is None or (row.until is not None and row.until <= now):
        return True
    if row.where in (Where.ONLINE, Where.BOTH):
        sessions.end_all(user=row.player)
    failed = [error for _, error in banned.send_robust(None, player=row.player, ban=row, now=now) if error is not None]
    for error in failed:
        log.error("a ban is not yet carried out", ban=row.pk, error=repr(error))
    if not failed:
        alarms.cancel(kind=ALARM, key=str(row.pk))
    return not failed


def _begin_or_set_alarm(row: Ban) -> Ban:
    """Write a new ban down. Call with the player locked."""
    row.save()
    # The alarm makes sure of it should this process end between the commit and what follows; it also begins late ones.
    alarms.set(kind=ALARM, key=str(row.pk), due_at=row.since, fence=1)
    if row.since <= row.made_at:
        transaction.on_commit(partial(begin, ban_id=row.pk, now=row.made_at), robust=True)
    topics.tell(f"player:{row.player_id}", "players")
    return row


def _check_may_ban(by: User, player: User, since: datetime, until: datetime | None) -> None:
    access.require_role(by, "floor", "manager")
    if player.pk == by.pk or player.is_bot:
        raise Invalid("bad-player", "You cannot ban yourself.")
    if until is not None and until <= since:
        raise Invalid("bad-until", "The end of a ban must be after its start.")
    is_short = until is not None and until <= max(since + _DAY, room_time.later(since, _DAY))
    if not is_short and not access.has_role(by, "manager"):
        raise Forbidden("manager-only", "The floor can ban for at most one day; ask a manager for longer.")


def _about(bans: QuerySet[Ban], where: str) -> QuerySet[Ban]:
    return bans.filter(where__in=[_known_place(where), Where.BOTH])


def _known_place(where: str) -> str:
    if where not in Where.values:
        raise Invalid("bad-where", "A ban applies to one of: {names}.", names=", ".join(Where.values))
    return where


def _code(ban: Ban) -> str:
    return "self-excluded" if ban.kind == Ban.Kind.SELF else "banned"
