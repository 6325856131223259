"""Step-up: staff in a browser show their second factor again before chips that are not theirs move.

There is no list of operations that require it. The middleware sets the sender of the request (`watch`). The ledger
calls `require` before it moves chips; so do the models that decide what the ledger pays later (`before_change`), and
the facts of an event about its money. Tokens, sockets, tasks and commands have no browser, and are not watched.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model
from django.db.models.signals import pre_delete, pre_save

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Caller:
    """A member of staff whose request is answered now. `is_fresh`: whether they showed their factor lately."""

    user_id: int
    is_fresh: Callable[[], bool]


class StepUpRequired(Exception):
    """The caller has to show their second factor first; nothing has changed.

    It is no `Refusal`: a page that shows itself again after a refusal, or a service that goes on after one, must
    not catch it.
    """


_caller: ContextVar[Caller | None] = ContextVar("step_up_caller", default=None)


def watch(caller: Caller | None) -> None:
    """Set the caller of this request; None: nobody who could be asked for a factor."""
    _caller.set(caller)


def caller() -> Caller | None:
    """The member of staff whose request this is."""
    return _caller.get()


def require() -> None:
    """Raise `StepUpRequired` where the caller has not shown their second factor lately."""
    person = _caller.get()
    if person is not None and not person.is_fresh():
        raise StepUpRequired


#: Models whose rows decide what the ledger pays later.
MODELS: set[type[Model]] = set()


def before_change(model: type[M]) -> type[M]:
    """Mark a model: its rows decide what the ledger pays later, so to add, change or delete one asks for the factor.

    `bulk_create`, `bulk_update` and `update` send no signal: call `require` beside them.
    """
    MODELS.add(model)
    pre_save.connect(_required, sender=model, dispatch_uid=f"step-up:save:{model._meta.label}")
    pre_delete.connect(_required, sender=model, dispatch_uid=f"step-up:delete:{model._meta.label}")
    return model


def _required(sender: Any, **_: Any) -> None:
    require()
