"""The chat: messages, announcements, reports, hidden messages, mutes and muted words; and its log."""

import json
from collections.abc import Mapping
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.accounts import chat, pictures
from cardroom.accounts.models import ChatLine
from cardroom.accounts.pages import navigation
from cardroom.core import access, audit_log, room_time
from cardroom.core import documents as core_documents
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Query, Reason, Text
from cardroom.core.web.api.routes import older
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, refused
from cardroom.core.web.parts import part_of
from cardroom.office.audit_log import a_log, looked_for

A_PAGE = 100
MOST_ROWS = 100_000
COLUMNS = ("at", "place", "who", "staff", "kind", "text", "hidden_at", "hidden_by", "hidden_why")
#: How long somebody may be silenced, in hours; the floor a day at most.
HOURS = (
    ("1", gettext_lazy("an hour")),
    ("24", gettext_lazy("a day")),
    ("168", gettext_lazy("a week")),
    ("", gettext_lazy("until it is lifted")),
)

# -- shapes ------------------------------------------------------------------------------------------------------------


class Line(Shape):
    """One line of the chat."""

    of = ChatLine
    shows = "id at author=author.username is_staffs kind text"
    says = {"is_staffs": "Whether the author was staff at that time."}
    kind = serializers.ChoiceField(ChatLine.Kind.choices, help_text="announced: an announcement by the floor.")


class LoggedLine(Line):
    """One line as the log has it."""

    shows = f"{Line.shows} place said"
    says = Line.says | {"place": "chat: the lobby; chat:12: table 12; club:3: club 3.", "said": "As it was written."}
    hidden_at = serializers.DateTimeField(allow_null=True)
    hidden_by = serializers.CharField(source="hidden_by.username", default=None, allow_null=True)
    hidden_why = serializers.CharField()


class Silence(serializers.Serializer[Any]):
    """The player may not speak in any chat."""

    player = serializers.IntegerField(source="player_id")
    since = serializers.DateTimeField()
    until = serializers.DateTimeField(allow_null=True, help_text="null: until it is lifted.")
    reason = serializers.CharField()
    by = serializers.CharField(source="by.username")


class ChatOrder(Order):
    text = Text(min_length=1, max_length=chat.LONGEST)


class Reported(serializers.Serializer[Any]):
    """The floor looks at the message."""

    line = serializers.IntegerField(source="line_id")
    reason = serializers.CharField()
    at = serializers.DateTimeField()


class MutedWords(serializers.Serializer[Any]):
    """Shown as dots in every chat, however they are written."""

    words = serializers.ListField(child=serializers.CharField())


class MutedWordsOrder(Order):
    """In place of the ones before."""

    words = serializers.ListField(child=Text(max_length=chat.LONGEST_WORD), max_length=chat.MOST_WORDS)

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form has them in one field, between spaces, commas or lines."""
        return {"words": form.get("words", "").replace(",", " ").split()}


class HideOrder(Order):
    reason = Reason()


class SilenceOrder(Order):
    reason = Reason()
    until = serializers.DateTimeField(required=False, allow_null=True, help_text="By the floor for at most one day.")

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The form says for how many hours."""
        hours = form.get("hours", "")
        if hours not in dict(HOURS):
            raise Invalid("bad-hours", "Choose a duration.")
        until = (timezone.now() + timedelta(hours=int(hours))).isoformat() if hours else ""
        return super().typed({"reason": form.get("reason", ""), "until": until})


class LogQuery(Query):
    who = serializers.CharField(required=False, max_length=60, help_text="A screen name.")
    words = serializers.CharField(required=False, max_length=60)
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)


# -- pages -------------------------------------------------------------------------------------------------------------


def panel(request: HttpRequest) -> dict[str, Any]:
    """What the lobby shows: the chat to who is logged in, and to everybody what was announcement."""
    has_chat = request.user.is_authenticated and chat.is_on()
    lines = chat.newest(reader=request.user) if has_chat else []
    is_all = has_chat and len(lines) < chat.SHOWN
    more = {"has_chat": has_chat, "word": _word(lines, is_all=is_all)}
    return more | part(request, chat.LOBBY, lines, gettext("Lobby chat"), reverse("chat_lines"), reverse("chat"))


def part(request: HttpRequest, place: str, lines: list[ChatLine], label: str, reads: str, says: str) -> dict[str, Any]:
    """The part of a page with the lines of a place, the newest first; it reads them again at one address, and says
    something at another."""
    return {
        "news": place.replace(":", "-"),
        "lines": lines[::-1],
        "label": label,
        "reads": reads,
        "says": says,
        "sees_to_it": request.user.is_authenticated and not navigation.roles_of(request.user).isdisjoint(chat.STAFF),
        "longest": chat.LONGEST,
        "emotes": ChatLine.EMOTES,
        "key": token_urlsafe(12),
    }


