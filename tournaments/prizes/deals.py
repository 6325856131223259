"""Deals: proposed, voted on in secret, and made when everybody who is left has accepted.

While a proposal is open everybody may know that there is one, how many have voted and of how many; how anybody voted is
told to nobody. It ends when all have voted or its time is up, so that nobody can see by whose vote it was refused.
Online the event is halted meanwhile, and votes are taken once the last hands are over; in the room the director enters
what each player said. Deal calculator is worked out in `prizes.queries`.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db.models import QuerySet

from cardroom.core import access, alarms
from cardroom.core.arguments import RowId
from cardroom.core.errors import Conflict, Forbidden, Illegal, Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.engine.clock import Running, Stopped
from tournaments.engine.commands import Agree, Finish, Pause, Resume
from tournaments.engine.errors import IllegalAction, Said
from tournaments.engine.facts import ClockSet
from tournaments.events import journal as event_journal
from tournaments.events import notices, playing, staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import whole
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.notices import Told
from tournaments.events.playing import Hall
from tournaments.events.tables import tables_of
from tournaments.prizes import payouts
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import DealProposal, DealVote

# Who may propose and vote. Call with the event held


#: So long a player plays on before proposing another.
WAIT = timedelta(minutes=10)


def check_proposer(locked: Locked, by: User, *, now: datetime) -> None:
    """A proposal stops everybody's clock: a player makes one at the last table only, and not one after the other.
    Raises `Forbidden`, or `Illegal` where it is not the time for it."""
    if access.has_role(by, *staff.DIRECTORS):
        return
    is_in = locked.row.entries.filter(player=by, state=TournamentEntry.State.IN).exists()
    if not is_in or locked.row.conduct != Tournament.Conduct.ONLINE:
        raise Forbidden("role-required", "Only a director, or online a player who is still in, can propose a deal.")
    if len(locked.state.in_use()) > 1:
        raise Illegal(
            "not-at-last-table", "Players can propose deals at the last table; before that only a director can."
        )
    mine = DealProposal.objects.filter(tournament=locked.row, proposed_by=by, at__gt=now - WAIT)
    if mine.exists():
        raise Illegal(
            "proposed-just-now", "You have just proposed a deal: wait {minutes} minutes.", minutes=WAIT.seconds // 60
        )


def voter(locked: Locked, by: User, entrant: int | None) -> TournamentEntry:
    """The entry that `by` votes for: their own, or in the room the `entrant` whose word a director brings. Raises
    `Forbidden`, `NotFound`."""
    entries = locked.row.entries.filter(state=TournamentEntry.State.IN)
    if entrant is None:
        entry = entries.filter(player=by).first()
        if entry is None:
            raise Forbidden("not-in", "Only players who are still in vote on the deal.")
        return entry
    entry = entries.filter(number=entrant).first()
    if entry is not None and entry.player_id == by.pk:
        return entry
    staff.require(by, staff.DIRECTORS)
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        raise Forbidden("own-vote", "Online all players vote for themselves.")
    if entry is None:
        raise NotFound("no-such-entry", "There is no entry {entrant} that is still in.", entrant=entrant)
    return entry


ALARM = alarms.register("tournament-deal", "tournaments.tasks.look_at_deal")
#: So long those who are left have for their votes online.
VOTES_LAST = timedelta(minutes=3)
_LOOKED_AT_EVERY = timedelta(seconds=5)

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
        playing.opened(locked)
        check_proposer(locked, by, now=now)
        playing.check_seq(locked, expected_seq)
        if DealProposal.objects.filter(tournament=locked.row, state=State.OPEN).exists():
            raise Conflict("deal-open", "A deal is being voted on: wait for its end, or withdraw it.")
        _check_time(locked, now=now)
        shares = _worked_out(locked, kind, whole(play_for, "part to play for"), amounts)
        if locked.row.conduct == Tournament.Conduct.ONLINE and isinstance(locked.state.clock, Running):
            playing.play(locked, Pause(), now=now, by=by)
        return _opened(locked, by, kind, play_for, shares, now=now)


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
        if _refreshed(locked, proposal, now=now):
            DealVote.objects.update_or_create(
                proposal=proposal, entry=entry, defaults={"is_yes": is_yes, "by": by, "at": now}
            )
            _decide(locked, proposal, by=by, now=now)
    return proposal


@verb("deals.accept_all", roles=staff.DIRECTORS)
def accept_all(*, tournament_id: RowId, by: User | None) -> DealProposal:
    """In the room: everybody at the table has said yes to the director. Those who have voted keep their votes."""
    with _voting(tournament_id) as (locked, proposal, now):
        if locked.row.conduct == Tournament.Conduct.ONLINE or by is None:
            raise Forbidden("own-vote", "Online all players vote for themselves.")
        if _refreshed(locked, proposal, now=now):
            _vote_for(proposal, locked.row.entries.filter(state="in"), by=by, now=now)
            _decide(locked, proposal, by=by, now=now)
    return proposal


@verb("deals.withdraw")
def withdraw(*, tournament_id: RowId, by: User | None) -> DealProposal:
    """Withdraw the proposal: the person who made it, or a director. Play goes on as before."""
    with _voting(tournament_id) as (locked, proposal, now):
        if by is not None and by.pk != proposal.proposed_by_id:
            staff.require(by, staff.DIRECTORS)
        _end(locked, proposal, State.WITHDRAWN, by=by, now=now)
    return proposal


def look_at(*, proposal_id: int, now: datetime) -> bool:
    """The proposal's alarm: it ends if all have voted, or if time is up, for who has not voted has not accepted. False
    where there is nothing to look at any more."""
    found = DealProposal.objects.filter(pk=proposal_id, state=State.OPEN).first()
    if found is None or found.expires_at is None:
        return False
    with playing.holding(found.tournament_id, now=now) as locked:
        proposal = DealProposal.objects.filter(pk=proposal_id, state=State.OPEN).first()
        if proposal is None:
            return False
        if not _is_playing(locked):
            if _refreshed(locked, proposal, now=now):
                _decide(locked, proposal, by=None, now=now)
            if proposal.state == State.OPEN and now >= found.expires_at:
                _end(locked, proposal, State.REFUSED, by=None, now=now)
        if proposal.state == State.OPEN:
            alarms.set(kind=ALARM, key=str(proposal_id), due_at=now + _LOOKED_AT_EVERY, fence=0)
    return True


@contextmanager
def _voting(tournament_id: int) -> Iterator[tuple[Locked, DealProposal, datetime]]:
    """The event held, the proposal that is open, and the time."""
    with playing.holding(tournament_id) as locked:
        proposal = DealProposal.objects.filter(tournament=locked.row, state=State.OPEN).first()
        if proposal is None:
            raise NotFound("no-deal", "No deal is being voted on.")
        yield locked, proposal, locked.now


# -- what ------------------------------------------------------------------------------------------------------------


def _check_time(locked: Locked, *, now: datetime) -> None:
    state = locked.state
    if not locked.row.is_live:
        raise Illegal(
            "not-running",
            "{name} is {state}: there is nothing to share.",
            name=locked.row.name,
            state=locked.row.get_state_display(),
        )
    if state.config.flight_levels:
        raise Illegal("is-flight", "A flight pays nothing itself: there is nothing to share until the final.")
    if state.deal is not None:
        raise Illegal("deal-made", "This tournament already has its deal.")
    if state.is_entry_open(event_journal.ms(now)):
        raise Illegal("entry-open", "Entry is still open: the prizes are not known yet.")
    if state.is_hand_for_hand:
        raise Illegal("hand-for-hand", "Hand-for-hand is on: propose a deal when it is over.")


def _worked_out(locked: Locked, kind: str, play_for: int, amounts: Mapping[int, int] | None) -> dict[int, int]:
    try:
        return prize_queries.amounts_of(locked.state, kind, play_for, amounts)
    except IllegalAction as error:
        raise playing.refusal(error) from None


def _opened(
    locked: Locked, by: User, kind: str, play_for: int, shares: dict[int, int], *, now: datetime
) -> DealProposal:
    is_online = locked.row.conduct == Tournament.Conduct.ONLINE
    proposal = DealProposal.objects.create(
        tournament=locked.row,
        kind=kind,
        play_for=play_for,
        amounts={str(number): money for number, money in shares.items()},
        stacks=_stacks(locked),
        seq=locked.row.seq,
        proposed_by=by,
        at=now,
        expires_at=now + VOTES_LAST if is_online else None,
    )
    if proposal.expires_at is not None:
        alarms.set(kind=ALARM, key=str(proposal.pk), due_at=now + _LOOKED_AT_EVERY, fence=0)
    if kind != Kind.CUSTOM:  # house bots accept any deal by a formula, and no other
        bots = locked.row.entries.filter(state=TournamentEntry.State.IN, player__is_bot=True)
        _vote_for(proposal, bots, by=by, now=now)
    if is_online:
        _ask(locked, proposal, now=now)
    _decide(locked, proposal, by=by, now=now)
    return proposal


def _ask(locked: Locked, proposal: DealProposal, *, now: datetime) -> None:
    text = Said(
        "{name}: a deal is proposed. Vote within {minutes} minutes.",
        name=locked.row.name,
        minutes=VOTES_LAST.seconds // 60,
    )
    data = {"proposal": proposal.pk}
    told = [Told(one.player, "deal", text, f"deal:{proposal.pk}", data) for one in locked.state.in_play()]
    notices.tell(locked.row, told, now=now)


def _stacks(locked: Locked) -> dict[str, int]:
    return {str(entrant.number): entrant.stack for entrant in locked.state.in_play()}


def _vote_for(proposal: DealProposal, entries: QuerySet[TournamentEntry], *, by: User, now: datetime) -> None:
    DealVote.objects.bulk_create(
        [DealVote(proposal=proposal, entry=entry, is_yes=True, by=by, at=now) for entry in entries],
        ignore_conflicts=True,
    )


def _refreshed(locked: Locked, proposal: DealProposal, *, now: datetime) -> bool:
    """Whether the proposal is about what is: formulas follow the stacks after the last hands; a bust ends it, and so
    does the end of the event."""
    if not locked.row.is_live:
        _end(locked, proposal, State.STALE, by=None, now=now)
        return False
    if locked.row.conduct == Tournament.Conduct.ONLINE and _is_playing(locked):
        raise Illegal("hands-running", "The last hands are in progress: vote when they are over.")
    stacks = _stacks(locked)
    if stacks == proposal.stacks:
        return True
    is_followed = set(stacks) == set(proposal.stacks) and proposal.kind != Kind.CUSTOM
    if not is_followed:
        _end(locked, proposal, State.STALE, by=None, now=now)
        return False
    shares = _worked_out(locked, proposal.kind, proposal.play_for, None)
    proposal.amounts = {str(number): money for number, money in shares.items()}
    proposal.stacks = stacks
    proposal.votes.exclude(entry__player__is_bot=True).delete()
    proposal.save(update_fields=["amounts", "stacks"])
    return True


def _is_playing(locked: Locked) -> bool:
    """Whether a hand is being played still, or what one came to is not in the event's books yet."""
    return bool(Hall(locked).busy())


