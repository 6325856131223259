"""One door for what a cashier wants done: it is done or, above what he may do alone, a second person is asked.

What is asked for is done by the system in the cashier's name when it is approved, exactly once: the decision and the
slip are one transaction.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from cardroom.models import Approval, DrawerSession, Slip, User
from cardroom.services import approvals, repeats
from cardroom.services.cage import books, corrections, drawers, slips
from cardroom.services.cage.allowances import NeedsApproval
from cardroom.services.errors import Invalid, NotFound

ACT = "cage.act"

Done = Slip | DrawerSession | Approval

VERBS: dict[str, Callable[..., Slip | DrawerSession]] = {
    "deposit": slips.deposit,
    "withdrawal": slips.withdraw,
    "credit": slips.credit,
    "repayment": slips.repay,
    "comp": slips.comp,
    "comp-used": slips.use_comp,
    "transfer": slips.transfer,
    "reversal": corrections.reverse,
    "open": drawers.open_drawer,
    "cash-out": partial(slips.withdraw, kind=Slip.Kind.CASH_OUT),
}
#: What a cashier picks where he serves somebody at the window.
AT_THE_WINDOW = tuple(verb for verb in VERBS if verb not in ("open", "reversal", "cash-out"))
_PEOPLE = ("player", "to")


@transaction.atomic
def request(*, verb: str, by: User, now: datetime, key: str = "", **asked: Any) -> Done:
    """Do it, or ask for it: the slip (or the session that was opened), or the `Approval` that it waits for.

    `asked` is what the verb takes (`VERBS`). The same `key` again gives the first answer, an approval as it stands.
    Refuses what the verb refuses, apart from what is above a limit.
    """
    if verb not in VERBS:
        raise Invalid(f"The cage does one of: {', '.join(VERBS)}.", "no-such-verb")
    books.require_staff(by)

    def do() -> dict[str, int]:
        try:
            with transaction.atomic():
                made = VERBS[verb](by=by, now=now, **asked)
        except NeedsApproval as limit:
            row = _ask(verb, asked, by=by, now=now, why=limit)
            return {"approval": row.pk}
        return {"session" if verb == "open" else "slip": made.pk}

    plain = _plain(asked)
    answer = repeats.once(by=by, verb=f"cage.request.{verb}", key=key, asked=plain, do=do, now=now)
    return _row(answer)


def _ask(verb: str, asked: dict[str, Any], *, by: User, now: datetime, why: NeedsApproval) -> Approval:
    amount = asked.get("amount")
    player = asked.get("player")
    if "slip_id" in asked:
        row = books.slip(asked["slip_id"])
        amount, player = row.amount, row.player
    return approvals.ask(
        what=ACT, words=_words(verb, asked, player, amount), payload={"verb": verb, "asked": _plain(asked)}, by=by,
        now=now, reason=asked.get("reason", ""), player=player, amount=amount,
        subject=f"user:{player.pk}" if player else "",
    )  # fmt: skip


def _words(verb: str, asked: dict[str, Any], player: User | None, amount: int | None) -> str:
    if verb == "open":
        return f"Open drawer {asked['drawer_id']} although its count differs from the books"
    said = {
        "reversal": "Reverse slip {slip}",
        "transfer": "{amount:,} from {player} to {to}",
        "credit": "{amount:,} on credit to {player}",
        "comp": "Comp of {amount:,} to {player}",
    }
    words = said.get(verb, "{verb} of {amount:,} for {player}")
    told = {"verb": verb.capitalize(), "amount": amount or 0, "player": player, "to": asked.get("to")}
    return words.format(slip=f"{asked.get('slip_id', 0):06}", **told)


def _apply(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """Do what was asked for, in the name of who asked, with this approval on the slip."""
    verb, asked = approval.payload["verb"], _read(approval.payload["asked"])
    if approval.asked_by is None:
        raise NotFound("Nobody asked for this.", "no-such-approval")
    made = VERBS[verb](by=approval.asked_by, now=now, approval=approval, **asked)
    return {"session" if verb == "open" else "slip": made.pk}


def _plain(asked: dict[str, Any]) -> dict[str, Any]:
    """As it is kept: people by their ids, pieces of a count by words."""
    plain: dict[str, Any] = {}
    for name, value in asked.items():
        if isinstance(value, User):
            value = value.pk
        elif isinstance(value, dict):
            value = {str(worth): number for worth, number in value.items()}
        plain[name] = value
    return plain


def _read(plain: dict[str, Any]) -> dict[str, Any]:
    people = User.objects.in_bulk([plain[name] for name in _PEOPLE if name in plain])
    read = {name: people[value] if name in _PEOPLE else value for name, value in plain.items()}
    if isinstance(read.get("counted"), dict):
        read["counted"] = {int(worth): number for worth, number in read["counted"].items()}
    return read


def _row(answer: dict[str, int]) -> Done:
    if "slip" in answer:
        return books.slip(answer["slip"])
    if "session" in answer:
        return drawers.session_by_id(answer["session"])
    return Approval.objects.select_related("player", "asked_by").get(pk=answer["approval"])


approvals.register(ACT, _apply)
