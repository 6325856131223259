"""Pages of managers about accounts, and of the floor about who is connected."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.models import Approval, Blocked, User
from cardroom.services import access, accounts, blacklist, roles, selectors, sessions
from cardroom.services import messages as words
from cardroom.services.errors import CardroomError, Invalid
from cardroom.web import numbers
from cardroom.web.when import moment_of

A_PAGE = 50


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: HttpRequest) -> HttpResponse:
    """`?q=` name or e-mail, `?state=` open or closed, `?role=`; a POST opens an account."""
    access.require_role(request.user, "manager")
    status = 200
    if request.method == "POST":
        try:
            sent = {name: request.POST.get(name, "").strip() for name in ("name", "email", "password", "full_name")}
            made = accounts.open_one(by=request.user, **sent)
            messages.success(request, f"{made} has an account.")
            return redirect("account_page", made.pk)
        except CardroomError as refusal:
            messages.error(request, refusal.message)
            status = refusal.status
    asked = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    state, role = request.GET.get("state", ""), request.GET.get("role", "")
    found = accounts.listed(
        words=asked, state=state if state in ("open", "closed") else "", role=role if role in access.ROLES else ""
    )
    context = {
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "words": asked,
        "state": state,
        "role": role,
        "roles": access.ROLES,
        "typed": request.POST,
    }
    return render(request, "cardroom/players/accounts.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest, user_id: int) -> HttpResponse:
    """One account; a POST does `what`, one of `DEEDS`."""
    access.require_role(request.user, "manager")
    who, now, status = accounts.one(user_id), timezone.now(), 200
    if request.method == "POST":
        try:
            deed = DEEDS.get(request.POST.get("what", ""))
            if deed is None:
                raise Invalid("There is nothing of that kind to be done.", "bad-what")
            messages.success(request, deed(who, request.user, request.POST))
            return redirect("account_page", user_id)
        except CardroomError as refusal:
            messages.error(request, refusal.message)
            status = refusal.status
            who = accounts.one(user_id)
    held = access.roles_of(who)
    context = {
        "who": who,
        "roles": [(role, role in held) for role in access.ROLES],
        "by_two": roles.BY_TWO,
        "balance": selectors.wallet_balance(who),
        "sessions": sessions.open_now(now=now, user=who)[:20],
        "typed": request.POST,
        "key": f"{now.timestamp():.6f}",
    }
    return render(request, "cardroom/players/account.html", context, status=status)


@never_cache
@login_required
@require_GET
def connections(request: HttpRequest) -> HttpResponse:
    """Who is logged in, from where, and whose sockets are open."""
    access.require_role(request.user, *sessions.STAFF)
    now = timezone.now()
    page = Paginator(sessions.open_now(now=now), A_PAGE).get_page(request.GET.get("page"))
    rows = [(session, sessions.connected(session, now=now)) for session in page]
    context = {"page": page, "rows": rows, "key": token_urlsafe(12)}
    return render(request, "cardroom/players/connections.html", context)


@login_required
@require_POST
def connection(request: HttpRequest, handle: str) -> HttpResponse:
    """`what`: "message" tells its owner the `text`, "terminate" ends it for a `reason`."""
    about, sent = {"by": request.user}, request.POST
    if sent.get("what") == "message":
        player = sessions.whose(handle=handle, now=timezone.now(), **about)
        words.say(player=player, text=sent.get("text", ""), key=sent.get("key", ""), **about)
        messages.success(request, f"{player} was told.")
    else:
        who = sessions.one(handle=handle, now=timezone.now(), **about).user
        sessions.terminate(handle=handle, reason=sent.get("reason", ""), **about)
        messages.success(request, f"{who} is logged out there." if who else "That screen is no kiosk any more.")
    return redirect("connections")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def blocked(request: HttpRequest) -> HttpResponse:
    """The blacklist; a POST adds a line, changes one (`line`), or takes one off (`remove`)."""
    access.require_role(request.user, "manager")
    now, status, sent = timezone.now(), 200, request.POST
    if request.method == "POST":
        try:
            messages.success(request, _write_line(request.user, sent))
            return redirect("blacklist")
        except CardroomError as refusal:
            messages.error(request, refusal.message)
            status = refusal.status
    context = {"lines": blacklist.on_the_list(now=now)[:500], "kinds": Blocked.Kind.choices, "typed": sent}
    return render(request, "cardroom/players/blacklist.html", context, status=status)


def _write_line(by: User, sent: Any) -> str:
    if line := sent.get("remove"):
        blacklist.remove(line_id=numbers.whole(line), by=by)
        return "Taken off the blacklist."
    reason, until = sent.get("reason", ""), moment_of(sent.get("until", ""))
    if line := sent.get("line"):
        blacklist.edit(line_id=numbers.whole(line), reason=reason, until=until, by=by)
        return "The line is changed."
    blacklist.add(kind=sent.get("kind", ""), value=sent.get("value", ""), reason=reason, until=until, by=by)
    return "On the blacklist."


def _edit(who: User, by: User, sent: Any) -> str:
    names = ("username", "email", "first_name", "last_name")
    accounts.edit(user=who, by=by, **{name: sent[name].strip() for name in names if name in sent})
    return "Saved."


def _close(who: User, by: User, sent: Any) -> str:
    accounts.close(user=who, by=by, reason=sent.get("reason", ""))
    return "The account is closed. Its chips and its history stay."


def _reopen(who: User, by: User, sent: Any) -> str:
    accounts.reopen(user=who, by=by, reason=sent.get("reason", ""))
    return "The account is open again."


def _password(who: User, by: User, sent: Any) -> str:
    accounts.set_password(user=who, password=sent.get("password", ""), by=by)
    return f"{who} has a new password, and is logged out everywhere."


def _role(who: User, by: User, sent: Any) -> str:
    role = sent.get("role", "")
    if sent.get("gives"):
        waits = roles.give(user=who, role=role, by=by)
        if waits is not None:
            return f"{waits.words}. This needs a second person: another manager has been asked (no. {waits.pk})."
        return f"{who} is {role} now."
    roles.take(user=who, role=role, by=by)
    return f"{who} is {role} no more."


def _adjust(who: User, by: User, sent: Any) -> str:
    typed = sent.get("amount", "").replace(",", "").strip()
    digits = typed.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise Invalid("Write a whole number of chips, with a minus to take them out.", "bad-amount")
    amount = -int(digits) if typed.startswith("-") else int(digits)
    key = sent.get("key", "")
    made = accounts.put_right(user=who, amount=amount, reason=sent.get("reason", ""), by=by, key=key)
    if isinstance(made, Approval):
        return f"{made.words}: this needs a second person. Another manager has been asked (no. {made.pk})."
    return f"{amount:+,} chips."


DEEDS: dict[str, Callable[[User, User, Any], str]] = {
    "edit": _edit,
    "close": _close,
    "reopen": _reopen,
    "password": _password,
    "role": _role,
    "adjust": _adjust,
}
