"""What people counted, before they were told what the books say."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class BlindCount(models.Model):
    """One count of a drawer, the vault, a box or the chips of a table, kept for ever: the wrong ones too.

    `subject` is what was counted ("drawer:3", "vault"), `expected` what the books said then. It is open, and stands,
    until its difference is answered for or somebody else counted anew: `settled_at`. An open one has no reason yet, or
    waits for a second person. `posted`: its difference went into the ledger, with `approval` where one was needed.
    """

    subject = models.CharField(max_length=60)
    counted = models.BigIntegerField()
    expected = models.BigIntegerField()
    pieces = models.JSONField(default=dict, blank=True, help_text='How many of each: {"100": 4}. Empty: a sum only.')
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    posted = models.BooleanField(default=False, help_text="Whether its difference is in the ledger.")
    approval = models.ForeignKey(
        "Approval",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="counts",
        help_text="Where one was needed.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=Q(counted__gte=0), name="blindcount_is_no_debt")]
        indexes = [
            models.Index(F("subject"), F("id").desc(), name="blindcount_of_a_subject"),
            models.Index(fields=["subject"], condition=Q(settled_at=None), name="blindcount_open"),
            models.Index(fields=["by", "at"], condition=Q(posted=True), name="blindcount_what_somebody_did"),
        ]

    def __str__(self) -> str:
        return f"{self.counted} counted in {self.subject}"

    @property
    def difference(self) -> int:
        """Over (above zero) or short."""
        return self.counted - self.expected
