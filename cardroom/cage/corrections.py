"""Corrections of slips, debts settled before a payout, and approval of what a cashier may not do alone.

A slip is never changed: another one takes it back, with a reason, once. A player who owes the house is asked before
they are paid out. `request` does what a cashier wants, or asks a second person where it is above the cashier's limit;
what was approved is done by the system in the cashier's name, exactly once, in the transaction of the decision.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from cardroom.accounts import accounts
from cardroom.cage import allowances, asking, drawers, reasons, slips, vault
from cardroom.cage import books as cage_books
from cardroom.cage.allowances import RULE as APPROVAL_RULE
from cardroom.cage.allowances import NeedsApproval
from cardroom.cage.books import MONEY, VAULT, drawer_account
from cardroom.cage.models import Drawer, DrawerSession, Slip
from cardroom.core import access, approvals, audit_log
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from cardroom.core.models import Approval, User
from cardroom.core.operation import answer_once, operation, row_of
from cardroom.core.sentences import Kept, kept
from cardroom.ledger import counts, ledger
from cardroom.ledger.models import Account, Transfer

# Debts


RULE = gettext_lazy("House rules: a debt is settled or deferred before a payout")


def settle(*, player: User, amount: int, settles: bool | None, by: User, now: datetime) -> Slip | None:
    """Out of `amount` that the player is to be paid: the slip by which a debt is paid back, or as much of it as there
    is. None where nothing is owed, or all of it is paid out (`settles` False).

    Refuses: `Illegal` ("open-debt") where there is a debt and nobody has said which; what a repayment refuses. Locks
    the drawer's session and the cage's books.
    """
    cage_books.check_amount(amount)
    if settles is False:
        return None
    cage_books.window(by)
    cage_books.lock_books()
    check_said(player, settles)
    owes = min(slips.owed_by(player), amount)
    if not owes:
        return None
    return slips.repay(player=player, amount=owes, by=by, now=now, reason=reasons.SETTLED())


def check_said(player: User, settles: bool | None) -> None:
    """`Illegal` where the player owes the house and nobody has said whether that is settled."""
    if settles is None and (owes := slips.owed_by(player)):
        raise Illegal(
            "open-debt",
            "{player} owes {owes:,}: choose whether to settle the debt first or to pay out all.",
            rule=RULE,
            player=player,
            owes=owes,
        )


#: What is corrected by counting again, or by a fill or a take, and not by a reversal.
_NOT_REVERSED = {Slip.Kind.REVERSAL, Slip.Kind.OVER_SHORT}
#: What moved money between the vault and one drawer, which is the one that has it or lacks it.
_OF_ONE_DRAWER = {Slip.Kind.FILL, Slip.Kind.TAKE}


@operation(cage_books.lock_desk, verb="cage.reversal", roles=cage_books.STAFF)
def reverse(
    *,
    slip_id: int,
    reason: str,
    by: User,
    now: datetime,
    session_id: int | None = None,
    approval: Approval | None = None,
) -> Slip:
    """The slip that takes another one back: its mirror, with the money in or out of the drawer `by` has open.

    Refuses: `NotFound`; `Forbidden`; `Invalid` (no reason); `Conflict` (reversed already, a reversal, no drawer open, a
    fill or a take of another drawer); `NeedsApproval`; `Illegal` (a repayment: the player would owe more than their
    line); `NotEnoughChips` (the player, or the vault, has it no more). Locks as every slip does.
    """
    why = audit_log.reason_given(reason, what=gettext("a reversal"))
    row = cage_books.slip(slip_id)
    touches_money = row.transfer.entries.filter(account__kind=Account.Kind.DRAWER).exists()
    _refuse_of_event(row)
    session = cage_books.window(by, session_id) if touches_money else None
    cage_books.lock_books()
    _check(row, session, by=by)
    mine = drawer_account(session.drawer).pk if session else 0
    legs = [
        (mine if entry.account.kind == Account.Kind.DRAWER else entry.account_id, -entry.amount)
        for entry in row.transfer.entries.select_related("account")
    ]
    cage_books.require_in_vault(
        sum(-amount for account, amount in legs if account == cage_books.house(VAULT, MONEY).pk)
    )
    if approval is None:
        for entry in row.transfer.entries.filter(account__kind=Account.Kind.WALLET, amount__gt=0):
            cage_books.require_held(entry.account, entry.amount)
        _check_alone(row, by=by)
    grant = allowances.check(
        by=by,
        kind="reversal",
        amount=row.amount,
        now=now,
        approval=approval,
        to=list(filter(None, (row.player, row.to))),
    )
    return cage_books.write(
        Slip.Kind.REVERSAL, legs=legs, words=reasons.REVERSAL(number=row.number), amount=-row.amount, by=by, now=now,
        player=row.player, to=row.to, session=session, unit=row.unit, reason=why, approval=approval, reverses=row,
        reference=f"reversal:{row.transfer.reference}", grant=grant,
    )  # fmt: skip


def _refuse_of_event(row: Slip) -> None:
    """`Conflict` for money of an event: its pool, chips and seats belong to it."""
    if row.kind in cage_books.EVENT_KINDS:
        raise Conflict(
            "event-slip",
            "Slip {number} belongs to a tournament ({name}): undo the entry or the payment there. The money and a "
            "slip of its own follow.",
            number=row.number,
            name=row.reason_text or row.about,
            about=row.about,
        )


def _check_alone(row: Slip, *, by: User) -> None:
    """`NeedsApproval` for what `by` wrote, and for what was counted already, when the drawer was closed."""
    if row.by_id == by.pk:
        raise NeedsApproval(
            "needs-approval",
            "You wrote this slip yourself: its reversal needs the approval of a second person.",
            rule=APPROVAL_RULE,
        )
    if row.session is not None and row.session.state == DrawerSession.State.CLOSED:
        raise NeedsApproval(
            "needs-approval",
            "Slip {number} belongs to a closed session: its reversal needs the approval of a second person.",
            rule=APPROVAL_RULE,
            number=row.number,
        )


def _check(row: Slip, session: DrawerSession | None, *, by: User) -> None:
    if row.kind in _NOT_REVERSED:
        words = gettext_noop("An over or short cannot be reversed: count again, and enter a reason.")
        if row.kind == Slip.Kind.REVERSAL:
            words = gettext_noop("A reversal cannot be reversed: write a new slip.")
        raise Conflict("not-reversed", words)
    if row.kind == Slip.Kind.VAULT:
        access.require_role(by, "manager")
    if row.kind in _OF_ONE_DRAWER and session and row.session and session.drawer_id != row.session.drawer_id:
        raise Conflict(
            "other-drawer",
            "Slip {number} belongs to {drawer}, and your open drawer is {other}: reverse it at {drawer}.",
            number=row.number,
            drawer=row.session.drawer,
            other=session.drawer,
        )
    if earlier := Slip.objects.filter(reverses=row).first():
        raise Conflict(
            "reversed",
            "Slip {number} is already reversed by slip {other}.",
            number=row.number,
            other=earlier.number,
            slip=earlier.pk,
        )
    if by.pk in (row.player_id, row.to_id):
        rule = gettext("House rules: nobody is their own cashier")
        raise Illegal("own-cashier", "You are the player on this slip: ask a colleague to reverse it.", rule=rule)
    if row.kind == Slip.Kind.REPAYMENT and row.player is not None:
        slips.check_line(row.player, row.amount)


# Requests that may need a second person


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
    "reversal": reverse,
    "open": drawers.open_drawer,
    "vault": vault.vault,
    "cash-out": partial(slips.withdraw, kind=Slip.Kind.CASH_OUT),
}
#: What a cashier picks who serves somebody at the window.
AT_THE_WINDOW = tuple(verb for verb in VERBS if verb not in ("open", "reversal", "cash-out", "vault"))
#: The verbs out of which a debt can be settled.
PAYS_OUT = ("withdrawal", "cash-out")
_PEOPLE = ("player", "to")
#: What a second person is asked.
_WORDS = {
    "deposit": gettext_noop("Deposit of {amount:,} for {player}"),
    "withdrawal": gettext_noop("Withdrawal of {amount:,} for {player}"),
    "credit": gettext_noop("{amount:,} on credit to {player}"),
    "repayment": gettext_noop("Repayment of {amount:,} for {player}"),
    "comp": gettext_noop("Comp of {amount:,} to {player}"),
    "comp-used": gettext_noop("{player} uses comp points: {amount:,}"),
    "transfer": gettext_noop("{amount:,} from {player} to {to}"),
    "reversal": gettext_noop("Reverse slip {slip}"),
    "cash-out": gettext_noop("Cash-out of {amount:,} for {player}"),
    "vault": gettext_noop("{amount:,} into the vault"),
}
_OUT_OF_THE_VAULT = gettext_noop("{amount:,} out of the vault")


@operation(cage_books.lock_desk)
def request(*, verb: str, by: User, now: datetime, key: str = "", settles: bool | None = None, **asked: Any) -> Done:
    """Do it, or ask for it: the slip (or the session that was opened), or the `Approval` that it waits for.

    `asked` is what the verb takes (`VERBS`). `settles`, with what pays out: what the player owes is paid back first, by
    a slip of its own, and the rest is paid out; the answer is the slip of the rest, where there is one. False: all of
    it is paid out; None is refused (`Illegal`, "open-debt") where there is a debt. The same `key` again gives the first
    answer, an approval as it stands.
    Refuses what the verb refuses, apart from what is above a limit.
    """
    if verb not in VERBS:
        raise Invalid("no-such-verb", "A slip is one of: {names}.", names=", ".join(VERBS))
    if settles and verb not in PAYS_OUT:
        raise Invalid("bad-settles", "Only a withdrawal or a cash-out can settle a debt.")
    access.require_role(by, *(cage_books.EVENT_DESK if verb == "open" else cage_books.STAFF))

    def do() -> dict[str, int]:
        repaid = None
        if verb in PAYS_OUT:
            repaid = settle(player=asked["player"], amount=asked["amount"], settles=settles, by=by, now=now)
        if repaid is not None:
            if repaid.amount == asked["amount"]:
                return {"slip": repaid.pk}
            asked["amount"] -= repaid.amount
        try:
            with transaction.atomic():
                made = VERBS[verb](by=by, now=now, **asked)
        except NeedsApproval as refusal:
            left = refusal.leaves() if refusal.leaves is not None else None
            row = _ask(verb, asked, settles, refusal, count=left, by=by, now=now)
            return {"approval": row.pk}
        return {"session" if verb == "open" else "slip": made.pk}

    plain = _plain(asked | ({"settles": True} if settles else {}))
    answer = answer_once(by=by, verb=f"cage.request.{verb}", key=key, asked=plain, do=do, now=now)
    return _row(answer)


def _ask(
    verb: str, asked: dict[str, Any], settles: bool | None, refusal: NeedsApproval, *, count: Any, by: User,
    now: datetime,
) -> Approval:  # fmt: skip
    amount = asked.get("amount")
    player = asked.get("player")
    if "slip_id" in asked:
        row = cage_books.slip(asked["slip_id"])
        amount, player = row.amount, row.player
    if verb in _OUT_OF_A_WALLET and player is not None:
        _check_held(player, amount or 0)
    payload = {"verb": verb, "asked": _plain(asked)}
    if verb in PAYS_OUT:
        payload["settles"] = settles
    if verb == "open":
        payload |= {"held": _held_in(asked["drawer_id"]), "count": getattr(count, "pk", None)}
    return approvals.ask(
        what=ACT, words=_words(verb, asked, player, amount), payload=payload, by=by,
        details=_details(verb, asked, refusal, count, by=by, now=now), now=now,
        reason=asked.get("reason", ""), player=player, amount=amount,
        subject=f"user:{player.pk}" if player else "", alone=_alone(verb, asked), replaces=verb == "open",
    )  # fmt: skip


def _details(
    verb: str, asked: dict[str, Any], refusal: NeedsApproval, count: Any, *, by: User, now: datetime
) -> dict[str, Any]:
    """What the second person is shown besides the amount and the player."""
    if verb == "open":
        details = {"drawer": asking.drawer(Drawer.objects.get(pk=asked["drawer_id"])), "cashier": asking.person(by)}
        details["from_vault"] = asked.get("from_vault", 0)
        return details | (asking.count(count, refusal, now=now) if count is not None else {})
    details = {}
    if "slip_id" in asked:
        row = cage_books.slip(asked["slip_id"])
        details = {"slip_id": row.pk, "slip_kind": kept(Slip.Kind(row.kind).label), "cashier": asking.person(row.by)}
    if asked.get("to") is not None:
        details["to"] = asking.person(asked["to"])
    session = cage_books.sessions_of(by).select_related("drawer").first()
    if session is not None and verb != "vault":
        details["drawer"] = asking.drawer(session.drawer)
    return details | asking.limit_passed(refusal, by=by, kind=verb, now=now)


#: What takes chips out of a player's wallet once it is approved.
_OUT_OF_A_WALLET = ("withdrawal", "cash-out", "transfer")


def waiting_payouts(player: User) -> int:
    """What cashiers asked to pay out of this player's wallet, and a second person has not decided yet."""
    rows = Approval.objects.filter(what=ACT, player=player, verdict="", payload__verb__in=_OUT_OF_A_WALLET)
    return int(rows.aggregate(sum=Sum("amount"))["sum"] or 0)


