"""The head of the last seal, kept where the room cannot change it: appended to a file, and mailed once a day.

A person with every key of the room and every right on the database can make history and its seals anew, but cannot
change these heads.
"""

import os
from collections.abc import Iterator
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from cardroom.core.models import HistorySeal, HistoryState

log = structlog.get_logger(__name__)

_DAY = timedelta(days=1)


def take_out(seal: HistorySeal, *, now: datetime) -> None:
    """Append the head of a seal to the file, and mail it where the last mail is a day old. What fails is in the log,
    and stops nobody."""
    if path := settings.CARDROOM_HISTORY_HEADS:
        try:
            _append(path, f"{seal.number} {seal.head} {seal.at.isoformat()}\n")
        except OSError:
            log.exception("the head of a seal could not be written down", path=path)
    if settings.CARDROOM_HISTORY_MAIL and _is_due(now):
        try:
            send_mail(
                f"[{settings.CARDROOM_NAME}] Seal {seal.number}",
                f"Seal {seal.number} of {seal.at.isoformat()}:\n\n{seal.head}\n\nKeep this mail. It shows what the "
                f"history of the room was: manage.py audit --seal {seal.head}\n",
                None,
                [settings.CARDROOM_HISTORY_MAIL],
            )
        except OSError:
            log.exception("the head of a seal could not be mailed")


def known() -> Iterator[tuple[int, str]]:
    """The heads that lie in the file, by the numbers of their seals; none where there is no file."""
    path = settings.CARDROOM_HISTORY_HEADS
    if not path or not os.path.isfile(path):
        return
    with open(path, encoding="ascii") as file:
        for line in file:
            number, _, rest = line.partition(" ")
            if number.isdecimal():
                yield int(number), rest.split(" ")[0].strip()


def _append(path: str, line: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, line.encode())
    finally:
        os.close(handle)


@transaction.atomic
def _is_due(now: datetime) -> bool:
    """Whether a mail goes out now; noted at once, so that it goes out once."""
    state = HistoryState.objects.select_for_update().filter(pk=1).first()
    if state is None or (state.mailed_at is not None and now - state.mailed_at < _DAY):
        return False
    state.mailed_at = now
    state.save(update_fields=["mailed_at"])
    return True
