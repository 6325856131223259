"""What a cashier does for a player, each with one slip and one transfer; and players' credit lines.

`by` is the cashier; where money changes hands it goes into or out of the drawer they have open. Above the cashier's
limit a second person is asked, and the result is the `Approval`; as a part of another verb such a slip refuses with
`NeedsApproval`. All of them refuse: `Forbidden` (no cashier; a player who is banned, except that anybody is paid out),
`Invalid` (no amount), `Conflict` (no drawer open), `NotEnoughChips`.
Locks: the drawer's session, then the cage's books, then the accounts. With a table, lock that before.
"""

from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import bans
from cardroom.cage import allowances, asking, reasons
from cardroom.cage import books as cage_books
from cardroom.cage.books import CHIPS, COMP, COMPS, CREDIT, PROMOTIONS, STREET, drawer_account, house
from cardroom.cage.models import CreditLine, DrawerSession, Slip
from cardroom.core import audit_log, topics
from cardroom.core.arguments import LONGEST_REASON, Chips, Limits, Reason, internal
from cardroom.core.errors import Illegal, Invalid, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText, filled
from cardroom.core.verb import lock, verb
from cardroom.ledger import ledger, limits
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Grant

RULE = gettext_lazy("House rules: a debt is settled or deferred before a payout")
Kind = Slip.Kind

#: Why, where a slip does without.
SlipReason = Annotated[str, Limits(max_length=LONGEST_REASON)]
#: Of a payout: whether what the player owes is paid back first, by a slip of its own, and the rest paid out; None is
#: refused where they owe.
Settles = Annotated[
    bool | None, Limits(help_text="Of a withdrawal: whether to repay the debt first. Required where the player owes.")
]
KeptReason = Annotated[Reason, Limits(help_text="Kept permanently.")]
Leave = Annotated[Approval | None, internal]


def line_of(player: User) -> int:
    """The most the player may owe; 0 where nobody has set a line."""
    row = CreditLine.objects.filter(player=player).order_by("-pk").first()
    return row.most if row else 0


def owed_by(player: User) -> int:
    """What the player owes now."""
    return Account.objects.filter(kind=Account.Kind.DEBT, owner=player).values_list("balance", flat=True).first() or 0


def check_line(player: User, amount: int) -> None:
    """`Illegal` where the player would owe more than their line. Call with the cage's books locked."""
    line, owes = line_of(player), owed_by(player)
    if owes + amount > line:
        left = max(line - owes, 0)
        message = (
            filled(
                gettext("{player} has a credit line of {line:,} and owes {owes:,}: at most {left:,} more."),
                player=player,
                line=line,
                owes=owes,
                left=left,
            )
            if line
            else gettext("{player} has no credit line: ask a manager to set one.").format(player=player)
        )
        rule = gettext("House rules: chips on credit only within the line a manager has set")
        raise Illegal("credit-line", Verbatim(message), rule=rule, line=line, owes=owes)


@verb("cage.set_credit_line", roles=("manager",))
def set_line(
    *, player: User, most: Annotated[int, Limits(min_value=0, max_value=cage_books.MOST)], reason: Reason, by: User
) -> CreditLine:
    """Set how much a player may owe; a present debt stays. For managers, with a reason.

    Refuses: `Invalid` (no amount, no reason), `Illegal` (one's own line). Locks the player's row.
    """
    if type(most) is not int or not 0 <= most <= cage_books.MOST:
        raise Invalid("bad-amount", "A credit line is a whole number from 0 to {most:,}.", most=cage_books.MOST)
    cage_books.check_player(player)
    if player.pk == by.pk:
        raise Illegal("own-cashier", "You cannot set your own credit line: ask a colleague.", rule=allowances.OWN)
    why = audit_log.reason_given(reason, what=gettext("a credit line"))
    _, now = lock(User, player.pk)
    before = line_of(player)
    row = CreditLine.objects.create(player=player, most=most, reason=why, by=by, at=now)
    audit_log.note(
        verb="cage.set_credit_line",
        subject=f"user:{player.pk}",
        player=player,
        by=by,
        now=now,
        reason=why,
        most=most,
        before=before,
    )
    topics.tell("cage", f"player:{player.pk}")
    return row


