"""What the person at the desk may not take, pay or have the house pay alone: a second person decides.

A verb that does so is declared by `verb` of this module. Where it refuses with `NeedsApproval` nothing has happened,
and the request waits among the approvals; once another person approves it, the same verb is carried out with the same
arguments, in the name, in the drawer and under the key of the person who asked.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any, ParamSpec, TypeVar

from django.utils.translation import gettext_noop

from cardroom.cage import allowances, asking
from cardroom.cage import books as cage_books
from cardroom.core import access, approvals
from cardroom.core.arguments import plain
from cardroom.core.errors import NotFound
from cardroom.core.models import Approval, User
from cardroom.core.once import after_refusal, free_key
from cardroom.core.sentences import stored_text
from cardroom.core.verb import Verb, at, current_time, digest_of
from tournaments.events import cash, journal
from tournaments.events.models import Tournament

ACT = "events.cash"
P = ParamSpec("P")
Result = TypeVar("Result")
_verbs: dict[str, "AskingVerb[..., Any]"] = {}
#: Not kept with the arguments: the request names the person who asked, and the event goes on.
_LEFT_OUT = ("by", "expected_seq")
#: In the details of a refusal on its way to the verb.
_ARGUMENTS = "arguments"
_WORDS = {
    "in": gettext_noop("Take {amount:,} in cash of {player} for {event}"),
    "out": gettext_noop("Pay {amount:,} in cash to {player} for {event}"),
    "house": gettext_noop("Have the house pay {amount:,} for {player} in {event}"),
}


class AskingVerb(Verb[P, Result]):
    """A verb for which a second person is asked above the limit of the person who calls it."""

    def _begin(self, key: str, arguments: dict[str, Any], *, asks: bool) -> Result:
        try:
            return super()._begin(key, arguments, asks=asks)
        except allowances.NeedsApproval as refusal:
            more = refusal.values.pop(_ARGUMENTS, {})
            if refusal.leaves is not None or not isinstance(arguments.get("by"), User):
                raise
            sent = allowances.NeedsApproval(
                refusal.code,
                "{refusal} The request is sent: see Approvals.",
                rule=refusal.rule,
                **refusal.values | {"refusal": refusal.message},
            )
            kept_key = key if self.keeps_result else ""
            raise after_refusal(sent, partial(_ask, self.name, kept_key, arguments, more, refusal)) from None


def verb(
    name: str, *, roles: tuple[str, ...] = (), about: str = ""
) -> Callable[[Callable[P, Result]], Verb[P, Result]]:
    """Declare a verb as `cardroom.core.verb.verb` does; above the limit a second person is asked for it."""

    def declared(service: Callable[P, Result]) -> Verb[P, Result]:
        _verbs[name] = AskingVerb(service, name, roles=roles, about=about)
        return _verbs[name]

    return declared


@contextmanager
def asked_for(**arguments: Any) -> Iterator[None]:
    """What needs a second person within this block is asked for with these arguments of the service as well."""
    try:
        yield
    except allowances.NeedsApproval as refusal:
        refusal.values[_ARGUMENTS] = arguments
        raise


def _ask(
    name: str, key: str, arguments: dict[str, Any], more: dict[str, Any], refusal: allowances.NeedsApproval
) -> None:
    """Once, however often the same is asked for."""
    by, now = arguments["by"], current_time()
    wanted = {argument: plain(value) for argument, value in (arguments | more).items() if argument not in _LEFT_OUT}
    payload = {"verb": name, "arguments": wanted} | ({"key": key, "digest": digest_of(arguments)} if key else {})
    if approvals.waiting_alike(what=ACT, payload=payload, by=by, now=now) is not None:
        return
    # A guest who was to be entered is not there: nothing was done.
    player, amount = User.objects.filter(pk=refusal.values["player"]).first(), refusal.values["amount"]
    called = player.get_full_name() or player.username if player is not None else str(wanted.get("guest", ""))
    event = Tournament.objects.filter(pk=wanted.get("tournament_id")).first()
    way = {"deposit": "in", "promotion": "house"}.get(allowances.verb_of(refusal.values["kind"]), "out")
    words = stored_text(_WORDS[way], amount=amount, player=called, event=event.name if event is not None else "")
    subject = event.unit if event is not None else ""
    details = asking.limit_passed(refusal, by=by, kind=refusal.values["kind"], now=now)
    if event is not None:
        details["tournament"] = {"id": event.pk, "name": event.name}
    if way != "house" and (session := cage_books.sessions_of(by).select_related("drawer").first()) is not None:
        details["drawer"] = asking.drawer(session.drawer)
    if player is None:
        details["player"] = {"name": called}
    approvals.ask(
        what=ACT,
        words=words,
        payload=payload,
        details=details,
        by=by,
        now=now,
        subject=subject,
        player=player,
        amount=amount,
    )


def _apply(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Do what was approved, in the name of the person who asked."""
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    payload = approval.payload
    arguments = dict(payload["arguments"])
    if arguments.get("player") is not None:
        arguments["player"] = access.get_user(arguments["player"])
    with cash.with_approval(approval), at(now):
        key, digest = payload.get("key", ""), payload.get("digest", {})
        _verbs[payload["verb"]].carry_out(key, digest, by=approval.asked_by, **arguments)
    return {}


def _lock_key_and_event(approval: Approval) -> None:
    """What the verb takes, in its order: the key of the person who asked, then the event."""
    payload = approval.payload
    if payload.get("key") and approval.asked_by is not None:
        _verbs[payload["verb"]].take_key(payload["key"], payload["digest"], by=approval.asked_by)
    if (event := payload["arguments"].get("tournament_id")) is not None:
        journal.of_event(tournament_id=event)


def _unlock_refused(approval: Approval, now: datetime) -> None:
    _unlock(approval)


def _unlock(approval: Approval) -> None:
    """The key is free again: nothing was done under it."""
    if (key := approval.payload.get("key")) and approval.asked_by is not None:
        free_key(by=approval.asked_by, verb=approval.payload["verb"], key=key, unless_answered=True)


approvals.register(ACT, _apply, lock=_lock_key_and_event, refused=_unlock_refused, unlock=_unlock)
