"""The decorator of a service that changes something: one transaction, the caller's role, their key; then its locks and
the time.

    @verb("clubs.close", about="club:{result.pk}")
    def close(*, club_id: RowId, by: User) -> Club:
        club, now = lock(Club, club_id)

The signature declares what a request may contain: the address, the body and the form are read off it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import is_dataclass
from datetime import datetime
from functools import update_wrapper
from inspect import signature
from typing import Annotated, Any, Generic, ParamSpec, Protocol, TypeVar, get_args, get_origin, get_type_hints, overload

import msgspec
from django.db import models, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from cardroom.core import access, audit_log
from cardroom.core.arguments import NotKept, plain
from cardroom.core.documents import File
from cardroom.core.errors import NeedsApproval, Refusal
from cardroom.core.models import Approval, User
from cardroom.core.once import UNKEPT, answer_once, first_answer, is_answered, keep_answer, kept_of

P = ParamSpec("P")
Q = ParamSpec("Q")
Result = TypeVar("Result")
Row = TypeVar("Row", bound=models.Model)

#: How many verbs the present one is a part of, itself included.
nested: ContextVar[int] = ContextVar("nested", default=0)
#: The time at which everything happens at present (`at`); None: that of the clock.
moment: ContextVar[datetime | None] = ContextVar("moment", default=None)
#: Arguments that are not part of the request's content: the caller, and the last fact they had seen.
_ASIDE = ("by", "expected_seq")
#: What an entry in the audit log has in columns of its own.
_COLUMNS = ("by", "player", "reason")


class Asking(Protocol):
    """Has a second person decide where a verb refuses with `NeedsApproval`: `core.second_person.Asks`."""

    def bind(self, verb: "Verb[..., Any]") -> None:
        """Store the verb that is carried out once the second person agrees."""

    def ask(self, verb: "Verb[..., Any]", arguments: dict[str, Any], refusal: NeedsApproval) -> Approval:
        """Ask for it."""


class Verb(Generic[P, Result]):
    """A service that changes something. It is called like the function it is made of; `once` gives a key as well."""

    def __init__(
        self,
        service: Callable[P, Result],
        name: str,
        *,
        roles: tuple[str, ...] = (),
        about: str = "",
        asks: Asking | None = None,
    ) -> None:
        update_wrapper(self, service)
        self.is_verb = True
        self.service = service
        self.name = name
        self.roles = roles
        self.about = about
        self.asks = asks
        self.result_type: Any = get_type_hints(service, include_extras=True).get("return")
        self.keeps_result = _is_kept(self.result_type)
        if asks is not None:
            asks.bind(self)

    def __repr__(self) -> str:
        return f"<verb {self.name}>"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Result:
        return self._at_its_time({**kwargs})

    def once(self, key: str, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do it once: the same `key` of the same person again gets the first result. "": no key.

        Tests that tell the time call it within `at(now)`.
        """
        return self._run(key, {**kwargs}, asks=nested.get() == 0)

    def or_ask(self, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do it as a part of another verb, and ask a second person where it takes one, as an outermost verb does."""
        return self._at_its_time({**kwargs}, asks=True)

    def _at_its_time(self, arguments: dict[str, Any], *, asks: bool = False) -> Result:
        # Tests, and verbs that call others, give the time and the key among the arguments.
        key, now = arguments.pop("key", ""), arguments.pop("now", None)
        asks = asks or nested.get() == 0
        if now is None:
            return self._run(key, arguments, asks=asks)
        with at(now):
            return self._run(key, arguments, asks=asks)

    def _run(self, key: str, arguments: dict[str, Any], *, asks: bool) -> Result:
        token = nested.set(nested.get() + 1)
        try:
            with transaction.atomic():
                return self._begin(key, arguments, asks=asks)
        except Refusal as refusal:
            if nested.get() == 1 and refusal.leaves is not None:
                refusal.leaves()
            raise
        finally:
            nested.reset(token)

    def _begin(self, key: str, arguments: dict[str, Any], *, asks: bool) -> Result:
        by = arguments.get("by")
        if self.roles and by is not None:
            access.require_role(by, *self.roles)
        if not key or by is None:
            return self._do(arguments, asks=asks)
        # The key is taken before any lock. A verb within another has its locks already: two might wait for each other.
        assert nested.get() == 1, f"{self.name} is part of another verb, which takes the key"
        fresh: list[Result] = []

        def do() -> Any:
            fresh.append(self._do(arguments, asks=asks))
            return _kept(fresh[0]) if self.keeps_result else UNKEPT

        answer = answer_once(by=by, verb=self.name, key=key, content=digest_of(arguments), do=do, now=current_time())
        return fresh[0] if fresh else self._first(answer)

    def take_key(self, key: str, digest: Mapping[str, str], *, by: User) -> None:
        """Take the key of a person in whose name this is carried out later; `digest`: that of what they asked for. Call
        it before any lock."""
        if key:
            answer_once(by=by, verb=self.name, key=key, content=digest, do=lambda: None, now=current_time())

    def carry_out(self, key: str, digest: Mapping[str, str], /, **arguments: Any) -> None:
        """Do it in the name of the person who asked for it under this key, unless they have done it since."""
        by = arguments["by"]
        self.take_key(key, digest, by=by)
        if key and is_answered(by=by, verb=self.name, key=key):
            return
        result = self._run("", arguments, asks=False)
        if key and self.keeps_result:
            keep_answer(by=by, verb=self.name, key=key, answer=_kept(result))

    def _first(self, answer: Any) -> Any:
        """The first result again, from what was stored of it."""
        if is_dataclass(self.result_type):
            return msgspec.convert(answer, self.result_type, dec_hook=lambda kind, value: first_answer(value))
        return [first_answer(row) for row in answer] if isinstance(answer, list) else first_answer(answer)

    def _do(self, arguments: dict[str, Any], *, asks: bool) -> Result:
        if self.asks is None or not asks:
            return self._work(arguments)
        try:
            with transaction.atomic():
                return self._work(arguments)
        except NeedsApproval as refusal:
            approval: Any = self.asks.ask(self, arguments, refusal)
            return approval

    def _work(self, arguments: dict[str, Any]) -> Result:
        result = self.service(**arguments)  # type: ignore[call-arg]
        by = arguments.get("by")
        if self.about and by is not None:
            defaults = {parameter.name: parameter.default for parameter in signature(self.service).parameters.values()}
            subject = self.about.format_map({**defaults, **arguments, "result": result})
            _write_entry(self.name, subject, arguments, by=by)
        return result


def verb(
    name: str, *, roles: tuple[str, ...] = (), about: str = "", asks: Asking | None = None
) -> Callable[[Callable[P, Result]], Verb[P, Result]]:
    """Declare a service that changes something: one transaction; its keyword parameters are what a request may say.

    `roles`: one of them is needed by `by`; None is the house itself, which has every role, no key and no audit entry.
    `about`: the subject of an entry in the audit log ("chat:{result.pk}"), which keeps all that was asked for. `asks`:
    where it refuses with `NeedsApproval` a second person is asked, and the result is the `Approval`. Only the outermost
    verb takes a key, and asks.
    """
    return lambda service: Verb(service, name, roles=roles, about=about, asks=asks)


@overload
def lock(what: type[Row], pk: int, /) -> tuple[Row, datetime]: ...
@overload
def lock(what: QuerySet[Row], pk: int, /) -> tuple[Row, datetime]: ...
@overload
def lock(what: Callable[Q, Result], /, *args: Q.args, **kwargs: Q.kwargs) -> tuple[Result, datetime]: ...
def lock(what: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, datetime]:
    """A row, locked until the outermost verb ends; and the time, which is read once the lock is had.

    `what` is a model, or rows of one, whose `not_found` refuses where there is no such row; or a function that takes
    one or several locks in their order.
    """
    rows = what._default_manager.all() if isinstance(what, type) and issubclass(what, models.Model) else what
    if not isinstance(rows, QuerySet):
        return rows(*args, **kwargs), current_time()
    row = rows.select_for_update(no_key=True, of=("self",)).filter(pk=args[0]).first()
    if row is None:
        model: Any = rows.model
        raise model.not_found()
    return row, current_time()


def _write_entry(verb: str, subject: str, arguments: Mapping[str, Any], *, by: Any) -> None:
    details = {
        name: plain(value) for name, value in arguments.items() if name not in _COLUMNS and value not in (None, "")
    }
    player, reason = arguments.get("player"), arguments.get("reason") or ""
    audit_log.note(verb=verb, subject=subject, player=player, by=by, now=current_time(), reason=reason, **details)


def current_time() -> datetime:
    """The time, for a verb that locks nothing."""
    return moment.get() or timezone.now()


@contextmanager
def at(time: datetime) -> Iterator[None]:
    """Run a block at this time: for tests, the demo room, and verbs that are carried out later."""
    token = moment.set(time)
    try:
        yield
    finally:
        moment.reset(token)


def digest_of(arguments: Mapping[str, Any]) -> dict[str, str]:
    """A digest of the arguments, to compare requests. It may cover a password: without the room's own key nobody can
    try words against it."""
    sent = json.dumps({name: plain(value) for name, value in arguments.items() if name not in _ASIDE}, default=str)
    return {"asked": salted_hmac("core.verb", sent).hexdigest()}


def _kept(result: Any) -> Any:
    """A result as JSON; rows by their numbers."""
    if is_dataclass(result):
        return msgspec.to_builtins(result, enc_hook=_kept_value)
    return list(map(kept_of, result)) if isinstance(result, list) else kept_of(result)


def _kept_value(value: Any) -> Any:
    """A value in a dataclass that JSON does not know."""
    return kept_of(value) if isinstance(value, models.Model) else str(value)


def _is_kept(result: Any) -> bool:
    """Whether a result of this type is stored under a key: a row, rows, a dataclass or JSON, unless it is marked
    `not_kept`."""
    if get_origin(result) is Annotated:
        return not any(isinstance(mark, NotKept) for mark in get_args(result)) and _is_kept(get_args(result)[0])
    kinds = [get_origin(part) or part for part in (result, *get_args(result))]
    return not any(isinstance(kind, type) and issubclass(kind, tuple | File) for kind in kinds)
