"""Which receipts have been printed, when and for whom, as the admin's log keeps it: a second print is marked as one."""

from datetime import datetime

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from cardroom.models import User
from tournaments.models import Payment, Payout

_PRINTED = "receipt printed"


@transaction.atomic
def note(receipt: Payment | Payout, *, by: User, now: datetime) -> int:
    """Write down that it is printed now; how often it had been printed before. Locks the receipt."""
    type(receipt).objects.select_for_update(no_key=True).get(pk=receipt.pk)
    kind = ContentType.objects.get_for_model(receipt)
    printed = LogEntry.objects.filter(content_type=kind, object_id=str(receipt.pk), change_message=_PRINTED)
    times = printed.count()
    LogEntry.objects.create(
        user=by,
        content_type=kind,
        object_id=str(receipt.pk),
        object_repr=str(receipt)[:200],
        action_flag=CHANGE,
        action_time=now,
        change_message=_PRINTED,
    )
    return times
