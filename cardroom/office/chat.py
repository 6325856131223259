"""The pages of the chat: messages, announcements, reports, hidden messages, mutes and muted words; and its log."""

import json
from datetime import timedelta
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.accounts import chat, pictures
from cardroom.accounts.models import ChatLine
from cardroom.accounts.pages import navigation
from cardroom.core import access, audit_log, room_time
from cardroom.core import documents as core_documents
from cardroom.core.errors import Invalid, Refusal
from cardroom.core.web.file_answers import file_answer
from cardroom.core.web.forms import PagePost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Context, Page
from cardroom.core.web.parts import part_of
from cardroom.office.audit_log import log_page, search_of

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


def panel(request: HttpRequest) -> dict[str, Any]:
    """The chat as the lobby shows it: to people who are logged in; to others the announcement only."""
    has_chat = request.user.is_authenticated and chat.is_on()
    lines = chat.newest(reader=request.user) if has_chat else []
    is_all = has_chat and len(lines) < chat.SHOWN
    more = {"has_chat": has_chat, "word": _word(lines, is_all=is_all)}
    return more | part(request, chat.LOBBY, lines, gettext("Lobby chat"), reverse("chat_lines"), reverse("chat"))


def part(
    request: HttpRequest, place: str, lines: list[ChatLine], label: str, lines_address: str, post_address: str
) -> dict[str, Any]:
    """The part of a page with the lines of a place, the newest first; it reads them again at `lines_address`, and posts
    a message to `post_address`."""
    return {
        "news": place.replace(":", "-"),
        "lines": lines[::-1],
        "label": label,
        "reads": lines_address,
        "says": post_address,
        "sees_to_it": request.user.is_authenticated and not navigation.roles_of(request.user).isdisjoint(chat.STAFF),
        "longest": chat.LONGEST,
        "emotes": ChatLine.EMOTES,
        "key": token_urlsafe(12),
    }


def _word(lines: list[ChatLine], *, is_all: bool) -> ChatLine | None:
    """The announcement that still stands; it may be older than the lines shown."""
    now = timezone.now()
    announcement = next((line for line in lines if line.kind == ChatLine.Kind.ANNOUNCED), None)
    if announcement is not None:
        return announcement if chat.stands(announcement, now=now) else None
    return None if is_all else chat.standing_word(now=now)


def page(request: HttpRequest) -> Context:
    """The page of the chat."""
    shown = panel(request)
    if not shown["sees_to_it"]:
        chat.check_on()
    if not shown["sees_to_it"]:
        return {"chat": shown}
    silenced = list(chat.silenced(now=timezone.now()))
    is_managers = access.has_role(request.user, "manager")
    words = " ".join(chat.muted_words()) if is_managers else ""
    return {
        "chat": shown,
        "silenced": silenced,
        "reported": chat.reported(),
        "is_managers": is_managers,
        "words": words,
        "pictures": pictures.reported(request.user),
    }


@part_of("chat")
def lines(request: HttpRequest) -> HttpResponse:
    """What the chat shows now, for a page to keep itself up to date with."""
    return render(request, "cardroom/office/chat/_now.html", {"chat": panel(request)})


def line(request: HttpRequest, *, line_id: int) -> Context:
    """One line, for the floor and managers, who hide it or silence its author."""
    chat_line = chat.line_for_staff(line_id=line_id, by=request.user)
    return {"line": chat_line, "silence": chat.silence_of(chat_line.author, now=timezone.now()), "hours": HOURS}


