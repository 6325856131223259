"""Pages of the desk about players: found as one types, and one player's page with all that staff may know and do."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.models import Ban, PlayerNote, StaffAction, User, Where
from cardroom.services import access, accounts, cards, limits, notes, room_time, selectors, standing, visits, walk_ins
from cardroom.services.errors import CardroomError, Invalid
from cardroom.services.prints.files import PDF, File
from cardroom.web import files, numbers
from cardroom.web.when import day_of, moment_of

STAFF = ("floor", "cashier", "manager")
#: Where one goes on with somebody who was taken in there.
THEN = {"cage": "cage", "window": "cage_window"}
#: Other apps' parts of a player's page: (request's viewer, player) -> (template, context); see `add_panel`.
Panel = Callable[[User, User], tuple[str, dict[str, Any]] | None]
_panels: list[Panel] = []


def add_panel(panel: Panel) -> None:
    """Have something of another app shown on every player's page; called in `AppConfig.ready`."""
    if panel not in _panels:
        _panels.append(panel)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def players(request: HttpRequest) -> HttpResponse:
    """`?q=` a name, a number, a phone, or a scanned card, which opens its owner's page; without it who is here. A POST
    takes somebody in who is new, for one of the pages `THEN`."""
    access.require_role(request.user, *STAFF)
    if request.method == "POST":
        try:
            return _take_in(request)
        except CardroomError as error:
            messages.error(request, error.message)
            return _listing(request, status=error.status)
    return _listing(request)