@verb("cage.deposit", roles=cage_books.STAFF, asks=asking.for_slip(Kind.DEPOSIT))
def deposit(
    *, player: User, amount: Chips, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Money into the drawer, as many chips into the player's wallet. Refuses as well: more than the player's own limit
    on deposits."""
    return _taken_in(Kind.DEPOSIT, player, amount, reason, approval, by=by)


@verb("cage.buy-in", roles=cage_books.STAFF)
def buy_in(*, player: User, amount: Chips, reason: SlipReason = "", by: User) -> Slip:
    """A deposit with which the player takes a seat, in the verb that this one is a part of."""
    return _taken_in(Kind.BUY_IN, player, amount, reason, None, by=by)


def _taken_in(kind: Kind, player: User, amount: int, reason: str, approval: Approval | None, *, by: User) -> Slip:
    session, now = lock(cage_books.window, by)
    grant = _check(kind, player, amount, approval, by=by, now=now)
    bans.check_may_play(player=player, now=now, where="room")
    limits.check(player=player, kind="deposit", amount=amount, now=now)
    legs = [*_money_in(session, amount), (house(CHIPS), -amount), (ledger.wallet(player), amount)]
    return cage_books.write(
        kind,
        legs=legs,
        words=reasons.AT_THE_CAGE[kind](),
        amount=amount,
        player=player,
        session=session,
        reason=reason,
        approval=approval,
        by=by,
        now=now,
        grant=grant,
    )


@verb("cage.withdrawal", roles=cage_books.STAFF)
def withdraw(
    *, player: User, amount: Chips, settles: Settles = None, reason: SlipReason = "", by: User
) -> Slip | Approval:
    """Chips out of the wallet, as much money out of the drawer. A player who is banned is paid out like any other.

    The result is the slip of what is paid out or, where all of it settles the debt, of that. Refuses as well: `Illegal`
    ("open-debt": the player owes the house, and `settles` is None).
    """
    rest, repaid = settle(player=player, amount=amount, settles=settles, by=by)
    if repaid is not None and not rest:
        return repaid
    return pay_out.or_ask(kind=Kind.WITHDRAWAL, player=player, amount=rest, settles=settles, reason=reason, by=by)


@verb("cage.cash-out", roles=cage_books.STAFF)
def cash_out(
    *, player: User, amount: Chips, settles: Settles = None, reason: SlipReason = "", by: User
) -> Slip | Approval:
    """A withdrawal of what the player brought from a table."""
    rest, repaid = settle(player=player, amount=amount, settles=settles, by=by)
    if repaid is not None and not rest:
        return repaid
    return pay_out.or_ask(kind=Kind.CASH_OUT, player=player, amount=rest, settles=settles, reason=reason, by=by)


@verb("cage.pay-out", roles=cage_books.STAFF, asks=asking.for_slip())
def pay_out(
    *,
    kind: Annotated[str, internal],
    player: User,
    amount: Chips,
    settles: Settles = None,
    reason: SlipReason = "",
    approval: Leave = None,
    by: User,
) -> Slip | Approval:
    """What is left once the debt is settled, by the slip of a withdrawal or a cash-out. Refuses as `withdraw`."""
    session, now = lock(cage_books.window, by)
    cage_books.check_amount(amount)
    if settles is None and (owes := owed_by(player)):  # they may have been given credit since it was asked for
        raise Illegal(
            "open-debt",
            "{player} owes {owes:,}: choose whether to settle the debt first or to pay out all.",
            rule=RULE,
            player=player,
            owes=owes,
        )
    wallet = ledger.wallet(player)
    cage_books.require_held(wallet, amount)
    _check(Kind(kind), player, amount, approval, by=by, now=now)
    return cage_books.write(
        Kind(kind),
        legs=[*_money_in(session, -amount), (house(CHIPS), amount), (wallet, -amount)],
        words=reasons.AT_THE_CAGE[Kind(kind)](),
        amount=amount,
        player=player,
        session=session,
        reason=reason,
        approval=approval,
        by=by,
        now=now,
    )


def settle(*, player: User, amount: int, settles: bool | None, by: User) -> tuple[int, Slip | None]:
    """Pay a debt out of `amount`, which the player is to be paid: what is left to pay out, and the slip of the
    repayment, in part if need be; None where nothing is owed, or `settles` is not True.

    Refuses what a repayment refuses. Locks the drawer's session and the cage's books.
    """
    cage_books.check_amount(amount)
    if not settles:
        return amount, None
    session, now = lock(cage_books.window, by)
    owes = min(owed_by(player), amount)
    if not owes:
        return amount, None
    return amount - owes, _repaid(session, player, owes, reason=reasons.SETTLED(), by=by, now=now)


@verb("cage.credit", roles=cage_books.STAFF, asks=asking.for_slip(Kind.CREDIT))
def credit(
    *, player: User, amount: Chips, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Chips on credit, within the line that a manager has set for the player (`set_line`)."""
    session, now = lock(cage_books.window, by)
    grant = _check(Kind.CREDIT, player, amount, approval, by=by, now=now)
    bans.check_may_play(player=player, now=now, where="room")
    limits.check(player=player, kind="deposit", amount=amount, now=now)
    check_line(player, amount)
    chips = [(house(CHIPS), -amount), (ledger.wallet(player), amount)]
    return cage_books.write(
        Kind.CREDIT,
        legs=[*chips, (house(CREDIT), -amount), (cage_books.debt(player), amount)],
        words=reasons.ON_CREDIT(),
        amount=amount,
        player=player,
        session=session,
        reason=reason,
        approval=approval,
        by=by,
        now=now,
        grant=grant,
    )


@verb("cage.repayment", roles=cage_books.STAFF, asks=asking.for_slip(Kind.REPAYMENT))
def repay(
    *, player: User, amount: Chips, in_money: bool = False, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Credit paid back, from the wallet or, `in_money`, over the counter. Nobody pays back more than is owed."""
    session, now = lock(cage_books.window, by)
    return _repaid(session, player, amount, in_money=in_money, reason=reason, approval=approval, by=by, now=now)


def _repaid(
    session: DrawerSession,
    player: User,
    amount: int,
    *,
    in_money: bool = False,
    reason: StoredText = "",
    approval: Approval | None = None,
    by: User,
    now: datetime,
) -> Slip:
    grant = _check(Kind.REPAYMENT, player, amount, approval, by=by, now=now)
    paid = _money_in(session, amount) if in_money else [(house(CHIPS), amount), (ledger.wallet(player), -amount)]
    return cage_books.write(
        Kind.REPAYMENT,
        legs=[*paid, (house(CREDIT), amount), (cage_books.debt(player), -amount)],
        words=reasons.REPAID_IN_MONEY() if in_money else reasons.REPAID(),
        amount=amount,
        player=player,
        session=session,
        reason=reason,
        approval=approval,
        by=by,
        now=now,
        grant=grant,
    )


@verb("cage.comp", roles=cage_books.STAFF, asks=asking.for_slip(Kind.COMP))
def comp(
    *, player: User, amount: Chips, in_chips: bool = False, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Comp points to a player or, `in_chips`, chips out of what the house has for promotions. With a reason."""
    why = audit_log.reason_given(reason, what=gettext("a comp"))
    unit = "cash" if in_chips else COMP
    _, now = lock(cage_books.lock_books)
    grant = _check(Kind.COMP, player, amount, approval, by=by, now=now)
    legs = [(house(PROMOTIONS if in_chips else COMPS, unit), -amount), (ledger.wallet(player, unit=unit), amount)]
    return cage_books.write(
        Kind.COMP,
        legs=legs,
        words=reasons.COMP(),
        amount=amount,
        player=player,
        unit=unit,
        reason=why,
        approval=approval,
        by=by,
        now=now,
        grant=grant,
    )


@verb("cage.comp-used", roles=cage_books.STAFF, asks=asking.for_slip(Kind.COMP_USED))
def use_comp(
    *, player: User, amount: Chips, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Take comp points that a player uses; the reason says for what: a meal, a room."""
    why = audit_log.reason_given(reason, what=gettext("a used comp"))
    _, now = lock(cage_books.lock_books)
    _check(Kind.COMP_USED, player, amount, approval, by=by, now=now)
    return cage_books.write(
        Kind.COMP_USED,
        legs=[(ledger.wallet(player, unit=COMP), -amount), (house(COMPS, COMP), amount)],
        words=reasons.COMP_USED(),
        amount=amount,
        player=player,
        unit=COMP,
        reason=why,
        approval=approval,
        by=by,
        now=now,
    )


@verb("cage.transfer", roles=cage_books.STAFF, asks=asking.for_slip(Kind.TRANSFER))
def transfer(
    *, player: User, amount: Chips, to: User, reason: SlipReason = "", approval: Leave = None, by: User
) -> Slip | Approval:
    """Chips from one player's wallet to another's, with a reason; a cashier always needs a manager for it."""
    why = audit_log.reason_given(reason, what=gettext("a transfer between players"))
    if to.pk == player.pk:
        raise Invalid("same-player", "Choose another player for the transfer.")
    if to.pk == by.pk:
        raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=allowances.OWN)
    _, now = lock(cage_books.lock_books)
    _check(Kind.TRANSFER, player, amount, approval, by=by, now=now, to=to)
    cage_books.check_player(to)
    for person in (player, to):
        bans.check_may_play(player=person, now=now, where="room")
    return cage_books.write(
        Kind.TRANSFER,
        legs=[(ledger.wallet(player), -amount), (ledger.wallet(to), amount)],
        words=reasons.BETWEEN_PLAYERS(),
        amount=amount,
        player=player,
        to=to,
        reason=why,
        approval=approval,
        by=by,
        now=now,
    )


def _check(
    kind: Kind, player: User, amount: int, approval: Approval | None, *, by: User, now: datetime, to: User | None = None
) -> Grant:
    """Check what cashiers may do for this player, and what this cashier may do alone. Call with the books locked: what
    was done today, deposited and owed is added up, and must stay."""
    cage_books.check_amount(amount)
    cage_books.check_player(player)
    if player.pk == by.pk:
        raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=allowances.OWN)
    return allowances.check(
        by=by,
        kind=kind,
        amount=amount,
        now=now,
        player=player,
        approval=approval,
        roles=cage_books.STAFF,
        to=[to] if to is not None else (),
    )


def _money_in(session: DrawerSession, amount: int) -> list[ledger.Leg]:
    return [(house(STREET, cage_books.MONEY), -amount), (drawer_account(session.drawer), amount)]