def _word(lines: list[ChatLine], *, is_all: bool) -> ChatLine | None:
    """What was announcement; it may lie behind what was said since."""
    now = timezone.now()
    told = next((line for line in lines if line.kind == ChatLine.Kind.ANNOUNCED), None)
    if told is not None:
        return told if chat.stands(told, now=now) else None
    return None if is_all else chat.standing_word(now=now)


def page(request: HttpRequest) -> Context:
    """The chat alone."""
    shown = panel(request)
    if not shown["sees_to_it"]:
        chat.check_on()
    if not shown["sees_to_it"]:
        return {"chat": shown}
    silenced = list(chat.silenced(now=timezone.now()))
    is_managers = access.has_role(request.user, "manager")
    words = " ".join(chat.muted_words()) if is_managers else ""
    return {
        "chat": shown, "silenced": silenced, "reported": chat.reported(), "is_managers": is_managers, "words": words,
        "pictures": pictures.reported(request.user),
    }  # fmt: skip


def page_again(request: HttpRequest, *, refusal: Refusal, typed: Any) -> HttpResponse:
    """The form of what is said asks for its own part: there a refusal is an answer."""
    if request.htmx:
        raise refusal
    return CHAT.drawn(request, refusal=refusal, typed=typed)


@part_of("chat")
def lines(request: HttpRequest) -> HttpResponse:
    """What the chat shows now, for a page to keep itself up to date with."""
    return render(request, "cardroom/office/chat/_now.html", {"chat": panel(request)})


def line(request: HttpRequest, *, line_id: int) -> Context:
    """One line, for the floor and managers, who hide it or silence its author."""
    found = chat.line_for_staff(line_id=line_id, by=request.user)
    return {"line": found, "silence": chat.silence_of(found.author, now=timezone.now()), "hours": HOURS}


