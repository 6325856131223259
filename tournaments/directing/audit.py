"""Proof that events, their entries, seats, chips and money tell the same story, found by replaying every event.

The house's `audit` runs these. A fault names events, entries and chips.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import F, Q, QuerySet, Sum

from cardroom.cage import books as cage_books
from cardroom.cage.models import Slip
from cardroom.core import audit as core_audit
from cardroom.ledger.models import Account
from cardroom.ledger.models import Entry as Leg
from games.play import event_tables
from games.play.event_seats import CHIPS
from tournaments.engine.config import Paid
from tournaments.engine.rules import ending
from tournaments.engine.tournament import EventEngine
from tournaments.events import cash, entry_rows, money, terms
from tournaments.events import journal as event_journal
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes import tickets
from tournaments.prizes.models import Payout, Ticket

_CHUNK = 50
_OF_THE_EVENT = ("entries_count", "alternates_count", "players_left", "tables_count", "pool")


def events_replay() -> Iterator[str]:
    """Rows of events and entries agree with the events' facts, and so do seats, chips and receipts."""
    for row in Tournament.objects.exclude(seq=0).order_by("pk").iterator(_CHUNK):
        name = f"tournament {row.pk}"
        try:
            state = event_journal.read(row.pk)
        except Exception as error:
            yield f"{name} does not replay: {type(error).__name__}"
            continue
        if len(state.facts) != row.seq:
            yield f"{name} says it has {row.seq} facts; it has {len(state.facts)}"
        replayed_values = (state.entries, len(state.alternates), state.left, len(state.tables), state.pool)
        for field, replayed in zip(_OF_THE_EVENT, replayed_values, strict=True):
            if getattr(row, field) != replayed:
                yield f"{name} says its {field} is {getattr(row, field)}; replayed it is {replayed}"
        yield from _entry_faults(name, row, state)
        yield from (f"{name}: {fault}" for fault in ending.faults(state))
        yield from _payment_faults(name, row, state)
        yield from _chip_faults(name, row, state)


def pools_hold_what_was_paid() -> Iterator[str]:
    """What lies in an event's pools is what was paid in and not refunded, with what came from the house or its flights,
    less the prizes paid out; those of an event that was called off, or whose prizes are all paid, are empty."""
    for row in Tournament.objects.exclude(state__in=["draft", "announced"]).order_by("pk").iterator(_CHUNK):
        paid_in = Payment.objects.filter(tournament=row, refunded_at=None)
        paid_out = Payout.objects.filter(tournament=row, state=Payout.State.PAID)
        bounties = paid_out.filter(what=Payout.Kind.BOUNTY)
        pools = {
            f"{row.unit}:prizes": _sum(paid_in, "pool") - _sum(paid_out.exclude(what=Payout.Kind.BOUNTY), "amount"),
            f"{row.unit}:bounties": _sum(paid_in, "bounty") - _sum(bounties, "amount"),
        }
        for label, should in pools.items():
            held, added = _balance_of_pool(label), _from_house_or_flights(label)
            if held != should + added:
                yield f"{label} holds {held:,}; by what was paid in and out it should hold {should + added:,}"
            if held and (row.state == Tournament.State.CANCELLED or row.paid_at is not None):
                yield f"{label} still holds {held:,} though the event is over"


def tickets_are_covered() -> Iterator[str]:
    """For every ticket that is good its value lies in the pool of its kind."""
    wanted: dict[str, int] = {}
    for ticket in Ticket.objects.filter(state=Ticket.State.ISSUED).iterator(_CHUNK):
        label = tickets.pool_of(ticket)
        wanted[label] = wanted.get(label, 0) + ticket.value
    pools = Account.objects.filter(kind=Account.Kind.POOL, label__endswith="tickets")
    held = dict(pools.values_list("label", "balance"))
    for label in sorted(wanted.keys() | held.keys()):
        if held.get(label, 0) != wanted.get(label, 0):
            yield f"{label} holds {held.get(label, 0):,}; the tickets that are good come to {wanted.get(label, 0):,}"


def _entry_faults(name: str, row: Tournament, state: EventEngine) -> Iterator[str]:
    rows = {entry.number: entry for entry in TournamentEntry.objects.filter(tournament=row)}
    for number in sorted(rows.keys() ^ state.entrants.keys()):
        yield f"{name}: entry {number} is in {'the rows' if number in rows else 'the facts'} only"
    is_over = state.phase == "finished"
    for number in sorted(rows.keys() & state.entrants.keys()):
        entry, entrant = rows[number], state.entrants[number]
        if entry.player_id != entrant.player:
            yield f"{name}: entry {number} is of player {entry.player_id}; replayed of player {entrant.player}"
        for column, replayed in zip(entry_rows.COLUMNS, entry_rows.values_of(entrant, is_over=is_over), strict=True):
            value = getattr(entry, column)
            if (event_journal.ms(value) if column == "out_at" and value is not None else value) != replayed:
                yield f"{name}: entry {number} says its {column} is {value}; replayed it is {replayed}"


