"""The time of players who left before a period began and sit down again in it: they pay as those who stayed.

Call with the table locked, before the seat.
"""

from datetime import datetime, timedelta

from django.db.models import Q

from cardroom.core.models import User
from games.engine.drop import time_charge
from games.rake import reasons, time_clocks
from games.rake.models.times import TimeCharge, TimeClock, TimePause
from games.tables.models.offers import DropSchedule
from games.tables.models.tables import Table
from games.tables.models.times import Stay


def charge_returned(table: Table, player: User, *, number: int, now: datetime) -> TimeCharge | None:
    """Charge the running period to a player who left this table, or another of its game, within a period before it
    began and pays for it nowhere. The charge is due, and not collected yet. None for other players, and where nobody is
    charged for the period: the game was closed then, or the period was free."""
    schedule = time_clocks.schedule_of(table)
    clock = TimeClock.objects.filter(pk=table.pk).first() if schedule is not None else None
    if schedule is None or clock is None:
        return None
    begun = _begun(schedule, clock.due_at, now)
    if not _was_away(table, player, begun, timedelta(minutes=schedule.period_minutes)):
        return None
    if time_clocks.is_table_paused(table, begun):
        return None
    players = _players(table, player, schedule, begun, is_late=clock.due_at <= now)
    chips = time_charge(schedule.time_charges, players)
    if not chips:
        return None
    return TimeCharge.objects.create(
        table=table,
        player=player,
        number=number,
        period_start=begun,
        players=players,
        amount=chips,
        promo=min(schedule.time_promo, chips),
        state=TimeCharge.State.DUE,
        why=reasons.CAME_BACK(),
        at=now,
    )


def _here(table: Table) -> Q:
    """This table and the others of its game."""
    return Q(table=table) | Q(table__offer=table.offer_id, table__offer__isnull=False)


def _was_away(table: Table, player: User, begun: datetime, step: timedelta) -> bool:
    """Whether they left within a period before it began, and pay for no part of it. Periods that are no part of an hour
    begin at every table at a time of its own."""
    stays = Stay.objects.filter(_here(table), player=player, left_at__gt=begun - step, left_at__lte=begun)
    about_then = Q(period_start__gt=begun - step, period_start__lt=begun + step) & ~Q(table=table)
    known = TimeCharge.objects.filter(_here(table), about_then | Q(period_start=begun), player=player)
    return stays.exists() and not known.exists()


def _players(table: Table, player: User, schedule: DropSchedule, begun: datetime, *, is_late: bool) -> int:
    """The number of players by which the charge is computed: as for others in this period, here or else at another
    table of the game. 0 where nobody is charged."""
    rows = list(TimeCharge.objects.filter(_here(table), period_start=begun).exclude(player=player).order_by("pk"))
    rows_here = [row for row in rows if row.table_id == table.pk]
    charged = [row.players for row in rows_here or rows if row.state != TimeCharge.State.PAUSED]
    if charged or rows_here:
        return charged[0] if charged else 0
    sat = _sat_then(table, player, begun)
    if time_charge(schedule.time_charges, sat):
        return sat if is_late else 0
    # Those who stayed were too few to pay anything because this player was away.
    return sat + 1 if sat else 0


def _sat_then(table: Table, player: User, begun: datetime) -> int:
    """How many others sat at the table when the period began, but for those whose time was paused."""
    spans = TimePause.objects.filter(table=table, kind=TimePause.Kind.PAUSE, player__isnull=False, since__lte=begun)
    paused = spans.exclude(until__lte=begun).values_list("player", flat=True)
    stays = Stay.objects.filter(table=table, sat_at__lt=begun).exclude(left_at__lte=begun)
    # Bots have no stays.
    seats = table.seats.filter(sat_at__lt=begun)
    sat = {*stays.values_list("player", flat=True), *seats.values_list("player", flat=True)}
    return len(sat - {player.pk, *paused})


def _begun(schedule: DropSchedule, due_at: datetime, now: datetime) -> datetime:
    """The beginning of the current period, whether or not its alarm has rung."""
    if due_at > now:
        return due_at - timedelta(minutes=schedule.period_minutes)
    return time_clocks.ends_between(schedule, due_at, now)[-1]
