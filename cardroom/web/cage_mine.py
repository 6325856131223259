"""A player's own cashier page: what they have and owes, what they ask the cage for, their slips."""

from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.services.cage import looking, requests
from cardroom.services.errors import CardroomError
from cardroom.web import cage_forms as forms
from cardroom.web.cage import attempt


@login_required
@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    return _page(request)


@login_required
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    def act() -> HttpResponse:
        told = forms.read(forms.AskForm, request.POST).cleaned_data
        key = forms.key_in(request.POST)
        row = requests.make(player=request.user, key=key, **told)
        messages.success(request, f"The cashier is asked: {row.get_kind_display()} of {row.amount:,}.")
        return redirect("my_cashier")

    return attempt(request, act, _page)


@login_required
@require_POST
def take_back(request: HttpRequest, request_id: int) -> HttpResponse:
    def act() -> HttpResponse:
        requests.take_back(request_id=request_id, player=request.user)
        messages.success(request, "Taken back.")
        return redirect("my_cashier")

    return attempt(request, act, _page)


def _page(request: HttpRequest, *, refusal: CardroomError | None = None, typed: Any = None) -> HttpResponse:
    context = {
        "me": looking.of_player(request.user, now=timezone.now()),
        "requests": looking.requests_of(request.user),
        "slips": looking.slips(player=request.user.pk, limit=30),
        "refusal": refusal,
        "typed": typed or {},
        "key": token_urlsafe(12),
    }
    return render(request, "cardroom/cage/mine.html", context)
