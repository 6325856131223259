"""What a cashier does for a player, each with one slip and one transfer; and players' credit lines.

`by` is the cashier; where money changes hands it goes into or out of the drawer they have open. `key` is the
idempotency key: the same one again returns the first slip. `approval` is passed by `corrections` once a second person
has decided. All of them refuse: `Forbidden` (no cashier; a player who is banned, except that anybody is paid out),
`Invalid` (no amount), `Conflict` (no drawer open), `NeedsApproval`, `NotEnoughChips`.
Locks: the drawer's session, then the cage's books, then the accounts. With a table, lock that before.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from cardroom.accounts import bans
from cardroom.cage import allowances
from cardroom.cage import books as cage_books
from cardroom.cage.books import CHIPS, COMP, COMPS, CREDIT, PROMOTIONS, STREET, drawer_account, house
from cardroom.cage.models import CreditLine, DrawerSession, Slip
from cardroom.core import access, audit_log, idempotency, topics
from cardroom.core.errors import Illegal, Invalid
from cardroom.core.models import Approval, User
from cardroom.core.operation import operation, row_of
from cardroom.ledger import ledger, limits
from cardroom.ledger.models import Account

# Credit lines: how much a player may owe the house


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
        said = (
            f"{player} has a credit line of {line:,} and owes {owes:,}: at most {left:,} more."
            if line
            else f"{player} has no credit line: ask a manager to set one."
        )
        rule = "House rules: chips on credit only within the line a manager has set"
        raise Illegal(said, "credit-line", rule=rule, line=line, owes=owes)


@operation(row_of(User, "player"))
def set_line(*, player: User, most: int, by: User, reason: str, now: datetime) -> CreditLine:
    """How much a player may owe from now on; what they owe already stays. For managers, with a reason.

    Refuses: `Forbidden` (no manager), `Invalid` (one's own line, no amount, no reason)."""
    access.require_role(by, "manager")
    if type(most) is not int or not 0 <= most <= cage_books.MOST:
        raise Invalid(f"A credit line is a whole number from 0 to {cage_books.MOST:,}.", "bad-amount")
    cage_books.check_player(player)
    if player.pk == by.pk:
        raise Invalid("You cannot set your own credit line: ask a colleague.", "own-cashier")
    why = audit_log.reason_given(reason, what="a credit line")
    before = line_of(player)
    row = CreditLine.objects.create(player=player, most=most, reason=why, by=by, at=now)
    audit_log.note(
        verb="cage.set_credit_line", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why, most=most,
        before=before,
    )  # fmt: skip
    topics.tell("cage", f"player:{player.pk}")
    return row


Kind = Slip.Kind


@operation(cage_books.lock_desk)
def deposit(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    key: str = "",
    reason: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
    kind: str = Kind.DEPOSIT,
) -> Slip:
    """Money into the drawer, as many chips into the player's wallet. `kind`: "buy-in" where the player takes a seat
    with these chips.

    Refuses as well: more than the player's own limit on deposits."""

    def do() -> Slip:
        session = cage_books.session_of(by, session_id)
        _check(kind, player, amount, by=by, now=now, approval=approval)
        bans.check_may_play(player=player, now=now, where="room")
        _check_own_limit(player, amount, now)
        legs = [*_money_in(session, amount), (house(CHIPS), -amount), (ledger.wallet(player), amount)]
        return cage_books.write(
            Kind(kind), legs=legs, words=f"{kind} at the cage", amount=amount, by=by, now=now, player=player,
            session=session, reason=reason, approval=approval,
        )  # fmt: skip

    return _once(str(kind), do, by=by, key=key, now=now, player=player, amount=amount)


@operation(cage_books.lock_desk)
def withdraw(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    key: str = "",
    reason: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
    kind: str = Kind.WITHDRAWAL,
) -> Slip:
    """Chips out of the wallet, as much money out of the drawer. A player who is banned is paid out like any other."""

    def do() -> Slip:
        session = cage_books.session_of(by, session_id)
        cage_books.require_held(ledger.wallet(player), amount)
        _check(kind, player, amount, by=by, now=now, approval=approval)
        legs = [*_money_in(session, -amount), (house(CHIPS), amount), (ledger.wallet(player), -amount)]
        return cage_books.write(
            Kind(kind), legs=legs, words=f"{kind} at the cage", amount=amount, by=by, now=now, player=player,
            session=session, reason=reason, approval=approval,
        )  # fmt: skip

    return _once(str(kind), do, by=by, key=key, now=now, player=player, amount=amount)


@operation(cage_books.lock_desk)
def buy_in(*, seat: Callable[[Slip], Any], **asked: Any) -> tuple[Slip, Any]:
    """A deposit, and whatever `seat` does with the chips, in one go: neither without the other.

    With a repeated key `seat` is called again and has to know it too. The table is locked before this is called."""
    slip = deposit(kind=Kind.BUY_IN, **asked)
    return slip, seat(slip)


@operation(cage_books.lock_desk)
def cash_out(*, unseat: Callable[[], int], **asked: Any) -> Slip:
    """Whatever `unseat` does to bring chips into the wallet, of which it says how many, paid out in one go."""
    return withdraw(kind=Kind.CASH_OUT, amount=unseat(), **asked)


@operation(cage_books.lock_desk)
def credit(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    key: str = "",
    reason: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
) -> Slip:
    """Chips on credit, within the line that a manager has set for the player (`set_line`)."""

    def do() -> Slip:
        session = cage_books.session_of(by, session_id)
        _check(Kind.CREDIT, player, amount, by=by, now=now, approval=approval)
        bans.check_may_play(player=player, now=now, where="room")
        _check_own_limit(player, amount, now)
        check_line(player, amount)
        legs = [
            (house(CHIPS), -amount),
            (ledger.wallet(player), amount),
            (house(CREDIT), -amount),
            (cage_books.debt(player), amount),
        ]
        return cage_books.write(
            Kind.CREDIT, legs=legs, words="chips on credit", amount=amount, by=by, now=now, player=player,
            session=session, reason=reason, approval=approval,
        )  # fmt: skip

    return _once("credit", do, by=by, key=key, now=now, player=player, amount=amount)


@operation(cage_books.lock_desk)
def repay(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    key: str = "",
    reason: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
    in_money: bool = False,
) -> Slip:
    """Credit paid back, from the wallet or, `in_money`, over the counter. Nobody pays back more than is owed."""

    def do() -> Slip:
        session = cage_books.session_of(by, session_id)
        _check(Kind.REPAYMENT, player, amount, by=by, now=now, approval=approval)
        paid = _money_in(session, amount) if in_money else [(house(CHIPS), amount), (ledger.wallet(player), -amount)]
        legs = [*paid, (house(CREDIT), amount), (cage_books.debt(player), -amount)]
        return cage_books.write(
            Kind.REPAYMENT, legs=legs, words="credit repaid" + (" in money" if in_money else ""), amount=amount, by=by,
            now=now, player=player, session=session, reason=reason, approval=approval,
        )  # fmt: skip

    return _once("repayment", do, by=by, key=key, now=now, player=player, amount=amount, in_money=in_money)


@operation(cage_books.lock_desk)
def comp(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    reason: str,
    key: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
    in_chips: bool = False,
) -> Slip:
    """Comp points to a player or, `in_chips`, chips out of what the house has for promotions. With a reason."""

    def do() -> Slip:
        said = audit_log.reason_given(reason, what="a comp")
        _check(Kind.COMP, player, amount, by=by, now=now, approval=approval)
        unit = "cash" if in_chips else COMP
        legs = [(house(PROMOTIONS if in_chips else COMPS, unit), -amount), (ledger.wallet(player, unit=unit), amount)]
        return cage_books.write(
            Kind.COMP, legs=legs, words="comp", amount=amount, by=by, now=now, player=player, unit=unit,
            reason=said, approval=approval,
        )  # fmt: skip

    return _once("comp", do, by=by, key=key, now=now, player=player, amount=amount, in_chips=in_chips)


@operation(cage_books.lock_desk)
def use_comp(
    *,
    player: User,
    amount: int,
    by: User,
    now: datetime,
    reason: str,
    key: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
) -> Slip:
    """A player uses comp points; the reason says for what: a meal, a room."""

    def do() -> Slip:
        said = audit_log.reason_given(reason, what="a used comp")
        _check(Kind.COMP_USED, player, amount, by=by, now=now, approval=approval)
        legs = [(ledger.wallet(player, unit=COMP), -amount), (house(COMPS, COMP), amount)]
        return cage_books.write(
            Kind.COMP_USED, legs=legs, words="comp used", amount=amount, by=by, now=now, player=player, unit=COMP,
            reason=said, approval=approval,
        )  # fmt: skip

    return _once("comp-used", do, by=by, key=key, now=now, player=player, amount=amount)


@operation(cage_books.lock_desk)
def transfer(
    *,
    player: User,
    to: User,
    amount: int,
    by: User,
    now: datetime,
    reason: str,
    key: str = "",
    session_id: int | None = None,
    approval: Approval | None = None,
) -> Slip:
    """Chips from one player's wallet to another's, with a reason; a cashier always needs a manager for it."""

    def do() -> Slip:
        said = audit_log.reason_given(reason, what="a transfer between players")
        if to.pk == player.pk:
            raise Invalid("Choose another player for the transfer.", "same-player")
        if to.pk == by.pk:
            raise Invalid("You cannot be your own cashier: ask a colleague.", "own-cashier")
        _check(Kind.TRANSFER, player, amount, by=by, now=now, approval=approval)
        cage_books.check_player(to)
        for person in (player, to):
            bans.check_may_play(player=person, now=now, where="room")
        legs = [(ledger.wallet(player), -amount), (ledger.wallet(to), amount)]
        return cage_books.write(
            Kind.TRANSFER, legs=legs, words="transfer between players", amount=amount, by=by, now=now, player=player,
            to=to, reason=said, approval=approval,
        )  # fmt: skip

    return _once("transfer", do, by=by, key=key, now=now, player=player, to=to, amount=amount)


def _check(kind: str, player: User, amount: int, *, by: User, now: datetime, approval: Approval | None) -> None:
    cage_books.require_staff(by)
    cage_books.check_amount(amount)
    cage_books.check_player(player)
    if player.pk == by.pk:
        raise Invalid("You cannot be your own cashier: ask a colleague.", "own-cashier")
    cage_books.lock_books()  # what was done today, deposited, and owed is added up below, and must stay
    allowances.check(by=by, kind=kind, amount=amount, now=now, approval=approval, player=player)


def _check_own_limit(player: User, amount: int, now: datetime) -> None:
    """The limit the player has set for themselves."""
    limits.check(player=player, kind="deposit", amount=amount, now=now)


def _money_in(session: DrawerSession, amount: int) -> list[ledger.Leg]:
    return [(house(STREET, cage_books.MONEY), -amount), (drawer_account(session.drawer), amount)]


def _once(verb: str, do: Callable[[], Slip], *, by: User, key: str, now: datetime, **asked: Any) -> Slip:
    content = {name: value.pk if isinstance(value, User) else value for name, value in asked.items()}
    number = idempotency.once(by=by, verb=f"cage.{verb}", key=key, asked=content, do=lambda: do().pk, now=now)
    return cage_books.slip(number)
