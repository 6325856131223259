"""Browsers in which somebody has logged in before, known again by a signed cookie.

Whoever guesses at a password elsewhere must not keep its owner out of their own account: a browser that is known has
wrong guesses of its own to make. The cookie opens nothing. It is good for the password it was made under.
"""

from secrets import token_urlsafe
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from cardroom.models import User

COOKIE = "cardroom_known"
_SALT = "cardroom.known-browser"
_MOST = 8  # people who share a browser, the last ones
_DAY = 24 * 60 * 60


def remember(request: HttpRequest, answer: HttpResponse, user: User) -> None:
    """Have the browser keep that this person logged in there."""
    number, people = _read(request)
    people = {**{key: mark for key, mark in people.items() if key != str(user.pk)}, str(user.pk): _mark_of(user)}
    said = {"browser": number, "people": dict([*people.items()][-_MOST:])}
    answer.set_cookie(
        COOKIE,
        signing.dumps(said, salt=_SALT),
        max_age=settings.CARDROOM_KNOWN_BROWSER_DAYS * _DAY,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known(request: HttpRequest, *, username: str = "", email: str = "", **_: Any) -> str | None:
    """What to count the wrong guesses of this browser at this person's password by; None where they have not logged in
    there under the password of now."""
    who = getattr(request, "user", None)
    if isinstance(who, User) and _is_called(who, username, email):
        return f"session:{request.session.session_key}"
    number, people = _read(request)
    if not people:
        return None
    for user in User.objects.filter(pk__in=[*people], is_active=True):
        if _is_called(user, username, email) and constant_time_compare(people[str(user.pk)], _mark_of(user)):
            return f"browser:{number}:{user.pk}"
    return None


def _read(request: HttpRequest) -> tuple[str, dict[str, str]]:
    try:
        longest = settings.CARDROOM_KNOWN_BROWSER_DAYS * _DAY
        said = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=longest)
        return said["browser"], said["people"]
    except signing.BadSignature:
        return token_urlsafe(12), {}


def _mark_of(user: User) -> str:
    return salted_hmac(_SALT, f"{user.pk}:{user.password}", algorithm="sha256").hexdigest()[:32]


def _is_called(user: User, username: str, email: str) -> bool:
    names = {user.username.casefold()} if username else set()
    if email:
        names |= {user.email.casefold(), *(address.casefold() for address in _addresses(user))}
    return bool({username.casefold(), email.casefold()} & (names - {""}))


def _addresses(user: User) -> list[str]:
    return [*user.emailaddress_set.values_list("email", flat=True)]
