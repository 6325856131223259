"""When the clockwork last ran."""

from django.db import models
from django.db.models import Q


class Clockwork(models.Model):
    """One row: when a worker last carried out a tick."""

    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="clockwork_is_one_row")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"
