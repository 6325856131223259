"""How a service begins: its transaction, then its lock, then the time.

The time of an operation is read once, when the lock is had under which it is done. Two that wait for each other have
their times in the order in which they were done, so what one of them begins the other cannot end before it began.
"""

from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

from django.db import models, transaction
from django.utils import timezone

from cardroom.core.errors import CardroomError

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
