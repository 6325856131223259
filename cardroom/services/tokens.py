"""Keys for programs: making one, which shows its secret this once, and taking it back."""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import QuerySet
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS

from cardroom.models import ApiToken, User
from cardroom.services.errors import Conflict, Invalid, NotFound
from cardroom.services.operations import operation, row_of

log = structlog.get_logger(__name__)

#: What a key may be good for. `read`: see what its owner sees. `play`: sit down, enter, act, leave, in their name.
#: `direct`: what their roles let them do for others: deal, rule, run events, lists and tables. `cage`: move their chips
#: and keep their cards. `manage`: put games on offer, set limits, ban.
SCOPES = ("read", "play", "direct", "cage", "manage")
DAYS, MOST_DAYS = 30, 365
MOST_TOKENS = 20
LONGEST_NAME = 60
_SECRET = re.compile("[0-9a-f]{64}")


@operation(row_of(User, "user"))
def issue(
    *, user: User, name: str, scopes: Iterable[str], now: datetime, days: int = DAYS, key: str = ""
) -> tuple[ApiToken, str | None]:
    """A new key for `user`, and its secret, which nobody can be told again.

    The same `key` again returns the first one and None for the secret; with another name or other scopes it is a
    `Conflict`, as is one key more than `MOST_TOKENS`. `Invalid`: no name, an unknown scope, none, or too many days.
    Locks the user's row, so that two requests at once make no more than they may.
    """
    granted = " ".join(scope for scope in SCOPES if scope in _known(scopes))
    name = name.strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Invalid(f"Give the token a name of 1 to {LONGEST_NAME} characters.", "bad-name")
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"A token is good for 1 to {MOST_DAYS} days.", "bad-days")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if earlier := _earlier(user, key):
        if (earlier.name, earlier.scopes) != (name, granted):
            raise Conflict("This Idempotency-Key made another token.", "key-taken")
        return earlier, None
    ApiToken.objects.filter(user=user, expiry__lte=now).delete()
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise Conflict(f"You have {MOST_TOKENS} tokens, which is the most. Revoke one first.", "too-many-tokens")
    digest, secret = get_digest_token()
    token = ApiToken(
        user=user,
        name=name,
        scopes=granted,
        key=key,
        digest=digest,
        token_key=secret[: CONSTANTS.TOKEN_KEY_LENGTH],
        expiry=now + timedelta(days=days),
    )
    token.save()
    log.info("token issued", user=user.pk, token=token.pk, scopes=granted)
    return token, secret


@transaction.atomic
def revoke(*, user: User, token_id: int) -> None:
    """Take a key back; it is good for nothing from now on. `NotFound` where the user has no such key."""
    gone, _ = ApiToken.objects.filter(user=user, pk=token_id).delete()
    if not gone:
        raise NotFound("You have no such token.", "no-such-token")
    log.info("token revoked", user=user.pk, token=token_id)


def bearer_of(secret: str, *, now: datetime) -> ApiToken | None:
    """The key with this secret and its owner; None where it is no key, or good for nothing any more. One query."""
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
        raise Invalid(f"There is no scope {unknown[0]!r}. The scopes are {', '.join(SCOPES)}.", "no-such-scope")
    if not wanted:
        raise Invalid(f"Choose at least one scope: {', '.join(SCOPES)}.", "no-scope")
    return wanted


def _earlier(user: User, key: str) -> ApiToken | None:
    return ApiToken.objects.filter(user=user, key=key).first() if key else None
