"""The tables' tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from games.services import tables


@shared_task(name="games.tasks.wake_table")
def wake_table(kind: str, key: str, fence: int) -> None:
    """A table's alarm has rung."""
    tables.wake(table_id=int(key), fence=fence, now=timezone.now())
