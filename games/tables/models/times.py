"""How long players sit, and what each hand brought them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from cardroom.core.database import guards
from games.tables.models.tables import Hand, SeatMove, Table


@guards.life_cycle("a stay ends once", once=("left", "left_at", "extra_used_ms"))
class Stay(models.Model):
    """A player's time in one seat of a cash table, from the move that seated them to the one that took them away."""

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="stays")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="stays")
    number = models.PositiveSmallIntegerField()
    sat = models.OneToOneField(SeatMove, on_delete=models.PROTECT, related_name="stay")
    sat_at = models.DateTimeField()
    left = models.OneToOneField(SeatMove, null=True, blank=True, on_delete=models.PROTECT, related_name="stay_ended")
    left_at = models.DateTimeField(null=True, blank=True)
    per_hour = models.PositiveIntegerField(default=0, help_text="Comp points an hour that the game gave then.")
    extra_used_ms = models.PositiveIntegerField(
        default=0, help_text="When they left: the extra time for lost touch that they had used in this visit."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "table"], condition=Q(left_at=None), name="stay_one_seat_per_player_and_table"
            ),
            models.CheckConstraint(
                condition=Q(left_at=None, left=None) | Q(left__isnull=False, left_at__gte=F("sat_at")),
                name="stay_ends_by_a_move",
            ),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="stay_of_a_player"),
            models.Index(fields=["table"], condition=Q(left_at=None), name="stay_still_at_a_table"),
            models.Index(fields=["left_at"], name="stay_by_its_end"),
        ]

    def __str__(self) -> str:
        return f"{self.player} at table {self.table_id} since {self.sat_at:%H:%M}"


@guards.life_cycle("what a hand brought stays as it was written down", changes=("start",))
class HandResult(models.Model):
    """A person's result of a hand: written with the end of the hand, never changed. At an event it is in the event's
    chips, not `is_cash`: the room's books leave it out.

    `put_in` is all that they bet and that was called, ante included; `net` what their stack grew by; `taken` their part
    of what the house took of the pot, in proportion to what each put in. For the columns from `game` on see
    `games.play.past.figures`.
    """

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="results")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="results")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="hand_results")
    stay = models.ForeignKey(Stay, null=True, blank=True, on_delete=models.PROTECT, related_name="results")
    seat = models.PositiveSmallIntegerField()
    put_in = models.PositiveBigIntegerField()
    net = models.BigIntegerField()
    taken = models.PositiveBigIntegerField(default=0)
    is_cash = models.BooleanField(default=True)
    is_showdown = models.BooleanField(default=False, help_text="Whether they came to the showdown.")
    is_all_in = models.BooleanField(default=False)
    game = models.CharField(max_length=40)
    start = models.CharField(max_length=80, blank=True, help_text="The class of their first three cards, sealed.")
    saw = models.PositiveSmallIntegerField(default=0, help_text="The last street whose card they got; 0: void.")
    has_folded = models.BooleanField(default=False, help_text="They gave the hand up on that street.")
    is_voluntary = models.BooleanField(default=False, help_text="They called or raised on third street.")
    is_raised = models.BooleanField(default=False, help_text="They completed or raised on third street.")
    small_bet = models.PositiveBigIntegerField(default=0)
    big_bet = models.PositiveBigIntegerField(default=0)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["hand", "player"], name="handresult_one_per_hand_and_player")]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="handresult_of_a_player"),
            models.Index(fields=["at"], name="handresult_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.net:+,} in hand {self.hand_id}"
