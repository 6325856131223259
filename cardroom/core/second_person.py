"""Verbs that a person may not do alone. A second person is asked, and once they agree the verb is done in the name of
the person who asked, with the same arguments and the `approval`.

    CAGE = Act("cage.act", lock=lock_desk)

    @verb("cage.deposit", asks=CAGE.asks(Wording("cage.ask-deposit", "Deposit of {amount:,} for {player}")))
    def deposit(*, player: User, amount: Chips, approval: Annotated[Approval | None, internal] = None, by: User): ...
"""

import string
from collections.abc import Callable
from datetime import datetime
from inspect import signature
from typing import Any

from cardroom.core import approvals
from cardroom.core.errors import NeedsApproval, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText, Wording
from cardroom.core.verb import Verb, at, current_time
from cardroom.core.web.api import bodies

#: Does what was approved, and returns what it came to, such as {"slip": 7}.
CarryOut = Callable[[Approval, datetime], dict[str, Any]]


class ApprovalAct:
    """A kind of request in `approvals`, for one verb or several. `options` are those of `approvals.register`."""

    def __init__(self, name: str, **options: Any) -> None:
        self.name = name
        self._carry_outs: dict[str, CarryOut] = {}
        approvals.register(name, self._carry_out, **options)

    def add(self, verb: str, carry_out: CarryOut) -> None:
        """Have a verb done so once it is approved."""
        self._carry_outs[verb] = carry_out

    def ask(self, verb: str, *, payload: dict[str, Any], **request: Any) -> Approval:
        """Ask for a verb that was added; `request` is what `approvals.ask` takes."""
        return approvals.ask(what=self.name, payload={"verb": verb, **payload}, **request)

    def asks(self, words: Wording, **options: Any) -> "Asks":
        """The option of a verb of this act; see `Asks`."""
        return Asks(self, words, **options)

    def _carry_out(self, approval: Approval, by: User, now: datetime) -> dict[str, Any]:
        if approval.asked_by is None:
            raise NotFound("no-such-approval", "There is no such approval request.")
        return self._carry_outs[approval.payload["verb"]](approval, now)


class Asks:
    """How a second person is asked where a verb refuses: `words`, filled with the verb's arguments.

    `request(arguments, refusal)`: more of what `approvals.ask` takes. It may refuse, and lock what has to stay as it
    is meanwhile: the verb's own locks are gone with what it had done.
    """

    def __init__(
        self,
        act: ApprovalAct,
        words: Wording | Callable[[dict[str, Any]], StoredText],
        *,
        request: Callable[[dict[str, Any], NeedsApproval], dict[str, Any]] = lambda arguments, refusal: {},
    ) -> None:
        self.act, self.words, self.request = act, words, request

    def bind(self, verb: Verb[..., Any]) -> None:
        """Have this verb done once it is approved."""

        def carry_out(approval: Approval, now: datetime) -> dict[str, Any]:
            arguments = bodies.stored(verb, approval.payload["asked"])
            with at(now):
                result = verb(**arguments, by=approval.asked_by, approval=approval)
            return {result._meta.model_name: result.pk}

        self.act.add(verb.name, carry_out)

    def ask(self, verb: Verb[..., Any], arguments: dict[str, Any], refusal: NeedsApproval) -> Approval:
        """Ask for it, with what the verb was asked."""
        defaults = {name: parameter.default for name, parameter in signature(verb.service).parameters.items()}
        arguments = defaults | arguments
        request = self.request(arguments, refusal)
        return self.act.ask(
            verb.name,
            payload={"asked": bodies.to_store(verb, arguments)},
            words=self._worded(arguments),
            reason=arguments.get("reason") or "",
            by=arguments["by"],
            now=current_time(),
            **request,
        )

    def _worded(self, arguments: dict[str, Any]) -> StoredText:
        if not isinstance(self.words, Wording):
            return self.words(arguments)
        names = {name for _, name, _, _ in string.Formatter().parse(self.words.pattern) if name}
        return self.words(**{name: _kept(arguments[name]) for name in names})


def _kept(value: Any) -> StoredText:
    return value if isinstance(value, int) else str(value)
