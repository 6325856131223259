"""The cage's accounts, and the one way a slip is written: its number, its transfer and itself, together.

Money (unit "money") comes from the street into drawers and from the bank into the vault; chips are given out by the
house against it or on credit. Hence at every moment: chips = street + credit, and all money together is nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext, gettext_lazy

from cardroom.cage.models import Drawer, DrawerSession, SessionMember, Slip
from cardroom.core import access, audit_log, played, topics
from cardroom.core.errors import Conflict, Invalid, NotEnoughChips, Verbatim
from cardroom.core.models import Approval, User
from cardroom.core.sentences import StoredText, filled
from cardroom.ledger import ledger
from cardroom.ledger.ledger import Leg
from cardroom.ledger.models import Account
from cardroom.ledger.passages import Grant

MONEY, COMP = "money", "comp"
#: What is counted, as papers and reports call it.
UNITS = {"cash": gettext_lazy("Chips"), MONEY: gettext_lazy("Money"), COMP: gettext_lazy("Comp points")}
STREET, VAULT, BANK, OVER_SHORT = "street", "vault", "bank", "over-short"
CHIPS, CREDIT, COMPS, PROMOTIONS = "chips", "credit", "comps", "promotions"
STAFF = access.CAGE
#: Who works on a drawer of the tournament desk.
EVENT_DESK = ("cashier", "director", "floor", "manager")
MOST = 10**12

Kind = Slip.Kind
#: Money of an event that comes into a drawer, and that goes out of one. Only the event takes it back.
EVENT_IN = (Kind.EVENT_ENTRY, Kind.EVENT_RE_ENTRY, Kind.EVENT_REBUY, Kind.EVENT_ADD_ON, Kind.EVENT_RETURN)
EVENT_OUT = (Kind.EVENT_REFUND, Kind.EVENT_PRIZE, Kind.EVENT_BOUNTY, Kind.EVENT_TICKET)
EVENT_KINDS = (*EVENT_IN, *EVENT_OUT)

#: What a transfer of each kind of slip is called in the ledger, before the slip's number.
REFERENCES = {
    Slip.Kind.DEPOSIT: "deposit",
    Slip.Kind.BUY_IN: "deposit",
    Slip.Kind.WITHDRAWAL: "withdrawal",
    Slip.Kind.CASH_OUT: "withdrawal",
    Slip.Kind.CREDIT: "credit",
    Slip.Kind.REPAYMENT: "repayment",
    Slip.Kind.COMP: "comp:slip",
    Slip.Kind.COMP_USED: "comp-used",
    Slip.Kind.TRANSFER: "player-transfer",
    Slip.Kind.FILL: "drawer-fill",
    Slip.Kind.TAKE: "drawer-take",
    Slip.Kind.OVER_SHORT: "over-short",
    Slip.Kind.VAULT: "vault",
}


def at_tables(player_id: int) -> int:
    """What a player has on tables, online and in the room."""
    stacks = Account.objects.filter(kind=Account.Kind.STACK, owner=player_id, unit="cash")
    others = sum(games.chips_at_tables(player_id) for games in played.games())
    return int(stacks.aggregate(sum=Sum("balance"))["sum"] or 0) + others


def house(label: str, unit: str = "cash") -> Account:
    """An account of the house by its label."""
    return ledger.open_account(kind=Account.Kind.HOUSE, label=label, unit=unit)


def drawer_account(drawer: Drawer | int) -> Account:
    """The account of a drawer's money."""
    pk = drawer.pk if isinstance(drawer, Drawer) else drawer
    return ledger.open_account(kind=Account.Kind.DRAWER, label=f"drawer:{pk}", unit=MONEY)


def debt(player: User) -> Account:
    """What a player owes the house for chips on credit."""
    return ledger.open_account(kind=Account.Kind.DEBT, owner=player)


def check_amount(amount: int) -> None:
    """`Invalid` for anything but a whole number of chips above zero."""
    if type(amount) is not int or not 0 < amount <= MOST:
        raise Invalid(
            "bad-amount", "An amount is a whole number from 1 to {most:,}; {amount!r} is not.", most=MOST, amount=amount
        )


def check_player(player: User) -> None:
    """Refuse (`Invalid`) house bots, which no cashier serves."""
    if player.is_bot:
        raise Invalid("bot", "{name} is a bot of the house: its chips come from the house.", name=player.username)


def short_reason(reason: str) -> str:
    """A reason as it is stored; it may be empty. `Invalid` where it is too long or not printable."""
    text = " ".join(reason.split())
    if len(text) > audit_log.LONGEST_REASON or not (text.isprintable() or not text):
        raise Invalid(
            "bad-reason", "A reason is plain text of at most {longest} characters.", longest=audit_log.LONGEST_REASON
        )
    return text


