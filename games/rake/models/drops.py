"""Rows of the drop of each hand, of the jackpots that part of it goes to, and of counted drop boxes."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from cardroom.core import step_up
from cardroom.core.database import guards
from cardroom.core.errors import NotFound
from games.tables.models.offers import DropSchedule, Offer, Section
from games.tables.models.tables import Hand, Table

_USER = settings.AUTH_USER_MODEL


@step_up.before_change
@guards.free("its terms change by approvals, which are kept; its chips are in the ledger")
class Jackpot(models.Model):
    """A bad-beat jackpot: chips that grow until a hand good enough is beaten.

    Its chips lie in the ledger, POOL `jackpot:<id>` and POOL `jackpot:<id>:backup`. Nothing here changes but by a
    change that a second person approved; `version` counts them.

    The losing hand must be `least_hand` (five cards that stand for their rank) or better, `least_downcards` of both
    hands' own downcards must play, and `least_players` must have been dealt in. Of what is won the fixed bonuses go
    first; of the rest `loser_percent` goes to the loser, `winner_percent` to the winner, what is left to the others
    dealt in. Of every chip dropped `backup_percent` goes to the backup, which the jackpot starts again with.
    """

    class State(models.TextChoices):
        LIVE = "live", gettext_lazy("live")
        CLOSING = "closing", gettext_lazy("closing when the hands being played are over")
        CLOSED = "closed", gettext_lazy("closed")

    name = models.CharField(max_length=60, unique=True)
    least_hand = models.CharField(max_length=10, default="JsJhJdJc2s")
    least_downcards = models.PositiveSmallIntegerField(default=2)
    least_players = models.PositiveSmallIntegerField(default=4)
    seed = models.PositiveBigIntegerField(default=0)
    backup_percent = models.PositiveSmallIntegerField(default=40)
    loser_percent = models.PositiveSmallIntegerField(default=50)
    winner_percent = models.PositiveSmallIntegerField(default=25)
    loser_bonus = models.PositiveBigIntegerField(default=0)
    winner_bonus = models.PositiveBigIntegerField(default=0)
    table_bonus = models.PositiveBigIntegerField(default=0, help_text="For each of the others dealt in.")
    growth = models.PositiveBigIntegerField(default=0, help_text="Chips that the house adds by the clock.")
    growth_minutes = models.PositiveIntegerField(default=0, help_text="How often; 0: never.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.LIVE)
    version = models.PositiveIntegerField(default=1)
    seeds = models.PositiveIntegerField(default=0, help_text="How often it was started, or started again.")
    growths = models.PositiveIntegerField(default=0)
    grows_at = models.DateTimeField(null=True, blank=True)
    grows_from = models.DateTimeField(null=True, blank=True, help_text="What its periods are counted from.")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(backup_percent__lte=100), name="jackpot_backup_is_a_share"),
            models.CheckConstraint(
                condition=Q(loser_percent__lte=100 - F("winner_percent")), name="jackpot_shares_are_of_one_whole"
            ),
            models.CheckConstraint(condition=Q(least_downcards__lte=3), name="jackpot_downcards_are_three_at_most"),
        ]

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def not_found() -> NotFound:
        """The refusal where there is no such row."""
        return NotFound("no-such-jackpot", "There is no such jackpot.")


@guards.append_only("what was taken of a hand stays as it was written down")
class HandDrop(models.Model):
    """What was taken of one hand, as its `drop-taken` fact says and its transfer moved it. Never changed.

    `pot` is all that was bet and called. `backup` chips of `jackpot` went to the backup of `fund`. `why`: why nothing
    was taken. `dealer`: who dealt it; none: the automatic dealer.
    """

    hand = models.OneToOneField(Hand, on_delete=models.PROTECT, related_name="drop")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="hand_drops")
    offer = models.ForeignKey(Offer, null=True, blank=True, on_delete=models.PROTECT, related_name="hand_drops")
    section = models.ForeignKey(Section, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    schedule = models.ForeignKey(DropSchedule, on_delete=models.PROTECT, related_name="hand_drops")
    fund = models.ForeignKey(Jackpot, null=True, blank=True, on_delete=models.PROTECT, related_name="hand_drops")
    dealer = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    players = models.PositiveSmallIntegerField()
    pot = models.PositiveBigIntegerField()
    rake = models.PositiveBigIntegerField()
    promo = models.PositiveBigIntegerField()
    jackpot = models.PositiveBigIntegerField()
    backup = models.PositiveBigIntegerField(default=0)
    why = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(pot__gte=F("rake") + F("promo") + F("jackpot")), name="handdrop_is_of_the_pot"
            ),
            models.CheckConstraint(condition=Q(backup__lte=F("jackpot")), name="handdrop_backup_is_of_the_jackpot"),
        ]
        indexes = [
            models.Index(F("at"), name="handdrop_by_time"),
            models.Index(F("table"), F("at"), name="handdrop_of_a_table"),
            models.Index(F("dealer"), F("at"), condition=Q(dealer__isnull=False), name="handdrop_of_a_dealer"),
        ]

    def __str__(self) -> str:
        return f"{self.rake} + {self.promo} + {self.jackpot} of hand {self.hand_id}"

    @property
    def total(self) -> int:
        """All that left the pot."""
        return self.rake + self.promo + self.jackpot


@guards.life_cycle("a hit is decided once", changes=("approval", "state", "seeding", "decided_at"), ends="decided_at")
class JackpotHit(models.Model):
    """A reported hit of a jackpot, paid only once a second person has approved it.

    `amount` is what was in the jackpot then, less what other hits under review would get; `seeding`: the number of the
    seed that started it again. `hand` is None at a physical table.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("being checked")
        PAID = "paid", gettext_lazy("paid")
        REFUSED = "refused", gettext_lazy("refused")

    jackpot = models.ForeignKey(Jackpot, on_delete=models.PROTECT, related_name="hits")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="jackpot_hits")
    hand = models.OneToOneField(Hand, null=True, blank=True, on_delete=models.PROTECT, related_name="jackpot_hit")
    approval = models.OneToOneField("core.Approval", null=True, blank=True, on_delete=models.PROTECT)
    losing_words = models.CharField(max_length=80)
    winning_words = models.CharField(max_length=80)
    amount = models.PositiveBigIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    seeding = models.PositiveIntegerField(default=0)
    found_by = models.ForeignKey(_USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at=None) | (~Q(state="waiting") & Q(decided_at__isnull=False)),
                name="jackpothit_is_decided_or_waits",
            )
        ]
        indexes = [models.Index(F("jackpot"), F("id").desc(), name="jackpothit_newest")]

    def __str__(self) -> str:
        return f"{self.jackpot} hit at table {self.table_id}"


