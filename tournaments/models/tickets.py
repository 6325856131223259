"""Tickets: an entry won or given, not used yet."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Ticket(models.Model):
    """Good for one entry to `tournament`, to any event of `series`, or, where both are empty, to any event of its
    value. The value lies in a pool account until the ticket is used, paid out or taken back.
    """

    class State(models.TextChoices):
        ISSUED = "issued", "good"
        USED = "used", "used"
        REFUNDED = "refunded", "paid out"
        CANCELLED = "cancelled", "taken back"

    code = models.CharField(max_length=20, unique=True)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tickets")
    tournament = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets"
    )
    series = models.ForeignKey("Series", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets")
    value = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.ISSUED)
    won_in = models.ForeignKey(
        "Tournament", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets_won"
    )
    reason = models.CharField(max_length=200, blank=True)
    issued_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    issued_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    key = models.CharField(max_length=80, unique=True, help_text='What it was issued for, such as "prize:7:3".')
    used_for = models.ForeignKey(
        "TournamentEntry", null=True, blank=True, on_delete=models.PROTECT, related_name="tickets"
    )
    ended_at = models.DateTimeField(null=True, blank=True, help_text="When it was used, paid out or taken back.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(value__gt=0), name="ticket_is_worth_something"),
            models.CheckConstraint(
                condition=Q(tournament__isnull=True) | Q(series__isnull=True), name="ticket_is_for_one_thing"
            ),
            models.CheckConstraint(
                condition=Q(state="used", used_for__isnull=False) | (~Q(state="used") & Q(used_for__isnull=True)),
                name="ticket_used_for_an_entry",
            ),
        ]
        indexes = [models.Index(F("player"), F("state"), name="ticket_of_a_player")]

    def __str__(self) -> str:
        return f"ticket {self.code}"
