"""An event that is called off: everybody gets back what they paid, to the last chip."""

from datetime import datetime

from cardroom.models import Account, User
from cardroom.services import ledger
from cardroom.services.errors import Illegal, Invalid
from cardroom.services.operations import operation
from tournaments.engine.commands import Cancel
from tournaments.models import Payout, Ticket, Tournament
from tournaments.services import entering, locking, online, playing, staff, tickets
from tournaments.services.locking import Locked

State = Tournament.State
_SHORTEST, _LONGEST = 3, 200


@operation(locking.of_event)
def cancel(
    *,
    tournament_id: int,
    by: User | None,
    reason: str,
    now: datetime,
    expected_seq: int | None = None,
) -> Tournament:
    """Call an event off, whatever it has come to, and refund every payment to where it came from; tickets for it that
    are still good are paid out. For directors. Again it does nothing.

    Refuses: `NotFound`, `Forbidden`, `Stale`, `Invalid` (no reason), `Illegal` (a draft, played to its end, or prizes
    are paid).
    """
    staff.require(by, staff.DIRECTORS)
    reason = " ".join(reason.split())
    if not _SHORTEST <= len(reason) <= _LONGEST or not reason.isprintable():
        raise Invalid(f"Say in {_SHORTEST} to {_LONGEST} characters why the event is cancelled.", "reason-required")
    with playing.holding(tournament_id, now=now) as locked:
        if locked.row.state != State.CANCELLED:
            playing.check_seq(locked, expected_seq)
            cancel_held(locked, by=by, reason=reason, now=now)
    return locked.row


def cancel_held(locked: Locked, *, by: User | None, reason: str, now: datetime) -> None:
    """Call off an event that `playing.holding` holds."""
    row = locked.row
    if row.state == State.DRAFT:
        raise Illegal(f"{row.name} is a draft: delete it.", "is-draft")
    if row.state == State.FINISHED:
        raise Illegal(f"{row.name} was played to its end: it cannot be cancelled.", "event-over")
    if Payout.objects.filter(tournament=row, state=Payout.State.PAID).exists():
        raise Illegal(f"Prizes of {row.name} have been paid: it cannot be cancelled.", "prizes-paid")
    if row.flights.filter(state=State.FINISHED, paid_at=None).exists():
        raise Illegal(f"The flights to {row.name} have been played: finish it, by a deal if need be.", "has-flights")
    was_live = row.is_live
    if locked.event is not None:
        playing.play(locked, Cancel(reason), now=now, by=by)
    if was_live:
        online.tables_of(row).cancelled(locked, now=now)
    row.state, row.end_reason, row.ended_at = State.CANCELLED, reason, now
    mine = _tickets(row)
    purses = ledger.wallets({ticket.player_id for ticket in mine})
    entering.refund(
        locked,
        list(row.entries.all()),
        also=[*purses.values(), *([tickets.account(mine[0])] if mine else [])],
        reason=f"{row.name} is cancelled",
        now=now,
        by=by,
    )
    _pay_out_tickets(row, purses, now=now, by=by)


def _tickets(row: Tournament) -> list[Ticket]:
    """Those for this event that are good, or will be once their entries are refunded; locked."""
    wanted = Ticket.objects.filter(tournament=row, state__in=(Ticket.State.ISSUED, Ticket.State.USED))
    return list(wanted.select_for_update(no_key=True, of=("self",)).order_by("pk"))


def _pay_out_tickets(row: Tournament, purses: dict[int, Account], *, now: datetime, by: User | None) -> None:
    for ticket in Ticket.objects.filter(tournament=row, state=Ticket.State.ISSUED).order_by("pk"):
        legs = [(tickets.account(ticket), -ticket.value), (purses[ticket.player_id], ticket.value)]
        tickets.end(ticket, Ticket.State.REFUNDED, reason=f"{row.name} is cancelled", legs=legs, now=now, by=by)
