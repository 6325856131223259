"""When the room could be heard, and when it was away."""

from django.db import models
from django.db.models import F, Q


class Heartbeat(models.Model):
    """One row: when a web process last noted here that it and the database were there."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="heartbeat_is_one_row")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A span in which nobody could be heard. The clocks that ran have had it back. Kept for ever."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(ended_at__gt=F("began_at")), name="outage_has_a_length")]
        indexes = [models.Index(fields=["ended_at"], name="outage_by_end")]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.ended_at:%H:%M:%S}"
