"""The events' tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from tournaments.services import waking


@shared_task(name="tournaments.tasks.wake_tournament")
def wake_tournament(kind: str, key: str, fence: int) -> None:
    """An event's alarm has rung."""
    waking.wake(tournament_id=int(key), fence=fence, now=timezone.now())
