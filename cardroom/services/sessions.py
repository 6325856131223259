"""Sessions: kept so that they say whose they are, listed for staff, and ended.

`SessionStore` is Django's own, in rows that name the user and where they came from; the settings name this module as
the engine. What ends here deletes rows, and `cardroom.live` closes the sockets of a session whose row is gone.
"""

import hashlib
import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import Q, QuerySet

from cardroom.models import ApiToken, RoomSession, User
from cardroom.services import access, alarms, news, repeats, room_time, trail
from cardroom.services.errors import Invalid, NotFound
from cardroom.services.operations import operation

#: The daily alarm that clears what is over.
ALARM = "sessions"
_CLEARED_AT = 5  # o'clock in the room: when it is emptiest
_A_BATCH = 500

#: Where a session keeps how its owner came, see `remember`.
_CAME = "came"
#: Where the session of a kiosk keeps the number of whoever opened it.
KIOSK = "kiosk_opened_by"
#: A socket is known to be open for so long after it was last seen; it is looked for twice as often.
FRESH = timedelta(seconds=75)
STAFF = ("floor", "manager")
_LONGEST_AGENT = 200
_KEY = re.compile("[a-z0-9]{8,40}")


class SessionStore(DatabaseStore):
    """The engine of `settings.SESSION_ENGINE`."""

    def _validate_session_key(self, key: str | None) -> bool:
        """No other is asked for in the database, which refuses some texts: whoever sends one has no session."""
        return bool(key) and _KEY.fullmatch(str(key)) is not None

    @classmethod
    def get_model_class(cls) -> type[RoomSession]:
        return RoomSession

    def create_model_instance(self, data: dict[str, Any]) -> RoomSession:
        session: RoomSession = super().create_model_instance(data)
        session.handle = handle_of(session.session_key)
        session.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        session.kiosk_by_id = data.get(KIOSK)
        came = data.get(_CAME, {})
        session.address, session.agent = came.get("address"), came.get("agent", "")
        session.began_at = datetime.fromisoformat(came["at"]) if came else None
        return session


def handle_of(key: str) -> str:
    """What a session is called by, without telling its key."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def remember(*, session: Any, address: str | None, agent: str, now: datetime) -> None:
    """Write into the session of somebody who has just logged in where they came from."""
    session[_CAME] = {"address": address or None, "agent": agent[:_LONGEST_AGENT], "at": now.isoformat()}
    _set_alarm(now)


def open_now(*, now: datetime, user: User | None = None) -> QuerySet[RoomSession]:
    """Sessions of people that are good now, and kiosks, the newest first, each with its `user` or `kiosk_by`."""
    found = RoomSession.objects.filter(expire_date__gt=now)
    if user is not None:
        found = found.filter(user=user, user__is_active=True)
    else:
        found = found.filter(Q(user__is_active=True) | Q(user=None, kiosk_by__is_active=True))
    return found.select_related("user", "kiosk_by").order_by("-began_at", "handle")


def connected(session: RoomSession, *, now: datetime) -> bool:
    """Whether one of its sockets was open a moment ago."""
    return session.seen_at is not None and session.seen_at > now - FRESH


def seen(*, keys: Collection[str], now: datetime) -> None:
    """Sockets hang on the sessions with these keys. One statement."""
    RoomSession.objects.filter(session_key__in=keys).update(seen_at=now)


def one(*, handle: str, by: User, now: datetime) -> RoomSession:
    """The session that goes by this handle, for staff; `NotFound` where it is over."""
    access.require_role(by, *STAFF)
    found = open_now(now=now).filter(handle=handle).first()
    if found is None:
        raise NotFound("There is no such connection, or it is over.", "no-such-connection")
    return found


def whose(*, handle: str, by: User, now: datetime) -> User:
    """Who is logged in there, for staff; refuses as `one` does, and `Invalid` for a kiosk."""
    session = one(handle=handle, by=by, now=now)
    if session.user is None:
        raise Invalid("Nobody is logged in at a kiosk: it takes no message.", "kiosk")
    return session.user


@operation()
def terminate(*, handle: str, by: User, reason: str, now: datetime) -> None:
    """Log somebody out of one session and close its sockets; they may log in again. A kiosk is none any more.

    By the floor and managers, with a reason. `NotFound` where the session is over. Locks nothing.
    """
    session = one(handle=handle, by=by, now=now)
    why = trail.reason_given(reason, what="a connection that is ended")
    session.delete()
    subject = f"user:{session.user_id}" if session.user_id else f"kiosk:{handle}"
    trail.note(verb="connection.terminate", subject=subject, player=session.user, by=by, now=now, reason=why)
    news.tell("players")


def clear(*, now: datetime) -> int:
    """Take away sessions that are over, which ends the online visits of those who have no other; how many there were.
    The keys of requests go with them once they are old.

    For its alarm, which is set anew for the next day as long as there are sessions.
    """
    over = RoomSession.objects.filter(expire_date__lte=now).select_related("user")
    cleared = 0
    while rows := list(over.order_by("expire_date")[:_A_BATCH]):
        for row in rows:
            row.delete()  # one by one: whoever watches over it is told of each
            cleared += 1
    repeats.forget_old(now=now)
    if RoomSession.objects.exists():
        _set_alarm(now)
    return cleared


def _set_alarm(now: datetime) -> None:
    """For the next early morning. Its fence is the day, so that set twice it still rings once."""
    due_at = room_time.next_clock(_CLEARED_AT, after=now)
    alarms.set(kind=ALARM, key="clear", due_at=due_at, fence=due_at.toordinal())


def end_all(*, user: User) -> int:
    """End every session, kiosk and key for programs of this person; how many there were. The caller says why.

    A new password does so by itself, whoever gives it and on whatever way: see `cardroom.receivers`.
    """
    ended = 0
    for row in [*RoomSession.objects.filter(Q(user=user) | Q(kiosk_by=user)), *ApiToken.objects.filter(user=user)]:
        row.delete()  # one by one: whoever watches over its sockets is told of each
        ended += 1
    return ended
