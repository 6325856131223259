"""How a service begins: its transaction, then its lock, then the time.

The time of an operation is read once, when the lock is had under which it is done. Two that wait for each other have
their times in the order in which they were done, so what one of them begins the other cannot end before it began.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime, timedelta
from functools import wraps
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from cardroom.core.errors import CardroomError, Conflict, Invalid
from cardroom.core.models import Repeat, User

#: How many operations this one is a part of, itself included.
_depth: ContextVar[int] = ContextVar("operations", default=0)

Answer = TypeVar("Answer")
#: Takes the arguments of the operation by name, and locks what it is about; refuses nothing, the operation does that.
Lock = Callable[..., Any]


def operation(lock: Lock | None = None) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Make a service one transaction, in which `lock` is taken first and `now` is read then.

    Who asks from outside gives no `now`. It is given by an operation of which this one is a part, and where a past is
    told (the demo room, tests): then nothing is locked beforehand, and the service locks what it needs, as it always
    does.
    """

    def begun(service: Callable[..., Answer]) -> Callable[..., Answer]:
        @wraps(service)
        def run(*args: Any, now: datetime | None = None, **asked: Any) -> Answer:
            token = _depth.set(_depth.get() + 1)
            try:
                with transaction.atomic():
                    if now is None:
                        if lock is not None:
                            lock(**asked)
                        now = read()
                    return service(*args, now=now, **asked)
            except CardroomError as refusal:
                if _depth.get() == 1 and refusal.leaves is not None:
                    refusal.leaves()
                raise
            finally:
                _depth.reset(token)

        run.is_operation = True  # type: ignore[attr-defined]
        return run

    return begun


def after_refusal(refusal: CardroomError, leave: Callable[[], object]) -> CardroomError:
    """The refusal of an operation that leaves something behind: `leave` writes it once all else is taken back."""
    refusal.leaves = leave
    return refusal


def read(now: datetime | None = None) -> datetime:
    """The time, for who has just taken a lock; `now` where it was given."""
    return timezone.now() if now is None else now


def row_of(model: type[models.Model], name: str) -> Lock:
    """A lock on the row of `model` that the argument `name` says, by its number or as it is; none where it is not
    there."""

    def locked(**asked: Any) -> None:
        about = asked.get(name)
        pk = about.pk if isinstance(about, models.Model) else about
        list(model._default_manager.select_for_update(no_key=True).filter(pk=pk).values_list("pk"))

    return locked


# Doing a thing once under the caller's key, for services whose rows have no place for a key of their own.


LONGEST_KEY = 60
#: For how long a key is remembered.
KEPT = timedelta(days=30)

Made = TypeVar("Made", bound=models.Model)


def once(
    *, by: User, verb: str, key: str, asked: Mapping[str, Any], do: Callable[[], Any], now: datetime | None
) -> Any:
    """What `do` answers (an id or ids, JSON-safe); under a `key` that `by` has used for this `verb` before, what it
    answered then, and nothing is done. Without a key it is just done. Call within a transaction.

    Two at once wait for each other. Refuses: `Invalid` (no key), `Conflict` (the key was used for something else).
    """
    if not key:
        return do()
    if len(key) > LONGEST_KEY:
        raise Invalid(f"A key has at most {LONGEST_KEY} characters.", "bad-key")
    digest = sha256(msgspec.json.encode(dict(asked), order="deterministic", enc_hook=str)).hexdigest()
    try:
        with transaction.atomic():
            row = Repeat.objects.create(user=by, verb=verb, key=key, asked=digest, at=read(now))
    except IntegrityError:
        earlier = Repeat.objects.get(user=by, verb=verb, key=key)
        if earlier.asked != digest:
            raise Conflict("This key was used for another request already: take a new one.", "key-used") from None
        return earlier.answer
    row.answer = do()
    row.save(update_fields=["answer"])
    return row.answer


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
        raise Conflict("What this key made is gone by now: take a new one.", "key-used")
    return earlier


def forget_old(*, now: datetime) -> int:
    """Take away what was asked longer ago than anybody asks again; how many requests that were. One statement."""
    return Repeat.objects.filter(at__lt=now - KEPT).delete()[0]
