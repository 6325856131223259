"""What a cashier does for a player, each with one slip and one transfer; and players' credit lines.

`by` is the cashier; where money changes hands it goes into or out of the drawer they have open. `key` is the
idempotency key: the same one again returns the first slip. `approval` is passed by `corrections` once a second person
has decided. All of them refuse: `Forbidden` (no cashier; a player who is banned, except that anybody is paid out),
`Invalid` (no amount), `Conflict` (no drawer open), `NeedsApproval`, `NotEnoughChips`.
Locks: the drawer's session, then the cage's books, then the accounts. With a table, lock that before.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from cardroom.accounts import bans
from cardroom.cage import allowances, reasons
from cardroom.cage import books as cage_books
from cardroom.cage.books import CHIPS, COMP, COMPS, CREDIT, PROMOTIONS, STREET, drawer_account, house
from cardroom.cage.models import CreditLine, DrawerSession, Slip
from cardroom.core import audit_log, topics
from cardroom.core.errors import Illegal, Invalid, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.operation import operation, row_of
from cardroom.core.sentences import Kept, filled, told
from cardroom.ledger import ledger, limits
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Grant

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
        raise Illegal("credit-line", Verbatim(said), rule=rule, line=line, owes=owes)


@operation(row_of(User, "player"), roles=("manager",))
def set_line(*, player: User, most: int, by: User, reason: str, now: datetime) -> CreditLine:
    """How much a player may owe from now on; what they owe already stays. For managers, with a reason.

    Refuses: `Invalid` (one's own line, no amount, no reason).
    """
    if type(most) is not int or not 0 <= most <= cage_books.MOST:
        raise Invalid("bad-amount", "A credit line is a whole number from 0 to {most:,}.", most=cage_books.MOST)
    cage_books.check_player(player)
    if player.pk == by.pk:
        raise Illegal("own-cashier", "You cannot set your own credit line: ask a colleague.", rule=allowances.OWN)
    why = audit_log.reason_given(reason, what=gettext("a credit line"))
    before = line_of(player)
    row = CreditLine.objects.create(player=player, most=most, reason=why, by=by, at=now)
    audit_log.note(
        verb="cage.set_credit_line", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why, most=most,
        before=before,
    )  # fmt: skip
    topics.tell("cage", f"player:{player.pk}")
    return row


Kind = Slip.Kind


@dataclass(frozen=True)
class _Asked:
    """What each verb at the counter is asked: `amount` chips, money or points of a player's, and by whom."""

    player: User
    amount: int
    by: User
    now: datetime
    reason: Kept = ""
    session_id: int | None = None
    approval: Approval | None = None

    @property
    def wallet(self) -> Account:
        return ledger.wallet(self.player)

    def check(self, kind: str, *, to: User | None = None) -> Grant:
        cage_books.require_staff(self.by)
        cage_books.check_amount(self.amount)
        cage_books.check_player(self.player)
        if self.player.pk == self.by.pk:
            raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=allowances.OWN)
        cage_books.lock_books()  # what was done today, deposited, and owed is added up below, and must stay
        return allowances.check(
            by=self.by, kind=kind, amount=self.amount, now=self.now, player=self.player, approval=self.approval,
            roles=cage_books.STAFF, to=[to] if to is not None else (),
        )  # fmt: skip

    def check_may_play(self, *, deposits: bool = False) -> None:
        """`Forbidden` where they are banned; `deposits`: and against the limit they have set for themselves."""
        bans.check_may_play(player=self.player, now=self.now, where="room")
        if deposits:
            limits.check(player=self.player, kind="deposit", amount=self.amount, now=self.now)

    def reason_for(self, what: str) -> str:
        return audit_log.reason_given(told(self.reason), what=what)

    def session(self) -> DrawerSession:
        return cage_books.window(self.by, self.session_id)

    def write(self, kind: str, legs: list[ledger.Leg], words: Kept, **more: Any) -> Slip:
        told = {"reason": self.reason, "player": self.player, "amount": self.amount, "approval": self.approval, **more}
        return cage_books.write(Kind(kind), legs=legs, words=words, by=self.by, now=self.now, **told)


@operation(cage_books.lock_desk, verb="cage.{kind}", roles=cage_books.STAFF)
def deposit(*, by: User, now: datetime, kind: str = Kind.DEPOSIT, **asked: Any) -> Slip:
    """Money into the drawer, as many chips into the player's wallet. `kind`: "buy-in" where the player takes a seat
    with these chips. Refuses as well: more than the player's own limit on deposits."""
    order = _Asked(by=by, now=now, **asked)
    session = order.session()
    grant = order.check(kind)
    order.check_may_play(deposits=True)
    legs = [*_money_in(session, order.amount), (house(CHIPS), -order.amount), (order.wallet, order.amount)]
    return order.write(kind, legs, reasons.AT_THE_CAGE[Kind(kind)](), session=session, grant=grant)


