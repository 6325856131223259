"""What one person asks for and a second one decides."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

_USER = settings.AUTH_USER_MODEL


class Approval(models.Model):
    """`what` names the act as `services.approvals` knows it, `payload` all it needs to be done, JSON-safe.

    Decided once, by somebody else than who asked. What is approved was done in the same transaction: `answer` says what
    it came to.
    """

    class Verdict(models.TextChoices):
        WAITING = "", "waits for a second person"
        APPROVED = "approved", "approved"
        REFUSED = "refused", "refused"
        TAKEN_BACK = "taken-back", "taken back"
        OVER = "over", "not decided in time"

    what = models.CharField(max_length=40)
    words = models.CharField(max_length=300, help_text="What is asked for, for people.")
    payload = models.JSONField(default=dict)
    subject = models.CharField(max_length=60, blank=True)
    player = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=300, blank=True)
    asked_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    until = models.DateTimeField(help_text="Not decided by then, it is over.")
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default=Verdict.WAITING)
    verdict_reason = models.CharField(max_length=300, blank=True)
    decided_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(what="") & ~Q(words=""), name="approval_says_what"),
            models.CheckConstraint(
                condition=Q(verdict="", decided_at=None) | (~Q(verdict="") & Q(decided_at__isnull=False)),
                name="approval_is_decided_or_waits",
            ),
            models.CheckConstraint(
                condition=~Q(verdict="approved")
                | (Q(decided_by__isnull=False) & (Q(asked_by=None) | ~Q(decided_by=F("asked_by")))),
                name="approval_is_a_second_persons",
            ),
        ]
        indexes = [
            models.Index(fields=["until"], condition=Q(verdict=""), name="approval_waiting"),
            models.Index(F("id").desc(), F("verdict"), name="approval_newest"),
        ]

    def __str__(self) -> str:
        return self.words
