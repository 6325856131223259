"""A player's own tickets."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from tournaments.services import tickets


@login_required
@require_POST
def exchange(request: HttpRequest, ticket_id: int) -> HttpResponse:
    """For one that is good for any event."""
    fresh = tickets.exchange(ticket_id=ticket_id, by=request.user)
    messages.success(request, f"Ticket {fresh.code} is good for any event, and worth {fresh.value:,}.")
    return redirect("me")
