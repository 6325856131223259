"""What a person is told by the house."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Notice(models.Model):
    """`kind` is a stable word ("called", "picked-up", "table-breaks"), `data` what it is about for programs.

    `key` keeps one thing from being told twice; `mailed_at` and `texted_at` keep it from being sent twice.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="house_notices")
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=300)
    data = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=80, blank=True)
    is_sent = models.BooleanField(default=False, help_text="Whether it goes out by e-mail and text message as well.")
    at = models.DateTimeField()
    read_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True, help_text="Claimed for e-mail.")
    texted_at = models.DateTimeField(null=True, blank=True, help_text="Claimed for a text message.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "key"], condition=~Q(key=""), name="house_notice_told_once"),
            models.CheckConstraint(condition=~Q(text=""), name="house_notice_says_something"),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="house_notice_newest"),
            models.Index(F("player"), condition=Q(read_at__isnull=True), name="house_notice_unread"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"
