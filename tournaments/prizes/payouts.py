"""Prizes: announced, worked out and paid, exactly once.

A `Payout` row is a receipt, and its transfer is called `prize:<event>:<entrant>` (`bounty:...`, `ticket:...`), so that
nothing is paid twice. Online the event's own alarm pays when it is over; in the room a director does, and the desk
hands out cash from its open drawer, with a slip each (`cash`). What is paid is what the facts say then; what decided
it stands until the payment is undone. The house's addition to reach a guarantee comes with the first payment. Who
cannot use a satellite's ticket gets its price.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.db.models import F, Q, QuerySet, Sum
from django.dispatch import receiver

from cardroom.accounts.people import PLAY_MONEY
from cardroom.core import alarms
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Illegal, NotFound
from cardroom.core.models import User
from cardroom.core.played import PlayedGames
from cardroom.core.sentences import StoredText
from cardroom.core.verb import verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from tournaments.engine.commands import ChangePayout, LockPayouts, PayOut
from tournaments.engine.config import PayoutTerms
from tournaments.engine.tournament import EventEngine
from tournaments.events import answering, cash, money, playing, second_person, staff
from tournaments.events import journal as event_journal
from tournaments.events import signals as event_signals
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.playing import OrderReceipt
from tournaments.prizes import reasons, tickets
from tournaments.prizes.models import Payout

# Transfers, in bulk: a constant number of statements. Call with the event held


Kind, State, PaidBy = Payout.Kind, Payout.State, Payout.PaidBy


@dataclass(frozen=True, slots=True)
class DuePayout:
    """A sum that an entrant has won and was not paid yet."""

    entrant: int
    what: str
    amount: int
    place: int


def due(row: Tournament, state: EventEngine) -> list[DuePayout]:
    """What is still to be paid, by place and then by entry; while the event is played, what those out have won. One
    query."""
    terms = state.config.payout
    paid_out = set(Payout.objects.filter(tournament=row, state=State.PAID).values_list("entry__number", "what"))
    debts = []
    is_over = state.phase == "finished"
    for entrant in state.entrants.values():
        if not entrant.is_placed:
            continue
        number, place = entrant.number, entrant.place
        prize = state.prize_of(number)
        if terms.kind == "tickets" and terms.ticket_value and prize >= terms.ticket_value:
            debts.append(DuePayout(number, Kind.TICKET, terms.ticket_value, place))
            prize -= terms.ticket_value
        if prize:
            debts.append(DuePayout(number, Kind.PRIZE, prize, place))
        if is_over and entrant.bounties_won:
            debts.append(DuePayout(number, Kind.BOUNTY, entrant.bounties_won, place))
    owed = [debt for debt in debts if (debt.entrant, debt.what) not in paid_out]
    return sorted(owed, key=lambda debt: (debt.place, debt.entrant))


def pay_out(
    locked: Locked, owed: Sequence[DuePayout], *, is_manual: bool, now: datetime, by: User | None, method: str = ""
) -> None:
    """Pay them, and write their receipts. Without `is_manual` payouts in cash are only noted as due."""
    if not owed:
        return
    covered = money.overlay_paid(locked.row)
    rows = _rows(locked, owed, method=method, now=now)
    earlier = {row for row in rows if row.pk is not None}
    payable = [row for row in rows if is_manual or row.method != PaidBy.DESK]
    in_cash = [row for row in payable if row.method == PaidBy.DESK]
    # The drawer and the cage's books before any other account.
    till = cash.till(by) if in_cash else None
    # The house's addition to a guarantee goes with the first payment, and changes by later entries.
    missing = max(0, sum(locked.state.prizes()) - locked.state.pool)
    money.cover(locked.row, missing, guarantee=locked.state.config.payout.guarantee, now=now, by=by)
    if payable or len(earlier) < len(rows):
        prizes_paid = tuple([(row.entry.number, row.amount) for row in payable])
        playing.play(locked, PayOut(prizes_paid, covered, by_itself=by is None), now=now, by=by)
    to_wallets = [row for row in payable if row.method == PaidBy.WALLET]
    purses, times = _purses(to_wallets), _times_undone(payable)
    pools = _pools(locked.row)
    posts = [
        ledger.Post(
            reference=_reference(row, times[row.entry_id, row.what]),
            reason=_words(locked.row, row),
            legs=[(pools[Kind(row.what)], -row.amount), (purses[row.entry_id], row.amount)],
        )
        for row in to_wallets
    ]
    for row, transfer in zip(to_wallets, ledger.post_many(posts, at=now, by=by), strict=True):
        row.transfer = transfer
    if till is not None:
        for row in in_cash:
            row.transfer = cash.move(
                locked.row,
                cash.Kind.EVENT_BOUNTY if row.what == Kind.BOUNTY else cash.Kind.EVENT_PRIZE,
                till=till,
                legs=[(pools[Kind(row.what)], -row.amount)],
                amount=row.amount,
                player=row.entry.player,
                reference=_reference(row, times[row.entry_id, row.what]),
                words=_words(locked.row, row),
                now=now,
            ).transfer
    for row in payable:
        if row.method == PaidBy.TICKET:
            row.ticket = _ticket(locked.row, row, times[row.entry_id, row.what], now=now, by=by)
        row.state, row.paid_at, row.by, row.paid_seq = State.PAID, now, by, locked.row.seq
    fresh = [row for row in rows if row.pk is None]
    for row in fresh:
        row.seq = locked.row.seq
    Payout.objects.bulk_create(fresh)
    # Only what was due in cash before has a row already.
    Payout.objects.bulk_update(
        [row for row in rows if row in earlier],
        ["state", "paid_at", "by", "transfer", "ticket", "method", "amount", "place", "paid_seq"],
    )


def paid_with(tournament: Tournament, first: int, last: int) -> list[Payout]:
    """What facts `first` to `last` paid, or noted as due, by receipt."""
    rows = Payout.objects.filter(tournament=tournament).exclude(state=State.VOID)
    rows = rows.filter(Q(seq__range=(first, last)) | Q(paid_seq__range=(first, last)))
    return list(rows.select_related("entry__player", "ticket").order_by("number"))


def take_back(
    locked: Locked, first: int, last: int, *, covered: int, reason: StoredText, now: datetime, by: User | None
) -> None:
    """Undo what facts `first` to `last` paid: the money comes back from where it went, a ticket that was won is void,
    and the house has added what it had `covered` before. What waited in cash waits again.

    Refuses: `NotEnoughChips` (the wallet holds less by now), `Illegal` (the ticket was used), `Conflict` (cash, and no
    drawer is open).
    """
    rows = paid_with(locked.row, first, last)
    paid = [row for row in rows if row.paid_seq >= first]
    # The drawer and the cage's books before any other account.
    till = cash.till(by) if any(_is_cash(row) for row in paid) else None
    for row in rows:
        if row in paid:
            _take_back(locked, row, till, reason=reason, now=now, by=by)
        row.state, row.undone_at, row.undone_by, row.undone_reason = State.VOID, now, by, reason
        row.save(update_fields=["state", "undone", "undone_at", "undone_by", "undone_reason"])
        if row.seq < first:
            Payout.objects.create(
                tournament=locked.row,
                number=_last_number(locked.row) + 1,
                entry=row.entry,
                what=row.what,
                place=row.place,
                amount=row.amount,
                method=PaidBy.DESK,
                made_at=now,
                seq=row.seq,
            )
    money.cover(locked.row, covered, guarantee=covered, now=now, by=by)
    locked.row.paid_at = None


def _is_cash(row: Payout) -> bool:
    return row.method == PaidBy.DESK and row.transfer_id is not None


def _take_back(
    locked: Locked, row: Payout, till: cash.Till | None, *, reason: StoredText, now: datetime, by: User | None
) -> None:
    if row.ticket is not None:
        prizes = money.prizes(locked.row)
        legs = [(tickets.account(row.ticket), -row.amount), (prizes, row.amount)]
        tickets.check_good(row.ticket)
        tickets.end(row.ticket, tickets.Ticket.State.CANCELLED, reason=reason, legs=legs, now=now, by=by)
    elif row.transfer is not None and till is not None and _is_cash(row):
        row.undone = cash.move(
            locked.row,
            cash.Kind.EVENT_RETURN,
            till=till,
            legs=[(_pools(locked.row)[Kind(row.what)], row.amount)],
            amount=row.amount,
            player=row.entry.player,
            reference=f"reversal:{row.transfer.reference}",
            words=reasons.TAKEN_BACK(what=_words(locked.row, row)),
            reason=reason,
            now=now,
        ).transfer
    elif row.transfer is not None:
        row.undone = ledger.reverse(transfer=row.transfer, reason=reason, at=now, by=by)


def _pools(tournament: Tournament) -> dict[Kind, Account]:
    """The account that each kind of payout comes out of."""
    prizes = money.prizes(tournament)
    return {Kind.PRIZE: prizes, Kind.TICKET: prizes, Kind.BOUNTY: money.bounties(tournament)}


def _last_number(tournament: Tournament) -> int:
    last = Payout.objects.filter(tournament=tournament).order_by("-number").values_list("number", flat=True).first()
    return last or 0


def _rows(locked: Locked, owed: Sequence[DuePayout], *, method: str, now: datetime) -> list[Payout]:
    """Receipts, new ones unsaved, those noted as due before as they are."""
    numbers = {debt.entrant for debt in owed}
    entries = {
        entry.number: entry
        for entry in TournamentEntry.objects.filter(tournament=locked.row, number__in=numbers).select_related("player")
    }
    known = {
        (row.entry_id, row.what): row
        for row in Payout.objects.filter(tournament=locked.row, state=State.DUE, entry__in=entries.values())
    }
    by_cash = paid_in_cash(locked.row)
    last = _last_number(locked.row)
    won = [entries[debt.entrant].player for debt in owed if debt.what == Kind.TICKET]
    served = tickets.without_use(locked.row.satellite_to, won) if won else set()
    rows: list[Payout] = []
    number = last
    for debt in owed:
        entry = entries[debt.entrant]
        row = known.get((entry.pk, debt.what))
        if row is None:
            number += 1
            row = Payout(
                tournament=locked.row, number=number, what=debt.what, place=debt.place, amount=debt.amount, made_at=now
            )
        row.entry, row.amount, row.place = entry, debt.amount, debt.place
        if row.what == Kind.TICKET and entry.player_id not in served:
            row.method = PaidBy.TICKET
            if locked.row.satellite_to is not None:
                served.add(entry.player_id)
        else:
            row.method = method or (PaidBy.DESK if entry.number in by_cash else PaidBy.WALLET)
        rows.append(row)
    return rows


def paid_in_cash(row: Tournament) -> set[int]:
    """The numbers of the entries that were paid in cash: so are their prizes, unless somebody says otherwise."""
    paid = Payment.objects.filter(tournament=row, what__in=("entry", "re_entry"), method=Payment.Method.DESK)
    return set(paid.values_list("entry__number", flat=True))


def _reference(row: Payout, times: int) -> str:
    """The reference of a payout; a ticket paid in money has another than one paid as a ticket, and so has what is paid
    again after it was undone so many `times`."""
    what = "ticket-value" if row.what == Kind.TICKET else row.what
    return f"{what}:{row.tournament_id}:{row.entry.number}" + (f":{times}" if times else "")


def _times_undone(rows: Sequence[Payout]) -> Counter[tuple[int, str]]:
    """How often each of these was paid and undone before, by entry and what it is."""
    void = Payout.objects.filter(entry__in=[row.entry_id for row in rows], state=State.VOID)
    return Counter(void.values_list("entry_id", "what"))


def _words(tournament: Tournament, row: Payout) -> StoredText:
    return reasons.PAID_OUT[Kind(row.what)](name=tournament.name)


def _purses(rows: Sequence[Payout]) -> dict[int, Account]:
    """Where each payout goes, by entry; a bot's goes back to where its money came from."""
    people = {row.entry.player_id for row in rows if not row.entry.player.is_bot}
    wallets = ledger.wallets(people) if people else {}
    accounts: dict[int, Account] = dict(wallets)
    if bots := {row.entry.player_id for row in rows if row.entry.player.is_bot}:
        accounts |= dict.fromkeys(bots, money.house(PLAY_MONEY))
    return {row.entry_id: accounts[row.entry.player_id] for row in rows}


