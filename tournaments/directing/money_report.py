"""What the money of one event came to: what was paid for it and how, what was paid out, and which drawers it lay in.

Read from the receipts and the slips, in a few queries; nothing here writes.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext

from cardroom.cage import books as cage_books
from cardroom.cage import queries as cage_queries
from cardroom.cage.models import DrawerSession, Slip
from cardroom.core.models import User
from cardroom.ledger.models import Account
from tournaments.events import money
from tournaments.events.models import Payment, Tournament
from tournaments.events.terms import PARTS
from tournaments.prizes.models import Payout


@dataclass(frozen=True)
class PaidInRow:
    """Payments of one kind and one way of paying: how many, and what they came to by their parts. `refunded` of them
    were given back, as so much money; `due` of that waits in cash at the desk."""

    what: str
    method: str
    number: int
    pool: int
    fee: int
    bounty: int
    staff: int
    total: int
    refunded: int
    refunds: int
    due: int

    @property
    def what_name(self) -> str:
        return str(Payment.Kind(self.what).label)

    @property
    def method_name(self) -> str:
        return _cash_or(self.method, str(Payment.Method(self.method).label))


@dataclass(frozen=True)
class PaidOutRow:
    """Prizes, bounties or tickets of one way of paying; `state`: paid, or due."""

    what: str
    method: str
    state: str
    number: int
    amount: int

    @property
    def what_name(self) -> str:
        return str(Payout.Kind(self.what).label)

    @property
    def method_name(self) -> str:
        return _cash_or(self.method, str(Payout.PaidBy(self.method).label))

    @property
    def state_name(self) -> str:
        return str(Payout.State(self.state).label)


@dataclass(frozen=True)
class DrawerRow:
    """What of this event went through one drawer while one session lasted. `over_short`: of the whole session, at its
    close. None as long as the viewer may come to count the drawer, see `cage_queries.counts_blind`."""

    session: int
    drawer: str
    cashier: str
    state: str
    opened_at: datetime
    closed_at: datetime | None
    slips: int
    taken: int | None
    paid: int | None
    over_short: int | None

    @property
    def net(self) -> int | None:
        """What this event left in the drawer."""
        return None if self.taken is None or self.paid is None else self.taken - self.paid


@dataclass(frozen=True)
class EventMoney:
    """The money of an event. `overlay`: what the house put into the prizes; `held`: what lies in its pools now;
    `refunds_due`: in cash at the desk."""

    tournament: int
    taken: list[PaidInRow]
    paid_out: list[PaidOutRow]
    drawers: list[DrawerRow]
    received: int
    fees: int
    prizes_paid: int
    prizes_due: int
    refunds_due: int
    overlay: int
    held: int
    over_short: int | None


def _cash_or(method: str, name: str) -> str:
    return gettext("in cash") if method == Payment.Method.DESK else name


def report(tournament: Tournament, *, viewer: User) -> EventMoney:
    """The report as `viewer` may see it."""
    taken, paid_out = _paid_in_rows(tournament), _paid_out(tournament)
    drawers = _drawers(tournament, viewer)
    differences = [row.over_short for row in drawers if row.over_short is not None]
    return EventMoney(
        tournament=tournament.pk,
        taken=taken,
        paid_out=paid_out,
        drawers=drawers,
        received=sum(row.total - row.refunds for row in taken),
        fees=_fees(tournament),
        prizes_paid=sum(row.amount for row in paid_out if row.state == Payout.State.PAID),
        prizes_due=sum(row.amount for row in paid_out if row.state == Payout.State.DUE),
        refunds_due=sum(row.due for row in taken),
        overlay=money.overlay_paid(tournament),
        held=_held_for_prizes(tournament),
        over_short=sum(differences) if differences else None,
    )


#: The orders of the rows.
_WHATS, _METHODS = Payment.Kind.values, Payment.Method.values


def _paid_in_rows(tournament: Tournament) -> list[PaidInRow]:
    """Three queries."""
    payments = Payment.objects.filter(tournament=tournament)
    refunded = _sums_by_kind(payments.exclude(refunded_at=None))
    due = _sums_by_kind(payments.filter(is_refund_due=True))
    rows = [
        PaidInRow(
            what=what,
            method=method,
            number=number,
            **parts,
            total=sum(parts.values()),
            refunded=refunded[what, method][0],
            refunds=sum(refunded[what, method][1].values()),
            due=sum(due[what, method][1].values()),
        )
        for (what, method), (number, parts) in _sums_by_kind(payments).items()
    ]
    return sorted(rows, key=lambda row: (_WHATS.index(row.what), _METHODS.index(row.method)))


def _sums_by_kind(payments: QuerySet[Payment]) -> defaultdict[tuple[str, str], tuple[int, dict[str, int]]]:
    """The number of payments and the sum of each part of the price, by what was paid for and how."""
    # A sum must not have the name of the field that it adds up.
    sums = {f"sum_{part}": Sum(part) for part in PARTS}
    groups: defaultdict[tuple[str, str], tuple[int, dict[str, int]]] = defaultdict(lambda: (0, {}))
    for row in payments.order_by().values("what", "method").annotate(number_of_rows=Count("pk"), **sums):
        parts = {part: int(row[f"sum_{part}"]) for part in PARTS}
        groups[row["what"], row["method"]] = (row["number_of_rows"], parts)
    return groups


def _paid_out(tournament: Tournament) -> list[PaidOutRow]:
    rows = Payout.objects.filter(tournament=tournament).exclude(state=Payout.State.VOID).order_by()
    groups = rows.values_list("what", "method", "state").annotate(number=Count("pk"), amount=Sum("amount"))
    return [PaidOutRow(*group) for group in groups.order_by("what", "method", "state")]


def _drawers(tournament: Tournament, viewer: User) -> list[DrawerRow]:
    """The drawers in the order in which they were opened. Three queries."""
    sums: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
    slips = Slip.objects.filter(about=tournament.unit, kind__in=cage_books.EVENT_KINDS).order_by()
    for session, kind, number, amount in slips.values_list("session", "kind").annotate(
        number=Count("pk"), amount=Sum("amount")
    ):
        sums[session][kind] = (number, int(amount))
    rows = list(DrawerSession.objects.filter(pk__in=sums).select_related("drawer", "cashier").order_by("pk"))
    blind = cage_queries.blind_among(viewer, rows)
    drawers = []
    for row in rows:
        kinds, is_blind = sums[row.pk], row.pk in blind
        drawers.append(
            DrawerRow(
                session=row.pk,
                drawer=str(row.drawer),
                cashier=row.cashier.username,
                state=str(row.state),
                opened_at=row.opened_at,
                closed_at=row.closed_at,
                slips=sum(number for number, _ in kinds.values()),
                taken=None if is_blind else sum(kinds[kind][1] for kind in cage_books.EVENT_IN if kind in kinds),
                paid=None if is_blind else sum(kinds[kind][1] for kind in cage_books.EVENT_OUT if kind in kinds),
                over_short=None if is_blind else row.difference,
            )
        )
    return drawers


def _fees(tournament: Tournament) -> int:
    """What the house kept as its fee."""
    payments = Payment.objects.filter(tournament=tournament, refunded_at=None)
    return int(payments.aggregate(sum=Sum("fee"))["sum"] or 0)


def _held_for_prizes(tournament: Tournament) -> int:
    labels = [f"{tournament.unit}:{part}" for part in ("prizes", "bounties")]
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__in=labels, unit="cash")
    return int(pools.aggregate(sum=Sum("balance"))["sum"] or 0)
