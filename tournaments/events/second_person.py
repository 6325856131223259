"""What the person at the desk may not take, pay or have the house pay alone: a second person decides.

A service that does so is marked by `asks(verb)`. Where it refuses with `NeedsApproval` nothing has happened, and the
request waits among the approvals; once somebody else approves it, the same service is called with the same arguments,
in the name and in the drawer of the person who asked.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial, wraps
from typing import Any, TypeVar

from django.utils.translation import gettext_noop

from cardroom.cage import allowances, asking
from cardroom.cage import books as cage_books
from cardroom.core import access, approvals
from cardroom.core.errors import NotFound
from cardroom.core.models import Approval, User
from cardroom.core.operation import after_refusal, plain
from cardroom.core.sentences import kept
from tournaments.events import cash, journal
from tournaments.events.models import Tournament

ACT = "events.cash"
Made = TypeVar("Made")
_services: dict[str, Callable[..., Any]] = {}
#: Not kept with the arguments: the request names who asked, the time is that of the decision, and the event goes on.
_LEFT_OUT = ("by", "now", "expected_seq")
#: In the details of a refusal on its way to `asks`.
_ARGUMENTS = "arguments"
_WORDS = {
    "in": gettext_noop("Take {amount:,} in cash of {player} for {event}"),
    "out": gettext_noop("Pay {amount:,} in cash to {player} for {event}"),
    "house": gettext_noop("Have the house pay {amount:,} for {player} in {event}"),
}


def asks(verb: str) -> Callable[[Callable[..., Made]], Callable[..., Made]]:
    """Mark a service of an event, below its `@operation`: above the limit a second person is asked for it."""

    def marked(service: Callable[..., Made]) -> Callable[..., Made]:
        @wraps(service)
        def run(**arguments: Any) -> Made:
            try:
                return service(**arguments)
            except allowances.NeedsApproval as refusal:
                arguments |= refusal.values.pop(_ARGUMENTS, {})
                if refusal.leaves is None and isinstance(arguments.get("by"), User):
                    sent = allowances.NeedsApproval(
                        refusal.code,
                        "{refusal} The request is sent: see Approvals.",
                        rule=refusal.rule,
                        **refusal.values | {"refusal": refusal.message},
                    )
                    raise after_refusal(sent, partial(_ask, verb, arguments, refusal)) from None
                raise

        _services[verb] = run
        return run

    return marked


@contextmanager
def asked_for(**arguments: Any) -> Iterator[None]:
    """What needs a second person within this block is asked for with these arguments of the service as well."""
    try:
        yield
    except allowances.NeedsApproval as refusal:
        refusal.values[_ARGUMENTS] = arguments
        raise


def _ask(verb: str, arguments: dict[str, Any], refusal: allowances.NeedsApproval) -> None:
    """Once, however often the same is asked for."""
    by, now = arguments["by"], arguments["now"]
    kept_arguments = {name: plain(value) for name, value in arguments.items() if name not in _LEFT_OUT}
    payload = {"verb": verb, "arguments": kept_arguments}
    if approvals.waiting_alike(what=ACT, payload=payload, by=by, now=now) is not None:
        return
    # A guest who was to be entered is not there: nothing was done.
    player, amount = User.objects.filter(pk=refusal.values["player"]).first(), refusal.values["amount"]
    name = player.get_full_name() or player.username if player is not None else str(kept_arguments.get("guest", ""))
    event = Tournament.objects.filter(pk=kept_arguments.get("tournament_id")).first()
    way = {"deposit": "in", "promotion": "house"}.get(allowances.verb_of(refusal.values["kind"]), "out")
    words = kept(_WORDS[way], amount=amount, player=name, event=event.name if event is not None else "")
    subject = event.unit if event is not None else ""
    details = asking.limit_passed(refusal, by=by, kind=refusal.values["kind"], now=now)
    if event is not None:
        details["tournament"] = {"id": event.pk, "name": event.name}
    if way != "house" and (session := cage_books.sessions_of(by).select_related("drawer").first()) is not None:
        details["drawer"] = asking.drawer(session.drawer)
    if player is None:
        details["player"] = {"name": name}
    approvals.ask(
        what=ACT, words=words, payload=payload, details=details, by=by, now=now, subject=subject, player=player,
        amount=amount,
    )  # fmt: skip


def _apply(approval: Approval, by: User, now: datetime) -> dict[str, Any]:
    """Do what was approved, in the name of the person who asked."""
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    arguments = dict(approval.payload["arguments"])
    if arguments.get("player") is not None:
        arguments["player"] = access.one(arguments["player"])
    with cash.approved(approval):
        _services[approval.payload["verb"]](by=approval.asked_by, now=now, **arguments)
    return {}


def _lock(approval: Approval) -> None:
    """The event, as each of these services does first."""
    event = approval.payload["arguments"].get("tournament_id")
    if event is not None:
        journal.of_event(tournament_id=event)


approvals.register(ACT, _apply, lock=_lock)
