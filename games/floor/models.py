"""Calls for the floor, and what the floor ordered in hands."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.tables.models.tables import Hand, Table


@guards.life_cycle("a call is answered once", once=("answered_by", "answered_at"))
class FloorCall(models.Model):
    """A call for the floor from a table; open until a member of the floor answers."""

    class Kind(models.TextChoices):
        FLOOR = "floor", gettext_lazy("floor")
        DECISION = "decision", gettext_lazy("decision")
        CHIPS = "chips", gettext_lazy("chips")
        DRINKS = "drinks", gettext_lazy("drinks")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="floor_calls")
    hand = models.ForeignKey(Hand, null=True, blank=True, on_delete=models.PROTECT, related_name="floor_calls")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="floor_calls")
    seat = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The player's seat; none for a dealer.")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.FLOOR, help_text="What is wanted.")
    note = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player", "kind"], condition=Q(answered_at=None), name="floorcall_one_open_of_a_kind"
            ),
            models.CheckConstraint(
                condition=Q(answered_at=None, answered_by=None)
                | Q(answered_at__isnull=False, answered_by__isnull=False),
                name="floorcall_is_answered_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"call {self.pk} at table {self.table_id}"

    @staticmethod
    def not_found() -> NotFound:
        """The refusal where there is no such row."""
        return NotFound("no-such-call", "There is no such call.")


@guards.append_only("what the floor ordered stays as it was written down")
class FloorOrder(models.Model):
    """What the floor ordered in a hand, or a dealer took back: by whom, when and why. Kept for ever.

    `seq` is the fact it led to; `seat` 0: the whole hand. `hands`: how many hands a penalty keeps the player out of.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="floor_orders")
    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="floor_orders")
    seq = models.PositiveIntegerField()
    what = models.CharField(max_length=20)
    seat = models.PositiveSmallIntegerField(default=0)
    hands = models.PositiveSmallIntegerField(default=0)
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="floor_orders")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(what="undo") | ~Q(reason=""), name="floororder_has_a_reason"),
            models.UniqueConstraint(fields=["hand", "seq"], name="floororder_one_per_fact"),
        ]

    def __str__(self) -> str:
        return f"{self.what} in hand {self.hand_id}"
