"""Who may propose a deal, and when; and whose vote somebody may give. Called with the event held."""

from datetime import datetime, timedelta

from cardroom.core import access
from cardroom.core.errors import Forbidden, Illegal, NotFound
from cardroom.core.models import User
from tournaments.events import journal as event_journal
from tournaments.events import staff
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.prizes.models import DealProposal

#: How long a player has to wait before proposing another deal.
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
    own_proposals = DealProposal.objects.filter(tournament=locked.row, proposed_by=by, at__gt=now - WAIT)
    if own_proposals.exists():
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


def check_time(locked: Locked, *, now: datetime) -> None:
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
