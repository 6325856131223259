"""Login sessions, the second factor of staff, and API tokens.

`SessionStore` is Django's own, in rows that name the user and where they came from; the settings name this module as
the session engine. Ending a session deletes its row, and `cardroom.realtime` closes the sockets that belonged to it.

The setting `CARDROOM_STAFF_FACTOR` asks staff for a second factor: an authenticator app or a passkey. A person
who holds a role or is an operator and has none is asked to set one up on pages, in the API and at sockets; a demo and
the tests do without.
"""

import hashlib
import re
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any

import structlog
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.core.validators import RegexValidator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from cardroom.accounts.models import ApiToken, PushSubscription, RoomSession
from cardroom.core import access, alarms, audit_log, room_time, topics
from cardroom.core.access import Viewer
from cardroom.core.arguments import Limits, Reason, RowId, internal, not_kept
from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.operation import forget_old_keys, made_before
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
        """No other is asked for in the database, which refuses some texts: a browser that sends one has no session."""
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
        raise NotFound("no-such-connection", "There is no such connection, or it has ended.")
    return found


def whose(*, handle: str, by: User, now: datetime) -> User:
    """Who is logged in there, for staff; refuses as `one` does, and `Invalid` for a kiosk."""
    session = one(handle=handle, by=by, now=now)
    if session.user is None:
        raise Invalid("kiosk", "A kiosk cannot get a message: nobody is logged in there.")
    return session.user


@verb("sessions.terminate", roles=STAFF)
def terminate(*, handle: str, reason: Reason, by: User) -> User | None:
    """Log somebody out of one session and close its sockets; they may log in again. A kiosk is none any more. Answers
    with the person who was logged in there, None at a kiosk.

    By the floor and managers, with a reason. `NotFound` where the session is over. Locks nothing.
    """
    now = current_time()
    session = one(handle=handle, by=by, now=now)
    why = audit_log.reason_given(reason, what=gettext("ending a connection"))
    session.delete()
    subject = f"user:{session.user_id}" if session.user_id else f"kiosk:{handle}"
    audit_log.note(verb="connection.terminate", subject=subject, player=session.user, by=by, now=now, reason=why)
    topics.tell("players")
    return session.user


def clear(*, now: datetime) -> int:
    """Take away sessions that are over, which ends the online visits of those who have no other; how many there were.
    The keys of requests go with them once they are old.

    For its alarm, which is set anew for the next day as long as there are sessions.
    """
    over = RoomSession.objects.filter(expire_date__lte=now).select_related("user")
    cleared = 0
    while rows := list(over.order_by("expire_date")[:_A_BATCH]):
        for row in rows:
            row.delete()  # one by one: signals tell of each
            cleared += 1
    forget_old_keys(now=now)
    if RoomSession.objects.exists():
        _set_alarm(now)
    return cleared


def _set_alarm(now: datetime) -> None:
    """For the next early morning. Its fence is the day, so that set twice it still rings once."""
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
    log.info("sessions ended by their owner", user=by.pk, ended=ended)
    return ended


# The second factor


KINDS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


def is_staff_person(user: Viewer) -> bool:
    """Whether this person holds a role of the room, or is an operator."""
    return user.is_authenticated and bool(user.is_superuser or user.is_staff or access.roles_of(user))


def is_asked_of(user: Viewer) -> bool:
    """Whether this person needs a second factor: staff of a room that asks for it."""
    return bool(settings.CARDROOM_STAFF_FACTOR) and is_staff_person(user)


def check(user: Viewer) -> None:
    """`Forbidden` where the user needs a second factor and has none."""
    if is_asked_of(user):
        require_factor(user)


def require_factor(user: Viewer) -> None:
    """`Forbidden` where the user has no second factor."""
    if not Authenticator.objects.filter(user=user.pk, type__in=KINDS).exists():
        raise Forbidden(
            "second-factor",
            "Staff need a second factor. Log in with a browser and set up an authenticator app or a passkey.",
        )


# API tokens: the secret is shown once


#: What a key may be good for. `read`: see what its owner sees. `play`: sit down, enter, act, leave, in their name.
#: `direct`: what their roles let them do for others: deal, rule, run events, lists and tables. `cage`: move their chips
#: and keep their cards. `manage`: put games on offer, set limits, ban.
SCOPES = ("read", "play", "direct", "cage", "manage")
#: Those that reach beyond their owner: for staff alone, and for a shorter time.
STAFF_SCOPES = frozenset({"direct", "cage", "manage"})
#: Days for which a token is good unless its owner says otherwise, and at most; by scope where that is less.
DAYS, MOST_DAYS = 30, 365
MOST_DAYS_OF = {"direct": 90, "cage": 30, "manage": 30}
MOST_TOKENS = 20
LONGEST_NAME = 60
_SECRET = re.compile("[0-9a-f]{64}")
_NAME = RegexValidator(
    r"^\w[\w .:()'-]{0,59}$", gettext_lazy("A name is 1 to 60 letters, digits, spaces and . : ( ) ' - after a letter.")
)

