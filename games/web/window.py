"""The cage's window onto the tables: money becomes a seat, and a seat becomes money. For cashiers and managers.

`?q=` finds a player, `?player=` has them before the window, `?slip=` tells of a slip that was just written.
"""

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.services import access
from cardroom.services.cage import books
from cardroom.services.errors import CardroomError
from cardroom.web import cage_forms
from cardroom.web.cage import at_the_counter, attempt, is_him, told
from games.selectors import seating as chairs
from games.services import cage_desk

_MOST_ID = 2**62


class BuyInForm(cage_forms.AmountForm):
    """A seat for money."""

    table = forms.IntegerField(min_value=1, max_value=_MOST_ID, error_messages={"required": "Say at which table."})
    player = forms.IntegerField(min_value=1, max_value=_MOST_ID)
    number = forms.IntegerField(min_value=1, max_value=8, required=False)


class CashOutForm(cage_forms.ReasonForm):
    """Money for a seat."""

    player = forms.IntegerField(min_value=1, max_value=_MOST_ID)
    count = forms.IntegerField(min_value=0, max_value=books.MOST, required=False)


@login_required
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *books.STAFF)
    return _page(request)


@login_required
@require_POST
def buy_in(request: HttpRequest) -> HttpResponse:
    """Take the money and give the seat, or neither."""
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        asked = cage_forms.read(BuyInForm, request.POST).cleaned_data
        player, table_id = cage_forms.player_of(asked.pop("player")), asked.pop("table")
        key = cage_forms.key_in(request.POST)
        slip, _ = cage_desk.buy_in(table_id=table_id, player=player, by=by, key=key, **asked)
        return told(request, slip, _address(player.pk))

    return attempt(request, act, _page)


@login_required
@require_POST
def cash_out(request: HttpRequest, table_id: int) -> HttpResponse:
    """Off the table, and paid out."""
    by = access.require_role(request.user, *books.STAFF)

    def act() -> HttpResponse:
        asked = cage_forms.read(CashOutForm, request.POST).cleaned_data
        player = asked["player"] = cage_forms.player_of(asked["player"])
        asked["settles"] = cage_forms.settles(request.POST)
        key = cage_forms.key_in(request.POST)
        _, done = cage_desk.cash_out(table_id=table_id, by=by, key=key, **asked)
        return told(request, done, _address(player.pk))

    return attempt(request, act, _page)


def _address(player_id: int) -> str:
    return f"{reverse('cage_window')}?player={player_id}"


def _page(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    player, head = at_the_counter(request, refusal=refusal, typed=typed)
    if is_him(request, head["found"]):
        return redirect(_address(head["found"][0].pk))
    context = head | {
        "seats": chairs.seats_to_cash(player) if player else [],
        "tables": chairs.tables_to_sit(player, now=timezone.now()) if player else [],
    }
    return render(request, "games/window.html", context)
