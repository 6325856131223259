"""What staff did: who, when, to what and why. Kept for ever."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class StaffAction(models.Model):
    """One act of somebody of the staff, written in the transaction that did it.

    `verb` is the service's name ("cage.deposit"), `subject` what it was done to ("user:7", "table:3"), `player` whom it
    concerns, if anybody. `details` are JSON-safe facts about it, never a card.
    """

    verb = models.CharField(max_length=60)
    subject = models.CharField(max_length=60)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(verb=""), name="staffaction_says_what")]
        indexes = [
            models.Index(F("at").desc(), F("id").desc(), name="staffaction_newest"),
            models.Index(F("subject"), F("id").desc(), name="staffaction_of_a_subject"),
            models.Index(F("player"), F("id").desc(), name="staffaction_of_a_player"),
            models.Index(F("by"), F("id").desc(), name="staffaction_by_somebody"),
        ]

    def __str__(self) -> str:
        return f"{self.verb} {self.subject}"
