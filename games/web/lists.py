"""Pages of waiting lists for players: a game's list, one's own lists, and the calls that wait for an answer."""

import json
import secrets
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.services import access, notices
from cardroom.web.parts import part_of
from games import selectors
from games.models import ListEntry, Seat
from games.selectors import lists as shown
from games.services import lists
from games.services.lists import rules
from games.web import forms
from games.web.lists_forms import MoveKey, TakeForm, join_order

PAST = 30


@never_cache
@require_safe
def every(request: HttpRequest) -> HttpResponse:
    """The lists of all games; with htmx their part of the page alone."""
    name = "games/lists/_every.html" if request.htmx else "games/lists/every.html"
    return render(request, name, {"lists": shown.every(), "mine": _mine_by_offer(request)})


@never_cache
@require_safe
def game_list(request: HttpRequest, offer_id: int) -> HttpResponse:
    """The list of a game as the room shows it, with the rules it goes by, and a form to join it."""
    name = "games/lists/_list.html" if request.htmx else "games/lists/list.html"
    found = shown.of_offer(offer_id)
    context = {
        "list": found,
        "entry": _mine_by_offer(request).get(offer_id),
        "rules": [rule for rule, _ in rules.RULES],
        "seat_numbers": range(1, 9),
        "tables": found.open_tables,
        "key": _key(),
    }
    return render(request, name, context)


@login_required
@require_POST
def join(request: HttpRequest, offer_id: int) -> HttpResponse:
    said, wishes = join_order(request)
    entry = lists.join(
        offer_id=offer_id,
        player=request.user,
        source="web",
        kind=said["kind"] or "list",
        table_id=said["table"],
        wishes=wishes,
        key=said["key"],
    )
    messages.success(request, f"You are on the {entry.get_kind_display()} of {entry.offer.name}.")
    return redirect("my_lists")


@login_required
@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Where one's name is, the calls to answer, the seats one could change, and what became of earlier waits."""
    name = "games/lists/_mine.html" if request.htmx else "games/lists/mine.html"
    seats = [seat for seat in selectors.seats_of(request.user, event="") if seat.table.offer_id]
    tables = shown.open_tables({seat.table.offer_id for seat in seats}) if seats else []
    for seat in seats:
        seat.others = [each for each in tables if each.offer == seat.table.offer_id and each.pk != seat.table_id]
    context = {
        "entries": shown.mine(request.user),
        "seats": seats,
        "past": shown.past(request.user, limit=PAST),
        "notices": notices.unread(request.user, about="room"),
        "key": _key(),
    }
    return render(request, name, context)


@login_required
@never_cache
@require_safe
def entry(request: HttpRequest, entry_id: int) -> HttpResponse:
    """One wait of one's own, move by move."""
    name = "games/lists/_entry.html" if request.htmx else "games/lists/entry.html"
    return render(request, name, {"story": shown.story(entry_id, request.user, is_staff=False)})


@part_of("my_lists")
@never_cache
@require_safe
def calls(request: HttpRequest) -> HttpResponse:
    """The banner on every page: the tables of events that one sits at, calls to be answered, and what else one was
    told. Nothing for who is not logged in."""
    if not request.user.is_authenticated:
        return HttpResponse("")
    return render(request, "games/lists/_calls.html", _calls(request))


@login_required
@require_POST
def do(request: HttpRequest, entry_id: int, verb: str) -> HttpResponse:
    """Answer a call, take the seat, or leave the list."""
    player = access.require_login(request.user)
    if verb == "seat":
        said = forms.sent(TakeForm, request)
        taken = lists.take_seat(entry_id=entry_id, player=player, buy_in=said["buy_in"], key=said["key"])
        messages.success(request, f"You are in seat {taken.called_number}. Good luck.")
        return _gone(request, f"/tables/{taken.called_to_id}/")
    key = forms.sent(MoveKey, request)["key"]
    if verb == "leave":
        lists.leave(entry_id=entry_id, by=player, key=key)
        return _done(request, "You are off the list.")
    if verb not in lists.REPLIES:
        raise Http404
    answered = lists.answer(entry_id=entry_id, player=player, reply=verb, key=key)
    is_there = answered.state == ListEntry.State.SEATED
    return _done(request, "You sit there already." if is_there else _ANSWERED[verb])


_ANSWERED = {
    "coming": "The seat is held for you.",
    "more-time": "You have more time.",
    "cancel": "The seat goes to the next one.",
}


@login_required
@require_POST
def read_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    notices.read(player=access.require_login(request.user), notice_id=notice_id)
    return render(request, "games/lists/_calls.html", _calls(request)) if request.htmx else redirect("my_lists")


def _calls(request: HttpRequest) -> dict[str, Any]:
    user = access.require_login(request.user)
    rows = shown.called(user)
    # What was told of a call is said by the call itself, with its buttons.
    said, unread = {row.id for row in rows}, notices.unread(user, about="room", limit=5)
    told = [each for each in unread if each.data.get("entry") not in said]
    seats = Seat.objects.filter(player=user).exclude(table__event="").select_related("table").order_by("pk")
    here = _path_of(request.htmx.current_url or "") if request.htmx else ""
    return {"calls": rows, "told": told, "seats": seats, "here": here, "key": _key()}


def _path_of(address: str) -> str:
    """As a browser says it, or whoever says they are one."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _key() -> str:
    """What the forms of one page are sent under: twice the same is done once."""
    return secrets.token_urlsafe(9)


def _mine_by_offer(request: HttpRequest) -> dict[int, shown.NameRow]:
    if not request.user.is_authenticated:
        return {}
    return {row.offer: row for row in shown.mine(request.user) if not row.is_move}


def _done(request: HttpRequest, words: str) -> HttpResponse:
    """It is done: the parts that show it hear so, or the page is loaded anew."""
    if request.htmx:
        told = {"room:player": {}, "toast": {"message": words}}
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps(told)})
    messages.success(request, words)
    return redirect("my_lists")


def _gone(request: HttpRequest, address: str) -> HttpResponse:
    return HttpResponse(status=204, headers={"HX-Redirect": address}) if request.htmx else redirect(address)
