"""The house's tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from cardroom.services import alarms


@shared_task(name="cardroom.tasks.tick")
def tick() -> None:
    """Hand every alarm that is due to its own task."""
    alarms.ring(now=timezone.now())
