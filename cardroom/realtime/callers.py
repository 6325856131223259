"""Who is at the other end of a socket: somebody with a session, or a program with an API token of theirs.

When a session ends, or a token, its sockets of every kind are told and close.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import Any

from channels.auth import AuthMiddleware
from channels.security.websocket import WebsocketDenier
from channels.sessions import CookieMiddleware, SessionMiddleware
from django.conf import settings
from django.contrib.auth.signals import user_logged_out
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.db import Error, transaction
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy

from cardroom.accounts import second_factor, tokens
from cardroom.accounts.models import ApiToken, RoomSession
from cardroom.core import languages
from cardroom.core.errors import Forbidden, Refusal, Unavailable, Verbatim
from cardroom.core.web import addresses
from cardroom.realtime import hubs, layer
from cardroom.realtime.layer import SignedOut
from cardroom.realtime.sessions import digest_of, key_of_token
from cardroom.realtime.sockets import FORBIDDEN, LATER, SIGNED_OUT, NotLoggedIn, RoomConsumer, lacking

logger = logging.getLogger(__name__)


TOO_MANY = gettext_lazy("{n} connections are open from your address, the maximum. Close some and try again.")


class TooManySockets(Refusal):
    """Too many sockets from one address."""

    status = 429
    code = "too-many-sockets"


class _TurnedAway(RoomConsumer):
    """Base of callers that are refused with a reason."""

    def __init__(self, error: Refusal, code: int) -> None:
        super().__init__()
        self._error, self._code = error, code

    async def websocket_connect(self, message: dict[str, Any]) -> None:
        await super().websocket_connect(message)
        await self.turn_away(self._error, self._code)


def _away(error: Refusal, code: int) -> Any:
    return _TurnedAway.as_asgi(error=error, code=code)


def _unreachable(error: Error) -> Any:
    logger.warning("a socket could not be served: %s", type(error).__name__)
    return _away(Unavailable("unavailable", "The room cannot be reached. Try again shortly."), LATER)


class _People(AuthMiddleware):
    """By the session."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        scope = dict(scope)
        self.populate_scope(scope)
        try:
            await self.resolve_scope(scope)
        except Error as error:
            await _unreachable(error)(scope, receive, send)
        else:
            await self.inner(scope, receive, send)


class _Programs:
    """By the token: `token` in the scope, and its owner as the `user`. Cookies are not looked at."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            token = await layer.run(tokens.bearer_of, _secret(scope) or "", now=timezone.now())
        except Error as error:
            await _unreachable(error)(scope, receive, send)
            return
        if token is None:
            refusal = NotLoggedIn("bad-token", "This token is invalid or has expired. Create a new one.")
            await _away(refusal, SIGNED_OUT)(scope, receive, send)
        elif not token.allows("read"):
            await _away(lacking("read"), FORBIDDEN)(scope, receive, send)
        else:
            await self.inner(dict(scope, user=token.user, token=token), receive, send)


class _WithFactor:
    """Staff that needs a second factor and has none is told so, by session and by token."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if language := languages.chosen_by(scope["user"]):
            translation.activate(language)
        try:
            await layer.run(second_factor.check, scope["user"])
        except Error as error:
            await _unreachable(error)(scope, receive, send)
        except Forbidden as refusal:
            await _away(refusal, FORBIDDEN)(scope, receive, send)
        else:
            await self.inner(scope, receive, send)


class _FromOurPages(CsrfViewMiddleware):
    """A page of ours opened it, by the rule for forms: scheme, host and port of its `Origin` are those it was asked
    for with, as the proxies say that are trusted, or among `CSRF_TRUSTED_ORIGINS`."""

    def __init__(self, inner: Any) -> None:
        super().__init__(lambda request: HttpResponse())
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await (self._inner if self._is_one(scope) else WebsocketDenier())(scope, receive, send)

    def _is_one(self, scope: Any) -> bool:
        request = _request(scope)
        try:
            request.get_host()
            return "HTTP_ORIGIN" in request.META and bool(self._origin_verified(request))
        except (DisallowedHost, ValueError):  # an origin is whatever somebody sends
            return False