@guards.append_only("what a jackpot pays stays as it was shared out")
class JackpotShare(models.Model):
    """What one player gets of a hit."""

    class Kind(models.TextChoices):
        LOSER = "loser", gettext_lazy("losing hand")
        WINNER = "winner", gettext_lazy("winning hand")
        TABLE = "table", gettext_lazy("dealt in")

    hit = models.ForeignKey(JackpotHit, on_delete=models.PROTECT, related_name="shares")
    player = models.ForeignKey(_USER, on_delete=models.PROTECT, related_name="jackpot_shares")
    part = models.CharField(max_length=6, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField(default=0)
    chips = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["hit", "player"], name="jackpotshare_one_per_player")]

    def __str__(self) -> str:
        return f"{self.chips} of hit {self.hit_id} to {self.player_id}"


def rake_label(table_id: int) -> str:
    """The HOUSE account of a table's rake: one for each table, so that no table waits for another."""
    return f"rake:table:{table_id}"


def promo_label(table_id: int) -> str:
    """The HOUSE account of a table's promotional drop."""
    return f"promo:table:{table_id}"


def pool_label(jackpot_id: int) -> str:
    """The POOL account of a jackpot."""
    return f"jackpot:{jackpot_id}"


def backup_label(jackpot_id: int) -> str:
    """The POOL account that a jackpot starts again with."""
    return f"jackpot:{jackpot_id}:backup"


@guards.append_only("what a drop box held stays as it was counted")
class BoxCount(models.Model):
    """The drop boxes of a physical table, emptied and counted: so many chips went from the table to the house.

    Of `amount`, `time` was booked when it was charged and is moved no more; `promo` went to promotions and `jackpot` to
    the pool of `fund`, `backup` of it to what that starts again with; the rest is rake. Where time is collected there
    is no rake: the rest is `over` (or short, below zero), and `reason` says why.

    StoredText for ever.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="box_counts")
    amount = models.PositiveBigIntegerField()
    time = models.PositiveBigIntegerField(default=0)
    over = models.BigIntegerField(default=0)
    promo = models.PositiveBigIntegerField(default=0)
    jackpot = models.PositiveBigIntegerField(default=0)
    backup = models.PositiveBigIntegerField(default=0)
    fund = models.ForeignKey(Jackpot, null=True, blank=True, on_delete=models.PROTECT, related_name="box_counts")
    reason = models.CharField(max_length=300, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="boxcount_is_of_some_chips"),
            models.CheckConstraint(condition=Q(amount__gte=F("promo") + F("jackpot")), name="boxcount_parts_are_of_it"),
            models.CheckConstraint(condition=Q(jackpot__gte=F("backup")), name="boxcount_backup_is_of_the_jackpot"),
            models.CheckConstraint(condition=Q(jackpot=0) | Q(fund__isnull=False), name="boxcount_jackpot_has_a_fund"),
        ]
        indexes = [models.Index(F("table"), F("id").desc(), name="boxcount_of_a_table")]

    def __str__(self) -> str:
        return f"{self.amount} from the box of table {self.table_id}"

    @property
    def moved(self) -> int:
        """The chips that left the table's pool with it, below zero where they came back; time had left before."""
        return self.amount - self.time

    @property
    def rake(self) -> int:
        """Rake of the house."""
        return self.amount - self.time - self.promo - self.jackpot - self.over
