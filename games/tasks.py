"""The tables' tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from cardroom.core import alarms
from games.dealers import downs
from games.play import moving, playtime, waking
from games.rake import comps, jackpots, time_charges
from games.reports import days, reports
from games.tables import holds
from games.waitlists import filling


@shared_task(name="games.tasks.wake_table")
def wake_table(kind: str, key: str, fence: int) -> None:
    """A table's alarm has rung."""
    waking.wake(table_id=int(key), fence=fence)


@shared_task(name="games.tasks.end_hold")
def end_hold(kind: str, key: str, fence: int) -> None:
    """The time of a held seat is over."""
    holds.expire(hold_id=int(key))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.move_seat")
def move_seat(kind: str, key: str, fence: int) -> None:
    """The hand is over that a player's move waited for."""
    moving.wake(seat_id=int(key))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.grow_jackpot")
def grow_jackpot(kind: str, key: str, fence: int) -> None:
    """The house adds to a jackpot by the clock, or one that is closing is closed."""
    jackpots.ring(jackpot_id=int(key), fence=fence, now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.collect_time")
def collect_time(kind: str, key: str, fence: int) -> None:
    """A period is over at a table where time is collected."""
    time_charges.ring(table_id=int(key), fence=fence)
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.credit_comps")
def credit_comps(kind: str, key: str, fence: int) -> None:
    """A player got up, or a day is over: what they earned there."""
    table, player = key.split(":")
    comps.credit(table_id=int(table), player_id=int(player))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.tell_play_time")
def tell_play_time(kind: str, key: str, fence: int) -> None:
    """A player is to be told how long they have been playing, or their own limit of time is used up."""
    playtime.knock(player_id=int(key))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.look_at_lists")
def look_at_lists(kind: str, key: str, fence: int) -> None:
    """There may be a seat for somebody on the lists of a game."""
    filling.wake(key=key, now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.end_call")
def end_call(kind: str, key: str, fence: int) -> None:
    """The time of a call is over, or the hand it waited for may be."""
    filling.wake_call(entry_id=int(key), fence=fence, now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.add_up_days")
def add_up_days(kind: str, key: str, fence: int) -> None:
    """A day is over: add it up for the reports. The service sets the next alarm in place of this one."""
    days.ring(now=timezone.now())


@shared_task(name="games.tasks.mail_reports")
def mail_reports(kind: str, key: str, fence: int) -> None:
    """A day or a shift is over whose report somebody wishes to have by mail."""
    reports.ring(key=key, now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.dealer_push")
def dealer_push(kind: str, key: str, fence: int) -> None:
    """A dealer is to be pushed out of their table."""
    downs.ring(down_id=int(key))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="games.tasks.dealer_break")
def dealer_break(kind: str, key: str, fence: int) -> None:
    """A dealer's break is over."""
    downs.ring_break(duty_id=int(key), fence=fence)
    alarms.done(kind=kind, key=key, fence=fence)
