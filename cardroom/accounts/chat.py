"""The chat, of the lobby and of tables: who is logged in speaks, staff marked as such; the floor hides lines and
silences people. Where a line was said is its `place`, which is also the topic that tells of it: `LOBBY`, or the word of
a table (`games.play.table_chat`, which also says who may speak there).

Everything said stays in the log for ninety days, hidden lines too, for managers and auditors. A setting turns the chat
off; what the floor tells the whole room is told all the same.
"""

import re
from datetime import date, datetime, timedelta
from typing import Annotated

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import bans
from cardroom.accounts.models import ChatLine, ChatReport, ChatSilence, MutedWord, PlayerMark
from cardroom.core import access, alarms, audit_log, names, room_time, topics
from cardroom.core.arguments import Limits, Reason, RowId, internal
from cardroom.core.errors import Forbidden, Invalid, NotFound, TooMany, Verbatim
from cardroom.core.models import User
from cardroom.core.private_places import private_places
from cardroom.core.verb import current_time, lock, verb

LOBBY = "chat"
STAFF = ("floor", "manager")
LONGEST = 200
LONGEST_WORD = 40
MOST_WORDS = 500
#: The most open reports of one person.
MOST_REPORTS = 10
SHOWN = 50
KEPT = timedelta(days=90)
#: The most lines of one person within a time, and the advice in the refusal.
_AT_MOST = (
    (5, timedelta(seconds=10), gettext_lazy("Wait a few seconds.")),
    (30, timedelta(minutes=10), gettext_lazy("Wait a few minutes.")),
)
#: For how long an announcement stands above the chat.
_STANDS = timedelta(hours=12)
#: The longest mute that the floor may set without a manager.
_A_FLOORS = timedelta(days=1)

_WORD = re.compile(r"[\w'’-]+")

#: The daily alarm that deletes what is old.
ALARM = alarms.register("chat", "cardroom.tasks.clear_chat")
_CLEARED_AT = 5  # o'clock in the room

Message = Annotated[str, Limits(min_length=1, max_length=LONGEST)]
MutedText = Annotated[str, Limits(max_length=LONGEST_WORD)]
EndOfSilence = Annotated[datetime | None, Limits(allow_null=True, help_text="By the floor for at most one day.")]


def is_on() -> bool:
    """Whether this room has a chat."""
    return bool(settings.CARDROOM_CHAT)


@verb("chat.say")
def say(*, text: Message, place: Annotated[str, internal] = LOBBY, by: User) -> ChatLine:
    """Write a line in the lobby or in another `place`; for another place the caller checks that the author may write
    there. Muted words are shown as dots.

    Refuses: `NotFound` (the chat is off), `Forbidden` (logged out, closed, a bot, banned, silenced), `Invalid` (empty,
    too long, not printable), `TooMany` (5 lines in 10 seconds, 30 in 10 minutes). Locks the author's row.
    """
    check_on()
    access.require_login(by)
    words = _words(text)
    _, now = lock(User, by.pk)
    check_may_speak(by, now=now)
    _check_pace(by, now=now)
    return _add_line(ChatLine.Kind.SAID, by, words, now, place)


@verb("chat.announce", about="chat:{result.pk}", roles=STAFF)
def announce(*, text: Message, by: User) -> ChatLine:
    """Show an announcement above the chat for some hours. For the floor and managers.

    Refuses: `Invalid`.
    """
    return _add_line(ChatLine.Kind.ANNOUNCED, by, _words(text), current_time(), LOBBY)