@operation(cage_books.lock_desk, verb="cage.{kind}", roles=cage_books.STAFF)
def withdraw(*, by: User, now: datetime, kind: str = Kind.WITHDRAWAL, **asked: Any) -> Slip:
    """Chips out of the wallet, as much money out of the drawer. A player who is banned is paid out like any other."""
    order = _Asked(by=by, now=now, **asked)
    session = order.session()
    cage_books.require_held(order.wallet, order.amount)
    order.check(kind)
    legs = [*_money_in(session, -order.amount), (house(CHIPS), order.amount), (order.wallet, -order.amount)]
    return order.write(kind, legs, reasons.AT_THE_CAGE[Kind(kind)](), session=session)


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


@operation(cage_books.lock_desk, verb="cage.credit", roles=cage_books.STAFF)
def credit(*, by: User, now: datetime, **asked: Any) -> Slip:
    """Chips on credit, within the line that a manager has set for the player (`set_line`)."""
    order = _Asked(by=by, now=now, **asked)
    session, amount = order.session(), order.amount
    grant = order.check(Kind.CREDIT)
    order.check_may_play(deposits=True)
    check_line(order.player, amount)
    chips = [(house(CHIPS), -amount), (order.wallet, amount)]
    legs = [*chips, (house(CREDIT), -amount), (cage_books.debt(order.player), amount)]
    return order.write(Kind.CREDIT, legs, reasons.ON_CREDIT(), session=session, grant=grant)


@operation(cage_books.lock_desk, verb="cage.repayment", roles=cage_books.STAFF)
def repay(*, by: User, now: datetime, in_money: bool = False, **asked: Any) -> Slip:
    """Credit paid back, from the wallet or, `in_money`, over the counter. Nobody pays back more than is owed."""
    order = _Asked(by=by, now=now, **asked)
    session, amount = order.session(), order.amount
    grant = order.check(Kind.REPAYMENT)
    paid = _money_in(session, amount) if in_money else [(house(CHIPS), amount), (order.wallet, -amount)]
    legs = [*paid, (house(CREDIT), amount), (cage_books.debt(order.player), -amount)]
    words = reasons.REPAID_IN_MONEY() if in_money else reasons.REPAID()
    return order.write(Kind.REPAYMENT, legs, words, session=session, grant=grant)


@operation(cage_books.lock_desk, verb="cage.comp", roles=cage_books.STAFF)
def comp(*, by: User, now: datetime, in_chips: bool = False, **asked: Any) -> Slip:
    """Comp points to a player or, `in_chips`, chips out of what the house has for promotions. With a reason."""
    order = _Asked(by=by, now=now, **asked)
    reason, unit = order.reason_for(gettext("a comp")), "cash" if in_chips else COMP
    grant = order.check(Kind.COMP)
    wallet = ledger.wallet(order.player, unit=unit)
    legs = [(house(PROMOTIONS if in_chips else COMPS, unit), -order.amount), (wallet, order.amount)]
    return order.write(Kind.COMP, legs, reasons.COMP(), unit=unit, reason=reason, grant=grant)


@operation(cage_books.lock_desk, verb="cage.comp-used", roles=cage_books.STAFF)
def use_comp(*, by: User, now: datetime, **asked: Any) -> Slip:
    """A player uses comp points; the reason says for what: a meal, a room."""
    order = _Asked(by=by, now=now, **asked)
    reason = order.reason_for(gettext("a used comp"))
    order.check(Kind.COMP_USED)
    legs = [(ledger.wallet(order.player, unit=COMP), -order.amount), (house(COMPS, COMP), order.amount)]
    return order.write(Kind.COMP_USED, legs, reasons.COMP_USED(), unit=COMP, reason=reason)


@operation(cage_books.lock_desk, verb="cage.transfer", roles=cage_books.STAFF)
def transfer(*, to: User, by: User, now: datetime, **asked: Any) -> Slip:
    """Chips from one player's wallet to another's, with a reason; a cashier always needs a manager for it."""
    order = _Asked(by=by, now=now, **asked)
    reason = order.reason_for(gettext("a transfer between players"))
    if to.pk == order.player.pk:
        raise Invalid("same-player", "Choose another player for the transfer.")
    if to.pk == by.pk:
        raise Illegal("own-cashier", "You cannot be your own cashier: ask a colleague.", rule=allowances.OWN)
    order.check(Kind.TRANSFER, to=to)
    cage_books.check_player(to)
    order.check_may_play()
    bans.check_may_play(player=to, now=now, where="room")
    legs = [(order.wallet, -order.amount), (ledger.wallet(to), order.amount)]
    return order.write(Kind.TRANSFER, legs, reasons.BETWEEN_PLAYERS(), to=to, reason=reason)


def _money_in(session: DrawerSession, amount: int) -> list[ledger.Leg]:
    return [(house(STREET, cage_books.MONEY), -amount), (drawer_account(session.drawer), amount)]