def sessions_of(by: User) -> QuerySet[DrawerSession]:
    """The drawer that `by` works on now, which they have opened or, at the tournament desk, joined: one at most."""
    return _not_closed(_works_on(by))


def _works_on(by: User) -> Q:
    joined = SessionMember.objects.filter(person=by, left_at=None).values("session")
    return Q(cashier=by) | Q(pk__in=joined)


def _not_closed(which: Q) -> QuerySet[DrawerSession]:
    return DrawerSession.objects.filter(which).exclude(state=DrawerSession.State.CLOSED)


def session_of(by: User, session_id: int | None = None) -> DrawerSession:
    """The open drawer that `by` works on, locked until the transaction ends.

    Refuses: `Conflict` (no drawer open, or another than `session_id`).
    """
    rows = sessions_of(by).select_for_update(no_key=True, of=("self",)).select_related("drawer")
    return check_own(rows.first(), session_id)


def check_own(row: DrawerSession | None, session_id: int | None) -> DrawerSession:
    """The drawer that somebody works on, where it takes slips. Refuses as `session_of`."""
    if row is None:
        raise Conflict("no-drawer", "You have no open drawer: open one with a count first.")
    if session_id is not None and session_id != row.pk:
        raise Conflict("not-your-drawer", "This is not your open drawer.")
    if row.state == DrawerSession.State.CLOSING:
        raise Conflict(
            "drawer-closing",
            "Your drawer is counted and waits for approval: wait for the decision, or cancel the request.",
        )
    return row


def session_to_fill(by: User, session_id: int | None = None) -> DrawerSession:
    """The drawer that `by` moves money between the vault and: their own, or any of the tournament desk; then the books,
    both locked. Refuses as `session_of`."""
    of_events = DrawerSession.objects.filter(pk=session_id, drawer__is_for_events=True, state=DrawerSession.State.OPEN)
    row = None
    if session_id is not None and not sessions_of(by).filter(pk=session_id).exists():
        row = of_events.select_for_update(no_key=True, of=("self",)).select_related("drawer").first()
    row = row or session_of(by, session_id)
    lock_books()
    return row


def require_staff(by: User) -> None:
    """`Forbidden` for a person who is neither a cashier nor a manager."""
    access.require_role(by, *STAFF)


def desk(by: User, session_id: int | None = None) -> DrawerSession:
    """The open drawer that `by` works on, then the books, both locked: what every slip that moves money locks, in this
    order. With a table, lock that before. Refuses as `session_of`."""
    session = session_of(by, session_id)
    lock_books()
    return session


def window(by: User, session_id: int | None = None) -> DrawerSession:
    """The same for what the cage does for players, which does not go through the drawer of the tournament desk."""
    session = desk(by, session_id)
    if session.drawer.is_for_events:
        raise Conflict(
            "events-only",
            "{drawer} takes only the money of tournaments: open a drawer of the cage.",
            drawer=session.drawer,
        )
    return session


def lock_books() -> None:
    """One slip after the other until the transaction ends: by this lock their numbers have no gap, and what was done,
    deposited and owed so far stays as it is read. Everything that gives out chips writes to this account anyway."""
    rows = Account.objects.filter(kind=Account.Kind.HOUSE, label=CHIPS, unit="cash").select_for_update(no_key=True)
    if not rows.values_list("pk"):
        house(CHIPS)
        list(rows.values_list("pk"))


def lock_desk(by: User, session_id: int | None = None, **about: Any) -> None:
    """The drawer that this cashier works on, if any, then the books: locked before a wallet is, where a slip follows.
    `session_id`: the session of somebody else as well, which this cashier closes."""
    sessions = _not_closed(_works_on(by) | Q(pk=session_id)).select_for_update(no_key=True)
    list(sessions.order_by("pk").values_list("pk"))
    lock_books()


