"""Who is here: checking in at the desk, at the kiosk or by logging in, and checking out.

A visit goes on whatever tables the player sits at meanwhile; how long they sat in it, and whether they still do, the
games say (`cardroom.core.played`).
"""

from datetime import datetime, timedelta
from typing import Annotated

from django.db import transaction
from django.db.models import QuerySet

from cardroom.accounts import bans, members, people
from cardroom.accounts.models import Visit, Where
from cardroom.core import access, alarms, audit_log, played, room_time, topics
from cardroom.core.arguments import internal
from cardroom.core.errors import Conflict, NotFound
from cardroom.core.models import User
from cardroom.core.verb import lock, verb
from cardroom.ledger import limits

STAFF = ("floor", "cashier", "manager")

#: The daily alarm that ends visits nobody ended.
ALARM = alarms.register("visits", "cardroom.tasks.end_visits")
_ENDED_AT = 5  # o'clock in the room: when it is emptiest
_JUST_CAME = timedelta(hours=4)


@verb("visits.check_in", roles=STAFF)
def check_in(*, player: User, way: Annotated[str, internal] = Visit.Entrance.DESK, by: User | None) -> Visit:
    """Check a player into the room; the visit of a player who is here already goes on.

    By staff at the desk; at a kiosk by anybody with their card (`by` None). Refuses: `Forbidden` (no staff; banned
    from the room, with the reason). Locks the player's row.
    """
    _, now = lock(User, player.pk)
    bans.check_may_play(player=player, now=now, where=Where.ROOM)
    visit, is_new = _begin_or_go_on(player, Where.ROOM, way, by=by, now=now)
    if is_new and by is not None:
        audit_log.note(
            verb="visit.check-in", subject=f"user:{player.pk}", player=player, by=by, now=now, visit=visit.pk
        )
    return visit


@verb("visits.check_out")
def check_out(*, player: User, by: User) -> Visit:
    """Check a player out of the room. By staff, or by themselves.

    Refuses: `Forbidden`, `NotFound` (not here), `Conflict` (they still have a seat: that is picked up first). Locks the
    player's row.
    """
    if by.pk != player.pk:
        access.require_role(by, *STAFF)
    _, now = lock(User, player.pk)
    visit = present(player)
    if visit is None:
        raise NotFound("not-here", "The player is not checked in.")
    if place := seat_of(player):
        raise Conflict("still-seated", "The player still has a seat: {place}. Cash the player out first.", place=place)
    _end(visit, by=by, now=now)
    if by.pk != player.pk:
        audit_log.note(
            verb="visit.check-out", subject=f"user:{player.pk}", player=player, by=by, now=now, visit=visit.pk
        )
    return visit


def note_seated(*, player: User, by: User | None, now: datetime) -> None:
    """The player gets a seat at a table in the room, so they are here, checked in or not. Call with their row
    locked."""
    if present(player) is None:
        _begin(player, Where.ROOM, Visit.Entrance.DESK, by=by, now=now)


def end_forgotten(*, now: datetime) -> int:
    """End visits to the room that nobody ended, of players who have no seat there and came some hours ago. How many
    there were.

    For its alarm, which is set anew for the next day as long as anybody is here.
    """
    ended = 0
    for visit in Visit.objects.filter(where=Where.ROOM, went_at=None, came_at__lte=now - _JUST_CAME):
        ended += _end_forgotten(visit, now)
    if Visit.objects.filter(where=Where.ROOM, went_at=None).exists():
        _set_alarm(now)
    return ended


@verb("visits.logged_in")
def logged_in(*, player: User) -> Visit:
    """Begin an online visit, or go on with the one that lasts. Locks the player's row."""
    _, now = lock(User, player.pk)
    return _begin_or_go_on(player, Where.ONLINE, Visit.Entrance.ONLINE, by=player, now=now)[0]