@verb("chat.hide", roles=STAFF)
def hide(*, line_id: RowId, reason: Reason, by: User) -> ChatLine:
    """Hide a chat line; the log keeps it. For the floor and managers. A second call does nothing.

    Refuses: `Invalid` (no reason), `NotFound`. Locks the line.
    """
    why = audit_log.reason_given(reason, what=gettext("hiding a message"))
    line, now = lock(ChatLine, line_id)
    if line.hidden_at is None:
        line.hidden_at, line.hidden_by, line.hidden_why = now, by, why
        line.save(update_fields=["hidden_at", "hidden_by", "hidden_why"])
        audit_log.note(
            verb="chat.hide", subject=f"chat:{line.pk}", player=line.author, by=by, now=now, reason=why, text=line.said
        )
        ChatReport.objects.filter(line=line, settled_at=None).update(settled_at=now, settled_by=by)
        topics.tell(line.place, LOBBY)
    return line


@verb("chat.report")
def report(*, line_id: RowId, reason: Reason, by: User) -> ChatReport:
    """Show the floor a line of somebody else. A line is reported once by a person; a second call does nothing.

    Refuses: `Invalid` (no reason, one's own line), `NotFound` (no such line, it is hidden, or they may not read it),
    `TooMany` (the floor has yet to look at ten of theirs). Locks the line.
    """
    access.require_login(by)
    why = audit_log.reason_given(reason, what=gettext("reporting a message"))
    line, now = lock(ChatLine.objects.filter(hidden_at=None), line_id)
    if not _is_read_by(by, line.place):
        raise ChatLine.not_found()
    if line.author_id == by.pk:
        raise Invalid("bad-player", "You cannot report your own message.")
    earlier = ChatReport.objects.filter(line=line, by=by).first()
    if earlier is not None:
        return earlier
    if ChatReport.objects.filter(by=by, settled_at=None).count() >= MOST_REPORTS:
        refusal = gettext("The floor has yet to look at {most} of your reports: wait for it.").format(most=MOST_REPORTS)
        raise TooMany("too-many-reports", Verbatim(refusal))
    topics.tell("chat", "floor")
    return ChatReport.objects.create(line=line, by=by, reason=why, at=now)


@verb("chat.dismiss", about="chat:{line_id}", roles=STAFF)
def dismiss(*, line_id: RowId, by: User) -> ChatLine:
    """Let a reported line stand and settle its reports. For the floor and managers; a second call does nothing.

    Refuses: `NotFound`.
    """
    line, now = lock(ChatLine.objects.select_related("author", "hidden_by"), line_id)
    ChatReport.objects.filter(line=line, settled_at=None).update(settled_at=now, settled_by=by)
    topics.tell("chat", "floor")
    return line


@verb("chat.mute_words", about="chat", roles=("manager",))
def mute_words(*, words: Annotated[list[MutedText], Limits(max_length=MOST_WORDS)], by: User) -> list[str]:
    """Replace the muted words: in new messages they are shown as dots, however they are written (capitals, letters that
    look alike). For managers.

    Refuses: `Invalid` (too many, or not a word).
    """
    wanted = {names.normal(word).casefold() for word in words}
    if len(wanted) > MOST_WORDS or not all(len(word) <= LONGEST_WORD and _WORD.fullmatch(word) for word in wanted):
        raise Invalid(
            "bad-words",
            "Up to {most} words, each of at most {longest} letters and digits.",
            most=MOST_WORDS,
            longest=LONGEST_WORD,
        )
    now = current_time()
    MutedWord.objects.exclude(word__in=wanted).delete()
    MutedWord.objects.bulk_create([MutedWord(word=word, at=now) for word in wanted], ignore_conflicts=True)
    return muted_words()


def muted_words() -> list[str]:
    """The muted words, in alphabetical order."""
    return list(MutedWord.objects.order_by("word").values_list("word", flat=True))


