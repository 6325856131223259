"""Time at the tables: when it is collected, what was charged, what was paused; and comp points for play."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from cardroom.core.sentences import to_text
from games.tables.models.tables import Table
from games.tables.models.times import Stay


@guards.free("when time is due next")
class TimeClock(models.Model):
    """When time is collected next at a table; its alarm is set to that. No row: no time is collected there."""

    table = models.OneToOneField(Table, primary_key=True, on_delete=models.PROTECT, related_name="time_clock")
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"time at table {self.table_id} is due at {self.due_at:%H:%M}"

    @property
    def fence(self) -> int:
        """The fence of the alarm that is set for `due_at`."""
        return fence_of(self.due_at)


def fence_of(due_at: datetime) -> int:
    """The fence of an alarm that is to ring then: its moment, in seconds."""
    return int(due_at.timestamp())


@guards.life_cycle(
    "a charge that is paid or waived stays as it is",
    changes=("amount", "promo", "paid", "parts", "why", "by", "at"),
    steps={
        "state": {
            "due": ("charged", "owed", "paused", "courtesy", "refused", "waived"),
            "owed": ("charged", "due", "waived"),
            "charged": ("waived",),
            "courtesy": ("due", "charged", "owed", "waived"),
            "refused": ("due", "charged", "owed", "waived"),
            "paused": ("waived",),
        }
    },
)
class TimeCharge(models.Model):
    """A period's time at a table for one player: what it costs, whether it was paid, and if not, why not.

    `amount` is what is asked, `paid` what came in; the ledger has it under `time:<id>`, what is paid later under
    `time:<id>:<part>`. The rest of a charge in state `owed` is owed.
    """

    class State(models.TextChoices):
        DUE = "due", gettext_lazy("due after the hand")
        CHARGED = "charged", gettext_lazy("paid")
        OWED = "owed", gettext_lazy("owed in part")
        PAUSED = "paused", gettext_lazy("paused, nothing charged")
        COURTESY = "courtesy", gettext_lazy("courtesy hand, nothing charged")
        REFUSED = "refused", gettext_lazy("not paid: sits out")
        WAIVED = "waived", gettext_lazy("waived")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="time_charges")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="time_charges")
    number = models.PositiveSmallIntegerField()
    period_start = models.DateTimeField()
    players = models.PositiveSmallIntegerField(help_text="At the table when the period began.")
    amount = models.PositiveBigIntegerField(default=0)
    promo = models.PositiveBigIntegerField(default=0, help_text="Of the amount, for the promotional fund.")
    paid = models.PositiveBigIntegerField(default=0)
    parts = models.PositiveSmallIntegerField(default=0, help_text="In how many transfers it was paid.")
    state = models.CharField(max_length=8, choices=State.choices)
    why = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(help_text="When it came to its state.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player", "period_start"], name="timecharge_one_per_player_and_period"
            ),
            models.CheckConstraint(condition=Q(paid__lte=F("amount")), name="timecharge_no_more_paid_than_asked"),
            models.CheckConstraint(
                condition=~Q(state="charged") | Q(paid=F("amount")), name="timecharge_charged_is_paid"
            ),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="timecharge_of_a_player"),
            models.Index(fields=["table"], condition=Q(state__in=("due", "owed")), name="timecharge_open_at_a_table"),
        ]

    def __str__(self) -> str:
        return f"time {self.pk} at table {self.table_id}"

    @property
    def why_text(self) -> str:
        """Why it is as it is, in the current language where the house gave the reason."""
        return to_text(self.why)

    @property
    def owed(self) -> int:
        """What is still to be paid of it."""
        return self.amount - self.paid if self.state in (self.State.DUE, self.State.OWED) else 0

    @staticmethod
    def not_found() -> NotFound:
        """The refusal where there is no such row."""
        return NotFound("no-such-charge", "There is no such charge.")


@guards.life_cycle(
    "a pause that is over stays as it was", changes=("until", "hands_left", "is_due", "ended_by"), ends="until"
)
class TimePause(models.Model):
    """A span in which time costs nothing and earns nothing: a player's, with permission of the floor, or the whole
    table's (`player` empty). A `refusal` is no pause: the player refuses to pay, has their courtesy hands, and then
    sits out until they pay."""

    class Kind(models.TextChoices):
        PAUSE = "pause", gettext_lazy("paused")
        REFUSAL = "refusal", gettext_lazy("will not pay")

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="time_pauses")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="time_pauses"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.PAUSE)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    hands_left = models.PositiveSmallIntegerField(default=0, help_text="Courtesy hands, once a collection was refused.")
    is_due = models.BooleanField(default=False, help_text="A collection was refused: back only by paying.")
    reason = models.JSONField(default=str, blank=True, help_text="Typed by a person, or a sentence of the house.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table", "player"], condition=Q(until=None), name="timepause_one_open_per_player"
            ),
            models.UniqueConstraint(
                fields=["table"], condition=Q(until=None, player=None), name="timepause_one_open_per_table"
            ),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gte=F("since")), name="timepause_is_a_span"),
            models.CheckConstraint(
                condition=~Q(kind="refusal") | Q(player__isnull=False), name="timepause_refusal_is_of_a_player"
            ),
        ]
        indexes = [
            models.Index(F("player"), F("id").desc(), name="timepause_of_a_player"),
            models.Index(fields=["table", "since"], name="timepause_of_a_table"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at table {self.table_id} since {self.since:%H:%M}"


@guards.append_only("comp points stay as they were given")
class CompAccrual(models.Model):
    """Comp points for time played in one seat, posted as `comp:play:<id>`. `rest`: what did not come to a whole point,
    in points x seconds, carried on to the next one of the same stay."""

    stay = models.ForeignKey(Stay, on_delete=models.PROTECT, related_name="comps")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="comp_accruals")
    since = models.DateTimeField()
    until = models.DateTimeField()
    seconds = models.PositiveIntegerField(help_text="Of play in this span; neither sat out nor paused.")
    per_hour = models.PositiveIntegerField()
    points = models.PositiveIntegerField()
    rest = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stay", "since"], name="compaccrual_each_span_once"),
            models.CheckConstraint(condition=Q(until__gt=F("since")), name="compaccrual_is_a_span"),
        ]
        indexes = [models.Index(F("player"), F("id").desc(), name="compaccrual_of_a_player")]

    def __str__(self) -> str:
        return f"{self.points} comp points for stay {self.stay_id}"