def payouts_are_what_was_won() -> Iterator[str]:
    """Each payout is what the facts say was won, by one transfer or ticket for each receipt."""
    paid = Payout.objects.filter(state=Payout.State.PAID).select_related("entry", "transfer", "ticket")
    for row in paid.order_by("pk").iterator(_CHUNK):
        name = f"payout {row.number} of tournament {row.tournament_id}"
        if row.method == Payout.PaidBy.TICKET:
            moved = row.ticket.value if row.ticket is not None else 0
        else:
            out_of_pools = Leg.objects.filter(transfer=row.transfer_id, account__kind=Account.Kind.POOL)
            moved = -_sum(out_of_pools, "amount")
        if moved != row.amount:
            yield f"{name} says {row.amount:,} and {moved:,} were moved"
    over = Tournament.objects.exclude(paid_at=None)
    for entry in TournamentEntry.objects.filter(tournament__in=over).exclude(prize=0, bounties_won=0).iterator(_CHUNK):
        paid_out, won = _sum(entry.payouts.filter(state=Payout.State.PAID), "amount"), entry.prize + entry.bounties_won
        if paid_out != won:
            yield f"entry {entry.number} of tournament {entry.tournament_id} has won {won:,} and was paid {paid_out:,}"


def cash_lies_in_drawers() -> Iterator[str]:
    """Cash that an event took or paid has a slip of the cage in an open drawer, the slips of each event come to what
    its books say, and refunds that are due at the desk lie in an account of their own.

    From before there were slips, cash lies in the account `cash desk` of the house: it is left out."""
    before_slips = Q(
        transfer__entries__account__kind=Account.Kind.HOUSE, transfer__entries__account__label=money.CASH_DESK
    )
    payments = Payment.objects.filter(method=Payment.Method.DESK).exclude(transfer=None).exclude(before_slips)
    # A refund that was due, and that an undo took again, never left the desk.
    payments = payments.exclude(transfer__entries__account__label__endswith=":refunds")
    payouts = Payout.objects.filter(method=Payout.PaidBy.DESK).exclude(transfer=None).exclude(before_slips)
    yield from _without_slips(payments)
    yield from _without_slips(payouts)
    yield from _slips_against_books(_cash_by_books(payments, payouts))
    yield from _due_refunds_lie_apart()


#: An event, as slips name it, and a kind of slip.
Section = tuple[str, str]
_PRICE = F("pool") + F("fee") + F("bounty") + F("staff")


def _without_slips(receipts: QuerySet[Any]) -> Iterator[str]:
    for receipt in receipts.filter(transfer__slip=None).order_by("pk"):
        yield f"{receipt} was in cash and has no slip"


def _cash_by_books(payments: QuerySet[Payment], payouts: QuerySet[Payout]) -> Counter[Section]:
    """What the receipts of cash come to, and what was handed back of it."""
    books: Counter[Section] = Counter()
    for event, what, total in _sums(payments, "what", amount=_PRICE):
        books[f"tournament:{event}", cash.KINDS[what]] += total
    # However it was paid: the refund of a payment from before there were slips has one.
    for event, total in _sums(Payment.objects.exclude(handed_over=None), amount=_PRICE):
        books[f"tournament:{event}", cash.Kind.EVENT_REFUND] += total
    for event, what, total in _sums(payouts, "what", amount=F("amount")):
        kind = cash.Kind.EVENT_BOUNTY if what == Payout.Kind.BOUNTY else cash.Kind.EVENT_PRIZE
        books[f"tournament:{event}", kind] += total
    undone = Payout.objects.filter(method=Payout.PaidBy.DESK).exclude(undone=None)
    for event, total in _sums(undone, amount=F("amount")):
        books[f"tournament:{event}", cash.Kind.EVENT_RETURN] += total
    return books


def _slips_against_books(books: Counter[Section]) -> Iterator[str]:
    of_events = Slip.objects.filter(kind__in=cage_books.EVENT_KINDS)
    # A ticket that is paid out has no receipt of an event.
    of_one_event = of_events.exclude(kind=cash.Kind.EVENT_TICKET)
    sums = of_one_event.order_by().values_list("about", "kind").annotate(sum=Sum("amount"))
    slips = {(about, kind): int(total) for about, kind, total in sums}
    for about, kind in sorted(books.keys() | slips.keys()):
        by_slips, by_books = slips.get((about, kind), 0), books[about, kind]
        if by_slips != by_books:
            yield f"{about}: slips of kind {kind} come to {by_slips:,}; its books say {by_books:,}"
    for slip in of_events.filter(Q(session=None) | Q(about="") & ~Q(kind=cash.Kind.EVENT_TICKET)).order_by("pk"):
        yield f"slip {slip.number} of an event names no drawer or no event"