def log(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?words=`, `?since=` and `?until=` days."""
    finds = partial(chat.log, by=request.user)
    return a_log(request, "cardroom/office/chat/log.html", finds, A_PAGE, "who", "words", kept=chat.KEPT.days)


def log_export(request: HttpRequest) -> HttpResponse:
    """The same as a file."""
    found = chat.log(by=request.user, **looked_for(request, "who", "words"))[:MOST_ROWS]

    def body() -> bytes:
        return core_documents.as_csv(COLUMNS, map(_row, found.iterator(chunk_size=2000)))

    name = f"chat-{room_time.today(timezone.now())}.csv"
    return of.file_answer(core_documents.File(name, core_documents.CSV, body))


def _row(line: ChatLine) -> dict[str, Any]:
    return {
        "at": line.at.isoformat(),
        "place": line.place,
        "who": line.author.username,
        "staff": line.is_staffs,
        "kind": line.kind,
        "text": line.said,
        "hidden_at": line.hidden_at.isoformat() if line.hidden_at else "",
        "hidden_by": line.hidden_by.username if line.hidden_by else "",
        "hidden_why": line.hidden_why,
    }


def _said(request: HttpRequest, made: ChatLine) -> HttpResponse:
    return field_again(request, made.place) if request.htmx else redirect("chat")


def field_again(request: HttpRequest, place: str) -> HttpResponse:
    """The field in which something was said, for the next line; and the lines hear of it."""
    shown = part(request, place, [], "", "", request.path)
    field = render(request, "cardroom/office/chat/_say.html", {"chat": shown})
    field["HX-Trigger"] = f"room:{shown['news']}"
    return field


def _reported(request: HttpRequest, made: Any) -> HttpResponse:
    said = gettext("The floor looks at the message.")
    if not request.htmx:
        messages.success(request, said)
        return redirect("chat")
    answer = HttpResponse(status=204)
    answer["HX-Trigger"] = json.dumps({"toast": {"message": said}})
    return answer


CHAT = Page("chat/", "chat", page, template="cardroom/office/chat/page.html", says_refusals=True)
LINES = Page("chat/lines/", "chat_lines", lines)
LINE = Page(
    "chat/<id:line_id>/", "chat_line", line, chat.STAFF, template="cardroom/office/chat/line.html", says_refusals=True
)
LOG = Page("chat/log/", "chat_log", log, audit_log.READERS)
LOG_FILE = Page("chat/log.csv", "chat_log_export", log_export, audit_log.READERS)


def _to_chat(request: HttpRequest, made: Any) -> HttpResponse:
    return redirect("chat")


_on_chat = partial(Form, CHAT.address, CHAT.name, CHAT, again=page_again)
_on_line = partial(Form, LINE.address, LINE.name, LINE)


# -- verbs -------------------------------------------------------------------------------------------------------------


def _silence(*, player_id: int, **asked: Any) -> Any:
    return chat.silence(player=access.one(player_id), **asked)


def _unsilence(*, player_id: int, by: User) -> User:
    player = access.one(player_id)
    chat.unsilence(player=player, by=by)
    return player


_WHOM = {"player_id": gettext_lazy("Choose one.")}
_WHICH = {"line_id": gettext_lazy("Choose one.")}
_verb = partial(Operation, tag="chat", scope="direct", roles=chat.STAFF)

DECLARED = [
    Read(
        name="chat", summary="The lobby chat", tag="chat", address="chat", out=Line, paged=True, refuses=(404,),
        finds=lambda by, before, limit: chat.newest(reader=by, before=before, limit=limit),
    ),
    Operation(
        name="say", summary="Send a message", tag="chat", address="chat", does=chat.say, order=ChatOrder, keyed=True,
        description="At most 5 messages in 10 seconds and 30 in 10 minutes.", status=201, out=Line, refuses=(404, 409),
        form=_on_chat(_said),
    ),
    Operation(
        name="report_line", summary="Report a message", tag="chat", address="chat/<id:line_id>/report",
        description="The floor looks at it. A repeat changes nothing.", does=chat.report, order=HideOrder, out=Reported,
        refuses=(404, 429),
        form=Form("chat/report/", "chat_report", CHAT, _reported, refused, hidden=_WHICH),
    ),
    _verb(
        name="dismiss_line", summary="Let a reported message stand", address="chat/<id:line_id>/dismiss", keyed=True,
        does=chat.dismiss, description="For the floor and managers.", out=LoggedLine, refuses=(409,),
        form=_on_chat(_to_chat, verbs={"dismiss": {}}, hidden=_WHICH),
    ),
    Read(
        name="muted_words", summary="Muted words", tag="chat", address="chat/words", roles=("manager",),
        out=MutedWords, finds=lambda by: {"words": chat.muted_words()},
    ),
    _verb(
        name="mute_words", summary="Say which words are muted", method="PUT", address="chat/words", keyed=True,
        does=chat.mute_words, roles=("manager",), order=MutedWordsOrder, out=MutedWords, refuses=(409,),
        shows=lambda made, by: {"words": made}, form=_on_chat(gettext_lazy("The muted words are saved."),
        verbs={"words": {}}),
    ),
    _verb(
        name="announce_to_room", summary="Announce to the room", address="chat/announcements", does=chat.announce,
        description="For the floor and managers. It is shown above the lobby for twelve hours.", order=ChatOrder,
        keyed=True, status=201, out=Line, refuses=(409,),
        form=_on_chat(_to_chat, verbs={"announce": {}}),
    ),
    _verb(
        name="hide_line", summary="Hide a message", address="chat/<id:line_id>/hide", does=chat.hide, order=HideOrder,
        description="For the floor and managers. The log keeps the message. A repeat changes nothing.", out=LoggedLine,
        form=_on_line(gettext_lazy("The message is hidden."), verbs={"hide": {}}),
    ),
    _verb(
        name="silence", summary="Mute a player", method="PUT", address="chat/silences/<id:player_id>",
        description="By the floor for at most one day, by a manager for longer. Replaces an earlier mute.",
        does=_silence, order=SilenceOrder, out=Silence,
        form=_on_line(gettext_lazy("{0.player} is muted."), verbs={"silence": {}}, hidden=_WHOM, shown=("line_id",)),
    ),
    _verb(
        name="unsilence", summary="Unmute a player", method="DELETE", does=_unsilence, status=204,
        address="chat/silences/<id:player_id>",
        form=(
            _on_line(gettext_lazy("{} is unmuted."), verbs={"unsilence": {}}, hidden=_WHOM, shown=("line_id",)),
            _on_chat(_to_chat, verbs={"unsilence": {}}, hidden=_WHOM),
        ),
    ),
    Read(
        name="chat_log", summary="The chat log", tag="chat", address="chat/log", roles=audit_log.READERS,
        description="All messages, for managers and auditors.", query=LogQuery, out=LoggedLine, paged=True,
        finds=lambda by, before, limit, **asked: older(chat.log(by=by, **asked), before, limit),
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = of.pages([CHAT, LINES, LINE, LOG, LOG_FILE], DECLARED)
