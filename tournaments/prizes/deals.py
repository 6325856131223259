"""Deals: proposed, voted on in secret, and made when everybody who is left has accepted.

While a proposal is open everybody may know that there is one, how many have voted and of how many; how anybody voted is
told to nobody. It ends when all have voted or its time is up, so that nobody can see by whose vote it was refused.
Online the event is halted meanwhile, and votes are taken once the last hands are over; in the room the director enters
what each player said. Deal calculator is worked out in `prizes.queries`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from cardroom.core import alarms
from cardroom.core.arguments import RowId
from cardroom.core.errors import Conflict, Forbidden, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.engine.clock import Running
from tournaments.engine.commands import Pause
from tournaments.events import playing, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import whole
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.prizes.deal_proposals import (
    ALARM,
    LOOKED_AT_EVERY,
    accept_for,
    close_proposal,
    decide,
    is_playing,
    open_proposal,
    refresh_proposal,
    shares_of,
)
from tournaments.prizes.deal_rights import check_proposer, check_time, voter
from tournaments.prizes.models import DealProposal, DealVote

Kind, State = DealProposal.Kind, DealProposal.State


@verb("deals.propose")
def propose(
    *,
    tournament_id: RowId,
    kind: str,
    play_for: int = 0,
    amounts: Mapping[int, int] | None = None,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> DealProposal:
    """Put a deal to all who are left. `kind`: `DealProposal.Kind`; `play_for` stays for the winner; `amounts`, by
    entrant, for a custom one. By a director, online also by a player who is left.

    Refuses: `Forbidden`, `Conflict` (one is being voted on), `Illegal` (entry is open, no prizes left, amounts that do
    not sum, a deal was made; of a player, before the last table or soon after another one), `Invalid`.
    """
    if by is None:
        raise Invalid("no-proposer", "A deal is proposed by somebody.")
    if kind not in Kind.values or (kind == Kind.CUSTOM) != (amounts is not None):
        raise Invalid(
            "bad-deal", "A deal is one of {choices}; a custom one gives the amounts.", choices=", ".join(Kind.values)
        )
    with playing.holding(tournament_id) as locked:
        now = locked.now
        playing.opened_event(locked)
        check_proposer(locked, by, now=now)
        playing.check_seq(locked, expected_seq)
        if DealProposal.objects.filter(tournament=locked.row, state=State.OPEN).exists():
            raise Conflict("deal-open", "A deal is being voted on: wait for its end, or withdraw it.")
        check_time(locked, now=now)
        shares = shares_of(locked, kind, whole(play_for, "part to play for"), amounts)
        if locked.row.conduct == Tournament.Conduct.ONLINE and isinstance(locked.state.clock, Running):
            playing.play(locked, Pause(), now=now, by=by)
        return open_proposal(locked, by, kind, play_for, shares, now=now)


@verb("deals.vote")
def vote(*, tournament_id: RowId, is_yes: bool, entrant: RowId | None = None, by: User | None) -> DealProposal:
    """Accept the deal that is open, or not: for oneself, or, the director in the room, for an `entrant`. A vote can be
    changed until the last one is in. Returns the proposal, maybe at its end: `agreed`, `refused`, or `stale`, where
    somebody has busted since it was made.

    Refuses: `NotFound` (there is no proposal), `Forbidden` (not among those who are left), `Illegal` (hands are still
    being played).
    """
    if by is None or type(is_yes) is not bool:
        raise Invalid("bad-vote", "A vote is somebody's yes or no.")
    with _voting(tournament_id) as (locked, proposal, now):
        entry = voter(locked, by, entrant)
        if refresh_proposal(locked, proposal, now=now):
            DealVote.objects.update_or_create(
                proposal=proposal, entry=entry, defaults={"is_yes": is_yes, "by": by, "at": now}
            )
            decide(locked, proposal, by=by, now=now)
    return proposal


@verb("deals.accept_all", roles=staff.DIRECTORS)
def accept_all(*, tournament_id: RowId, by: User | None) -> DealProposal:
    """In the room: everybody at the table has said yes to the director. Those who have voted keep their votes."""
    with _voting(tournament_id) as (locked, proposal, now):
        if locked.row.conduct == Tournament.Conduct.ONLINE or by is None:
            raise Forbidden("own-vote", "Online all players vote for themselves.")
        if refresh_proposal(locked, proposal, now=now):
            accept_for(proposal, locked.row.entries.filter(state="in"), by=by, now=now)
            decide(locked, proposal, by=by, now=now)
    return proposal


@verb("deals.withdraw")
def withdraw(*, tournament_id: RowId, by: User | None) -> DealProposal:
    """Withdraw the proposal: the person who made it, or a director. Play goes on as before."""
    with _voting(tournament_id) as (locked, proposal, now):
        if by is not None and by.pk != proposal.proposed_by_id:
            staff.require(by, staff.DIRECTORS)
        close_proposal(locked, proposal, State.WITHDRAWN, by=by, now=now)
    return proposal


def look_at(*, proposal_id: int, now: datetime) -> bool:
    """The proposal's alarm: it ends if all have voted, or if time is up, since a player who has not voted has not
    accepted. False where the proposal is closed already."""
    expiring = DealProposal.objects.filter(pk=proposal_id, state=State.OPEN).first()
    if expiring is None or expiring.expires_at is None:
        return False
    with playing.holding(expiring.tournament_id, now=now) as locked:
        proposal = DealProposal.objects.filter(pk=proposal_id, state=State.OPEN).first()
        if proposal is None:
            return False
        if not is_playing(locked):
            if refresh_proposal(locked, proposal, now=now):
                decide(locked, proposal, by=None, now=now)
            if proposal.state == State.OPEN and now >= expiring.expires_at:
                close_proposal(locked, proposal, State.REFUSED, by=None, now=now)
        if proposal.state == State.OPEN:
            alarms.set(kind=ALARM, key=str(proposal_id), due_at=now + LOOKED_AT_EVERY, fence=0)
    return True


@contextmanager
def _voting(tournament_id: int) -> Iterator[tuple[Locked, DealProposal, datetime]]:
    """The event held, the proposal that is open, and the time."""
    with playing.holding(tournament_id) as locked:
        proposal = DealProposal.objects.filter(tournament=locked.row, state=State.OPEN).first()
        if proposal is None:
            raise NotFound("no-deal", "No deal is being voted on.")
        yield locked, proposal, locked.now
