"""Shifts of the room, and the duties and downs of dealers."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from cardroom.core import room_time
from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.tables.models.tables import Table

_USER = settings.AUTH_USER_MODEL


@guards.life_cycle(
    "a shift stays as it was closed",
    changes=("is_open", "closed_at", "closed_by", "found", "remark", "handed_to"),
    ends="closed_at",
)
class Shift(models.Model):
    """A shift of the room, from its opening to its closing; one is open at a time. `found`: counts of what was still
    open when it was closed."""

    name = models.CharField(max_length=60)
    is_open = models.BooleanField(default=True)
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    found = models.JSONField(default=dict, blank=True)
    remark = models.CharField(max_length=300, blank=True)
    handed_to = models.ForeignKey(
        _USER,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="Who took over what was open then.",
    )

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["is_open"], condition=Q(is_open=True), name="shift_one_at_a_time"),
            models.CheckConstraint(
                condition=Q(is_open=True, closed_at=None)
                | Q(is_open=False, closed_at__gte=F("opened_at"), closed_by__isnull=False),
                name="shift_is_open_or_was_closed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {room_time.format_day(room_time.local(self.opened_at), 'j M Y')}"

    @staticmethod
    def not_found() -> NotFound:
        """What is answered where there is no such row."""
        return NotFound("no-such-shift", "There is no such shift.")


@guards.life_cycle(
    "a dealer's day that is over stays as it was", changes=("until", "free_at", "break_until"), ends="until"
)
class Duty(models.Model):
    """A dealer at work: from clocking in until they go home. One pool deals cash games and events.

    `free_at`: since when they wait to deal, which is their place in the rotation; nobody is pushed in while they have a
    break (`break_until`). Dealing, they have an open `Down`.
    """

    dealer = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="duties")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    free_at = models.DateTimeField()
    break_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dealer"], condition=Q(until=None), name="duty_one_at_a_time"),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gte=F("since")), name="duty_is_a_span"),
        ]
        indexes = [
            models.Index(fields=["free_at"], condition=Q(until=None), name="duty_rotation"),
            models.Index(F("dealer"), F("id").desc(), name="duty_of_a_dealer"),
        ]

    def __str__(self) -> str:
        return f"{self.dealer} since {self.since:%H:%M}"


@guards.life_cycle("a down that is over stays as it was", changes=("until", "due_at", "told_at"), ends="until")
class Down(models.Model):
    """A dealer's time at one table; `place` names a table of an event in the room, which has no `Table` row.

    `due_at`: when the next dealer is to push them out; `told_at`: when the next dealer was notified of that.
    """

    duty = models.ForeignKey(Duty, on_delete=models.PROTECT, related_name="downs")
    dealer = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="downs")
    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="downs")
    place = models.CharField(max_length=80, blank=True)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True, blank=True)
    by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dealer"], condition=Q(until=None), name="down_one_per_dealer"),
            models.UniqueConstraint(fields=["table"], condition=Q(until=None), name="down_one_per_table"),
            models.UniqueConstraint(
                fields=["place"], condition=Q(until=None) & ~Q(place=""), name="down_one_per_place"
            ),
            models.CheckConstraint(
                condition=Q(table=None) & ~Q(place="") | Q(table__isnull=False, place=""), name="down_is_somewhere"
            ),
            models.CheckConstraint(condition=Q(until=None) | Q(until__gte=F("since")), name="down_is_a_span"),
        ]
        indexes = [
            models.Index(F("dealer"), F("id").desc(), name="down_of_a_dealer"),
            models.Index(F("table"), F("since"), name="down_of_a_table"),
            models.Index(fields=["until"], name="down_by_its_end"),
        ]

    def __str__(self) -> str:
        return f"{self.dealer} at {self.where} since {self.since:%H:%M}"

    @property
    def where(self) -> str:
        """The name of the table."""
        return self.table.name if self.table else self.place

    @property
    def minutes(self) -> int | None:
        """How long it was; None while they deal."""
        return int((self.until - self.since).total_seconds()) // 60 if self.until else None
