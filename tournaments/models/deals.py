"""Deals: what is proposed, and the secret votes on it."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class DealProposal(models.Model):
    """How those who are left would share what is left. `amounts` and `stacks` are by entry number, as the state after
    fact `seq` has them; a bust makes the proposal stale.
    """

    class Kind(models.TextChoices):
        ICM = "icm", "ICM"
        CHIPS = "chips", "by chips"
        EVEN = "even", "even"
        CUSTOM = "custom", "as agreed"

    class State(models.TextChoices):
        OPEN = "open", "being voted on"
        AGREED = "agreed", "agreed"
        REFUSED = "refused", "refused"
        WITHDRAWN = "withdrawn", "withdrawn"
        STALE = "stale", "overtaken by play"

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="deal_proposals")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    play_for = models.PositiveBigIntegerField(default=0, help_text="Money left to play for.")
    amounts = models.JSONField(default=dict)
    stacks = models.JSONField(default=dict)
    seq = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    proposed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    key = models.CharField(max_length=80, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(state="open"), name="dealproposal_one_open_per_event"
            ),
            models.UniqueConstraint(
                fields=["tournament", "key"], condition=~Q(key=""), name="dealproposal_one_per_key"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} deal in tournament {self.tournament_id}"


class DealVote(models.Model):
    """What one player said to a proposal. Who refused is nobody's business: only that it was refused is told."""

    proposal = models.ForeignKey(DealProposal, on_delete=models.PROTECT, related_name="votes")
    entry = models.ForeignKey("TournamentEntry", on_delete=models.PROTECT, related_name="deal_votes")
    is_yes = models.BooleanField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", help_text="The floor, in the room."
    )
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["proposal", "entry"], name="dealvote_one_per_player")]

    def __str__(self) -> str:
        return f"a vote on deal {self.proposal_id}"
