"""An event's alarm: what is due by the event's own record is done, once.

Due can be: registration opens; house bots enter; the start, or calling it off for want of entrants; a level ends, or a
clock on a player runs out; entry closes on waiting alternates; what the tables need; the next event of its kind. An
alarm that is late, early or rung twice does no harm: what is due is computed from the event's row and facts under its
lock. `fence` is not compared, for an event moves on many times while an alarm is on its way, and is due all the same.

After an outage the time of the outage is given back to what ran meanwhile.
"""

from datetime import datetime, timedelta

import structlog

from cardroom.core import alarms, outages
from cardroom.core.errors import NotFound
from cardroom.core.models import Outage
from cardroom.core.operation import read
from games.play.bots import house_bots
from tournaments.directing import tournaments
from tournaments.engine import clock, labels
from tournaments.engine.commands import RoomWasAway
from tournaments.events import journal, playing, reasons, terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.queries import are_waited_for
from tournaments.online import play
from tournaments.prizes.models import DealProposal
from tournaments.registration import flights, registration
from tournaments.registration.registration import Newcomer, Purse, take_off

log = structlog.get_logger(__name__)

State = Tournament.State


def wake(*, tournament_id: int, fence: int | None = None, now: datetime | None = None) -> bool:
    """Do what is due; False when nothing was. Locks the event."""
    row = Tournament.objects.filter(pk=tournament_id).only("pk", "wake_at").first()
    if row is None or row.wake_at is None:
        alarms.cancel(kind=journal.ALARM, key=str(tournament_id))
        return False
    now = read(now)
    if now < row.wake_at:
        # The ringing clock is ahead of this one: ring again when it is time.
        alarms.set(kind=journal.ALARM, key=str(tournament_id), due_at=row.wake_at, fence=fence or 0)
        return False
    try:
        with playing.holding(tournament_id, now=now) as locked:
            locked.row.wake_at = None  # whatever is due next, the alarm is set for it anew
            see_to(locked, now=now)
    except NotFound:
        return False
    if locked.row.wake_at is None:
        alarms.cancel(kind=journal.ALARM, key=str(tournament_id))
    return True


def see_to(locked: Locked, *, now: datetime) -> None:
    """Do everything that is due in an event that `playing.holding` holds."""
    row = locked.row
    if row.is_live:
        playing.follow_clock(locked, now=now)
    if playing.are_to_go_home(locked, now=now):
        waiting = list(row.entries.filter(state=TournamentEntry.State.ALTERNATE).select_related("player"))
        take_off(locked, waiting, why="refund", reason=reasons.NO_SEAT(), now=now, by=None)
    if row.is_live and row.conduct == Tournament.Conduct.ONLINE:
        play.wake(locked, now=now)
    if row.state == State.ANNOUNCED and _is_due(row.registration_opens_at, now):
        tournaments.open_held(locked, by=None, now=now)
    if row.state == State.OPEN:
        enter_some(locked, now=now)
        row.players_left = locked.state.left
    if row.state == State.OPEN and _is_due(playing.start_due_at(row, now=now), now):
        _start_or_cancel(locked, now=now)
    tournaments.make_next(locked, now=now)


def _start_or_cancel(locked: Locked, *, now: datetime) -> None:
    row, wanted = locked.row, locked.state.config.min_entrants
    if are_waited_for(row):
        return
    flights.before_start(locked, by=None, now=now)
    row.players_left = locked.state.left
    if row.players_left >= wanted:
        tournaments.start_held(locked, by=None, now=now)
    elif row.when_short == row.WhenShort.CANCEL:
        reason = labels.TOO_FEW(n=row.players_left, least=wanted)
        tournaments.cancel_held(locked, by=None, reason=reason, now=now)
    log.info("event due to start", tournament=row.pk, entries=row.entries_count, state=row.state)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now


# House bots that enter an online event once its registration is open, a few at each ringing of its alarm.


AT_ONCE = 40
How, EntryState = TournamentEntry.How, TournamentEntry.State


def enter_some(locked: Locked, *, now: datetime) -> int:
    """Have the next few of them enter; how many did. Call with the event held."""
    row = locked.row
    wanted = min(AT_ONCE, playing.bots_wanted(row))
    if not wanted:
        return 0
    busy = TournamentEntry.objects.filter(
        player__is_bot=True, state__in=(EntryState.IN, EntryState.ALTERNATE), tournament__ended_at=None
    )
    paid = terms.of(row, Payment.What.ENTRY)
    for bot in house_bots.recruit(wanted, busy=list(busy.values_list("player", flat=True)), now=now):
        registration.enter(
            locked,
            Newcomer(player=bot, name=bot.username, how=How.HOUSE, purse=Purse(Payment.Method.HOUSE), paid=paid),
            now=now,
        )
    return wanted


# After an outage


def events(outage: Outage) -> None:
    """Levels and breaks online, the start that ends registration, votes on a deal. Locks the events, and their tables.

    In the room cards are dealt on while the system is away, so the clock of such an event goes on too.
    """
    concerned = Tournament.objects.filter(state__in=(State.OPEN, State.RUNNING, State.PAUSED)).order_by("pk")
    # All of them before any table: nobody takes an event who has a table.
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
    if not playing.starts_by_itself(row) or starts_at is None or starts_at < outage.began_at:
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


outages.register("tournaments.events", events, locks=outages.EVENTS)
