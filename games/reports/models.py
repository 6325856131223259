"""Days added up, so that reports do not read millions of entries; and who is sent reports by mail.

Nothing here is a source of truth: `audit` adds the days up again from hands, stays and ledger, and compares.
"""

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy

from cardroom.core.database import guards
from games.tables.models.offers import Offer, Section
from games.tables.models.tables import Table

_USER = settings.AUTH_USER_MODEL


@guards.free("added up again from what is kept")
class DaySum(models.Model):
    """A gaming day that was added up; its rows are in the tables below. Days of the room's zone, without a gap. `rule`:
    how days began then; when that changes, the day is added up anew."""

    day = models.DateField(unique=True)
    rule = models.CharField(max_length=60, blank=True)
    entries = models.PositiveIntegerField(help_text="Of the ledger, on this day.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["day"]

    def __str__(self) -> str:
        return f"{self.day}"


@guards.free("added up again from what is kept")
class DayIncome(models.Model):
    """What a table brought in on a day, by game, section and dealer. `players`: dealt in, added up over the hands;
    `seconds`: of players in their seats, with no dealer; `jackpot`: dropped for jackpots."""

    day = models.DateField()
    table = models.ForeignKey(Table, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    offer = models.ForeignKey(Offer, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    dealer = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    hands = models.PositiveIntegerField(default=0)
    players = models.PositiveIntegerField(default=0)
    pot = models.BigIntegerField(default=0)
    rake = models.BigIntegerField(default=0)
    time = models.BigIntegerField(default=0)
    promo = models.BigIntegerField(default=0)
    jackpot = models.BigIntegerField(default=0)
    comps = models.BigIntegerField(default=0)
    seconds = models.BigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["day"], name="dayincome_of_a_day")]

    def __str__(self) -> str:
        return f"table {self.table_id} on {self.day}"


@guards.free("added up again from what is kept")
class DayBook(models.Model):
    """Sums of the ledger's entries of a day, by kind of account, fund (its label without the number of a table) and
    source (the reference of the transfer up to the first colon)."""

    day = models.DateField()
    kind = models.CharField(max_length=20)
    unit = models.CharField(max_length=40)
    fund = models.CharField(max_length=100, blank=True)
    source = models.CharField(max_length=200)
    amount = models.BigIntegerField()
    entries = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["day", "kind", "unit", "fund", "source"], name="daybook_each_line_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.fund} on {self.day}"


@guards.free("added up again from what is kept")
class DayPlayer(models.Model):
    """A player's day at cash tables: `net` of the hands dealt here, `taken` their part of the drop, `room` chips
    taken away from tables in the room less chips brought, once they have left, `time` paid from their stacks."""

    day = models.DateField()
    player = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    hands = models.PositiveIntegerField(default=0)
    net = models.BigIntegerField(default=0)
    taken = models.BigIntegerField(default=0)
    room = models.BigIntegerField(default=0)
    time = models.BigIntegerField(default=0)
    seconds = models.BigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "player"], name="dayplayer_one_a_day")]
        indexes = [models.Index(F("player"), F("day").desc(), name="dayplayer_of_a_player")]

    def __str__(self) -> str:
        return f"player {self.player_id} on {self.day}"


@guards.free("who is sent what now")
class ReportWish(models.Model):
    """A report mailed to somebody: each morning for the day before, or after each shift."""

    class Every(models.TextChoices):
        DAY = "day", gettext_lazy("each morning, of the day before")
        SHIFT = "shift", gettext_lazy("after each shift")

    user = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="report_wishes")
    every = models.CharField(max_length=5, choices=Every.choices)
    by = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "every"], name="reportwish_one_of_each")]

    def __str__(self) -> str:
        return f"{self.user}: {self.every}"
