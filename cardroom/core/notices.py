"""Notices to a person: on every page they have open, and where it cannot wait by e-mail, text message and push.

A notice is written in the transaction that it is about. What also goes out is sent from its alarm (`accounts.outbox`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from cardroom.core import alarms, audit_log, topics
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import Notice, User
from cardroom.core.verb import current_time, lock, verb

ALARM = alarms.register("notice", "cardroom.tasks.send_notice")
LONGEST = 300
#: What a notice may be about.
ABOUT = ("events", "room")
STAFF = ("floor", "manager")

Message = Annotated[str, Limits(min_length=1, max_length=LONGEST)]


def tell(
    *,
    player: User,
    kind: str,
    text: str,
    now: datetime,
    data: dict[str, Any] | None = None,
    key: str = "",
    is_sent: bool = False,
) -> Notice | None:
    """Tell `player` something; `is_sent`: by e-mail, text message and push too, as far as they wish for it.

    None where nothing is sent: to a bot, or to a player who has this notice already (`key`). Call in a transaction.
    """
    if player.is_bot:
        return None
    try:
        with transaction.atomic():
            notice = Notice.objects.create(
                player=player,
                kind=kind,
                text=text[:LONGEST],
                data=data or {},
                key=key,
                at=now,
                way=Notice.Channel.TEXT if is_sent else Notice.Channel.PAGES,
            )
    except IntegrityError:
        return None
    if is_sent:
        go_out(str(notice.pk), now=now)
    topics.tell(f"player:{player.pk}")
    return notice


def unread(player: User, *, about: str = "", limit: int = 20) -> list[Notice]:
    """The player's unread notices (`about`: events, the room, or both), newest first."""
    return list(_shown(player, about).filter(read_at=None).order_by("-pk")[:limit])


def newest(player: User, *, about: str = "", before: int | None = None, limit: int = 50) -> list[Notice]:
    """The player's notices (`about`: events, the room, or both), newest first; with `before` only what is older than
    that one."""
    rows = _shown(player, about)
    return list((rows.filter(pk__lt=before) if before is not None else rows).order_by("-pk")[:limit])


@verb("notices.read")
def read(*, notice_id: RowId, by: User) -> Notice:
    """Mark a notice as read; a second call does nothing. `NotFound` where it is not theirs. Locks the notice."""
    notice, now = lock(Notice.objects.filter(player=by), notice_id)
    if notice.read_at is None:
        notice.read_at = now
        notice.save(update_fields=["read_at"])
        topics.tell(f"player:{by.pk}")
    return notice


def put_away(players: Iterable[int], *, key_prefix: str, now: datetime) -> None:
    """Mark as read, for these players by id, every notice whose key begins with `key_prefix`. Call in a transaction;
    locks none of them."""
    for player in players:
        rows = Notice.objects.filter(player=player, read_at=None, key__startswith=key_prefix)
        if rows.update(read_at=now):
            topics.tell(f"player:{player}")


def go_out(key: str, *, now: datetime, fence: int = 0) -> None:
    """Have notices sent right after this transaction: the one with the number `key`, or all whose keys begin with
    it."""
    alarms.set(kind=ALARM, key=key, due_at=now, fence=fence)


def _shown(player: User, about: str) -> QuerySet[Notice]:
    rows, of_events = Notice.objects.filter(player=player), Q(key__startswith=Notice.OF_EVENTS)
    rows = rows.exclude(way__in=[Notice.Channel.MAIL_ALONE, Notice.Channel.PUSH_ALONE])
    return rows.filter({"events": of_events, "room": ~of_events}[about]) if about else rows


@verb("messages.say", roles=STAFF)
def send_message(*, player: User, text: Message, by: User) -> Notice | None:
    """Send a player a message; None for a bot. By the floor and managers.

    Refuses: `Invalid` (empty, too long).
    """
    text = " ".join(text.split())
    if not 1 <= len(text) <= LONGEST or not text.isprintable():
        raise Invalid("bad-message", "A message has 1 to {longest} characters.", longest=LONGEST)
    now = current_time()
    audit_log.note(verb="connection.message", subject=f"user:{player.pk}", player=player, by=by, now=now, text=text)
    return tell(player=player, kind="staff", text=text, now=now)
