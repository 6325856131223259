"""What goes out of a notice: an e-mail and a text message, each at most once.

Each is claimed, and the claim committed, before it is sent: what cannot be sent is logged and not tried again.
"""

from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.db.models import Q

from cardroom.accounts import members, signals
from cardroom.core import notices, texting
from cardroom.core.models import Notice

log = structlog.get_logger(__name__)

_TOO_OLD = timedelta(hours=2)


def send(*, notice_id: int, now: datetime) -> list[str]:
    """Mail and text a notice, each at most once; which of "mail" and "text" went out. Call outside a transaction."""
    sent = []
    if (notice := _claim(notice_id, "mailed_at", now=now)) and notices.wants_mail(notice.player):
        message = mail.EmailMessage(settings.CARDROOM_NAME, _words(notice), to=[notice.player.email])
        try:
            if message.send():
                sent.append("mail")
        except OSError:
            log.exception("a notice could not be mailed", notice=notice_id)
    if texting.is_possible() and (notice := _claim(notice_id, "texted_at", now=now)):
        phone = notice.data.get("phone") or members.phone_of(notice.player)
        if phone and texting.send(to=phone, text=_words(notice), name=f"notice:{notice.pk}"):
            sent.append("text")
    return sent


def _words(notice: Notice) -> str:
    return " ".join(filter(None, [notice.text, *signals.words_after.ask(notice=notice)]))


@transaction.atomic
def _claim(notice_id: int, column: str, *, now: datetime) -> Notice | None:
    """The notice, if it is to be sent so and nobody else has it in hand. What is old is news to nobody."""
    free = Q(**{f"{column}__isnull": True})
    is_mine = Notice.objects.filter(free, pk=notice_id, is_sent=True, at__gt=now - _TOO_OLD).update(**{column: now})
    return Notice.objects.select_related("player").get(pk=notice_id) if is_mine else None
