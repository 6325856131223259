"""Limits that players set for themselves."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class LimitChange(models.Model):
    """What a player wished as their limit of this kind, and from when it counts; the last one that counts is their
    limit.

    `amount` None: no limit. Chips for deposits and losses, minutes for time. Only what does not count yet is cancelled.
    """

    class Kind(models.TextChoices):
        DEPOSIT_DAY = "deposit-day", "deposits in a day"
        DEPOSIT_WEEK = "deposit-week", "deposits in a week"
        DEPOSIT_MONTH = "deposit-month", "deposits in a month"
        LOSS_DAY = "loss-day", "losses in a day"
        TIME_DAY = "time-day", "minutes of play in a day"
        REMINDER = "reminder", "minutes between reminders"

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="limit_changes")
    kind = models.CharField(max_length=13, choices=Kind.choices)
    amount = models.PositiveBigIntegerField(null=True, blank=True)
    asked_at = models.DateTimeField()
    counts_from = models.DateTimeField()
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(counts_from__gte=F("asked_at")), name="limitchange_looks_ahead"),
            models.CheckConstraint(
                condition=Q(cancelled_at=None) | Q(cancelled_at__lte=F("counts_from")),
                name="limitchange_is_cancelled_before_it_counts",
            ),
        ]
        indexes = [models.Index(fields=["player", "kind", "counts_from"], name="limitchange_of_a_player")]

    def __str__(self) -> str:
        return f"{self.kind} of player {self.player_id}"
