"""What goes out by e-mail, text message and push: of notices to people and of events, and reports; each at most once.

Each is claimed, and the claim committed, before it is sent: what cannot be sent is logged and not tried again.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core import mail
from django.db import IntegrityError, transaction
from django.db.models import Q

from cardroom.accounts import members, push
from cardroom.core import languages, played, texting
from cardroom.core.models import Notice, User

log = structlog.get_logger(__name__)

#: What goes out each way, by the column that claims it. Nothing older goes out.
_NEWS_FOR = {
    "mailed_at": {Notice.Channel.MAIL: timedelta(hours=12), Notice.Channel.TEXT: timedelta(hours=2)},
    "texted_at": {Notice.Channel.TEXT: timedelta(hours=2)},
    "pushed_at": {
        Notice.Channel.MAIL: timedelta(hours=2),
        Notice.Channel.TEXT: timedelta(hours=2),
        Notice.Channel.PUSH: timedelta(minutes=10),
        Notice.Channel.PUSH_ALONE: timedelta(minutes=1),
    },
}
_AT_ONCE = 50


def send(*, key: str, now: datetime) -> list[str]:
    """Send by push, mail and text message: the notice with the number `key`, or all whose keys begin with it. Returns
    "push", "mail" and "text" for each that went out. Call outside a transaction."""
    sent = []
    while push.is_possible() and (claimed := _claim(key, "pushed_at", now=now)):
        lasts = _NEWS_FOR["pushed_at"]
        sent += ["push"] * push.send([(pushed, lasts[Notice.Channel(pushed.way)]) for pushed in claimed], now=now)
    while settings.DEFAULT_FROM_EMAIL and (claimed := _claim(key, "mailed_at", now=now)):
        sent += ["mail"] * _mail([_letter(notice) for notice in claimed])
    while texting.is_possible() and (claimed := _claim(key, "texted_at", now=now)):
        for notice in claimed:
            phone = notice.data.get("phone") or members.phone_of(notice.player)
            if phone and texting.send(to=phone, text=_words(notice), name=f"notice:{notice.pk}"):
                sent.append("text")
    return sent


def mail_once(
    *, player: User, kind: str, key: str, subject: str, write: Callable[[], mail.EmailMessage], now: datetime
) -> int:
    """Mail something that is on no page, such as a report, to an address that the caller has checked. Returns how many
    went out: none under a `key` that was used for this player before. Call outside a transaction."""
    way = Notice.Channel.MAIL_ALONE
    try:
        with transaction.atomic():
            Notice.objects.create(player=player, kind=kind, text=subject, key=key, way=way, at=now, mailed_at=now)
    except IntegrityError:
        return 0
    return _mail([write()])


def _words(notice: Notice) -> str:
    with languages.spoken_to(notice.player):
        after = [games.words_after(notice) for games in played.games()]
        return " ".join(filter(None, [notice.text, *after]))


def _letter(notice: Notice) -> mail.EmailMessage:
    return mail.EmailMessage(notice.subject or settings.CARDROOM_NAME, _words(notice), to=[notice.player.email])


def _mail(letters: Sequence[mail.EmailMessage]) -> int:
    """How many went out."""
    try:
        return mail.get_connection().send_messages(letters) or 0
    except OSError:
        log.exception("mail could not be sent", subjects=[letter.subject for letter in letters])
        return 0


@transaction.atomic
def _claim(key: str, column: str, *, now: datetime) -> list[Notice]:
    """Claim some notices that are to be sent in this way and that no other process is sending."""
    which = {"pk": int(key)} if key.isdecimal() else {"key__startswith": key}
    is_news = Q()
    for way, lasts in _NEWS_FOR[column].items():
        is_news |= Q(way=way, at__gt=now - lasts)
    unsent = Notice.objects.filter(**which, **{column: None}).select_related("player")
    if column == "mailed_at":
        unsent = unsent.filter(player__is_active=True, player__wants_mail=True).exclude(player__email="")
    claimed = list(unsent.filter(is_news).select_for_update(no_key=True, of=("self",)).order_by("pk")[:_AT_ONCE])
    Notice.objects.filter(pk__in=[notice.pk for notice in claimed]).update(**{column: now})
    return claimed
