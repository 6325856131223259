"""What `manage.py audit` asks of the cage, added up from the slips and not from what wrote them."""

from collections import Counter
from collections.abc import Callable, Iterator

from django.db.models import F, Max, Min, Q, Sum
from django.db.models.functions import Abs, Coalesce

from cardroom.cage import books as cage_books
from cardroom.cage.models import DrawerSession, Slip
from cardroom.core import audit as core_audit
from cardroom.ledger.models import Account, Entry, Transfer

_BATCH = 2000
_INTO_WALLET = {Slip.Kind.DEPOSIT, Slip.Kind.BUY_IN, Slip.Kind.CREDIT, Slip.Kind.COMP}
_OUT_OF_WALLET = {Slip.Kind.WITHDRAWAL, Slip.Kind.CASH_OUT, Slip.Kind.COMP_USED, Slip.Kind.TRANSFER}
_MONEY_ACCOUNTS = {cage_books.STREET, cage_books.VAULT, cage_books.BANK, cage_books.OVER_SHORT}


def slips_are_their_transfers() -> Iterator[str]:
    """Every slip says what its transfer moved, no number is missing, and no transfer of the cage is without a slip."""
    last = 0
    legs, is_players = "transfer__entries__amount", Q(transfer__entries__account__owner=F("player"))
    rows = Slip.objects.select_related("transfer").annotate(
        least=Min(Abs(legs)),
        most=Max(Abs(legs)),
        theirs=Coalesce(Sum(legs, filter=is_players & Q(transfer__entries__account__kind="wallet")), 0),
        in_drawer=Coalesce(Sum(legs, filter=Q(transfer__entries__account__kind="drawer")), 0),
    )
    for row in rows.order_by("pk").iterator(_BATCH):
        if row.pk != last + 1:
            yield f"slips {last + 1} to {row.pk - 1} are missing"
        last = row.pk
        # What an event takes is shared out among its pool, its bounties and the house's fees.
        sums = {row.in_drawer} if row.kind in cage_books.EVENT_KINDS else {row.least, row.most}
        should = -row.amount if row.kind in cage_books.EVENT_OUT else abs(row.amount)
        if sums != {should} or row.theirs not in _wallet_moves(row):
            yield f"slip {row.number} says {row.amount:,}; its transfer {row.transfer.reference} moved other chips"
    names = Q()
    for name in {*cage_books.REFERENCES.values()}:
        names |= Q(reference__startswith=f"{name}:") | Q(reference__startswith=f"reversal:{name}:")
    for transfer in Transfer.objects.filter(names, slip=None).order_by("pk"):
        yield f"transfer {transfer.reference} has no slip"


def _wallet_moves(row: Slip) -> tuple[int, ...]:
    """The most a player's wallet can have gained by such a slip."""
    if row.kind in _INTO_WALLET:
        return (row.amount,)
    if row.kind in _OUT_OF_WALLET:
        return (-row.amount,)
    if row.kind == Slip.Kind.REPAYMENT:  # from the wallet, or in money
        return (-row.amount, 0)
    return (row.amount, -row.amount, 0) if row.kind == Slip.Kind.REVERSAL else (0,)


def drawers_hold_what_was_counted() -> Iterator[str]:
    """A drawer holds what its last count said and what slips of its session moved since; nothing else touches it."""
    held = {row.label: row.balance for row in Account.objects.filter(kind=Account.Kind.DRAWER).order_by("pk")}
    moved: Counter[int] = Counter()
    in_drawers = Entry.objects.filter(account__kind=Account.Kind.DRAWER)
    for line in in_drawers.values("transfer__slip__session").annotate(total=Sum("amount")).order_by():
        moved[line["transfer__slip__session"]] += int(line["total"])
    if moved.pop(None, 0):  # type: ignore[call-overload]
        yield "money moved in a drawer without a slip of a session"
    should: Counter[str] = Counter()
    for session in DrawerSession.objects.order_by("pk"):
        label = f"drawer:{session.drawer_id}"
        should[label] += moved[session.pk]
        if session.state == DrawerSession.State.CLOSED and session.left_in != should[label]:
            yield f"session {session.pk} left {session.left_in:,} in its drawer; by its slips {should[label]:,}"
    for label, balance in held.items():
        if balance != should[label]:
            yield f"{label} holds {balance:,}; by its slips there are {should[label]:,}"


def money_and_chips_agree() -> Iterator[str]:
    """All money, in drawers, in the vault and outside, adds up to zero; chips given out were paid or are owed."""
    money = Account.objects.filter(unit=cage_books.MONEY)
    for account in money.exclude(kind=Account.Kind.DRAWER).exclude(kind="house", label__in=_MONEY_ACCOUNTS):
        yield f"account {account.pk}, {account}, holds money and is no place for it"
    if total := sum(money.values_list("balance", flat=True)):
        yield f"money outside, in the vault and in the drawers comes to {total:+,} and not to nothing"
    chips, credit = _balance(cage_books.CHIPS, "cash"), _balance(cage_books.CREDIT, "cash")
    if chips != _balance(cage_books.STREET, cage_books.MONEY) + credit:
        yield f"the cage gave out {-chips:,} chips, for which it took other money and credit"
    owed = sum(Account.objects.filter(kind=Account.Kind.DEBT).values_list("balance", flat=True))
    if owed != -credit:
        yield f"players owe {owed:,}; the house lent {-credit:,}"


def _balance(label: str, unit: str) -> int:
    balance = Account.objects.filter(kind="house", label=label, unit=unit).values_list("balance", flat=True).first()
    return balance or 0


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "slips are their transfers": slips_are_their_transfers,
    "drawers hold what was counted": drawers_hold_what_was_counted,
    "money and chips of the cage agree": money_and_chips_agree,
}
core_audit.register_all(CHECKS)
