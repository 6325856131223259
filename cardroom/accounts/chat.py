"""The chat of the lobby: who is logged in speaks, staff marked as such; the floor hides lines and silences people.

Everything said stays in the log for ninety days, hidden lines too, for managers and auditors. A setting turns the chat
off; what the floor tells the whole room is told all the same.
"""

from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet

from cardroom.accounts import bans
from cardroom.accounts.models import ChatLine, ChatSilence
from cardroom.core import access, alarms, audit_log, room_time, topics
from cardroom.core.errors import Forbidden, Invalid, NotFound, TooMany
from cardroom.core.models import User
from cardroom.core.operation import operation, row_of

STAFF = ("floor", "manager")
LONGEST = 200
SHOWN = 50
KEPT = timedelta(days=90)
#: So many lines of one person in so long.
_AT_MOST = ((5, timedelta(seconds=10), "Wait a few seconds."), (30, timedelta(minutes=10), "Wait a few minutes."))
#: For how long what was announcement stands above the chat.
_STANDS = timedelta(hours=12)
#: For how long the floor silences somebody by itself.
_A_FLOORS = timedelta(days=1)

#: The daily alarm that deletes what is old.
ALARM = alarms.register("chat", "cardroom.tasks.clear_chat")
_CLEARED_AT = 5  # o'clock in the room


def is_on() -> bool:
    """Whether this room has a chat."""
    return bool(settings.CARDROOM_LOBBY_CHAT)


@operation(row_of(User, "by"), verb="chat.say")
def say(*, by: User, text: str, now: datetime) -> ChatLine:
    """A line in the lobby.

    Refuses: `NotFound` (the chat is off), `Forbidden` (logged out, closed, a bot, banned, silenced), `Invalid` (empty,
    too long, not printable), `TooMany` (5 lines in 10 seconds, 30 in 10 minutes). Locks the author's row.
    """
    check_on()
    access.require_login(by)
    said = _words(text)
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    check_may_speak(by, now=now)
    _check_pace(by, now=now)
    return _said(ChatLine.Kind.SAID, by, said, now)


@operation(verb="chat.announce", about="chat:{made.pk}", roles=STAFF)
def announce(*, text: str, by: User, now: datetime) -> ChatLine:
    """Show an announcement above the chat for some hours. For the floor and managers.

    Refuses: `Invalid`.
    """
    said = _words(text)
    return _said(ChatLine.Kind.ANNOUNCED, by, said, now)


@operation(row_of(ChatLine, "line_id"), roles=STAFF)
def hide(*, line_id: int, by: User, reason: str, now: datetime) -> ChatLine:
    """Hide a chat line; the log keeps it. For the floor and managers. A second call does nothing.

    Refuses: `Invalid` (no reason), `NotFound`. Locks the line.
    """
    why = audit_log.reason_given(reason, what="hiding a message")
    line = ChatLine.objects.select_for_update(no_key=True).filter(pk=line_id).first()
    if line is None:
        raise NotFound("There is no such message.", "no-such-line")
    if line.hidden_at is None:
        line.hidden_at, line.hidden_by, line.hidden_why = now, by, why
        line.save(update_fields=["hidden_at", "hidden_by", "hidden_why"])
        audit_log.note(
            verb="chat.hide", subject=f"chat:{line.pk}", player=line.author, by=by, now=now, reason=why, text=line.text
        )
        topics.tell("chat")
    return line


@operation(row_of(User, "player"), roles=STAFF)
def silence(*, player: User, by: User, reason: str, now: datetime, until: datetime | None = None) -> ChatSilence:
    """The player may not speak in the lobby until then (None: until it is lifted), in place of what was said before.

    For managers; the floor may for a day. Refuses: `Invalid` (no reason, an end that is over, oneself, a bot). Locks
    the player's row.
    """
    why = audit_log.reason_given(reason, what="muting a player")
    if player.pk == by.pk or player.is_bot:
        raise Invalid("You cannot mute yourself or a bot.", "bad-player")
    room_time.check(until)
    if until is not None and until <= now:
        raise Invalid("The end of a mute must be in the future.", "bad-moment")
    if (until is None or until > now + _A_FLOORS) and not access.has_role(by, "manager"):
        raise Forbidden("The floor can mute for at most one day; ask a manager for longer.", "too-long")
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    found = ChatSilence.objects.filter(player=player, lifted_at=None).first()
    if found is not None and (found.until, found.reason) == (until, why):
        return found
    if found is not None:
        _lift(found, by, now)
    made = ChatSilence.objects.create(player=player, since=now, until=until, reason=why, by=by)
    said = until.isoformat() if until else None
    audit_log.note(
        verb="chat.silence", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why, until=said
    )
    topics.tell("chat")
    return made


@operation(row_of(User, "player"), roles=STAFF)
def unsilence(*, player: User, by: User, now: datetime) -> None:
    """The player may speak again. For the floor and managers; once more does nothing. Locks the player's row."""
    User.objects.select_for_update(no_key=True).get(pk=player.pk)
    found = ChatSilence.objects.filter(player=player, lifted_at=None).first()
    if found is None:
        return
    _lift(found, by, now)
    audit_log.note(verb="chat.unsilence", subject=f"user:{player.pk}", player=player, by=by, now=now)
    topics.tell("chat")


