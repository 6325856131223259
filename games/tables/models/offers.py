"""Rows of the room: sections, games on offer, drop schedules, held seats."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core import step_up
from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.engine.games import MOST_SEATS
from games.tables.models.tables import Table, TableTerms


@guards.free("how the room is laid out now; what lay where is in the uses of tables")
class Section(models.Model):
    """A part of the room: tables lie in it, staff is posted to it, and reports add up by it."""

    name = models.CharField(max_length=40, unique=True)
    place = models.PositiveSmallIntegerField(default=0, help_text="Where in the list of sections, from 0.")

    class Meta:
        ordering = ["place", "name"]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-section", "There is no such section of the room.")


@step_up.before_change
@guards.life_cycle("a schedule stays as it was saved: save another", changes=("jackpot_name",), once=("retired_at",))
class DropSchedule(models.Model):
    """What the house takes of a game. Saved once and never changed: an edit is another row, so that what was taken can
    be explained for ever.

    Rake: `rake_permille` of the pot, no more than `caps` says (pairs [players dealt in, most chips], by the greatest
    number that is not above the players), rounded to `rounding_unit` as `rounding` says; none on a hand that ended on
    third street without a call if `is_free_without_call`. `promo` and `jackpot` chips of every raked hand of
    `promo_from` chips or more go to the promotional fund and to `jackpot_name`.

    Time: every `period_minutes` each player pays `time_charges` (pairs [players at the table, chips each]);
    `time_promo` of it goes to the promotional fund. A player who will not pay gets `courtesy_hands` more hands where
    nobody waits.
    """

    class Kind(models.TextChoices):
        NONE = "none", gettext_lazy("nothing")
        RAKE = "rake", gettext_lazy("rake")
        TIME = "time", gettext_lazy("time collection")

    class Rounding(models.TextChoices):
        DOWN = "down", gettext_lazy("down")
        NEAREST = "nearest", gettext_lazy("to the nearest")
        UP = "up", gettext_lazy("up")

    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=6, choices=Kind.choices, default=Kind.RAKE)
    rake_permille = models.PositiveSmallIntegerField(default=50)
    caps = models.JSONField(default=list, blank=True)
    rounding_unit = models.PositiveIntegerField(default=1)
    rounding = models.CharField(max_length=8, choices=Rounding.choices, default=Rounding.DOWN)
    is_free_without_call = models.BooleanField(default=True)
    promo = models.PositiveIntegerField(default=0)
    jackpot = models.PositiveIntegerField(default=0)
    promo_from = models.PositiveIntegerField(default=0)
    jackpot_name = models.CharField(max_length=60, blank=True)
    period_minutes = models.PositiveSmallIntegerField(default=30)
    time_charges = models.JSONField(default=list, blank=True)
    time_promo = models.PositiveIntegerField(default=0)
    courtesy_hands = models.PositiveSmallIntegerField(default=1)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True, help_text="Since when no table takes it up any more.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(rake_permille__lte=1000), name="dropschedule_rake_is_a_share"),
            models.CheckConstraint(condition=Q(rounding_unit__gte=1), name="dropschedule_rounds_to_something"),
            models.CheckConstraint(condition=Q(period_minutes__gte=1), name="dropschedule_period_is_some_time"),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-schedule", "There is no such drop schedule.")


@guards.free("what is on offer now; changes are in the audit log")
class Offer(TableTerms):
    """A game on offer, which tables are opened for and lists are kept of."""

    name = models.CharField(max_length=60, unique=True)
    rathole_minutes = models.PositiveSmallIntegerField(
        default=60,
        help_text="For so long anybody who comes back must buy in for what they left with, at least; 0: never asked.",
    )
    call_minutes = models.PositiveSmallIntegerField(default=5, help_text="For a called player to come.")
    more_time_minutes = models.PositiveSmallIntegerField(default=5, help_text="What a called player may ask for once.")
    hold_minutes = models.PositiveSmallIntegerField(default=10, help_text="How long a seat is held (locked up).")
    calls_itself = models.BooleanField(
        null=True, default=None, help_text="Whether the next on its list is called by itself; None: online yes."
    )
    missed_calls_allowed = models.PositiveSmallIntegerField(
        default=1, help_text="So often who did not come when called goes to the bottom of the list; then off it."
    )
    opens_with = models.PositiveSmallIntegerField(
        default=0, help_text="So many names on its list open a table by themselves (online); 0: staff opens."
    )
    comp_per_hour = models.PositiveIntegerField(default=0, help_text="Comp points for an hour of play.")
    tables_per_player = models.PositiveSmallIntegerField(default=4, help_text="Of this game at once, online.")
    is_listed = models.BooleanField(default=True, help_text="Shown to players; a withdrawn one keeps its history.")
    place = models.PositiveSmallIntegerField(default=0)
    version = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["place", "small_bet", "name"]
        constraints = [
            models.CheckConstraint(
                condition=Q(seat_count__gte=2, seat_count__lte=MOST_SEATS), name="offer_seats_two_to_eight"
            ),
            models.CheckConstraint(
                condition=Q(min_buy_in__gt=0, max_buy_in__gte=F("min_buy_in")), name="offer_buy_in_has_a_range"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-offer", "There is no such game on offer.")


@guards.free("goes when the seat is taken or its time is over")
class SeatHold(models.Model):
    """A free seat that is held for somebody until a moment: called from a list, moved, reserved. The row goes when they
    sit down or the time is over."""

    class Why(models.TextChoices):
        CALLED = "called", gettext_lazy("called from the list")
        LOCK_UP = "lock-up", gettext_lazy("locked up")
        MOVE = "move", gettext_lazy("moving here")
        RESERVED = "reserved", gettext_lazy("reserved")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="holds")
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="seat_holds")
    why = models.CharField(max_length=10, choices=Why.choices)
    until = models.DateTimeField(null=True, blank=True, help_text="None: until it is released (reserved).")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="seathold_one_per_seat"),
            models.UniqueConstraint(fields=["table", "player"], name="seathold_one_per_player_and_table"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of table {self.table_id} held"


@guards.free("goes when it is taken back")
class Invitation(models.Model):
    """Somebody may sit at a private table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="invitations")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="invitations")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "player"], name="invitation_one_per_player")]

    def __str__(self) -> str:
        return f"{self.player} to table {self.table_id}"


