"""When to knock at something again. What is to happen then is decided by whoever is knocked at."""

from django.db import models


class Alarm(models.Model):
    """One row per thing that waits: `kind` says who is to be told, `key` which one, `fence` which moment of it.

    An alarm claimed by a tick belongs to it until `claimed_until`; one not done by then is due again.
    """

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=80)
    due_at = models.DateTimeField()
    fence = models.BigIntegerField(help_text="The hand's seq or the level's number when this was set.")
    claimed_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="alarm_one_per_kind_and_key")]
        indexes = [models.Index(fields=["due_at"], name="alarm_due")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key} #{self.fence}"
