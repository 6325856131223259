"""The events' tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from cardroom.core import alarms
from tournaments.directing import waking
from tournaments.events import notices
from tournaments.prizes import deals, payouts


@shared_task(name="tournaments.tasks.wake_tournament")
def wake_tournament(kind: str, key: str, fence: int) -> None:
    waking.wake(tournament_id=int(key), fence=fence)


@shared_task(name="tournaments.tasks.pay_prizes")
def pay_prizes(kind: str, key: str, fence: int) -> None:
    payouts.pay_by_alarm(tournament_id=int(key), now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="tournaments.tasks.look_at_deal")
def look_at_deal(kind: str, key: str, fence: int) -> None:
    """The time for votes on a deal goes by."""
    if not deals.look_at(proposal_id=int(key), now=timezone.now()):
        alarms.cancel(kind=kind, key=key)


@shared_task(name="tournaments.tasks.remind_players")
def remind_players(kind: str, key: str, fence: int) -> None:
    """An event starts soon, or was to."""
    if not notices.remind(tournament_id=int(key), now=timezone.now()):
        alarms.cancel(kind=kind, key=key)
