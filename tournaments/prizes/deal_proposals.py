"""A proposed deal from its beginning to its end: opened, kept in step with the stacks, decided and closed."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db.models import QuerySet

from cardroom.core import alarms
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from tournaments.engine.clock import Stopped
from tournaments.engine.commands import Agree, Finish, Resume
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.facts import ClockSet
from tournaments.events import journal as event_journal
from tournaments.events import notices, playing
from tournaments.events.hall import Hall
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.notices import PlayerMessage
from tournaments.events.tables import tables_of
from tournaments.prizes import payouts
from tournaments.prizes import queries as prize_queries
from tournaments.prizes.models import DealProposal, DealVote

ALARM = alarms.register("tournament-deal", "tournaments.tasks.look_at_deal")
#: How long the players who are left have for their votes online.
VOTES_LAST = timedelta(minutes=3)
LOOKED_AT_EVERY = timedelta(seconds=5)


def shares_of(locked: Locked, kind: str, play_for: int, amounts: Mapping[int, int] | None) -> dict[int, int]:
    """What each entrant gets by a deal of this kind, by number. `amounts`: of a custom one."""
    try:
        return prize_queries.amounts_of(locked.state, kind, play_for, amounts)
    except IllegalCommand as error:
        raise playing.refusal(error) from None


def open_proposal(
    locked: Locked, by: User, kind: str, play_for: int, shares: dict[int, int], *, now: datetime
) -> DealProposal:
    """Store the proposal and ask for votes; online it has a time limit. House bots vote at once."""
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
        alarms.set(kind=ALARM, key=str(proposal.pk), due_at=now + LOOKED_AT_EVERY, fence=0)
    if kind != DealProposal.Kind.CUSTOM:  # house bots accept any deal by a formula, and no other
        bots = locked.row.entries.filter(state=TournamentEntry.State.IN, player__is_bot=True)
        accept_for(proposal, bots, by=by, now=now)
    if is_online:
        _ask_for_votes(locked, proposal, now=now)
    decide(locked, proposal, by=by, now=now)
    return proposal


def _ask_for_votes(locked: Locked, proposal: DealProposal, *, now: datetime) -> None:
    text = EventSentence(
        "{name}: a deal is proposed. Vote within {minutes} minutes.",
        name=locked.row.name,
        minutes=VOTES_LAST.seconds // 60,
    )
    data = {"proposal": proposal.pk}
    messages = [
        PlayerMessage(entrant.player, "deal", text, f"deal:{proposal.pk}", data) for entrant in locked.state.in_play()
    ]
    notices.tell(locked.row, messages, now=now)


def _stacks(locked: Locked) -> dict[str, int]:
    return {str(entrant.number): entrant.stack for entrant in locked.state.in_play()}


def accept_for(proposal: DealProposal, entries: QuerySet[TournamentEntry], *, by: User, now: datetime) -> None:
    """A yes for each of these entries that has not voted yet."""
    DealVote.objects.bulk_create(
        [DealVote(proposal=proposal, entry=entry, is_yes=True, by=by, at=now) for entry in entries],
        ignore_conflicts=True,
    )


def refresh_proposal(locked: Locked, proposal: DealProposal, *, now: datetime) -> bool:
    """Bring the proposal in step with the event; False where it had to be closed. After the last hands a formula is
    worked out anew from the stacks; a bust ends the proposal, and so does the end of the event."""
    if not locked.row.is_live:
        close_proposal(locked, proposal, DealProposal.State.STALE, by=None, now=now)
        return False
    if locked.row.conduct == Tournament.Conduct.ONLINE and is_playing(locked):
        raise Illegal("hands-running", "The last hands are in progress: vote when they are over.")
    stacks = _stacks(locked)
    if stacks == proposal.stacks:
        return True
    is_followed = set(stacks) == set(proposal.stacks) and proposal.kind != DealProposal.Kind.CUSTOM
    if not is_followed:
        close_proposal(locked, proposal, DealProposal.State.STALE, by=None, now=now)
        return False
    shares = shares_of(locked, proposal.kind, proposal.play_for, None)
    proposal.amounts = {str(number): money for number, money in shares.items()}
    proposal.stacks = stacks
    proposal.votes.exclude(entry__player__is_bot=True).delete()
    proposal.save(update_fields=["amounts", "stacks"])
    return True


def is_playing(locked: Locked) -> bool:
    """Whether a hand is still being played, or its result is not yet taken into the event."""
    return bool(Hall(locked).busy())


def decide(locked: Locked, proposal: DealProposal, *, by: User | None, now: datetime) -> None:
    """Close the vote once everybody has voted: make the deal if all accept. Nobody learns of a vote before."""
    votes = list(proposal.votes.filter(entry__number__in=map(int, proposal.amounts)).values_list("is_yes", flat=True))
    if len(votes) < len(proposal.amounts):
        return
    if locked.row.conduct == Tournament.Conduct.ONLINE and is_playing(locked):
        return
    if not all(votes):
        # Closed in the name of the house, so that the log does not show whose vote was the last.
        close_proposal(locked, proposal, DealProposal.State.REFUSED, by=None, now=now)
        return
    shares = tuple([(int(number), money) for number, money in proposal.amounts.items()])
    playing.play(locked, Agree(prize_queries.ENGINE_KIND[proposal.kind], shares, proposal.play_for), now=now, by=by)
    payouts.check_paid(locked)
    is_over = not proposal.play_for and locked.row.conduct == Tournament.Conduct.ONLINE
    close_proposal(locked, proposal, DealProposal.State.AGREED, by=by, now=now, goes_on=not is_over)
    if is_over:
        playing.play(locked, Finish(), now=now, by=by)
        tables_of(locked).close_all(locked, now=now)


def close_proposal(
    locked: Locked, proposal: DealProposal, state: str, *, by: User | None, now: datetime, goes_on: bool = True
) -> None:
    """`goes_on`: a clock that was stopped for this proposal runs again."""
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
