"""What a player is told about his event."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Notice(models.Model):
    """`kind` is a stable word ("moved", "table-broken", "refunded", "message"), `data` what it is about for programs.

    `key` keeps one thing from being told twice.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notices")
    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=300)
    data = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=80, blank=True)
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "tournament", "key"], condition=~Q(key=""), name="notice_told_once"
            )
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="notice_newest"),
            models.Index(F("player"), condition=Q(read_at__isnull=True), name="notice_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"
