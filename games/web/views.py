"""Pages of the lobby, the tables, the hands and the rules; and the small moves at a table, each one service call."""

import json
from threading import Lock
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from cardroom.web import chat
from cardroom.web.parts import part_of
from games import selectors
from games.models import SeatMove
from games.selectors import jackpots, offered
from games.services import seats
from games.web import forms, sealed, story

HANDS_A_PAGE = 40

#: One reader at a time draws the lobby: those who come meanwhile find nearly all of it drawn.
_drawing = Lock()


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    beside = {"chat": chat.panel(request), "jackpots": jackpots.rows()}
    context = _lobby(request)
    return render(request, "games/lobby.html", context | beside | {"tables": _tables(request, context)})


@part_of("lobby")
@require_safe
def lobby_tables(request: HttpRequest) -> HttpResponse:
    """The list alone, for the lobby to keep itself up to date with."""
    return HttpResponse(_tables(request, _lobby(request)))


@ensure_csrf_cookie
@never_cache
@require_safe
def table_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """The table. What is dealt there comes over its socket: this page holds no card."""
    return render(request, "games/table.html", {"table": selectors.table(table_id)})


@require_safe
def hands(request: HttpRequest, table_id: int) -> HttpResponse:
    """The hands of a table that are over, newest first; `?before=` goes back."""
    before = request.GET.get("before", "")
    older_than = int(before) if before.isascii() and before.isdigit() and len(before) < 10 else None
    table = selectors.table(table_id)
    selectors.check_may_look_on(table, request.user)
    rows = selectors.hands_of(table_id=table_id, limit=HANDS_A_PAGE, before=older_than)
    return render(request, "games/hands.html", {"table": table, "hands": rows, "is_full": len(rows) == HANDS_A_PAGE})


@never_cache
@require_safe
def hand_page(request: HttpRequest, hand_id: int) -> HttpResponse:
    """A finished hand as the viewer may see it; one that is being played is at its table."""
    hand = selectors.hand_story(hand_id=hand_id, viewer=request.user)
    if not hand.is_over:
        return redirect("table", hand.table.pk)
    context = {"hand": hand, "parts": story.tell(hand), "results": story.results(hand)}
    return render(request, "games/hand.html", context | {"sealed": sealed.of(request.user)})


# -- moves -----------------------------------------------------------------------------------------------------------


@login_required
@require_POST
def sit(request: HttpRequest, table_id: int) -> HttpResponse:
    asked = forms.sent(forms.SitForm, request)
    move = seats.sit(table_id=table_id, player=request.user, **asked)
    return _moved(request, table_id, f"You are in seat {move.number}. Good luck.")


@login_required
@require_POST
def top_up(request: HttpRequest, table_id: int) -> HttpResponse:
    asked = forms.sent(forms.TopUpForm, request)
    move = seats.top_up(table_id=table_id, player=request.user, **asked)
    is_later = move.kind == SeatMove.Kind.TOP_UP_ASKED
    return _moved(request, table_id, f"{move.amount:,} chips {'come after this hand' if is_later else 'added'}.")


@login_required
@require_POST
def sit_out(request: HttpRequest, table_id: int) -> HttpResponse:
    asked = forms.sent(forms.MoveForm, request)
    move = seats.sit_out(table_id=table_id, player=request.user, **asked)
    if move.table.event:
        return _moved(request, table_id, "You are away: your hands are dealt, anted and folded.")
    return _moved(request, table_id, "You are dealt out from the next hand on.")


@login_required
@require_POST
def come_back(request: HttpRequest, table_id: int) -> HttpResponse:
    asked = forms.sent(forms.MoveForm, request)
    move = seats.come_back(table_id=table_id, player=request.user, **asked)
    is_event = bool(move.table.event)
    return _moved(request, table_id, "You are back." if is_event else "You are dealt in from the next hand on.")


@login_required
@require_POST
def leave(request: HttpRequest, table_id: int) -> HttpResponse:
    asked = forms.sent(forms.MoveForm, request)
    move = seats.leave(table_id=table_id, player=request.user, **asked)
    if move.kind == SeatMove.Kind.LEAVING:
        return _moved(request, table_id, "You leave when this hand is over.")
    return _moved(request, table_id, f"You left with {move.amount:,} chips.")


def _moved(request: HttpRequest, table_id: int, words: str) -> HttpResponse:
    """The move is made: a notice for the live page, which hears the rest over its socket, or the page itself."""
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"moved": {}, "toast": {"message": words}})})
    messages.success(request, words)
    return redirect("table", table_id)


def _tables(request: HttpRequest, context: dict[str, Any]) -> SafeString:
    with _drawing:
        return render_to_string("games/_tables.html", context, request)


def _lobby(request: HttpRequest) -> dict[str, Any]:
    asked = {name: request.GET.get(name, "")[:60] for name in ("game", "structure", "stakes", "where", "name")}
    wanted = offered.Wanted(**asked, has_seat=bool(request.GET.get("has_seat")))
    return {"lobby": offered.room_lobby(viewer=request.user, wanted=wanted, now=timezone.now())}
