"""A request under a key of the caller's own is done once: the same key again gets the first answer.

Where the record of it keeps the key itself, in a column or in a log of facts, that record is looked up (`earlier`,
`named`); for everything else the first answer is kept in a `Repeat` (`once`, `is_new`, `made`).
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from django.db import IntegrityError, models, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardroom.core.errors import Conflict, Invalid
from cardroom.core.models import Repeat, User

LONGEST_KEY = 60
#: Of a command in a hand or an event.
LONGEST_COMMAND_ID = 64
#: For how long a key is remembered.
KEPT = timedelta(days=30)
#: Instead of an answer: none is kept, so the same key does it anew.
UNKEPT = object()

Made = TypeVar("Made", bound=models.Model)


def check_key(key: str) -> None:
    """Refuses (`Invalid`) what is too long for a key, or cannot be printed."""
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Invalid(f"A key has at most {LONGEST_KEY} printable characters.", "bad-key")


def named(whose: User | int | None, command_id: str, *, is_required: bool = False) -> str:
    """The name under which a command is written down in its log of facts, "" without an id. `whose` (a person, a seat,
    None: the house) keeps anybody's id out of the way of another's.

    Refuses (`Invalid`) an id that is too long, or missing where it `is_required`.
    """
    if len(command_id) > LONGEST_COMMAND_ID or (is_required and not command_id):
        length = f"1 to {LONGEST_COMMAND_ID}" if is_required else f"at most {LONGEST_COMMAND_ID}"
        raise Invalid(f"A command id has {length} characters.", "bad-command-id")
    owner = "house" if whose is None else f"by{whose.pk}" if isinstance(whose, User) else whose
    return f"{owner}:{command_id}" if command_id else ""


def earlier(rows: QuerySet[Made], key: str, **content: Any) -> Made | None:
    """The one of `rows`, which keep their key as long as they last, that this `key` made before; None without a key.
    Call it with their owner locked.

    `content`: by fields of the row, what is asked for. Refuses: `Invalid` (no key), `Conflict` (the key was used for
    something else).
    """
    check_key(key)
    row = rows.filter(key=key).first() if key else None
    if row is not None and any(getattr(row, name) != said for name, said in content.items()):
        raise Conflict("This key was used for another request: take a new one.", "key-taken")
    return row


def once(
    *, by: User, verb: str, key: str, asked: Mapping[str, Any], do: Callable[[], Any], now: datetime | None
) -> Any:
    """What `do` answers (an id or ids, JSON-safe); under a `key` that `by` has used for this `verb` before, what it
    answered then, and nothing is done. Without a key it is just done. Call within a transaction.

    Two at once wait for each other. Refuses: `Invalid` (no key), `Conflict` (the key was used for something else).
    """
    if not key:
        return do()
    check_key(key)
    digest = sha256(msgspec.json.encode(dict(asked), order="deterministic", enc_hook=str)).hexdigest()
    try:
        with transaction.atomic():
            row = Repeat.objects.create(user=by, verb=verb, key=key, asked=digest, at=now or timezone.now())
    except IntegrityError:
        earlier = Repeat.objects.get(user=by, verb=verb, key=key)
        if earlier.asked != digest:
            raise Conflict("This key belongs to another request: use a new one.", "key-used") from None
        return earlier.answer
    if (answer := do()) is UNKEPT:
        row.delete()
    else:
        row.answer = answer
        row.save(update_fields=["answer"])
    return answer


def is_new(*, by: User, verb: str, key: str, asked: Mapping[str, Any], now: datetime | None) -> bool:
    """Whether this has still to be done: `by` did not ask for it under this `key` before. Refuses as `once` does."""
    fresh: list[bool] = []
    once(by=by, verb=verb, key=key, asked=asked, do=lambda: fresh.append(True), now=now)
    return bool(fresh)


def made(
    kind: type[Made],
    make: Callable[[], Made],
    /,
    *,
    by: User | None,
    key: str,
    verb: str,
    now: datetime | None,
    **content: Any,
) -> Made:
    """The row of `kind` that `make` makes, in one transaction; under a known `key` the row that it made then.

    `content` is what was asked for. Without a key, and without somebody whose key it could be, it is simply made.
    Refuses as `once` does, and `Conflict` where that row is gone by now.
    """
    with transaction.atomic():
        if by is None:
            return make()
        fresh: list[Made] = []

        def do() -> Any:
            fresh.append(make())
            return fresh[0].pk

        number = once(by=by, verb=verb, key=key, asked=content, do=do, now=now)
        earlier = None if fresh else kind._default_manager.filter(pk=number).first()
    if fresh:
        return fresh[0]
    if earlier is None:
        raise Conflict("The result of this key is deleted: use a new key.", "key-used")
    return earlier


def forget_old(*, now: datetime) -> int:
    """Take away what was asked longer ago than anybody asks again; how many requests that were. One statement."""
    return Repeat.objects.filter(at__lt=now - KEPT).delete()[0]