class _Counted:
    """No more than `most()` sockets of one address are open at a time; more are told so. 0: as many as they like."""

    def __init__(self, inner: Any, most: Callable[[], int], whose: Callable[[Any], bool]) -> None:
        self._inner, self._most, self._whose = inner, most, whose
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        address, most = address_of(scope), self._most()
        if not most or not self._whose(scope):
            await self._inner(scope, receive, send)
            return
        if self._open[address] >= most:
            await _away(TooManySockets("too-many-sockets", Verbatim(TOO_MANY.format(n=most))), LATER)(
                scope, receive, send
            )
            return
        self._open[address] += 1
        try:
            await self._inner(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


def known(inner: Any) -> Any:
    """Have `inner` find in its scope who calls.

    A browser sends its cookie from any page, so the page has to be one of ours; a token comes in a header
    (`Authorization: Bearer <secret>`) that no page can set, and may come from anywhere. While the database does not
    answer a caller is told to come back later, not, as Channels would, that there is a fault; so is a caller with too
    many sockets from one address. The limit is lower for people who are not logged in.
    """
    inner = _WithFactor(inner)
    seen = _Counted(inner, lambda: settings.CARDROOM_SOCKETS_ANONYMOUS, _is_nobody)
    people = _FromOurPages(CookieMiddleware(SessionMiddleware(_People(seen))))
    programs = _Programs(inner)

    async def by_session_or_token(scope: Any, receive: Any, send: Any) -> None:
        await (people if _secret(scope) is None else programs)(scope, receive, send)

    counted = _Counted(by_session_or_token, lambda: settings.CARDROOM_SOCKETS, lambda scope: True)

    async def door(scope: Any, receive: Any, send: Any) -> None:
        # In the task of this socket alone, and so for all that it is told.
        translation.activate(translation.get_language_from_request(_request(scope)))
        await counted(scope, receive, send)

    return door


def _is_nobody(scope: Any) -> bool:
    return not scope["user"].is_authenticated


def address_of(scope: Any) -> str:
    """Where a socket comes from, see `addresses.of_hops`."""
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for").decode("latin-1")
    return addresses.of_hops((scope.get("client") or [""])[0], forwarded)


def _request(scope: Any) -> ASGIRequest:
    """What the socket was asked for with, as the request that it was."""
    is_secure = scope.get("scheme") == "wss"
    return ASGIRequest({**scope, "method": "GET", "scheme": "https" if is_secure else "http"}, BytesIO())


def _secret(scope: Any) -> str | None:
    """The token that was sent, if any."""
    sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    word, _, secret = sent.strip().partition(b" ")
    return secret.strip().decode("latin-1") if word.lower() in (b"token", b"bearer") else None


# Signal receivers


@receiver(user_logged_out)
def close_the_sockets_of_a_logout(sender: Any, *, request: Any, **more: Any) -> None:
    """Sent before the session is flushed, so its key is still there."""
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key:
        hubs.tell_all(SignedOut(digest_of(key)))


@receiver(post_delete, sender=RoomSession)
def close_the_sockets_of_a_session(sender: Any, *, instance: RoomSession, **more: Any) -> None:
    """The session was logged out, or ended by staff or by a ban."""
    message = SignedOut(digest_of(instance.session_key))
    transaction.on_commit(partial(hubs.tell_all, message), robust=True)


@receiver(post_delete, sender=ApiToken)
def close_the_sockets_of_a_token(sender: Any, *, instance: ApiToken, **more: Any) -> None:
    """The token was revoked, or deleted with its owner."""
    message = SignedOut(digest_of(key_of_token(instance.pk)))
    transaction.on_commit(partial(hubs.tell_all, message), robust=True)
