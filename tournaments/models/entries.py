"""Entries and the payments for them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class TournamentEntry(models.Model):
    """One entry of one player; a re-entry is another row. `number` is the engine's entrant.

    The columns from `state` to `out_at` are what the facts come to. Places are counted from below while entry is open:
    a place is the entries less `below`, less `tied`, plus 1. `pending`: chips paid for that wait for the end of a hand,
    as `[{"chips": 1000, "payment": id}]`.
    """

    class How(models.TextChoices):
        WEB = "web", "by the player"
        DESK = "desk", "at the desk"
        TICKET = "ticket", "with a ticket"
        FLIGHT = "flight", "from a flight"
        LATE = "late", "late"
        API = "api", "by a program"
        HOUSE = "house", "sent by the house"

    class State(models.TextChoices):
        ALTERNATE = "alternate", "waiting for a seat"
        IN = "in", "in"
        OUT = "out", "out"
        WITHDRAWN = "withdrawn", "withdrawn"

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournament_entries")
    name = models.CharField(max_length=80, help_text="As it is shown on lists and cards.")
    how = models.CharField(max_length=10, choices=How.choices)
    re_entry_of = models.PositiveIntegerField(null=True, blank=True, help_text="The number that was out.")
    from_entry = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="goes_on_as", help_text="In a flight."
    )
    at = models.DateTimeField()
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    key = models.CharField(max_length=80, blank=True, help_text="The caller's own, for a repeat.")

    state = models.CharField(max_length=10, choices=State.choices)
    table = models.PositiveIntegerField(null=True, blank=True, help_text="The event's own number of the table.")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    chips = models.PositiveBigIntegerField(default=0)
    below = models.PositiveIntegerField(null=True, blank=True, help_text="How many entries finished below this one.")
    tied = models.PositiveIntegerField(default=1, help_text="How many share its place, itself included.")
    place = models.PositiveIntegerField(null=True, blank=True, help_text="Its place, once the event is over.")
    prize = models.PositiveBigIntegerField(default=0)
    bounty = models.PositiveBigIntegerField(default=0, help_text="What the player's head is worth.")
    bounties_won = models.PositiveBigIntegerField(default=0, help_text="Chips of money won by knocking out others.")
    rebuys = models.PositiveSmallIntegerField(default=0)
    add_ons = models.PositiveSmallIntegerField(default=0)
    out_at = models.DateTimeField(null=True, blank=True)

    arrived_at = models.DateTimeField(null=True, blank=True, help_text="When the dealer saw the player in their seat.")
    pending = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "tournament entries"
        ordering = ["tournament", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournamententry_number_is_unique"),
            models.UniqueConstraint(
                fields=["tournament", "player", "key"], condition=~Q(key=""), name="tournamententry_one_per_key"
            ),
        ]
        indexes = [
            models.Index(F("tournament"), F("below").desc(), name="tournamententry_places"),
            models.Index(F("tournament"), F("table"), F("seat"), name="tournamententry_seats"),
            models.Index(F("player"), F("id").desc(), name="tournamententry_of_a_player"),
        ]

    def __str__(self) -> str:
        return f"entry {self.number} of tournament {self.tournament_id}"

    @property
    def is_live(self) -> bool:
        """Whether the player plays, or waits to."""
        return self.state in (self.State.IN, self.State.ALTERNATE)


class Payment(models.Model):
    """What was paid for an entry, at the price of that moment, and its receipt: `number` counts within the event.

    `transfer` moved it (none for a payment of nothing); `refund` is the transfer that reversed it.
    """

    class What(models.TextChoices):
        ENTRY = "entry", "entry"
        RE_ENTRY = "re_entry", "re-entry"
        REBUY = "rebuy", "rebuy"
        ADD_ON = "add_on", "add-on"

    class Method(models.TextChoices):
        WALLET = "wallet", "from the wallet"
        DESK = "desk", "at the desk"
        TICKET = "ticket", "with a ticket"
        HOUSE = "house", "by the house"
        FREE = "free", "free of charge"

    tournament = models.ForeignKey("Tournament", on_delete=models.PROTECT, related_name="payments")
    entry = models.ForeignKey(TournamentEntry, on_delete=models.PROTECT, related_name="payments")
    number = models.PositiveIntegerField()
    what = models.CharField(max_length=10, choices=What.choices)
    method = models.CharField(max_length=10, choices=Method.choices)
    pool = models.PositiveBigIntegerField(default=0)
    fee = models.PositiveBigIntegerField(default=0)
    bounty = models.PositiveBigIntegerField(default=0)
    staff = models.PositiveBigIntegerField(default=0)
    chips = models.PositiveBigIntegerField(default=0, help_text="Tournament chips that were given for it.")
    transfer = models.OneToOneField(
        "cardroom.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=80, blank=True)
    refund = models.OneToOneField(
        "cardroom.Transfer", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    refunded_at = models.DateTimeField(null=True, blank=True)
    refunded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    refund_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="payment_receipt_number_is_unique"),
            models.UniqueConstraint(fields=["entry", "key"], condition=~Q(key=""), name="payment_one_per_key"),
            models.CheckConstraint(
                condition=Q(refunded_at__isnull=False) | Q(refund__isnull=True, refund_reason=""),
                name="payment_refund_has_its_moment",
            ),
        ]

    def __str__(self) -> str:
        return f"receipt {self.number} of tournament {self.tournament_id}"

    @property
    def total(self) -> int:
        return self.pool + self.fee + self.bounty + self.staff