@guards.free("a player's own, for themselves")
class Favourite(models.Model):
    """A table, a game on offer or an event, by its number, that a player marked with a star."""

    class Kind(models.TextChoices):
        TABLE = "table"
        OFFER = "offer", gettext_lazy("game on offer")
        EVENT = "event"

    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="favourites")
    kind = models.CharField(max_length=5, choices=Kind.choices)
    number = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "kind", "number"], name="favourite_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


@guards.append_only("a count stays as it was written down: count again")
class ChipCount(models.Model):
    """The chips of a physical table, counted: what should have been there, what was, and why they differ."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="counts")
    expected = models.PositiveBigIntegerField(help_text="By the ledger.")
    counted = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=300, blank=True, help_text="Of the difference, where there is one.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(counted=F("expected")) | ~Q(reason=""), name="chipcount_difference_has_a_reason"
            )
        ]
        indexes = [models.Index(F("table"), F("id").desc(), name="chipcount_of_a_table")]

    def __str__(self) -> str:
        return f"{self.counted} counted at table {self.table_id}"

    @property
    def difference(self) -> int:
        """More (over) or less (short) than there should have been."""
        return self.counted - self.expected


@guards.life_cycle("what a table was used for stays on record", changes=("section",))
class TableUse(models.Model):
    """What a table was used for from this moment on: the game on offer and the section that its takings belong to. The
    next row of the table ends it."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="uses")
    offer = models.ForeignKey(Offer, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    since = models.DateTimeField()

    class Meta:
        indexes = [models.Index(F("table"), F("since").desc(), name="tableuse_of_a_table")]

    def __str__(self) -> str:
        return f"table {self.table_id} since {self.since:%Y-%m-%d %H:%M}"
