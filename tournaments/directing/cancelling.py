"""Cancelling an event: everybody gets back what they paid, to the last chip."""

from datetime import datetime
from typing import Annotated

from cardroom.core.arguments import Limits, RowId, not_kept
from cardroom.core.errors import Illegal, Invalid
from cardroom.core.models import User
from cardroom.core.verb import verb
from cardroom.ledger import ledger
from cardroom.ledger.models import Account
from tournaments.engine.commands import Cancel
from tournaments.events import playing, reasons, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.online import play
from tournaments.prizes import tickets
from tournaments.prizes.models import Payout, Ticket
from tournaments.registration import registration

State = Tournament.State

_SHORTEST, _LONGEST = 3, 200


@verb("tournaments.cancel", roles=staff.DIRECTORS)
def cancel(
    *,
    tournament_id: RowId,
    reason: Annotated[str, Limits(min_length=_SHORTEST, max_length=_LONGEST)],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> Annotated[Tournament, not_kept]:
    """Call an event off, whatever it has come to, and refund every payment to where it came from; tickets for it that
    are still good are paid out. For directors. Again it does nothing.

    Refuses: `NotFound`, `Stale`, `Invalid` (no reason), `Illegal` (a draft, played to its end, or prizes are paid).
    """
    reason = " ".join(reason.split())
    if not _SHORTEST <= len(reason) <= _LONGEST or not reason.isprintable():
        raise Invalid(
            "reason-required",
            "Enter a reason of {least} to {most} characters for the cancellation.",
            least=_SHORTEST,
            most=_LONGEST,
        )
    with playing.holding(tournament_id) as locked:
        if locked.row.state != State.CANCELLED:
            playing.check_seq(locked, expected_seq)
            cancel_held(locked, by=by, reason=reason, now=locked.now)
    return locked.row


def cancel_held(locked: Locked, *, by: User | None, reason: str, now: datetime) -> None:
    """Call off an event that `playing.holding` holds."""
    row = locked.row
    if row.state == State.DRAFT:
        raise Illegal("is-draft", "{name} is a draft: delete it.", name=row.name)
    if row.state == State.FINISHED:
        raise Illegal("event-over", "{name} was played to its end: it cannot be cancelled.", name=row.name)
    if Payout.objects.filter(tournament=row, state=Payout.State.PAID).exists():
        raise Illegal("prizes-paid", "Prizes of {name} have been paid: it cannot be cancelled.", name=row.name)
    if row.flights.filter(state=State.FINISHED, paid_at=None).exists():
        raise Illegal(
            "has-flights", "The flights to {name} have been played: finish it, by a deal if need be.", name=row.name
        )
    was_live = row.is_live
    if locked.event is not None:
        playing.play(locked, Cancel(reason), now=now, by=by)
    if was_live and row.conduct == Tournament.Conduct.ONLINE:
        play.end_tables(locked, now=now)
    row.state, row.end_reason, row.ended_at = State.CANCELLED, reasons.of_the_log(reason), now
    open_tickets = _tickets(row)
    purses = ledger.wallets({ticket.player_id for ticket in open_tickets})
    registration.refund(
        locked,
        list(row.entries.all()),
        # Locked with the accounts of the refund, in one order: the tickets are paid out next.
        also=[*purses.values(), *([tickets.account(open_tickets[0])] if open_tickets else [])],
        reason=reasons.IS_CANCELLED(name=row.name),
        now=now,
        by=by,
    )
    _pay_out_tickets(row, purses, now=now, by=by)


def _tickets(row: Tournament) -> list[Ticket]:
    """The tickets for this event that are good, or will be once their entries are refunded; locked."""
    wanted = Ticket.objects.filter(tournament=row, state__in=(Ticket.State.ISSUED, Ticket.State.USED))
    return list(wanted.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def _pay_out_tickets(row: Tournament, purses: dict[int, Account], *, now: datetime, by: User | None) -> None:
    for ticket in Ticket.objects.filter(tournament=row, state=Ticket.State.ISSUED).order_by("pk"):
        legs = [(tickets.account(ticket), -ticket.value), (purses[ticket.player_id], ticket.value)]
        tickets.end(
            ticket, Ticket.State.REFUNDED, reason=reasons.IS_CANCELLED(name=row.name), legs=legs, now=now, by=by
        )
