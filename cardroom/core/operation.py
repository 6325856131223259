"""How a service begins: its transaction, then its lock, then the time; whether it was done before; what is kept of it.

The time of an operation is read once, when the lock is had under which it is done. Two that wait for each other have
their times in the order in which they were done, so what one of them begins the other cannot end before it began.
"""

import inspect
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from typing import Any, TypeVar

from django.apps import apps
from django.db import models, transaction
from django.utils import timezone

from cardroom.core import access, audit_log, idempotency
from cardroom.core.errors import CardroomError, Conflict

#: How many operations this one is a part of, itself included.
_depth: ContextVar[int] = ContextVar("operations", default=0)
#: What an entry in the audit log says in columns of its own.
_ASIDE = ("by", "player", "reason")

Answer = TypeVar("Answer")
#: Takes the arguments of the operation by name, and locks what it is about; refuses nothing, the operation does that.
Lock = Callable[..., Any]


def operation(
    lock: Lock | None = None, *, verb: str = "", roles: tuple[str, ...] = (), about: str = ""
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Make a service one transaction, in which `lock` is taken first and `now` is read then.

    `verb` ("seating.unseat", or "leave:{table_id}" by the arguments): it takes a `key` as well, and the same key of the
    same person for this verb again gets the first answer (a row, or what is JSON-safe), and nothing is done; `Conflict`
    where they asked for something else. `roles`: `Forbidden` for a `by` with none of them. `about` ("table:{table_id}",
    by the arguments and what was `made`): an entry in the audit log under this verb, with all that was asked for. A
    `by` of None is the house itself, or the `player`, whose key it is then: it has every role, and no entries.

    Who asks from outside gives no `now`. It is given by an operation of which this one is a part, and where a past is
    told (the demo room, tests): then nothing is locked beforehand, and the service locks what it needs, as it always
    does.
    """

    def begun(service: Callable[..., Answer]) -> Callable[..., Answer]:
        parameters = inspect.signature(service).parameters
        actor = next(filter(parameters.__contains__, ("by", "player", "user")), "by")
        unsaid = {each.name: each.default for each in parameters.values() if each.default is not each.empty}

        def done(by: Any, now: datetime, asked: dict[str, Any]) -> Answer:
            made = service(now=now, **asked)
            if about and by is not None:
                subject = about.format_map({"made": made, **unsaid, **asked})
                _note(verb.partition(":")[0], subject, by=by, now=now, asked=asked)
            return made

        @wraps(service)
        def run(*args: Any, now: datetime | None = None, **asked: Any) -> Answer:
            token = _depth.set(_depth.get() + 1)
            try:
                with transaction.atomic():
                    by = asked.get(actor)
                    if roles and by is not None:
                        access.require_role(by, *roles)
                    if now is None:
                        if lock is not None:
                            lock(**asked)
                        now = read()
                    if not verb:
                        return service(*args, now=now, **asked)
                    key, whose = asked.pop("key", ""), by or asked.get("player")
                    if not key or whose is None:
                        return done(by, now, asked)
                    name = verb.format_map(unsaid | asked)
                    return _once(name, key, lambda: done(by, now, asked), by=whose, now=now, asked=asked)
            except CardroomError as refusal:
                if _depth.get() == 1 and refusal.leaves is not None:
                    refusal.leaves()
                raise
            finally:
                _depth.reset(token)

        run.is_operation, run.verb, run.roles = True, verb, roles  # type: ignore[attr-defined]
        return run

    return begun


def _once(verb: str, key: str, do: Callable[[], Any], *, by: Any, now: datetime, asked: Any) -> Any:
    fresh: list[Any] = []

    def kept() -> Any:
        fresh.append(do())
        return _kept(fresh[0])

    content = {name: plain(said) for name, said in asked.items() if said is not by and not callable(said)}
    answer = idempotency.once(by=by, verb=verb, key=key, asked=content, do=kept, now=now)
    return fresh[0] if fresh else _found(answer)


def _kept(made: Any) -> Any:
    return {"model": made._meta.label, "pk": made.pk} if isinstance(made, models.Model) else made


def _found(answer: Any) -> Any:
    if not isinstance(answer, dict) or set(answer) != {"model", "pk"}:
        return answer
    row = apps.get_model(answer["model"])._default_manager.filter(pk=answer["pk"]).first()
    if row is None:
        raise Conflict("The result of this key is deleted: use a new key.", "key-used")
    return row


def _note(verb: str, subject: str, *, by: Any, now: datetime, asked: Mapping[str, Any]) -> None:
    details = {name: plain(said) for name, said in asked.items() if name not in _ASIDE and said not in (None, "")}
    player, reason = asked.get("player"), asked.get("reason") or ""
    audit_log.note(verb=verb, subject=subject, player=player, by=by, now=now, reason=reason, **details)


def plain(said: Any) -> Any:
    """What was asked for as JSON can say it: a row by its number, words without the spaces that make no difference."""
    if isinstance(said, str):
        return " ".join(said.split())
    if isinstance(said, Mapping):
        return {str(name): plain(value) for name, value in said.items()}
    return said.pk if isinstance(said, models.Model) else said


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
