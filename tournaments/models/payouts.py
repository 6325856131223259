"""What the winners are owed and paid."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class Payout(models.Model):
    """One sum that one entry is paid, once: `transfer` moved it. `number` is its receipt within the event."""

    class What(models.TextChoices):
        PRIZE = "prize", "prize"
        BOUNTY = "bounty", "bounties"
        TICKET = "ticket", "ticket"

    class State(models.TextChoices):
        DUE = "due", "due"
        PAID = "paid", "paid"
        VOID = "void", "void"

    class Method(models.TextChoices):
        WALLET = "wallet", "to the wallet"
        DESK = "desk", "at the desk"
        TICKET = "ticket", "a ticket"

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="payouts")
    entry = models.ForeignKey("TournamentEntry", on_delete=models.PROTECT, related_name="payouts")
    number = models.PositiveIntegerField()
    what = models.CharField(max_length=10, choices=What.choices, default=What.PRIZE)
    place = models.PositiveIntegerField(null=True, blank=True)
    amount = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DUE)
    method = models.CharField(max_length=10, choices=Method.choices, default=Method.WALLET)
    reason = models.CharField(max_length=200, blank=True)
    transfer = models.OneToOneField(
        "cardroom.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    ticket = models.OneToOneField("Ticket", null=True, blank=True, on_delete=models.PROTECT, related_name="payout")
    made_at = models.DateTimeField()
    paid_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="payout_receipt_number_is_unique"),
            models.UniqueConstraint(
                fields=["entry", "what"], condition=~Q(state="void"), name="payout_one_of_a_kind_per_entry"
            ),
            models.CheckConstraint(
                condition=Q(state="paid", paid_at__isnull=False) | ~Q(state="paid"), name="payout_paid_has_its_moment"
            ),
        ]

    def __str__(self) -> str:
        return f"payout {self.number} of tournament {self.tournament_id}"
