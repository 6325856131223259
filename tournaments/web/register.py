"""What a player does about their own entry: each a few lines that call one service, and back to the flyer."""

import json
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from cardroom.services.errors import CardroomError
from tournaments.models import TournamentEntry
from tournaments.services import buying, registration
from tournaments.services.play import rebuys
from tournaments.web import forms
from tournaments.web.views import event_of, flyer_page


@login_required
@require_POST
def register(request: HttpRequest, tournament_id: int) -> HttpResponse:
    def act(asked: dict[str, Any]) -> str:
        entry = registration.register(tournament_id=tournament_id, by=request.user, player=request.user, **asked)
        if entry.state == TournamentEntry.State.ALTERNATE:
            return f"The event is full: you wait for a seat, with entry {entry.number}."
        return f"You are in, with entry {entry.number}. Good luck."

    return _done(request, tournament_id, forms.RegisterForm, act)


@login_required
@require_POST
def unregister(request: HttpRequest, tournament_id: int) -> HttpResponse:
    def act(asked: dict[str, Any]) -> str:
        registration.unregister(tournament_id=tournament_id, by=request.user)
        return "Your entry is taken back, and what you paid is where it came from."

    return _done(request, tournament_id, forms.KeyForm, act)


@login_required
@require_POST
def re_enter(request: HttpRequest, tournament_id: int) -> HttpResponse:
    def act(asked: dict[str, Any]) -> str:
        entry = registration.re_enter(tournament_id=tournament_id, by=request.user, **asked)
        return f"You are in again, with entry {entry.number}."

    return _done(request, tournament_id, forms.ReEnterForm, act)


@login_required
@require_POST
def rebuy(request: HttpRequest, tournament_id: int) -> HttpResponse:
    def act(asked: dict[str, Any]) -> str:
        payment = buying.rebuy(tournament_id=tournament_id, by=request.user, **asked)
        return f"{payment.chips:,} chips are yours, for {payment.total:,}."

    return _done(request, tournament_id, forms.KeyForm, act)


@login_required
@require_POST
def automatic_rebuy(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The box sends `on` when it is ticked."""

    def act(asked: dict[str, Any]) -> str:
        rebuys.ask(tournament_id=tournament_id, player=request.user, **asked)
        if asked["on"]:
            return "As soon as your last chips are gone, a rebuy is bought from your wallet."
        return "You are asked before anything is bought."

    return _done(request, tournament_id, forms.AutomaticForm, act)


@login_required
@require_POST
def add_on(request: HttpRequest, tournament_id: int) -> HttpResponse:
    def act(asked: dict[str, Any]) -> str:
        payment = buying.add_on(tournament_id=tournament_id, by=request.user, **asked)
        return f"{payment.chips:,} chips are added, for {payment.total:,}."

    return _done(request, tournament_id, forms.KeyForm, act)


def _done(request: HttpRequest, tournament_id: int, form: type, act: Callable[[dict[str, Any]], str]) -> HttpResponse:
    """Do it and go back; a refusal is said in the box itself, with what was typed still there. Asked from the table,
    both are said there."""
    row = event_of(request, tournament_id)
    if request.htmx:
        words = act(forms.sent(form, request.POST))
        return HttpResponse(status=204, headers={"HX-Trigger": json.dumps({"toast": {"message": words}})})
    try:
        words = act(forms.sent(form, request.POST))
    except CardroomError as refusal:
        return flyer_page(request, row, refusal=refusal, typed=request.POST.get("entry_code", ""))
    messages.success(request, words)
    return redirect("tournament", tournament_id)