@verb("visits.logged_out")
def logged_out(*, player: User, expired_at: Annotated[datetime, internal]) -> None:
    """The last of the player's sessions is over, at `expired_at` at the latest. Locks the visit."""
    visit, now = lock(_online_visit, player)
    if visit is not None:
        _end(visit, by=player, now=min(now, expired_at))


def _online_visit(player: User) -> Visit | None:
    return Visit.objects.select_for_update().filter(player=player, where=Where.ONLINE, went_at=None).first()


def seat_of(player: User) -> str:
    """The seat of the player in the room, in words; "" without one."""
    return next(filter(None, (games.seat_in_room(player) for games in played.games())), "")


def present(player: User, *, where: str = Where.ROOM) -> Visit | None:
    """The visit the player is on."""
    return Visit.objects.filter(player=player, where=where, went_at=None).first()


def here_now(*, where: str = Where.ROOM) -> QuerySet[Visit]:
    """The current visits, the latest first, each with its `player` and their member row."""
    return Visit.objects.filter(where=where, went_at=None).select_related("player__member").order_by("-came_at", "-pk")


def visits_of(player: User, *, limit: int = 20, before: int | None = None) -> list[Visit]:
    """A player's visits, the last first."""
    rows = Visit.objects.filter(player=player).select_related("player")
    return list((rows.filter(pk__lt=before) if before is not None else rows).order_by("-pk")[:limit])


def with_minutes(player: User, *, now: datetime, limit: int = 20) -> list[tuple[Visit, int]]:
    """A player's visits, the last first, each with how long they sat at tables in it, without what they sat out."""
    rows = visits_of(player, limit=limit)
    minutes = limits.minutes_in_each(player, [(visit.came_at, visit.went_at or now) for visit in rows])
    return list(zip(rows, minutes, strict=True))


def _begin_or_go_on(player: User, where: str, way: str, *, by: User | None, now: datetime) -> tuple[Visit, bool]:
    """The visit, and whether it is new. Call with the player locked."""
    if (visit := present(player, where=where)) is not None:
        return visit, False
    return _begin(player, where, way, by=by, now=now), True


def _begin(player: User, where: str, way: str, *, by: User | None, now: datetime) -> Visit:
    visit = Visit.objects.create(player=player, where=where, way=way, came_at=now, came_by=by)
    if where == Where.ROOM:
        _set_alarm(now)
    topics.tell("players", f"player:{player.pk}")
    return visit


@transaction.atomic
def _end_forgotten(visit: Visit, now: datetime) -> bool:
    """Whether the player may be given a seat, or check out, by their locked row."""
    User.objects.select_for_update(no_key=True).get(pk=visit.player_id)
    row = Visit.objects.select_related("player").filter(pk=visit.pk, went_at=None).first()
    if row is None or seat_of(row.player):
        return False
    _end(row, by=None, now=now)
    return True


def _end(visit: Visit, *, by: User | None, now: datetime) -> None:
    visit.went_at, visit.went_by = max(now, visit.came_at), by
    visit.save(update_fields=["went_at", "went_by"])
    topics.tell("players", f"player:{visit.player_id}")


def _set_alarm(now: datetime) -> None:
    """Set the alarm for the next early morning. Its fence is the day, so that it rings once even if it is set twice."""
    due_at = room_time.next_clock(_ENDED_AT, after=now)
    alarms.set(kind=ALARM, key="end", due_at=due_at, fence=due_at.toordinal())


@verb("account.take-in", roles=STAFF)
def register_guest(
    *, name: members.FullName, phone: members.Phone = "", born_on: members.Birthday = None, by: User
) -> User:
    """Register a guest at the desk or the cage as a member with a card, and check them in. They have no password and no
    chips. Each call makes another person.

    For the floor, cashiers and managers. Refuses as `members.register`. Waits for others who make players.
    """
    _, now = lock(people.lock_player_making)
    player = people.make_guest(name=name)
    members.register(player=player, name=name, phone=phone, born_on=born_on, by=by)
    check_in(player=player, by=by)
    audit_log.note(verb="account.take-in", subject=f"user:{player.pk}", player=player, by=by, now=now)
    return player