def log(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?words=`, `?since=` and `?until=` days."""
    finds = partial(chat.log, by=request.user)
    return log_page(request, "cardroom/office/chat/log.html", finds, A_PAGE, "who", "words", kept=chat.KEPT.days)


def log_export(request: HttpRequest) -> HttpResponse:
    """The lines of the chat log as a file."""
    lines = chat.log(by=request.user, **search_of(request, "who", "words"))[:MOST_ROWS]

    def body() -> bytes:
        return core_documents.as_csv(COLUMNS, map(_row, lines.iterator(chunk_size=2000)))

    name = f"chat-{room_time.today(timezone.now())}.csv"
    return file_answer(core_documents.File(name, core_documents.CSV, body))


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


def field_again(request: HttpRequest, place: str) -> HttpResponse:
    """An empty field for the next message; htmx then reads the lines again."""
    shown = part(request, place, [], "", "", request.path)
    field = render(request, "cardroom/office/chat/_say.html", {"chat": shown})
    field["HX-Trigger"] = f"room:{shown['news']}"
    return field


CHAT = Page("chat/", "chat", page, template="cardroom/office/chat/page.html", says_refusals=True)
LINES = Page("chat/lines/", "chat_lines", lines)
LINE = Page(
    "chat/<id:line_id>/", "chat_line", line, chat.STAFF, template="cardroom/office/chat/line.html", says_refusals=True
)
LOG = Page("chat/log/", "chat_log", log, audit_log.READERS)
LOG_FILE = Page("chat/log.csv", "chat_log_export", log_export, audit_log.READERS)


class SayInLobbyForm(PagePost):
    page, does = CHAT, chat.say

    def done(self, request: HttpRequest, result: ChatLine) -> HttpResponse:
        return field_again(request, result.place) if request.htmx else redirect("chat")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        """The form asks for its own part: there a refusal is an answer."""
        if request.htmx:
            raise refusal
        return super().refused(request, refusal, **address)


class OnChat(PagePost):
    """A form of the floor's, after which the chat is shown."""

    page = CHAT

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        return redirect("chat")


class AnnounceToRoomForm(OnChat):
    does, button = chat.announce, "announce"


class DismissMessageForm(OnChat):
    does, button = chat.dismiss, "dismiss"


class UnsilenceForm(OnChat):
    does, button = chat.unsilence, "unsilence"


class MuteWordsForm(PagePost):
    page, does, button = CHAT, chat.mute_words, "words"
    then = gettext_lazy("The muted words are saved.")

    def typed(self, form: QueryDict) -> QueryDict:
        """The words are in one field, with spaces, commas or line breaks between them."""
        form.setlist("words", form.get("words", "").replace(",", " ").split())
        return form


class ReportMessageForm(PagePost):
    page, does, path, name = CHAT, chat.report, "chat/report/", "chat_report"

    def done(self, request: HttpRequest, result: Any) -> HttpResponse:
        words = gettext("The floor looks at the message.")
        if not request.htmx:
            messages.success(request, words)
            return redirect("chat")
        answer = HttpResponse(status=204)
        answer["HX-Trigger"] = json.dumps({"toast": {"message": words}})
        return answer

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


class HideForm(PagePost):
    page, does, button, then = LINE, chat.hide, "hide", gettext_lazy("The message is hidden.")


class SilenceAuthorForm(PagePost):
    page, does, button, then = LINE, chat.silence, "silence", gettext_lazy("{0.player} is muted.")

    def typed(self, form: QueryDict) -> QueryDict:
        """The form has a number of hours."""
        hours = form.get("hours", "")
        if hours not in dict(HOURS):
            raise Invalid("bad-hours", "Choose a duration.")
        form["until"] = (timezone.now() + timedelta(hours=int(hours))).isoformat() if hours else ""
        return form


class UnsilenceAuthorForm(PagePost):
    page, does, button, then = LINE, chat.unsilence, "unsilence", gettext_lazy("{} is unmuted.")


urlpatterns = page_urls(
    [CHAT, LINES, LINE, LOG, LOG_FILE],
    forms=[
        SayInLobbyForm,
        AnnounceToRoomForm,
        DismissMessageForm,
        UnsilenceForm,
        MuteWordsForm,
        ReportMessageForm,
        HideForm,
        SilenceAuthorForm,
        UnsilenceAuthorForm,
    ],
)
