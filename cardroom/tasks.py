"""The house's tasks: each asks a service and does nothing else."""

from celery import shared_task
from django.utils import timezone

from cardroom.accounts import bans, chat, outbox, sessions, visits
from cardroom.core import alarms, approvals, watchdog
from cardroom.core.history import heads, sealing


@shared_task(name="cardroom.tasks.tick")
def tick() -> None:
    """Hand every alarm that is due to its own task, and note that this can be done."""
    alarms.ring(now=timezone.now())
    watchdog.note(now=timezone.now())


@shared_task(name="cardroom.tasks.watch")
def watch() -> None:
    """Tell of what stands still."""
    watchdog.tell_staff(now=timezone.now())


@shared_task(name="cardroom.tasks.seal_history")
def seal_history() -> None:
    """Once a minute: what was written down is sealed."""
    if (seal := sealing.seal()) is not None:
        heads.take_out(seal, now=seal.at)


@shared_task(name="cardroom.tasks.send_notice")
def send_notice(kind: str, key: str, fence: int) -> None:
    """People were told something that also goes out by e-mail and text message."""
    outbox.send(key=key, now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="cardroom.tasks.begin_ban")
def begin_ban(kind: str, key: str, fence: int) -> None:
    """A ban begins, or something it has to bring about has failed before."""
    if bans.begin(ban_id=int(key), now=timezone.now()):
        alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="cardroom.tasks.end_approval")
def end_approval(kind: str, key: str, fence: int) -> None:
    """What waited for a second person was not decided in time."""
    approvals.expire(approval_id=int(key))
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="cardroom.tasks.clear_sessions")
def clear_sessions(kind: str, key: str, fence: int) -> None:
    """Once a day: sessions that are over go, and visits with them."""
    sessions.clear(now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="cardroom.tasks.end_visits")
def end_visits(kind: str, key: str, fence: int) -> None:
    """Once a day: visits to the room end that nobody ended."""
    visits.end_forgotten(now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)


@shared_task(name="cardroom.tasks.clear_chat")
def clear_chat(kind: str, key: str, fence: int) -> None:
    """Once a day: what was said in the lobby long ago is deleted."""
    chat.clear(now=timezone.now())
    alarms.done(kind=kind, key=key, fence=fence)
