"""After an outage its time is given back to what ran meanwhile."""

from datetime import timedelta

from cardroom.core import outages
from cardroom.core.models import Outage
from tournaments.engine import clock
from tournaments.engine.commands import RoomWasAway
from tournaments.events import due, playing
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.prizes.models import DealProposal

State = Tournament.State


def give_time_back(outage: Outage) -> None:
    """Levels and breaks online, the start that ends registration, votes on a deal. Locks the events, and their tables.

    In the room cards are dealt on while the system is away, so the clock of such an event goes on too.
    """
    concerned = Tournament.objects.filter(state__in=(State.OPEN, State.RUNNING, State.PAUSED)).order_by("pk")
    # Lock all events before any table: code that holds a table's lock must not wait for an event.
    for pk in list(concerned.select_for_update(no_key=True, of=("self",)).values_list("pk", flat=True)):
        with outages.apart(f"event {pk}"), playing.holding(pk, now=outage.ended_at) as locked:
            if locked.row.state == State.OPEN:
                _start_later(locked.row, outage)
            elif locked.row.conduct == Tournament.Conduct.ONLINE:
                _lengthen_level(locked, outage)
            for proposal in DealProposal.objects.filter(
                tournament=locked.row, state=DealProposal.State.OPEN, expires_at__gte=outage.began_at
            ):
                proposal.expires_at = outages.due_again(proposal.expires_at, outage)
                proposal.save(update_fields=["expires_at"])


def _start_later(row: Tournament, outage: Outage) -> None:
    """A start that fell into the outage waits until registration was open as long as it would have been; one that comes
    at once leaves the grace. A later one stays where it was announced."""
    starts_at = row.starts_at
    if not due.starts_by_itself(row) or starts_at is None or starts_at < outage.began_at:
        return
    if row.recurs_from is None:
        # The next of its kind is counted from the time it was announced for.
        row.recurs_from, row.opens_from = starts_at, row.registration_opens_at
    if starts_at <= outage.ended_at:
        row.starts_at = outages.due_again(starts_at, outage)
    else:
        row.starts_at = max(starts_at, outage.ended_at + outages.GRACE)
    row.save(update_fields=["starts_at", "recurs_from", "opens_from"])


def _lengthen_level(locked: Locked, outage: Outage) -> None:
    state = locked.state
    if state.phase == "running" and isinstance(state.clock, clock.Running):
        away = (outage.ended_at - outage.began_at) // timedelta(milliseconds=1)
        playing.play(locked, RoomWasAway(away), now=outage.ended_at)


outages.register("tournaments.events", give_time_back, locks=outages.EVENTS)
