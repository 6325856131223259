"""Who asked to see sealed cards, why, who agreed, for how long, and what was then looked at. Kept for ever."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class SealedView(models.Model):
    """An auditor's session: the only way to see cards that were never shown. It ends by itself at `until`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="sealed_views")
    agreed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+",
        help_text="The second person, who opened it; none where it was opened before one was needed.",
    )  # fmt: skip
    reason = models.CharField(max_length=300)
    opened_at = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(reason=""), name="sealed_view_has_a_reason"),
            models.CheckConstraint(condition=Q(until__gte=F("opened_at")), name="sealed_view_ends_after_it_began"),
        ]

    def __str__(self) -> str:
        return f"{self.user} until {self.until:%Y-%m-%d %H:%M}"


class SealedLook(models.Model):
    """One look within a session; `subject` names what was looked at ("hand:41"), never what was seen."""

    view = models.ForeignKey(SealedView, on_delete=models.PROTECT, related_name="looks")
    subject = models.CharField(max_length=100)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.subject} at {self.at:%Y-%m-%d %H:%M}"