TokenName = Annotated[str, Limits(validators=[_NAME], help_text="For yourself: the program that uses it.")]
TokenScopes = Annotated[
    list[Annotated[str, Limits(choices=SCOPES)]],
    Limits(
        min_length=1,
        max_length=len(SCOPES),
        help_text="`read`: read what you can read. `play`: take seats, enter events, act and leave for you. "
        "`direct`: what your roles allow you to do for others.",
    ),
]
TokenDays = Annotated[int, Limits(min_value=1, max_value=MOST_DAYS, help_text="How long it is valid.")]


@verb("sessions.issue")
def issue(
    *,
    name: TokenName,
    scopes: TokenScopes,
    days: TokenDays = DAYS,
    request_key: Annotated[str, internal] = "",
    by: User,
) -> Annotated[tuple[ApiToken, str | None], not_kept]:
    """A new token of `by`, and its secret, which nobody can be told again.

    The row keeps the key of its request itself, since the secret is kept nowhere: the same `request_key` again returns
    the first one and None for the secret; with another name or other scopes it is a `Conflict`, as is one token more
    than `MOST_TOKENS`. `Invalid`: no name, an unknown scope, none, or too many days for it. `Forbidden`: a scope of
    staff for a person who holds no role.
    Locks the user's row, so that two requests at once make no more than they may.
    """
    granted = " ".join(scope for scope in SCOPES if scope in _known(scopes))
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Invalid("bad-name", "Give the token a name of 1 to {longest} characters.", longest=LONGEST_NAME)
    most = min(MOST_DAYS_OF.get(scope, MOST_DAYS) for scope in granted.split())
    if not 1 <= days <= most:
        raise Invalid("bad-days", "With these scopes a token is valid for 1 to {most} days.", most=most)
    if not STAFF_SCOPES.isdisjoint(granted.split()) and not is_staff_person(by):
        raise Forbidden("scope-of-staff", "Only staff create tokens with these scopes: choose read or play.")
    _, now = lock(User, by.pk)
    tokens = ApiToken.objects.filter(user=by)
    if earlier := made_before(tokens, request_key, name=name, scopes=granted):
        return earlier, None
    tokens.filter(expiry__lte=now).delete()
    if tokens.count() >= MOST_TOKENS:
        raise Conflict("too-many-tokens", "You have {most} tokens, the maximum. Revoke one first.", most=MOST_TOKENS)
    digest, secret = get_digest_token()
    token = ApiToken(
        user=by,
        name=name,
        scopes=granted,
        key=request_key,
        digest=digest,
        token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH],
        expiry=now + timedelta(days=days),
    )
    token.save()
    log.info("token issued", user=by.pk, token=token.pk, scopes=granted)
    return token, secret


@verb("sessions.revoke")
def revoke(*, token_id: RowId, by: User) -> None:
    """Revoke an API token. `NotFound` where the user has no such token."""
    gone, _ = ApiToken.objects.filter(user=by, pk=token_id).delete()
    if not gone:
        raise NotFound("no-such-token", "You have no such token.")
    log.info("token revoked", user=by.pk, token=token_id)


def bearer_of(secret: str, *, now: datetime) -> ApiToken | None:
    """The API token with this secret, and its owner; None where it is unknown, expired or revoked. One query."""
    if not _SECRET.fullmatch(secret):
        return None
    # By its hash, so that how long the search takes tells nothing about the secret.
    return _good(now).filter(digest=hash_token(secret)).select_related("user").first()


def is_good(token_id: int, *, now: datetime) -> bool:
    """Whether the key still opens anything: not revoked, not expired, its owner's account not closed."""
    return _good(now).filter(pk=token_id).exists()


def _good(now: datetime) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(expiry__gt=now, user__is_active=True)


def _known(scopes: Iterable[str]) -> set[str]:
    wanted = set(scopes)
    if unknown := sorted(wanted - set(SCOPES)):
        raise Invalid(
            "no-such-scope",
            "There is no scope {scope!r}. The scopes are {names}.",
            scope=unknown[0],
            names=", ".join(SCOPES),
        )
    if not wanted:
        raise Invalid("no-scope", "Choose at least one scope: {names}.", names=", ".join(SCOPES))
    return wanted