@verb("chat.silence", roles=STAFF)
def silence(*, player: User, reason: Reason, until: EndOfSilence = None, by: User) -> ChatSilence:
    """Mute a player in every chat until a moment (None: until it is lifted); it replaces an earlier mute.

    For managers; the floor may for a day. Refuses: `Invalid` (no reason, an end that is over, oneself, a bot). Locks
    the player's row.
    """
    why = audit_log.reason_given(reason, what=gettext("muting a player"))
    if player.pk == by.pk or player.is_bot:
        raise Invalid("bad-player", "You cannot mute yourself or a bot.")
    room_time.check(until)
    _, now = lock(User, player.pk)
    if until is not None and until <= now:
        raise Invalid("bad-moment", "The end of a mute must be in the future.")
    if (until is None or until > now + _A_FLOORS) and not access.has_role(by, "manager"):
        raise Forbidden("too-long", "The floor can mute for at most one day; ask a manager for longer.")
    current = ChatSilence.objects.filter(player=player, lifted_at=None).first()
    if current is not None and (current.until, current.reason) == (until, why):
        return current
    if current is not None:
        _lift(current, by, now)
    new = ChatSilence.objects.create(player=player, since=now, until=until, reason=why, by=by)
    end = until.isoformat() if until else None
    audit_log.note(
        verb="chat.silence", subject=f"user:{player.pk}", player=player, by=by, now=now, reason=why, until=end
    )
    topics.tell("chat")
    return new


@verb("chat.unsilence", roles=STAFF)
def unsilence(*, player: User, by: User) -> User:
    """Unmute a player. For the floor and managers; a second call does nothing. Locks the player's row."""
    _, now = lock(User, player.pk)
    current = ChatSilence.objects.filter(player=player, lifted_at=None).first()
    if current is None:
        return player
    _lift(current, by, now)
    audit_log.note(verb="chat.unsilence", subject=f"user:{player.pk}", player=player, by=by, now=now)
    topics.tell("chat")
    return player


def silence_of(player: User, *, now: datetime) -> ChatSilence | None:
    """The mute of a player that is in force now; None where there is none."""
    counts = Q(until=None) | Q(until__gt=now)
    return ChatSilence.objects.filter(counts, player=player, lifted_at=None).first()


def check_may_speak(player: User, *, now: datetime) -> None:
    """`Forbidden`, with what to do about it, for a player who may not write in any chat."""
    if player.is_bot:
        raise Forbidden("bad-player", "A house bot cannot chat.")
    ban = bans.in_force(player, now=now).first()
    if ban is not None:
        raise Forbidden("banned", Verbatim(bans.words_for(ban)))
    if silence := silence_of(player, now=now):
        until = gettext("until the floor unmutes you")
        if silence.until:
            until = gettext("until {time}").format(time=room_time.format_moment(silence.until))
        raise Forbidden("silenced", "You are muted in the chat {until}: {reason}.", until=until, reason=silence.reason)


def newest(*, reader: User, place: str = LOBBY, before: int | None = None, limit: int = SHOWN) -> list[ChatLine]:
    """The lines of a place that this reader sees, the newest first, each with its `author`: no hidden lines, and none
    of players they have muted for themselves. `NotFound` where the chat is off."""
    check_on()
    unheard = PlayerMark.objects.filter(by=reader, is_muted=True).values("about")
    lines = ChatLine.objects.filter(hidden_at=None, place=place).select_related("author").order_by("-pk")
    lines = lines.exclude(author__in=unheard, kind=ChatLine.Kind.SAID, is_staffs=False)
    return list((lines.filter(pk__lt=before) if before is not None else lines)[:limit])


def reported() -> list[ChatLine]:
    """The reported lines that the floor has not settled yet, the oldest report first, each with its `author` and its
    `reports` with their authors."""
    lines = ChatLine.objects.filter(reports__settled_at=None, reports__isnull=False).distinct()
    return sorted(
        lines.select_related("author").prefetch_related("reports__by")[:SHOWN],
        key=lambda line: min(report.at for report in line.reports.all()),
    )


def stands(line: ChatLine, *, now: datetime) -> bool:
    """Whether an announcement is still shown above the chat."""
    return line.at > now - _STANDS