def write(
    kind: Slip.Kind,
    *,
    legs: Sequence[Leg],
    words: StoredText,
    amount: int,
    by: User,
    now: datetime,
    player: User | None = None,
    session: DrawerSession | None = None,
    reason: StoredText = "",
    approval: Approval | None = None,
    reference: str = "",
    grant: Grant | None = None,
    **fields: Any,
) -> Slip:
    """The next slip with its transfer of these legs, noted in the audit log. `reference`: other than by its kind;
    `grant`: where an account of the house goes down, what `allowances.check` found.

    Call with the books locked, which keeps the numbers without a gap. Locks the accounts.
    Refuses where a wallet, a debt or a drawer does not hold what is taken out of it, in words (`NotEnoughChips`).
    """
    if isinstance(reason, str):
        reason = short_reason(reason)
    number, now = _next_number(now)
    name = reference or f"{REFERENCES[kind]}:{number}"
    try:
        with transaction.atomic():  # no entry in the audit log of what is refused
            entry = audit_log.note(
                verb=f"cage.{kind}",
                subject=f"slip:{number}",
                player=player,
                by=by,
                now=now,
                reason=reason,
                amount=amount,
                unit=fields.get("unit", "cash"),
                drawer=session.drawer_id if session else None,
                **{"approval": approval.pk if approval else None} | (grant.details if grant else {}),
            )
            passage = grant.noted(entry) if grant else None
            transfer = ledger.post(reference=name, reason=words, legs=legs, at=now, by=by, passage=passage)
    except NotEnoughChips as short:
        raise _in_words(short) from None
    if hasattr(transfer, "slip"):
        raise Conflict(
            "done-already",
            "This is already done: see slip {number}.",
            number=transfer.slip.number,
            slip=transfer.slip.pk,
        )
    slip = Slip.objects.create(
        id=number,
        kind=kind,
        player=player,
        session=session,
        amount=amount,
        transfer=transfer,
        reason=reason,
        approval=approval,
        by=by,
        at=now,
        **fields,
    )
    people = {person.pk for person in (player, slip.to) if person is not None}
    topics.tell("cage", *(f"player:{pk}" for pk in sorted(people)))
    return slip


def _next_number(now: datetime) -> tuple[int, datetime]:
    """The number, and its time: `now`, and never before that of the number before it, whose machine may have had a
    clock that was ahead."""
    number, at = Slip.objects.order_by("-pk").values_list("pk", "at").first() or (0, now)
    return number + 1, max(at, now)


def require_held(account: Account, amount: int) -> None:
    """`NotEnoughChips` where the account does not hold this: then nobody needs to be asked to approve it."""
    held = ledger.balance(account)
    if type(amount) is int and held < amount:
        raise _in_words(
            NotEnoughChips("not-enough-chips", "Not enough chips.", account=account.pk, held=held, needed=amount)
        )


def require_in_vault(amount: int) -> None:
    """`NotEnoughChips` where the vault holds less by the books; a manager enters what is brought to it (`cage.vault`),
    also what was there before the first day. Call with the books locked."""
    held = ledger.balance(house(VAULT, MONEY))
    if amount > 0 and held < amount:
        raise NotEnoughChips(
            "vault-short",
            "The vault balance is below {amount:,}: a manager first records, under Vault and bank, "
            "the money brought to the vault.",
            amount=amount,
            needed=amount,
        )


def _in_words(short: NotEnoughChips) -> NotEnoughChips:
    """The refusal that the account holds too little, with what a cashier can do about it."""
    account = Account.objects.select_related("owner").get(pk=short.values["account"])
    held, needed = short.values["held"], short.values["needed"]
    if account.kind == Account.Kind.DRAWER:
        # Its book balance is shown only to a person who has counted it.
        message = filled(gettext("The drawer holds less than {needed:,}: fill it from the vault first."), needed=needed)
        return NotEnoughChips("drawer-short", Verbatim(message), needed=needed, account=account.pk)
    if account.owner_id is None:
        return short
    if account.kind == Account.Kind.DEBT:
        message, code = (
            filled(
                gettext("{owner} owes {held:,}: a repayment cannot be more than that."), owner=account.owner, held=held
            ),
            "no-such-debt",
        )
    elif account.unit == COMP:
        message, code = (
            filled(
                gettext("{owner} has {held:,} comp points, which is less than {needed:,}."),
                owner=account.owner,
                held=held,
                needed=needed,
            ),
            "not-enough-comps",
        )
    else:
        more = at_tables(account.owner_id) if account.owner_id else 0
        message = gettext("{owner} has {held:,} in the wallet, and this takes {needed:,}.")
        if more:
            message = gettext(
                "{owner} has {held:,} in the wallet, and this takes {needed:,}. At tables: {more:,} more."
            )
        message = filled(message, owner=account.owner, held=held, needed=needed, more=more)
        code = "not-enough-chips"
    return NotEnoughChips(code, Verbatim(message), held=held, needed=needed, account=account.pk)


#: Slips with all that is shown of them.
WHOLE_SLIPS = Slip.objects.select_related("player", "to", "by", "session__drawer", "transfer", "reverses", "approval")


def slip(slip_id: int) -> Slip:
    """A slip by its number; `NotFound` where there is none."""
    row = WHOLE_SLIPS.filter(pk=slip_id).first()
    if row is None:
        raise Slip.not_found()
    return row
