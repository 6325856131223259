"""What went wrong in the server, for those who look after it."""

from django.db import models
from django.db.models import F


class Fault(models.Model):
    """One line of the error log: no card and no secret is in it. What went wrong in the same place before is one line
    with it (`times`, since `first_at`). Only the newest are kept."""

    at = models.DateTimeField()
    first_at = models.DateTimeField()
    times = models.PositiveIntegerField(default=1)
    sort = models.CharField(max_length=32, blank=True, db_index=True)
    level = models.CharField(max_length=10)
    logger = models.CharField(max_length=80)
    message = models.CharField(max_length=500)
    details = models.JSONField(default=dict, blank=True)
    trace = models.TextField(blank=True)

    class Meta:
        indexes = [models.Index(F("at").desc(), F("id").desc(), name="fault_newest")]

    def __str__(self) -> str:
        return self.message