# -- the end ---------------------------------------------------------------------------------------------------------


def _decide(locked: Locked, proposal: DealProposal, *, by: User | None, now: datetime) -> None:
    """Close the vote once everybody has voted; nothing is told before."""
    votes = list(proposal.votes.filter(entry__number__in=map(int, proposal.amounts)).values_list("is_yes", flat=True))
    if len(votes) < len(proposal.amounts):
        return
    if locked.row.conduct == Tournament.Conduct.ONLINE and _is_playing(locked):
        return
    if not all(votes):
        # By the house: whose vote was the last is nobody's business either.
        _end(locked, proposal, State.REFUSED, by=None, now=now)
        return
    shares = tuple([(int(number), money) for number, money in proposal.amounts.items()])
    playing.play(locked, Agree(prize_queries.ENGINE_KIND[proposal.kind], shares, proposal.play_for), now=now, by=by)
    payouts.check_paid(locked)
    is_over = not proposal.play_for and locked.row.conduct == Tournament.Conduct.ONLINE
    _end(locked, proposal, State.AGREED, by=by, now=now, goes_on=not is_over)
    if is_over:
        playing.play(locked, Finish(), now=now, by=by)
        tables_of(locked).close_all(locked, now=now)


def _end(
    locked: Locked, proposal: DealProposal, state: str, *, by: User | None, now: datetime, goes_on: bool = True
) -> None:
    proposal.state, proposal.ended_at = state, now
    proposal.save(update_fields=["state", "ended_at"])
    alarms.cancel(kind=ALARM, key=str(proposal.pk))
    if goes_on and _was_paused_for(locked, proposal) and isinstance(locked.state.clock, Stopped):
        playing.play(locked, Resume(), now=now, by=by)


def _was_paused_for(locked: Locked, proposal: DealProposal) -> bool:
    """Whether the clock was stopped for this proposal and not by anybody since."""
    state = locked.state
    if state.phase != "running":
        return False
    sets = [fact for fact in state.facts[proposal.seq - 1 :] if isinstance(fact, ClockSet) and fact.why != "hands"]
    return len(sets) == 1 and sets[0] is state.facts[proposal.seq - 1] and sets[0].at == event_journal.ms(proposal.at)
