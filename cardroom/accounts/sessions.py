"""Login sessions.

`SessionStore` is Django's own, in rows that name the user and where they came from; the settings name this module as
the session engine. Ending a session deletes its row, and `cardroom.realtime` closes the sockets that belonged to it.
"""

import hashlib
import re
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Annotated, Any

import structlog
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from cardroom.accounts.models import ApiToken, PushSubscription, RoomSession
from cardroom.core import access, alarms, audit_log, room_time, topics
from cardroom.core.arguments import Reason, internal
from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.once import forget_old_keys
from cardroom.core.verb import current_time, lock, verb

log = structlog.get_logger(__name__)

#: The daily alarm that clears what is over.
ALARM = alarms.register("sessions", "cardroom.tasks.clear_sessions")
_CLEARED_AT = 5  # o'clock in the room: when it is emptiest
_A_BATCH = 500

#: Where a session keeps how its owner came, see `remember`.
_CAME = "came"
#: Where the session of a kiosk keeps the number of the person who opened it.
KIOSK = "kiosk_opened_by"
#: A socket is known to be open for so long after it was last seen; it is looked for twice as often.
FRESH = timedelta(seconds=75)
STAFF = ("floor", "manager")
_LONGEST_AGENT = 200
_KEY = re.compile("[a-z0-9]{8,40}")


class SessionStore(DatabaseStore):
    """The engine of `settings.SESSION_ENGINE`."""

    def _validate_session_key(self, key: str | None) -> bool:
        """Only a well-formed key is looked up: the database refuses some texts, and a browser that sends one has no
        session."""
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
    """The public name of a session, made from its secret key."""
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def remember(*, session: Any, address: str | None, agent: str, now: datetime) -> None:
    """Store in a new session where its person logged in from."""
    session[_CAME] = {"address": address or None, "agent": agent[:_LONGEST_AGENT], "at": now.isoformat()}
    _set_alarm(now)


def open_now(*, now: datetime, user: User | None = None) -> QuerySet[RoomSession]:
    """Sessions of people that are good now, and kiosks, the newest first, each with its `user` or `kiosk_by`."""
    sessions = RoomSession.objects.filter(expire_date__gt=now)
    if user is not None:
        sessions = sessions.filter(user=user, user__is_active=True)
    else:
        sessions = sessions.filter(Q(user__is_active=True) | Q(user=None, kiosk_by__is_active=True))
    return sessions.select_related("user", "kiosk_by").order_by("-began_at", "handle")


def is_connected(session: RoomSession, *, now: datetime) -> bool:
    """Whether one of its sockets was open a moment ago."""
    return session.seen_at is not None and session.seen_at > now - FRESH


def note_sockets(*, keys: Collection[str], now: datetime) -> None:
    """Note that the sessions with these keys have open sockets. One statement."""
    RoomSession.objects.filter(session_key__in=keys).update(seen_at=now)


def get_session(*, handle: str, by: User, now: datetime) -> RoomSession:
    """The session that goes by this handle, for staff; `NotFound` where it is over."""
    access.require_role(by, *STAFF)
    session = open_now(now=now).filter(handle=handle).first()
    if session is None:
        raise NotFound("no-such-connection", "There is no such connection, or it has ended.")
    return session


def session_user(*, handle: str, by: User, now: datetime) -> User:
    """The person who is logged in there, for staff; refuses as `one` does, and `Invalid` for a kiosk."""
    session = get_session(handle=handle, by=by, now=now)
    if session.user is None:
        raise Invalid("kiosk", "A kiosk cannot get a message: nobody is logged in there.")
    return session.user


@verb("sessions.terminate", roles=STAFF)
def terminate(*, handle: str, reason: Reason, by: User) -> User | None:
    """Log somebody out of one session and close its sockets; they may log in again. A kiosk stops being one. Returns
    the person who was logged in there, None at a kiosk.

    By the floor and managers, with a reason. `NotFound` where the session is over. Locks nothing.
    """
    now = current_time()
    session = get_session(handle=handle, by=by, now=now)
    why = audit_log.reason_given(reason, what=gettext("ending a connection"))
    session.delete()
    subject = f"user:{session.user_id}" if session.user_id else f"kiosk:{handle}"
    audit_log.note(verb="connection.terminate", subject=subject, player=session.user, by=by, now=now, reason=why)
    topics.tell("players", *([f"player:{session.user_id}"] if session.user_id else []))
    return session.user


def clear(*, now: datetime) -> int:
    """Take away sessions that are over, which ends the online visits of those who have no other; how many there were.
    The keys of requests go with them once they are old.

    For its alarm, which is set anew for the next day as long as there are sessions.
    """
    expired = RoomSession.objects.filter(expire_date__lte=now).select_related("user")
    cleared = 0
    while rows := list(expired.order_by("expire_date")[:_A_BATCH]):
        for row in rows:
            row.delete()  # one by one: signals tell of each
            cleared += 1
    forget_old_keys(now=now)
    if RoomSession.objects.exists():
        _set_alarm(now)
    return cleared


def _set_alarm(now: datetime) -> None:
    """Set the alarm for the next early morning. Its fence is the day, so that it rings once even if it is set twice."""
    due_at = room_time.next_clock(_CLEARED_AT, after=now)
    alarms.set(kind=ALARM, key="clear", due_at=due_at, fence=due_at.toordinal())


def end_all(*, user: User) -> int:
    """End every session, kiosk and key for programs of this person, and push to their browsers; how many there were of
    the former. The caller says why.

    A new password does so by itself, given by anybody and in any way: see `cardroom.accounts.receivers`.
    """
    ended = 0
    for row in [*RoomSession.objects.filter(Q(user=user) | Q(kiosk_by=user)), *ApiToken.objects.filter(user=user)]:
        row.delete()  # one by one: signals tell of each, and its sockets are closed
        ended += 1
    PushSubscription.objects.filter(player=user).delete()  # those of sessions are gone: others asked by a program
    return ended


@verb("sessions.end_one")
def end_one(*, handle: str, by: User) -> None:
    """Log out in one of one's own browsers. `NotFound` where there is no such session. Locks the user's row."""
    _, now = lock(User, by.pk)
    session = open_now(now=now, user=by).filter(handle=handle).first()
    if session is None:
        raise NotFound("no-such-session", "There is no such session, or it has ended.")
    session.delete()
    topics.tell("players", f"player:{by.pk}")
    log.info("session ended by its owner", user=by.pk)


@verb("sessions.end_others")
def end_others(*, but: Annotated[str, internal], by: User) -> int:
    """Log out in all of one's own browsers `but` the one of this handle ("": in all); how many there were. Locks the
    user's row."""
    _, now = lock(User, by.pk)
    ended = 0
    for session in RoomSession.objects.filter(user=by).exclude(handle=but):
        ended += session.expire_date > now
        session.delete()  # one by one: the sockets of each are closed
    topics.tell("players", f"player:{by.pk}")
    log.info("sessions ended by their owner", user=by.pk, ended=ended)
    return ended
