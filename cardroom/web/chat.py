"""Pages of the lobby's chat: the chat itself, what staff does about a line and its author, and the log."""

from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from cardroom.models import ChatLine
from cardroom.services import accounts, chat, room_time
from cardroom.services.errors import CardroomError, Invalid
from cardroom.services.prints import files
from cardroom.web import navigation, numbers
from cardroom.web.files import answer
from cardroom.web.parts import part_of
from cardroom.web.when import day_of

A_PAGE = 100
MOST_ROWS = 100_000
COLUMNS = ("at", "who", "staff", "kind", "text", "hidden_at", "hidden_by", "hidden_why")
#: How long somebody may be silenced, in hours; the floor a day at most.
HOURS = (("1", "an hour"), ("24", "a day"), ("168", "a week"), ("", "until it is lifted"))


def panel(request: HttpRequest) -> dict[str, Any]:
    """What the lobby shows: the chat to who is logged in, and to everybody what was told to the whole room."""
    has_chat = request.user.is_authenticated and chat.is_on()
    lines = chat.newest() if has_chat else []
    is_all = has_chat and len(lines) < chat.SHOWN
    return {
        "has_chat": has_chat,
        "lines": lines[::-1],
        "word": _word(lines, is_all=is_all),
        "sees_to_it": request.user.is_authenticated and not navigation.roles_of(request.user).isdisjoint(chat.STAFF),
        "longest": chat.LONGEST,
        "key": token_urlsafe(12),
    }


def _word(lines: list[ChatLine], *, is_all: bool) -> ChatLine | None:
    """What was told to the whole room; it may lie behind what was said since."""
    now = timezone.now()
    told = next((line for line in lines if line.kind == ChatLine.Kind.ANNOUNCED), None)
    if told is not None:
        return told if chat.stands(told, now=now) else None
    return None if is_all else chat.standing_word(now=now)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The chat alone. A POST says `text`; of staff `what` may be "announce", or "unsilence" with the `player`."""
    if request.method != "POST":
        return _page(request)
    sent, said = request.POST, {"by": request.user}
    try:
        what = sent.get("what", "say")
        if what == "unsilence":
            chat.unsilence(player=accounts.one(numbers.whole(sent.get("player", ""))), **said)
        elif what in ("say", "announce"):
            act = chat.announce if what == "announce" else chat.say
            act(text=sent.get("text", ""), key=sent.get("key", ""), **said)
        else:
            raise Invalid("There is nothing of that kind to be done.", "bad-what")
    except CardroomError as refusal:
        if request.htmx:
            raise
        messages.error(request, refusal.message)
        return _page(request, typed=sent, status=refusal.status)
    if request.htmx:
        context = {"chat": {"key": token_urlsafe(12), "longest": chat.LONGEST}}
        answer = render(request, "cardroom/chat/_say.html", context)
        answer["HX-Trigger"] = "room:chat"
        return answer
    return redirect("chat")


@part_of("chat")
@never_cache
@login_required
@require_GET
def lines(request: HttpRequest) -> HttpResponse:
    """What the chat shows now, for a page to keep itself up to date with."""
    return render(request, "cardroom/chat/_now.html", {"chat": panel(request)})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def line(request: HttpRequest, line_id: int) -> HttpResponse:
    """One line, for the floor and managers. A POST does `what`: "hide", "silence" for so many `hours`, "unsilence"."""
    by, now, status = request.user, timezone.now(), 200
    found = chat.line_for_staff(line_id=line_id, by=by)
    if request.method == "POST":
        try:
            messages.success(request, _seen_to(found, request, now))
            return redirect("chat_line", line_id)
        except CardroomError as refusal:
            messages.error(request, refusal.message)
            status = refusal.status
    silence = chat.silence_of(found.author, now=now)
    context = {"line": found, "silence": silence, "hours": HOURS, "typed": request.POST}
    return render(request, "cardroom/chat/line.html", context, status=status)


@never_cache
@login_required
@require_GET
def log(request: HttpRequest) -> HttpResponse:
    """`?who=` a screen name, `?words=`, `?since=` and `?until=` days."""
    refusal, status = "", 200
    try:
        found = chat.log(by=request.user, **_asked(request))
    except Invalid as error:
        found, refusal, status = chat.log(by=request.user), error.message, error.status
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "asked": request.GET,
        "query": query.urlencode(),
        "refusal": refusal,
        "kept": chat.KEPT.days,
    }
    return render(request, "cardroom/chat/log.html", context, status=status)


@never_cache
@login_required
@require_GET
def log_export(request: HttpRequest) -> HttpResponse:
    """The same as a file."""
    found = chat.log(by=request.user, **_asked(request))[:MOST_ROWS]
    body = files.as_csv(COLUMNS, map(_row, found.iterator(chunk_size=2000)))
    name = f"chat-{room_time.today(timezone.now())}.csv"
    return answer(files.File(name, files.CSV, body))


def _page(request: HttpRequest, *, typed: Any = None, status: int = 200) -> HttpResponse:
    shown = panel(request)
    if not shown["sees_to_it"]:
        chat.check_on()
    silenced = list(chat.silenced(now=timezone.now())) if shown["sees_to_it"] else []
    context = {"chat": shown, "silenced": silenced, "typed": typed or {}}
    return render(request, "cardroom/chat/page.html", context, status=status)


def _seen_to(found: ChatLine, request: HttpRequest, now: Any) -> str:
    sent, by = request.POST, request.user
    what, reason = sent.get("what", ""), sent.get("reason", "")
    if what == "hide":
        chat.hide(line_id=found.pk, by=by, reason=reason)
        return "The line is hidden."
    if what == "silence":
        hours = sent.get("hours", "")
        if hours not in dict(HOURS):
            raise Invalid("Say for how long.", "bad-hours")
        until = now + timedelta(hours=int(hours)) if hours else None
        chat.silence(player=found.author, by=by, reason=reason, until=until)
        return f"{found.author} is silenced."
    if what == "unsilence":
        chat.unsilence(player=found.author, by=by)
        return f"{found.author} may speak again."
    raise Invalid("There is nothing of that kind to be done.", "bad-what")


def _asked(request: HttpRequest) -> dict[str, Any]:
    sent = request.GET
    said = {name: " ".join(sent.get(name, "").replace("\0", "").split())[:60] for name in ("who", "words")}
    return said | {name: day_of(sent.get(name, "")) for name in ("since", "until")}


def _row(line: ChatLine) -> dict[str, Any]:
    return {
        "at": line.at.isoformat(),
        "who": line.author.username,
        "staff": line.is_staffs,
        "kind": line.kind,
        "text": line.text,
        "hidden_at": line.hidden_at.isoformat() if line.hidden_at else "",
        "hidden_by": line.hidden_by.username if line.hidden_by else "",
        "hidden_why": line.hidden_why,
    }
