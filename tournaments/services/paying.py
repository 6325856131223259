"""The transfers of an event's payout, in bulk: a constant number of statements however many are paid.

Call with the event held, by `payouts` alone. The overlay of a guarantee comes with the first payment. A satellite's
ticket is issued, and what is over is paid; who has no use for a ticket gets what it is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import ledger
from cardroom.services.people import PLAY_MONEY
from tournaments.engine.tournament import Tournament as Engine
from tournaments.models import Payment, Payout, Tournament, TournamentEntry
from tournaments.services import money, tickets
from tournaments.services.locking import Locked

What, State, Method = Payout.What, Payout.State, Payout.Method


@dataclass(frozen=True, slots=True)
class Due:
    """One sum that one entrant has won and has not got."""

    entrant: int
    what: str
    amount: int
    place: int


def due(row: Tournament, state: Engine) -> list[Due]:
    """What is still to be paid, by place and then by entry; while the event is played, what those out have won. One
    query."""
    terms = state.config.payout
    done = set(Payout.objects.filter(tournament=row, state=State.PAID).values_list("entry__number", "what"))
    found = []
    is_over = state.phase == "finished"
    for entrant in state.entrants.values():
        if entrant.below < 0:
            continue
        number, place = entrant.number, entrant.place
        prize = state.prize_of(number)
        if terms.kind == "tickets" and terms.ticket_value and prize >= terms.ticket_value:
            found.append(Due(number, What.TICKET, terms.ticket_value, place))
            prize -= terms.ticket_value
        if prize:
            found.append(Due(number, What.PRIZE, prize, place))
        if is_over and entrant.bounties_won:
            found.append(Due(number, What.BOUNTY, entrant.bounties_won, place))
    owed = [each for each in found if (each.entrant, each.what) not in done]
    return sorted(owed, key=lambda each: (each.place, each.entrant))


def pay_out(
    locked: Locked, owed: Sequence[Due], *, by_hand: bool, now: datetime, by: User | None, method: str = ""
) -> None:
    """Pay them, and write their receipts. Without `by_hand` what is to be paid in cash is only written down as due."""
    if not owed:
        return
    _cover(locked, now=now, by=by)
    rows = _rows(locked, owed, method=method, now=now)
    earlier = {row for row in rows if row.pk is not None}
    payable = [row for row in rows if by_hand or row.method != Method.DESK]
    cash = [row for row in payable if row.method != Method.TICKET]
    purses = _purses(cash)
    prizes = money.prizes(locked.row)
    pools = {What.PRIZE: prizes, What.TICKET: prizes, What.BOUNTY: money.bounties(locked.row)}
    posts = [
        ledger.Post(
            reference=_reference(row),
            reason=f"{row.get_what_display()}, {locked.row.name}",
            legs=[(pools[What(row.what)], -row.amount), (purses[row.entry_id], row.amount)],
        )
        for row in cash
    ]
    for row, transfer in zip(cash, ledger.post_many(posts, at=now, by=by), strict=True):
        row.transfer = transfer
    for row in payable:
        if row.method == Method.TICKET:
            row.ticket = _ticket(locked.row, row, now=now, by=by)
        row.state, row.paid_at, row.by = State.PAID, now, by
    Payout.objects.bulk_create([row for row in rows if row.pk is None])
    # Only what was due in cash before has a row already.
    Payout.objects.bulk_update(
        [row for row in payable if row in earlier], ["state", "paid_at", "by", "transfer", "ticket", "method"]
    )


def _cover(locked: Locked, *, now: datetime, by: User | None) -> None:
    """The house adds what the guarantee wants, with the first payment; later what entries since have changed of it."""
    money.cover(locked.row, max(0, sum(locked.state.prizes()) - locked.state.pool), now=now, by=by)


def _rows(locked: Locked, owed: Sequence[Due], *, method: str, now: datetime) -> list[Payout]:
    """The receipts, unsaved but those that are there as due already."""
    numbers = {each.entrant for each in owed}
    entries = {
        entry.number: entry
        for entry in TournamentEntry.objects.filter(tournament=locked.row, number__in=numbers).select_related("player")
    }
    known = {
        (row.entry_id, row.what): row
        for row in Payout.objects.filter(tournament=locked.row, state=State.DUE, entry__in=entries.values())
    }
    by_cash = set(
        Payment.objects.filter(
            entry__in=entries.values(), what__in=("entry", "re_entry"), method=Payment.Method.DESK
        ).values_list("entry_id", flat=True)
    )
    last = Payout.objects.filter(tournament=locked.row).order_by("-number").values_list("number", flat=True).first()
    won = [entries[each.entrant].player for each in owed if each.what == What.TICKET]
    served = tickets.without_use(locked.row.satellite_to, won) if won else set()
    rows: list[Payout] = []
    number = last or 0
    for each in owed:
        entry = entries[each.entrant]
        row = known.get((entry.pk, each.what))
        if row is None:
            number += 1
            row = Payout(
                tournament=locked.row,
                number=number,
                what=each.what,
                place=each.place,
                amount=each.amount,
                made_at=now,
            )
        row.entry = entry
        if row.what == What.TICKET and entry.player_id not in served:
            row.method = Method.TICKET
            if locked.row.satellite_to is not None:
                served.add(entry.player_id)
        else:
            row.method = method or (Method.DESK if entry.pk in by_cash else Method.WALLET)
        rows.append(row)
    return rows


def _reference(row: Payout) -> str:
    """A ticket that is paid in money must not be taken for what a ticket moved."""
    what = "ticket-value" if row.what == What.TICKET else row.what
    return f"{what}:{row.tournament_id}:{row.entry.number}"


def _purses(rows: Sequence[Payout]) -> dict[int, Account]:
    """Where each payout goes, by entry; a bot's goes back to where its money came from."""
    people = {row.entry.player_id for row in rows if row.method == Method.WALLET and not row.entry.player.is_bot}
    wallets = ledger.wallets(people) if people else {}
    houses: dict[str, Account] = {}

    def house(label: str) -> Account:
        return houses.setdefault(label, houses.get(label) or money.house(label))

    return {
        row.entry_id: house(money.CASH_DESK)
        if row.method == Method.DESK
        else house(PLAY_MONEY)
        if row.entry.player.is_bot
        else wallets[row.entry.player_id]
        for row in rows
    }


def _ticket(tournament: Tournament, row: Payout, *, now: datetime, by: User | None) -> object:
    """Good for the event that the satellite leads to, or for the series, or for any event of its value."""
    target = tournament.satellite_to
    return tickets.issue(
        player=row.entry.player,
        value=row.amount,
        source=money.prizes(tournament),
        key=f"prize:{tournament.pk}:{row.entry.number}",
        now=now,
        by=by,
        tournament=target,
        series=None if target is not None else tournament.series,
        won_in=tournament,
        reason=f"{tournament.name}, place {row.place}",
    )
