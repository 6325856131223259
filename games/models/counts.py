"""What the drop boxes of a physical table were found to hold."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.drops import Jackpot
from games.models.tables import Table


class BoxCount(models.Model):
    """The drop boxes of a physical table, emptied and counted: so many chips went from the table to the house.

    Of `amount`, `time` was booked when it was charged and is moved no more; `promo` went to promotions and `jackpot` to
    the pool of `fund`, `backup` of it to what that starts again with; the rest is rake. Where time is collected there
    is no rake: the rest is `over` (or short, below zero), and `reason` says why.

    Kept for ever.
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
