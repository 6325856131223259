"""What is said in the lobby, and who may not speak there for a while."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class ChatLine(models.Model):
    """One line, which stays as it was said; one that is hidden is for staff alone, with who hid it and why."""

    class Kind(models.TextChoices):
        SAID = "said", "said"
        ANNOUNCED = "announced", "told to the whole room"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.SAID)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="chat_lines")
    is_staffs = models.BooleanField(default=False, help_text="Whether its author was staff when they said it.")
    text = models.CharField(max_length=200)
    at = models.DateTimeField()
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    hidden_why = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="chatline_says_something")]
        indexes = [
            models.Index(F("at"), name="chatline_by_time"),
            models.Index(fields=["author", "at"], name="chatline_of_whom"),
        ]

    def __str__(self) -> str:
        return f"line {self.pk} of player {self.author_id}"


class ChatSilence(models.Model):
    """A player may not speak in the lobby, until a moment (None: until staff lifts it)."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="chat_silences")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=300)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["player"], condition=Q(lifted_at=None), name="chatsilence_one_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"silence of player {self.player_id}"