def _listing(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    asked = " ".join(request.GET.get("q", "").replace("\0", "").split())[:80]
    refusal = ""
    found: list[User] = []
    try:
        found = cards.find(asked)
    except CardroomError as error:
        refusal = error.message
    is_fragment = bool(request.htmx) and not request.htmx.history_restore_request
    if len(found) == 1 and cards.BARCODE.fullmatch(asked) and not is_fragment:
        return redirect("player", found[0].pk)
    new, then = request.GET.get("new"), request.POST.get("then") or request.GET.get("then", "")
    context = {
        "asked": asked,
        "found": found,
        "refusal": refusal,
        "here": visits.here_now()[:200],
        "is_new": new is not None or request.method == "POST",
        "typed": request.POST or {"name": new or ""},
        "then": then if then in THEN else "",
        "key": token_urlsafe(12),
    }
    page = "cardroom/players/_found.html" if is_fragment else "cardroom/players/list.html"
    return render(request, page, context, status=status)


def _take_in(request: HttpRequest) -> HttpResponse:
    sent, born_on = request.POST, day_of(request.POST.get("born_on", ""))
    said = {"name": sent.get("name", ""), "phone": sent.get("phone", ""), "key": sent.get("key", "")}
    made = walk_ins.take_in(by=request.user, born_on=born_on, **said)
    messages.success(request, f"{made} is taken in: member {made.member.number}.")
    if page := THEN.get(sent.get("then", "")):
        return redirect(f"{reverse(page)}?player={made.pk}")
    return redirect("player", made.pk)


@never_cache
@login_required
@require_GET
def player(request: HttpRequest, player_id: int) -> HttpResponse:
    """One player, as staff sees them."""
    access.require_role(request.user, *STAFF)
    return _page(request, accounts.one(player_id))


@login_required
@require_POST
def do(request: HttpRequest, player_id: int) -> HttpResponse:
    """`what` is to be done, one of `DEEDS`. A refusal is said on the page, with what was typed still there."""
    access.require_role(request.user, *STAFF)
    who, what = accounts.one(player_id), request.POST.get("what", "")
    try:
        deed = DEEDS.get(what)
        if deed is None:
            raise Invalid("There is nothing of that kind to be done.", "bad-what")
        said = deed(who, request.user, request.POST)
    except CardroomError as refusal:
        messages.error(request, refusal.message)
        return _page(request, accounts.one(player_id), typed=request.POST, status=refusal.status)
    messages.success(request, said)
    return redirect("player", player_id)


@login_required
@require_GET
def card(request: HttpRequest, player_id: int) -> HttpResponse:
    """The card as a PDF, to be printed."""
    from cardroom.services.prints import member_cards

    access.require_role(request.user, *STAFF)
    document = member_cards.card(player=accounts.one(player_id), by=request.user)
    return files.answer(File(f"card-{player_id}.pdf", PDF, document))


def _page(request: HttpRequest, who: User, *, typed: Any = None, status: int = 200) -> HttpResponse:
    now = timezone.now()
    seen = visits.with_minutes(who, now=now, limit=10)
    member = cards.member_of(who)
    panels = [drawn for panel in _panels if (drawn := panel(request.user, who)) is not None]
    context = {
        "who": who,
        "member": member,
        "cards": list(member.cards.all()[:10]) if member else [],
        "bans": list(Ban.objects.filter(player=who).select_related("by", "lifted_by")[:20]),
        "in_force": list(standing.in_force(who, now=now)),
        "visits": seen,
        "present": visits.present(who),
        "notes": notes.about(who),
        "flags": PlayerNote.Flag.choices,
        "places": Where.choices,
        "limits": [limit for limit in limits.all_of(who, now=now) if limit.amount is not None],
        "balance": selectors.wallet_balance(who),
        "statement": selectors.statement(who, limit=8),
        "acts": StaffAction.objects.filter(player=who).select_related("by").order_by("-pk")[:12],
        "roles": sorted(access.roles_of(who)),
        "is_manager": access.has_role(request.user, "manager"),
        "panels": panels,
        "typed": typed or {},
        "key": f"{now.timestamp():.6f}",
        "now": now,
    }
    return render(request, "cardroom/players/player.html", context, status=status)


def _register(who: User, by: User, sent: Any) -> str:
    born_on = day_of(sent.get("born_on", ""))
    made = cards.register(player=who, by=by, name=sent.get("name", ""), phone=sent.get("phone", ""), born_on=born_on)
    return f"Member {made.member.number}."


def _issue(who: User, by: User, sent: Any) -> str:
    cards.issue(player=who, by=by, was=sent.get("was", ""), key=sent.get("key", ""))
    return "A new card. The one before is good for nothing any more."


def _lost(who: User, by: User, sent: Any) -> str:
    cards.report_lost(player=who, by=by)
    return "The card is reported lost."


def _check_in(who: User, by: User, sent: Any) -> str:
    visits.check_in(player=who, by=by)
    return f"{who} is checked in."


def _check_out(who: User, by: User, sent: Any) -> str:
    visits.check_out(player=who, by=by)
    return f"{who} is checked out."


def _ban(who: User, by: User, sent: Any) -> str:
    until, where = moment_of(sent.get("until", "")), sent.get("where", Where.BOTH)
    made = standing.ban(
        player=who, reason=sent.get("reason", ""), by=by, where=where, until=until, key=sent.get("key", "")
    )
    until_when = f"until {room_time.said(made.until)}" if made.until else "for good"
    return f"{who} is banned {made.get_where_display()} {until_when}. A hand they are in is played to its end."


def _lift(who: User, by: User, sent: Any) -> str:
    standing.lift(ban_id=numbers.whole(sent.get("ban", "")), by=by, reason=sent.get("reason", ""))
    return "The ban is lifted."


def _note(who: User, by: User, sent: Any) -> str:
    notes.write(player=who, text=sent.get("text", ""), flag=sent.get("flag", ""), by=by, key=sent.get("key", ""))
    return "Noted."


def _put_away(who: User, by: User, sent: Any) -> str:
    notes.remove(note_id=numbers.whole(sent.get("note", "")), by=by)
    return "The note is put away."


DEEDS: dict[str, Callable[[User, User, Any], str]] = {
    "register": _register,
    "issue": _issue,
    "lost": _lost,
    "check-in": _check_in,
    "check-out": _check_out,
    "ban": _ban,
    "lift": _lift,
    "note": _note,
    "put-away": _put_away,
}