def silenced(*, now: datetime) -> QuerySet[ChatSilence]:
    """The mutes in force now, each with its `player` and the member of staff who set it."""
    counts = Q(until=None) | Q(until__gt=now)
    return ChatSilence.objects.filter(counts, lifted_at=None).select_related("player", "by")


def standing_word(*, now: datetime) -> ChatLine | None:
    """The last announcement, while it is still shown."""
    announcements = ChatLine.objects.filter(kind=ChatLine.Kind.ANNOUNCED, hidden_at=None, at__gt=now - _STANDS)
    return announcements.select_related("author").order_by("-pk").first()


def log(
    *, by: User, who: str = "", words: str = "", since: date | None = None, until: date | None = None
) -> QuerySet[ChatLine]:
    """All lines, hidden or not, the newest first: by one author, with these words, on these days (both ends included).
    For managers and auditors."""
    access.require_role(by, *audit_log.READERS)
    lines = ChatLine.objects.select_related("author", "hidden_by").order_by("-pk")
    if who:
        lines = lines.filter(author__username__iexact=who)
    if words:
        lines = lines.filter(said__icontains=words)
    if since:
        lines = lines.filter(at__gte=room_time.midnight(since))
    return lines.filter(at__lt=room_time.end(until)) if until else lines


def line_for_staff(*, line_id: int, by: User) -> ChatLine:
    """One line, hidden or not, for the floor and managers. `NotFound` where there is none."""
    access.require_role(by, *STAFF)
    line = ChatLine.objects.select_related("author", "hidden_by").filter(pk=line_id).first()
    if line is None:
        raise ChatLine.not_found()
    return line


def clear(*, now: datetime) -> int:
    """Delete lines older than ninety days; returns how many. For its alarm, which is set again as long as there are
    lines."""
    deleted, _ = ChatLine.objects.filter(at__lt=now - KEPT).delete()
    if ChatLine.objects.exists():
        _set_alarm(now)
    return deleted


def check_on() -> None:
    """`NotFound` where this room has no chat."""
    if not is_on():
        raise NotFound("no-chat", "This room has no chat.")


def _is_read_by(reader: User, place: str) -> bool:
    if place == LOBBY or access.has_role(reader, *STAFF):
        return True
    return any(places.may_read(place, reader) for places in private_places())


def _words(text: str) -> str:
    words = " ".join(text.split())
    if not 1 <= len(words) <= LONGEST or not words.isprintable():
        raise Invalid("bad-words", "A message has 1 to {longest} printable characters.", longest=LONGEST)
    return words


def _check_pace(by: User, *, now: datetime) -> None:
    for most, lately, advice in _AT_MOST:
        if ChatLine.objects.filter(author=by, kind=ChatLine.Kind.SAID, at__gt=now - lately).count() >= most:
            raise TooMany("too-many-lines", "Too many messages in a short time. {advice}", advice=advice)


def _add_line(kind: str, by: User, words: str, now: datetime, place: str) -> ChatLine:
    is_staffs = bool(access.roles_of(by))
    line = ChatLine.objects.create(
        kind=kind, place=place, author=by, is_staffs=is_staffs, said=words, text=_without_muted(words), at=now
    )
    _set_alarm(now)
    topics.tell(place)
    return line


def _without_muted(words: str) -> str:
    """The text with dots in place of muted words, compared by how they look."""
    muted = {names.looks(word) for word in muted_words()}
    return _WORD.sub(lambda word: "•" * len(word[0]) if names.looks(word[0]) in muted else word[0], words)


def _lift(mute: ChatSilence, by: User, now: datetime) -> None:
    mute.lifted_at, mute.lifted_by = now, by
    mute.save(update_fields=["lifted_at", "lifted_by"])


def _set_alarm(now: datetime) -> None:
    """Set the alarm for the next early morning. Its fence is the day, so that it rings once even if it is set twice."""
    due_at = room_time.next_clock(_CLEARED_AT, after=now)
    alarms.set(kind=ALARM, key="clear", due_at=due_at, fence=due_at.toordinal())
