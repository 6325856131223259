"""Who may propose a deal, and for whom somebody may vote on it. Call with the event held."""

from datetime import datetime, timedelta

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import Forbidden, Illegal, NotFound
from tournaments.models import DealProposal, Tournament, TournamentEntry
from tournaments.services import staff
from tournaments.services.locking import Locked

#: So long a player plays on before proposing another.
WAIT = timedelta(minutes=10)


def check_proposer(locked: Locked, by: User, *, now: datetime) -> None:
    """A proposal stops everybody's clock: a player makes one at the last table only, and not one after the other.
    Raises `Forbidden`, or `Illegal` where it is not the time for it."""
    if access.has_role(by, *staff.DIRECTORS):
        return
    is_in = locked.row.entries.filter(player=by, state=TournamentEntry.State.IN).exists()
    if not is_in or locked.row.conduct != Tournament.Conduct.ONLINE:
        raise Forbidden("A deal is proposed by a director, online also by somebody who is still in.", "role-required")
    if len(locked.state.in_use()) > 1:
        raise Illegal("Players propose deals at the last table; before it a director does.", "not-at-last-table")
    mine = DealProposal.objects.filter(tournament=locked.row, proposed_by=by, at__gt=now - WAIT)
    if mine.exists():
        raise Illegal(f"You have proposed a deal: play {WAIT.seconds // 60} minutes on.", "proposed-just-now")


def voter(locked: Locked, by: User, entrant: int | None) -> TournamentEntry:
    """The entry that `by` votes for: their own, or in the room the `entrant` whose word a director brings. Raises
    `Forbidden`, `NotFound`."""
    entries = locked.row.entries.filter(state=TournamentEntry.State.IN)
    if entrant is None:
        entry = entries.filter(player=by).first()
        if entry is None:
            raise Forbidden("Those who are still in vote on the deal.", "not-in")
        return entry
    entry = entries.filter(number=entrant).first()
    if entry is not None and entry.player_id == by.pk:
        return entry
    staff.require(by, staff.DIRECTORS)
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        raise Forbidden("Online all players vote for themselves.", "own-vote")
    if entry is None:
        raise NotFound(f"There is no entry {entrant} that is still in.", "no-such-entry")
    return entry