def silence_of(player: User, *, now: datetime) -> ChatSilence | None:
    """The silence that is in force for the player now, if any."""
    counts = Q(until=None) | Q(until__gt=now)
    return ChatSilence.objects.filter(counts, player=player, lifted_at=None).first()


def check_may_speak(player: User, *, now: datetime) -> None:
    """`Forbidden`, with what to do about it, for who may not speak in the lobby."""
    if player.is_bot:
        raise Forbidden("A house bot cannot chat.", "bad-player")
    ban = bans.in_force(player, now=now).first()
    if ban is not None:
        raise Forbidden(bans.words_for(ban), "banned")
    if silence := silence_of(player, now=now):
        until = f"until {room_time.said(silence.until)}" if silence.until else "until the floor unmutes you"
        raise Forbidden(f"You are muted in the lobby chat {until}: {silence.reason}.", "silenced")


def newest(*, before: int | None = None, limit: int = SHOWN) -> list[ChatLine]:
    """The lines everybody sees, the newest first, each with its `author`. `NotFound` where the chat is off."""
    check_on()
    found = ChatLine.objects.filter(hidden_at=None).select_related("author").order_by("-pk")
    return list((found.filter(pk__lt=before) if before is not None else found)[:limit])


def stands(line: ChatLine, *, now: datetime) -> bool:
    """Whether an announcement is still shown above the chat."""
    return line.at > now - _STANDS


def silenced(*, now: datetime) -> QuerySet[ChatSilence]:
    """Who may not speak now, each with its `player` and who silenced them."""
    counts = Q(until=None) | Q(until__gt=now)
    return ChatSilence.objects.filter(counts, lifted_at=None).select_related("player", "by")


def standing_word(*, now: datetime) -> ChatLine | None:
    """The last announcement, while it is still shown."""
    told = ChatLine.objects.filter(kind=ChatLine.Kind.ANNOUNCED, hidden_at=None, at__gt=now - _STANDS)
    return told.select_related("author").order_by("-pk").first()


def log(
    *, by: User, who: str = "", words: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[ChatLine]:
    """All that was said, hidden or not, the newest first: of one author, with these words, of these days (both ends
    included). For managers and auditors."""
    access.require_role(by, *audit_log.READERS)
    found = ChatLine.objects.select_related("author", "hidden_by").order_by("-pk")
    if who:
        found = found.filter(author__username__iexact=who)
    if words:
        found = found.filter(text__icontains=words)
    if since:
        found = found.filter(at__gte=room_time.midnight(since))
    return found.filter(at__lt=room_time.end(until)) if until else found


def line_for_staff(*, line_id: int, by: User) -> ChatLine:
    """One line, hidden or not, for the floor and managers. `NotFound` where there is none."""
    access.require_role(by, *STAFF)
    line = ChatLine.objects.select_related("author", "hidden_by").filter(pk=line_id).first()
    if line is None:
        raise NotFound("There is no such message.", "no-such-line")
    return line


def clear(*, now: datetime) -> int:
    """Delete what was said more than ninety days ago; how many lines that were. For its alarm, which is set anew as
    long as there are lines."""
    deleted, _ = ChatLine.objects.filter(at__lt=now - KEPT).delete()
    if ChatLine.objects.exists():
        _set_alarm(now)
    return deleted


def check_on() -> None:
    """`NotFound` where this room has no chat."""
    if not is_on():
        raise NotFound("This room has no chat.", "no-chat")


def _words(text: str) -> str:
    said = " ".join(text.split())
    if not 1 <= len(said) <= LONGEST or not said.isprintable():
        raise Invalid(f"A message has 1 to {LONGEST} printable characters.", "bad-words")
    return said


def _check_pace(by: User, *, now: datetime) -> None:
    for most, lately, advice in _AT_MOST:
        if ChatLine.objects.filter(author=by, kind=ChatLine.Kind.SAID, at__gt=now - lately).count() >= most:
            raise TooMany(f"Too many messages in a short time. {advice}", "too-many-lines")


def _said(kind: str, by: User, text: str, now: datetime) -> ChatLine:
    line = ChatLine.objects.create(kind=kind, author=by, is_staffs=bool(access.roles_of(by)), text=text, at=now)
    _set_alarm(now)
    topics.tell("chat")
    return line


def _lift(found: ChatSilence, by: User, now: datetime) -> None:
    found.lifted_at, found.lifted_by = now, by
    found.save(update_fields=["lifted_at", "lifted_by"])


def _set_alarm(now: datetime) -> None:
    """For the next early morning. Its fence is the day, so that set twice it still rings once."""
    due_at = room_time.next_clock(_CLEARED_AT, after=now)
    alarms.set(kind=ALARM, key="clear", due_at=due_at, fence=due_at.toordinal())
