"""E-mails to players who gave an address: that their event starts or is off, and what they won; each at most once.

A mail is claimed, and the claim committed, before it is sent: one that cannot be sent is logged and not tried again.
"""

from datetime import datetime, timedelta

import structlog
from django.core import mail
from django.db import transaction
from django.db.models import QuerySet

from cardroom.services import alarms
from tournaments.models import Notice, Tournament

log = structlog.get_logger(__name__)

ALARM = "tournament-mail"
#: The kinds of notices that go out by e-mail as well.
MAILED = frozenset({"starting-soon", "starting", "cancelled", "prize", "flight-closed", "message"})
_TOO_OLD = timedelta(hours=12)
_AT_ONCE = 50
_CLAIMED = "mailed_at"


def due(tournament: Tournament, *, now: datetime) -> None:
    """There is something to be mailed: the alarm rings at once."""
    alarms.set(kind=ALARM, key=str(tournament.pk), due_at=now, fence=tournament.seq)


def send(*, tournament_id: int, now: datetime) -> int:
    """Mail what has not been mailed; how many went out. Call outside a transaction."""
    sent = 0
    while claimed := _claim(tournament_id, now=now):
        messages = [
            mail.EmailMessage(f"{notice.tournament.name}", notice.text, to=[notice.player.email]) for notice in claimed
        ]
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
    for notice in claimed:
        notice.data = notice.data | {_CLAIMED: now.isoformat()}
    Notice.objects.bulk_update(claimed, ["data"])
    return claimed


def _unsent(tournament_id: int, *, now: datetime) -> QuerySet[Notice]:
    some = Notice.objects.filter(tournament=tournament_id, kind__in=MAILED, at__gt=now - _TOO_OLD)
    people = some.filter(player__is_active=True, player__is_bot=False, player__wants_mail=True).exclude(
        player__email=""
    )
    return people.exclude(data__has_key=_CLAIMED).select_related("player", "tournament").order_by("pk")
