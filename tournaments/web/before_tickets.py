"""The tickets of an event: who holds one, and what a director does about them."""

from collections.abc import Callable
from secrets import token_urlsafe

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import CardroomError, NotFound
from tournaments.models import Tournament
from tournaments.selectors import tournaments as listing
from tournaments.services import prices, staff, tickets
from tournaments.web import forms

_MOST = 500


@login_required
@never_cache
@require_safe
def ticket_list(request: HttpRequest, tournament_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    return _page(request, listing.event(tournament_id, with_drafts=True))


@login_required
@require_POST
def give(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """One from the house, to a member by their screen name."""

    def act(row: Tournament, by: User) -> str:
        asked = forms.sent(forms.TicketForm, request.POST)
        player = User.objects.filter(username__iexact=asked["player"], is_bot=False, is_active=True).first()
        if player is None:
            raise NotFound(f"No member goes by the name {asked['player']}.", "no-such-player")
        ticket = tickets.give(
            player=player,
            tournament_id=row.pk,
            by=by,
            reason=asked["reason"],
            key=asked["key"] or token_urlsafe(12),
        )
        return f"{player.username} has the ticket {ticket.code}."

    return _done(request, tournament_id, act)


@login_required
@require_POST
def end(request: HttpRequest, tournament_id: int, ticket_id: int) -> HttpResponse:
    """Pay it out, or take it back."""

    def act(row: Tournament, by: User) -> str:
        if not row.tickets.filter(pk=ticket_id).exists():
            raise NotFound("There is no such ticket.", "no-such-ticket")
        asked = forms.sent(forms.TicketEndForm, request.POST)
        verb = tickets.pay_out if asked["how"] == "pay-out" else tickets.take_back
        ticket = verb(ticket_id=ticket_id, by=by, reason=asked["reason"])
        return f"The ticket {ticket.code} is {ticket.get_state_display()}."

    return _done(request, tournament_id, act)


def _done(request: HttpRequest, tournament_id: int, act: Callable[[Tournament, User], str]) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = listing.event(tournament_id, with_drafts=True)
    try:
        words = act(row, request.user)
    except CardroomError as refusal:
        return _page(request, row, refusal=refusal)
    messages.success(request, words)
    return redirect("tournament_tickets", tournament_id)


def _page(request: HttpRequest, row: Tournament, *, refusal: CardroomError | None = None) -> HttpResponse:
    context = {
        "tournament": row,
        "tickets": row.tickets.select_related("player", "won_in").order_by("-pk")[:_MOST],
        "worth": prices.of(row, "entry").total,
        "player": request.POST.get("player", ""),
        "reason": request.POST.get("reason", ""),
        "key": token_urlsafe(12),
        "refusal": refusal,
    }
    return render(request, "tournaments/before/tickets.html", context, status=refusal.status if refusal else 200)