def _check_held(player: User, amount: int) -> None:
    """`NotEnoughChips` where the wallet does not hold what is asked for and all that waits already."""
    cage_books.require_held(ledger.wallet(player), amount + waiting_payouts(player))


def _alone(verb: str, asked: dict[str, Any]) -> str:
    """What of two requests only one could be carried out of."""
    if "slip_id" in asked:
        return f"reversal:{asked['slip_id']}"
    return f"drawer:{asked['drawer_id']}" if verb == "open" else ""


def _words(verb: str, asked: dict[str, Any], player: User | None, amount: int | None) -> Kept:
    if verb == "open":
        return kept("Open drawer {drawer} with a count that differs from its balance", drawer=asked["drawer_id"])
    slip, to = f"{asked.get('slip_id', 0):06}", str(asked.get("to"))
    if verb == "vault" and (amount or 0) < 0:
        return kept(_OUT_OF_THE_VAULT, amount=-(amount or 0))
    return kept(_WORDS[verb], slip=slip, amount=amount or 0, player=str(player), to=to)


def _apply(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """Do what was approved, in the name of the cashier who asked, with the approval on the slip."""
    verb, asked = approval.payload["verb"], _read(approval.payload["asked"])
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    if verb in PAYS_OUT:  # the player may have been given credit since
        check_said(asked["player"], approval.payload.get("settles"))
    gets = cage_books.slip(asked["slip_id"]).to_id if "slip_id" in asked else getattr(asked.get("to"), "pk", None)
    if gets == by.pk:
        raise Forbidden("own-affair", "You are the player concerned: somebody else has to decide.")
    made = VERBS[verb](by=approval.asked_by, now=now, approval=approval, **asked)
    return {"session" if verb == "open" else "slip": made.pk}


def _held_in(drawer_id: int) -> int:
    """What a drawer should hold by the books."""
    return ledger.balance(cage_books.drawer_account(drawer_id))


def _plain(asked: dict[str, Any]) -> dict[str, Any]:
    """The JSON that is stored: people by their ids, pieces of a count by words."""
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
        return cage_books.slip(answer["slip"])
    if "session" in answer:
        return DrawerSession.objects.select_related("drawer", "cashier").get(pk=answer["session"])
    return Approval.objects.select_related("player", "asked_by").get(pk=answer["approval"])


def _lock(approval: Approval) -> None:
    if approval.asked_by is not None:
        cage_books.lock_desk(approval.asked_by)


approvals.register(ACT, _apply, refused=counts.undone, lock=_lock, hides=counts.hidden_from)


# Corrections of an account by managers, for a mistake that no slip explains; above a limit by two persons.


ADJUST = "account.adjust"


@operation(row_of(User, "user"))
def correct(*, user: User, amount: int, reason: str, by: User, now: datetime, key: str) -> Transfer | Approval:
    """`adjust`, or the approval it waits for where it is above what `by` may correct alone. Refuses as `adjust` does
    and `Conflict` for the key of other chips."""

    def do() -> dict[str, int]:
        try:
            with transaction.atomic():
                return {"transfer": adjust(user=user, amount=amount, reason=reason, by=by, now=now, key=key).pk}
        except allowances.NeedsApproval as refusal:
            words = kept("Correct {user}'s wallet by {amount:+,}", user=str(user), amount=amount)
            details = {"wallet": ledger.balance(ledger.wallet(user))}
            details |= asking.limit_passed(refusal, by=by, kind="adjustment", now=now)
            row = approvals.ask(
                what=ADJUST, words=words, by=by, now=now, reason=reason, details=details,
                payload={"user": user.pk, "amount": amount}, subject=f"user:{user.pk}", player=user, amount=amount,
            )  # fmt: skip
            return {"approval": row.pk}

    access.require_role(by, *accounts.STAFF)
    asked = {"user": user.pk, "amount": amount}
    made = answer_once(by=by, verb=ADJUST, key=key, asked=asked, do=do, now=now)
    if "approval" in made:
        return Approval.objects.select_related("player", "asked_by", "decided_by").get(pk=made["approval"])
    return Transfer.objects.get(pk=made["transfer"])


def _approved(approval: Approval, by: User, now: datetime) -> dict[str, int]:
    """A second person agrees: corrected in the name of the manager who asked."""
    if approval.asked_by is None:
        raise NotFound("no-such-approval", "There is no such approval request.")
    user, amount = access.one(approval.payload["user"]), approval.payload["amount"]
    made = adjust(
        user=user, amount=amount, reason=approval.reason, by=approval.asked_by, now=now, key=str(approval.pk),
        approval=approval,
    )  # fmt: skip
    return {"transfer": made.pk}


approvals.register(ADJUST, _approved)


@operation(row_of(User, "user"), roles=accounts.STAFF)
def adjust(
    *, user: User, amount: int, reason: str, by: User, now: datetime, key: str, approval: Approval | None = None
) -> Transfer:
    """Correct a wallet: chips into it, or (negative) out of it, against the house. The same `key` again moves nothing.

    For a mistake that no slip of the cage explains; what a player brings or takes home is the cage's. Refuses:
    `Forbidden` (no manager; one's own wallet), `Invalid`, `NotEnoughChips`, `Conflict` (the key of other chips),
    `NeedsApproval` (above the manager's limit, see `correct`). Locks the user's row, the cage's books, both accounts.
    """
    if user.pk == by.pk:
        raise Forbidden("not-oneself", "Ask another manager to correct your own wallet.")
    why = audit_log.reason_given(reason, what=gettext("a correction of a wallet"))
    if type(amount) is not int or amount == 0 or not key:
        raise Invalid("bad-amount", "Enter a whole number of chips, and send the request with a key.")
    row = accounts.locked(user)
    reference = f"{allowances.APPROVED}:{approval.pk}" if approval else f"adjustment:{row.pk}:{key}"
    house = ledger.open_account(kind=Account.Kind.HOUSE, label=allowances.ADJUSTMENTS)
    legs = [(house, -amount), (ledger.wallet(row), amount)]
    if (earlier := Transfer.objects.filter(reference=reference).first()) is not None:
        return ledger.repeated(earlier, legs)
    cage_books.lock_books()
    grant = allowances.check(by=by, kind="adjustment", amount=amount, now=now, approval=approval, player=row)
    verb = "account.inc-balance" if amount > 0 else "account.dec-balance"
    with transaction.atomic():  # no entry in the audit log of what is refused
        entry = accounts.note(verb, row, by, now, reason=why, amount=amount, **grant.details)
        return ledger.post(
            reference=reference, reason=reasons.CORRECTION(reason=why), legs=legs, at=now, by=by,
            passage=grant.noted(entry),
        )  # fmt: skip
