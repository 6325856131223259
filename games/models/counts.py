"""What the drop box of a physical table was found to hold."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.tables import Table


class BoxCount(models.Model):
    """The drop box of a physical table, emptied and counted: so many chips went from the table to the house.

    Kept for ever. `key` is the caller's own word: the same one again is answered with this row.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="box_counts")
    amount = models.PositiveBigIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=80, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="boxcount_is_of_some_chips"),
            models.UniqueConstraint(fields=["table", "key"], condition=~Q(key=""), name="boxcount_one_per_key"),
        ]
        indexes = [models.Index(F("table"), F("id").desc(), name="boxcount_of_a_table")]

    def __str__(self) -> str:
        return f"{self.amount} from the box of table {self.table_id}"
