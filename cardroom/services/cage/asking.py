"""One door for what a cashier wants done: it is done or, above what they may do alone, a second person is asked.

What is asked for is done by the system in the cashier's name when it is approved, exactly once: the decision and the
slip are one transaction.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction

from cardroom.models import Approval, DrawerSession, Slip, User
from cardroom.services import approvals, counts, ledger, repeats
from cardroom.services.cage import books, corrections, debts, drawers, slips, vaults
from cardroom.services.cage.allowances import NeedsApproval
from cardroom.services.errors import Forbidden, Invalid, NotFound
from cardroom.services.operations import operation

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
    "vault": vaults.vault,
    "cash-out": partial(slips.withdraw, kind=Slip.Kind.CASH_OUT),
}
#: What a cashier picks who serves somebody at the window.
AT_THE_WINDOW = tuple(verb for verb in VERBS if verb not in ("open", "reversal", "cash-out", "vault"))
#: The verbs out of which a debt can be settled.
PAYS_OUT = ("withdrawal", "cash-out")
_PEOPLE = ("player", "to")


@operation(books.lock_desk)
def request(*, verb: str, by: User, now: datetime, key: str = "", settles: bool | None = None, **asked: Any) -> Done:
    """Do it, or ask for it: the slip (or the session that was opened), or the `Approval` that it waits for.

    `asked` is what the verb takes (`VERBS`). `settles`, with what pays out: what the player owes is paid back first, by
    a slip of its own, and the rest is paid out; the answer is the slip of the rest, where there is one. False: all of
    it is paid out; None is refused (`Illegal`, "open-debt") where there is a debt. The same `key` again gives the first
    answer, an approval as it stands.
    Refuses what the verb refuses, apart from what is above a limit.
    """
    if verb not in VERBS:
        raise Invalid(f"The cage does one of: {', '.join(VERBS)}.", "no-such-verb")
    if settles and verb not in PAYS_OUT:
        raise Invalid("A debt is settled out of a withdrawal or a cash-out.", "bad-settles")
    books.require_staff(by)

    def do() -> dict[str, int]:
        repaid = None
        if verb in PAYS_OUT:
            repaid = debts.settle(player=asked["player"], amount=asked["amount"], settles=settles, by=by, now=now)
        if repaid is not None:
            if repaid.amount == asked["amount"]:
                return {"slip": repaid.pk}
            asked["amount"] -= repaid.amount
        try:
            with transaction.atomic():
                made = VERBS[verb](by=by, now=now, **asked)
        except NeedsApproval as refusal:
            left = refusal.leaves() if refusal.leaves is not None else None
            row = _ask(verb, asked, settles, count=getattr(left, "pk", None), by=by, now=now)
            return {"approval": row.pk}
        return {"session" if verb == "open" else "slip": made.pk}

    plain = _plain(asked | ({"settles": True} if settles else {}))
    answer = repeats.once(by=by, verb=f"cage.request.{verb}", key=key, asked=plain, do=do, now=now)
    return _row(answer)


def _ask(
    verb: str, asked: dict[str, Any], settles: bool | None, *, count: int | None, by: User, now: datetime
) -> Approval:
    amount = asked.get("amount")
    player = asked.get("player")
    if "slip_id" in asked:
        row = books.slip(asked["slip_id"])
        amount, player = row.amount, row.player
    payload = {"verb": verb, "asked": _plain(asked)}
    if verb in PAYS_OUT:
        payload["settles"] = settles
    if verb == "open":
        payload |= {"held": _held_in(asked["drawer_id"]), "count": count}
    return approvals.ask(
        what=ACT, words=_words(verb, asked, player, amount), payload=payload, by=by,
        now=now, reason=asked.get("reason", ""), player=player, amount=amount,
        subject=f"user:{player.pk}" if player else "",
    )  # fmt: skip


def _words(verb: str, asked: dict[str, Any], player: User | None, amount: int | None) -> str:
    if verb == "open":
        return f"Open drawer {asked['drawer_id']} although its count differs from the books"
    said = {
        "reversal": "Reverse slip {slip}",
        "vault": "{amount:,} into the vault (below zero: out of it)",
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
    if verb in PAYS_OUT:  # the player may have been given credit since
        debts.check_said(asked["player"], approval.payload.get("settles"))
    gets = books.slip(asked["slip_id"]).to_id if "slip_id" in asked else getattr(asked.get("to"), "pk", None)
    if gets == by.pk:
        raise Forbidden("This is about you as a player: somebody else decides.", "own-affair")
    made = VERBS[verb](by=approval.asked_by, now=now, approval=approval, **asked)
    return {"session" if verb == "open" else "slip": made.pk}


def _held_in(drawer_id: int) -> int:
    """What a drawer should hold by the books."""
    return ledger.balance(books.drawer_account(drawer_id))


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


def _lock(approval: Approval) -> None:
    if approval.asked_by is not None:
        books.lock_desk(approval.asked_by)


approvals.register(ACT, _apply, refused=counts.undone, lock=_lock)
