"""What a person is told by the house."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Notice(models.Model):
    """`kind` is a stable word ("called", "moved", "table-breaks"), `data` what it is about for programs: of an event
    its id besides, as "tournament".

    `key` keeps one thing from being told twice; `mailed_at` and `texted_at` keep it from being sent twice.
    """

    #: How the keys begin of what is told about events; the id of the event comes next.
    OF_EVENTS = "event:"

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="notices")
    kind = models.CharField(max_length=20)
    text = models.CharField(max_length=300)
    data = models.JSONField(default=dict, blank=True)
    key = models.CharField(max_length=110, blank=True)
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
            models.Index(F("at"), name="house_notice_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.player_id}"

    @property
    def tournament_id(self) -> int | None:
        """The event that it is about; None: the room."""
        number: int | None = self.data.get("tournament")
        return number