def _due_refunds_lie_apart() -> Iterator[str]:
    due = {
        f"tournament:{event}:refunds": total
        for event, total in _sums(Payment.objects.filter(is_refund_due=True), amount=_PRICE)
    }
    accounts = Account.objects.filter(kind=Account.Kind.POOL, label__endswith=":refunds").exclude(balance=0)
    balances = dict(accounts.values_list("label", "balance"))
    for label in sorted(due.keys() | balances.keys()):
        if balances.get(label, 0) != due.get(label, 0):
            yield f"{label} holds {balances.get(label, 0):,}; {due.get(label, 0):,} are due at the desk"


def _sums(rows: QuerySet[Any], *columns: str, amount: Any) -> Iterator[Any]:
    """The event, these columns, and the sum, by event and columns."""
    for *group, total in rows.order_by().values_list("tournament", *columns).annotate(total=Sum(amount)):
        yield *group, int(total)


def _payment_faults(name: str, row: Tournament, state: EventEngine) -> Iterator[str]:
    """Entries that stand have paid what the facts say; removed entries have it back. Entries that came from
    a flight paid there."""
    sums = Payment.objects.filter(tournament=row, refunded_at=None).values("entry__number")
    parts = sums.annotate(*[Sum(part) for part in terms.PARTS]).values_list(
        "entry__number", *[f"{part}__sum" for part in terms.PARTS]
    )
    paid = {number: Paid(*amounts) for number, *amounts in parts}
    carried = set(row.entries.exclude(from_entry=None).values_list("number", flat=True))
    for number, entrant in state.entrants.items():
        is_given_back = entrant.status == "withdrawn" or state.phase == "cancelled"
        should = Paid() if is_given_back or number in carried else entrant.paid
        if paid.get(number, Paid()) != should:
            yield f"{name}: entry {number} has paid {paid.get(number, Paid()).total:,}; replayed it is {should.total:,}"


def _chip_faults(name: str, row: Tournament, state: EventEngine) -> Iterator[str]:
    """Online the chips that were issued and have not come back are those in play, but for what was bought in a hand and
    waits; every one of them lies before somebody, and everybody sits where the facts have them."""
    house = Account.objects.filter(kind=Account.Kind.HOUSE, label=CHIPS, unit=row.unit).first()
    if row.conduct != Tournament.Conduct.ONLINE or house is None:
        return
    issued = -house.balance
    waiting = sum(purchase["chips"] for entry in row.entries.exclude(pending=[]) for purchase in entry.pending)
    if row.is_live and issued != state.chips - waiting:
        yield f"{name} has issued {issued:,} chips; {state.chips - waiting:,} are in play by its facts"
    tables = event_tables.states(event=row.unit).values()
    chips_by_player = {seat.player: seat.chips for table in tables for seat in table.seats.values()}
    if issued != sum(chips_by_player.values()):
        yield f"{name} has issued {issued:,} chips; {sum(chips_by_player.values()):,} lie at its tables"
    if state.phase == "running":
        sitting = {entrant.player for entrant in state.in_play() if entrant.table}
        for player in sorted(chips_by_player.keys() ^ sitting):
            yield f"{name}: player {player} sits {'in the facts' if player in sitting else 'at a table'} only"


def _balance_of_pool(label: str) -> int:
    balances = Account.objects.filter(kind=Account.Kind.POOL, label=label, unit="cash").values_list(
        "balance", flat=True
    )
    return balances.first() or 0


def _from_house_or_flights(label: str) -> int:
    """From the house for a guarantee, or from a flight; below zero where it went on to the final."""
    is_from_elsewhere = Q()
    for beginning in (money.OVERLAY, money.FLIGHT):
        is_from_elsewhere |= Q(transfer__reference__startswith=beginning)
    return _sum(Leg.objects.filter(is_from_elsewhere, account__label=label), "amount")


def _sum(rows: QuerySet[Any], column: str) -> int:
    return int(rows.aggregate(total=Sum(column))["total"] or 0)


CHECKS: dict[str, Callable[[], Iterator[str]]] = {
    "tournaments replay": events_replay,
    "facts of tournaments keep their chain": event_journal.store.faults_of_chains,
    "prize pools hold what was paid": pools_hold_what_was_paid,
    "tickets are covered": tickets_are_covered,
    "payouts are what was won": payouts_are_what_was_won,
    "cash of events lies in drawers": cash_lies_in_drawers,
}


core_audit.register_all(CHECKS)
