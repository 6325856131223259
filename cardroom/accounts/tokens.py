"""API tokens, by which programs act for people: the secret of one is shown once."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated

import structlog
from django.core.validators import RegexValidator
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from cardroom.accounts import second_factor
from cardroom.accounts.models import ApiToken
from cardroom.core.arguments import Limits, RowId, internal, not_kept
from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.once import made_before
from cardroom.core.verb import lock, verb

log = structlog.get_logger(__name__)

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

Name = Annotated[str, Limits(validators=[_NAME], help_text="For yourself: the program that uses it.")]
Scopes = Annotated[
    list[Annotated[str, Limits(choices=SCOPES)]],
    Limits(
        min_length=1,
        max_length=len(SCOPES),
        help_text="`read`: read what you can read. `play`: take seats, enter events, act and leave for you. "
        "`direct`: what your roles allow you to do for others.",
    ),
]
Days = Annotated[int, Limits(min_value=1, max_value=MOST_DAYS, help_text="How long it is valid.")]


@verb("tokens.issue")
def issue(
    *, name: Name, scopes: Scopes, days: Days = DAYS, request_key: Annotated[str, internal] = "", by: User
) -> Annotated[tuple[ApiToken, str | None], not_kept]:
    """Make a token for `by`; returns it with its secret, which is never shown again.

    The row keeps the key of its request itself, since the secret is kept nowhere: the same `request_key` again returns
    the first one and None for the secret; with another name or other scopes it is a `Conflict`, as is one token more
    than `MOST_TOKENS`. `Invalid`: no name, an unknown scope, none, or too many days for it. `Forbidden`: a scope of
    staff for a person who holds no role.
    Locks the user's row, so that two requests at once make no more than they may.
    """
    granted = " ".join(scope for scope in SCOPES if scope in _known_scopes(scopes))
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Invalid("bad-name", "Give the token a name of 1 to {longest} characters.", longest=LONGEST_NAME)
    most = min(MOST_DAYS_OF.get(scope, MOST_DAYS) for scope in granted.split())
    if not 1 <= days <= most:
        raise Invalid("bad-days", "With these scopes a token is valid for 1 to {most} days.", most=most)
    if not STAFF_SCOPES.isdisjoint(granted.split()) and not second_factor.is_staff_person(by):
        raise Forbidden("scope-of-staff", "Only staff create tokens with these scopes: choose read or play.")
    _, now = lock(User, by.pk)
    tokens = ApiToken.objects.filter(user=by)
    # Not kept by the verb: the secret is shown once and stored nowhere.
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


@verb("tokens.revoke")
def revoke(*, token_id: RowId, by: User) -> None:
    """Revoke an API token. `NotFound` where the user has no such token."""
    deleted, _ = ApiToken.objects.filter(user=by, pk=token_id).delete()
    if not deleted:
        raise NotFound("no-such-token", "You have no such token.")
    log.info("token revoked", user=by.pk, token=token_id)


def tokens_of(user: User, *, now: datetime) -> list[ApiToken]:
    """A player's API tokens that are still valid, newest first."""
    return list(ApiToken.objects.filter(user=user, expiry__gt=now).order_by("-pk"))


def bearer_of(secret: str, *, now: datetime) -> ApiToken | None:
    """The API token with this secret, and its owner; None where it is unknown, expired or revoked. One query."""
    if not _SECRET.fullmatch(secret):
        return None
    # By its hash, so that how long the search takes tells nothing about the secret.
    return _good(now).filter(digest=hash_token(secret)).select_related("user").first()


def is_good(token_id: int, *, now: datetime) -> bool:
    """Whether the token is valid: not revoked, not expired, its owner's account not closed."""
    return _good(now).filter(pk=token_id).exists()


def _good(now: datetime) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(expiry__gt=now, user__is_active=True)


def _known_scopes(scopes: Iterable[str]) -> set[str]:
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
