"""E-mails to players who gave an address: that their event starts or is off, and what they won; each at most once.

A mail is claimed, and the claim committed, before it is sent: one that cannot be sent is logged and not tried again.
"""

from datetime import datetime, timedelta

import structlog
from django.core import mail
from django.db import transaction
from django.db.models import QuerySet

from cardroom.models import Notice
from cardroom.services import alarms
from tournaments.models import Tournament

log = structlog.get_logger(__name__)

ALARM = "tournament-mail"
#: The kinds of notices that go out by e-mail as well.
MAILED = frozenset({"starting-soon", "starting", "cancelled", "prize", "flight-closed", "message"})
_TOO_OLD = timedelta(hours=12)
_AT_ONCE = 50


def due(tournament: Tournament, *, now: datetime) -> None:
    """There is something to be mailed: the alarm rings at once."""
    alarms.set(kind=ALARM, key=str(tournament.pk), due_at=now, fence=tournament.seq)


def send(*, tournament_id: int, now: datetime) -> int:
    """Mail what has not been mailed; how many went out. Call outside a transaction."""
    sent, name = 0, Tournament.objects.values_list("name", flat=True).get(pk=tournament_id)
    while claimed := _claim(tournament_id, now=now):
        messages = [mail.EmailMessage(name, notice.text, to=[notice.player.email]) for notice in claimed]
        try:
            with mail.get_connection() as connection:
                sent += connection.send_messages(messages) or 0
        except OSError:
            log.exception("mails could not be sent", tournament=tournament_id, notices=[each.pk for each in claimed])
    return sent


@transaction.atomic
def _claim(tournament_id: int, *, now: datetime) -> list[Notice]:
    """Some that nobody else will send now."""
    claimed = list(_unsent(tournament_id, now=now).select_for_update(no_key=True, of=("self",))[:_AT_ONCE])
    Notice.objects.filter(pk__in=[notice.pk for notice in claimed]).update(mailed_at=now)
    return claimed


def _unsent(tournament_id: int, *, now: datetime) -> QuerySet[Notice]:
    told = Notice.objects.filter(key__startswith=f"{Notice.OF_EVENTS}{tournament_id}:", at__gt=now - _TOO_OLD)
    some = told.filter(kind__in=MAILED, mailed_at=None)
    people = some.filter(player__is_active=True, player__is_bot=False, player__wants_mail=True)
    return people.exclude(player__email="").select_related("player").order_by("pk")