def _ticket(tournament: Tournament, row: Payout, times: int, *, now: datetime, by: User | None) -> object:
    """Issue a ticket for the satellite's target event, or its series, or any event of its value."""
    target = tournament.satellite_to
    return tickets.issue(
        player=row.entry.player,
        value=row.amount,
        source=money.prizes(tournament),
        key=f"prize:{tournament.pk}:{row.entry.number}" + (f":{times}" if times else ""),
        now=now,
        by=by,
        tournament=target,
        series=None if target is not None else tournament.series,
        won_in=tournament,
        reason=reasons.WON(name=tournament.name, place=row.place),
    )


ALARM = alarms.register("tournament-payout", "tournaments.tasks.pay_prizes")
#: Set in the options of an event in the room that pays by itself, to wallets, as online.
PAYS_BY_ITSELF = "pays_by_itself"
#: How a prize can be paid by hand.
PAID_BY = [choice for choice in PaidBy.choices if choice[0] != PaidBy.TICKET]


@verb("payouts.lock", roles=staff.DIRECTORS)
def lock(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Lock the payouts as they are now, or again when entries have changed since."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(LockPayouts())
        check_paid(event.locked)
    return event.receipt


@verb("payouts.change", roles=staff.DIRECTORS)
def change(
    *, tournament_id: RowId, payout: PayoutTerms, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Other terms of the payout, as long as nobody agreed on the money. They have to be locked again. `NeedsApproval`
    for a guarantee that the director may not answer for alone."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        answering.answer(event.row, by=by, now=event.now, payout=payout)
        event.play(ChangePayout(payout))
        check_paid(event.locked)
    return event.receipt


@second_person.verb("payouts.pay", roles=staff.DIRECTORS)
def pay(
    *,
    tournament_id: RowId,
    cash: Annotated[bool, Limits(required=False, help_text="Prizes due in cash at the desk are paid as well.")] = False,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> list[Payout]:
    """Pay everybody, the event being over: into wallets and in tickets; a player who paid their entry in cash is due
    cash at the desk, and with `cash` has got it. For directors. Again it pays what is still due, and nothing twice.

    Refuses: `Illegal` (the event is not over, or was a flight or called off).
    """
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        if event.state.phase != "finished" or event.state.is_flight:
            raise Illegal("not-over", "Prizes are paid when the tournament has been played to its end.")
        _pay(event.locked, is_manual=cash, now=event.now, by=by)
    return list(receipts(event.row))


@second_person.verb("payouts.pay_one", roles=staff.DESK)
def pay_one(
    *,
    tournament_id: RowId,
    entrant: RowId,
    method: Annotated[
        str, Limits(choices=PAID_BY, required=False, allow_blank=False, help_text="Left out: as the entry was paid.")
    ] = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> list[Payout]:
    """Pay one player all that is due to them: after the event, or once they are out and the payouts are locked.
    `method`: wallet or desk (cash); empty: as they paid their entry. For the staff of the desk. Again it does nothing.

    Refuses: `NotFound`, `Illegal` (still in, nothing won, payouts not locked).
    """
    if method not in ("", *dict(PAID_BY)):
        raise Illegal("bad-method", "A prize is paid into the wallet, or in cash at the desk.")
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        state = event.state
        if entrant not in state.entrants:
            raise NotFound("no-such-entry", "There is no entry {entrant} in this tournament.", entrant=entrant)
        _check_may_be_paid(event.locked, entrant, now=event.now)
        owed = [debt for debt in due(event.row, state) if debt.entrant == entrant]
        if not owed:
            raise Illegal(
                "nothing-won", "{name} has won nothing that could be paid.", name=state.entrants[entrant].name
            )
        pay_out(event.locked, owed, is_manual=True, method=method, now=event.now, by=by)
        _note_the_last(event.locked, now=event.now)
    return list(receipts(event.row).filter(entry__number=entrant))


def pay_by_alarm(*, tournament_id: int, now: datetime) -> bool:
    """The event's payout is due: pay what is not cash. False where there is nothing to pay, or it was paid."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "state", "paid_at").first()
    if row is None or row.state != Tournament.State.FINISHED or row.paid_at is not None:
        return False
    with playing.holding(tournament_id, now=now) as locked:
        if locked.state.phase != "finished" or locked.state.is_flight:
            return False
        _pay(locked, is_manual=False, now=now, by=None)
    return True


@receiver(event_signals.event_ended)
def follow(locked: Locked, *, now: datetime, **_: Any) -> None:
    """Set the payout's alarm when an event that pays automatically is over."""
    pays = locked.row.conduct == Tournament.Conduct.ONLINE or locked.row.options.get(PAYS_BY_ITSELF)
    if pays and locked.state.phase == "finished":
        alarms.set(kind=ALARM, key=str(locked.pk), due_at=now, fence=locked.row.seq)


def check_paid(locked: Locked) -> None:
    """`Illegal` where somebody has been paid another prize than what they have won by the facts of now. One query
    from the start on; before it nobody can have been paid."""
    if not (locked.row.is_live or locked.row.is_over):
        return
    paid = Payout.objects.filter(tournament=locked.row, state=Payout.State.PAID).exclude(what=Payout.Kind.BOUNTY)
    sums: dict[int, tuple[str, int]] = {}
    for number, name, amount in paid.values_list("entry__number", "entry__name", "amount"):
        sums[number] = (name, amount + sums.get(number, ("", 0))[1])
    for number, (name, amount) in sums.items():
        entrant = locked.state.entrants[number]
        if (locked.state.prize_of(number) if entrant.is_placed else 0) != amount:
            raise Illegal(
                "prizes-paid", "{name} has been paid {amount:,}: what decided that stands.", name=name, amount=amount
            )


def receipts(tournament: Tournament) -> QuerySet[Payout]:
    """The receipts of prizes that are paid, or due."""
    return (
        Payout.objects.filter(tournament=tournament)
        .exclude(state=State.VOID)
        .select_related("entry", "ticket", "by")
        .order_by("number")
    )


def _pay(locked: Locked, *, is_manual: bool, now: datetime, by: User | None) -> None:
    pay_out(locked, due(locked.row, locked.state), is_manual=is_manual, now=now, by=by)
    _note_the_last(locked, now=now)


def _note_the_last(locked: Locked, *, now: datetime) -> None:
    if locked.state.phase == "finished" and locked.row.paid_at is None and not due(locked.row, locked.state):
        locked.row.paid_at = now


def _check_may_be_paid(locked: Locked, entrant: int, *, now: datetime) -> None:
    state = locked.state
    if state.phase == "finished":
        if state.is_flight:
            raise Illegal("not-over", "A flight pays nothing itself: its stacks go on.")
        return
    if state.entrants[entrant].status != "out":
        raise Illegal(
            "not-out", "{name} is not out: nobody knows yet what they will win.", name=state.entrants[entrant].name
        )
    if state.locked is None or state.is_payout_stale or state.is_entry_open(event_journal.ms(now)):
        raise Illegal("not-locked", "Lock the payouts first: entries may still change them.")


# Net buy-ins, for the limit on losses: what came back after a moment and was paid in before


_TOTAL = F("pool") + F("fee") + F("bounty") + F("staff")


class EventGames(PlayedGames):
    """What players pay for entries is no loss where it came back."""

    def net_buy_in(self, player: User, since: datetime) -> int:
        return net_buy_in(player, since)


def net_buy_in(player: User, since: datetime) -> int:
    """Of what the player paid from their wallet before `since`: what was refunded since, and what prizes gave back."""
    paid = Payment.objects.filter(entry__player=player, method=Payment.Method.WALLET, at__lt=since)
    refunded = paid.filter(refunded_at__gte=since).aggregate(sum=Sum(_TOTAL))["sum"] or 0
    won = Payout.objects.filter(
        entry__player=player, method=Payout.PaidBy.WALLET, state=Payout.State.PAID, paid_at__gte=since
    )
    prizes = Counter(dict(won.order_by().values_list("tournament").annotate(sum=Sum("amount"))))
    if not prizes:
        return int(refunded)
    in_flights = TournamentEntry.objects.filter(player=player, tournament__in=prizes).exclude(from_entry=None)
    final_of = dict(in_flights.values_list("from_entry__tournament", "tournament"))
    kept = paid.filter(refunded_at=None, tournament__in=[*prizes, *final_of]).order_by()
    spent: Counter[int] = Counter()
    for event, chips in kept.values_list("tournament").annotate(sum=Sum(_TOTAL)):
        spent[final_of.get(event, event)] += chips
    return int(refunded) + sum(min(chips, prizes[event]) for event, chips in spent.items())
