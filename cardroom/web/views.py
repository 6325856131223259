"""Pages of the house: one's account, wallet, cards and keys for programs."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom import zones
from cardroom.models import ApiToken
from cardroom.services import people, selectors
from cardroom.services import tokens as token_services
from cardroom.services.errors import CardroomError
from cardroom.web.forms import TokenForm

STATEMENT_LINES = 50


@login_required
@require_GET
def me(request: HttpRequest) -> HttpResponse:
    """The account page: wallet, its last movements, preferences."""
    statement = selectors.statement(request.user, limit=STATEMENT_LINES)
    context = {"statement": statement, "zones": zones.by_region(), "room_zone": settings.TIME_ZONE}
    return render(request, "cardroom/me.html", context)


@login_required
@require_POST
def four_colour(request: HttpRequest) -> HttpResponse:
    """Choose between two and four colours; the box sends nothing when it is not ticked."""
    people.prefer(user=request.user, four_colour="four_colour" in request.POST)
    return HttpResponse(status=204) if request.htmx else redirect("me")


@login_required
@require_POST
def wants_mail(request: HttpRequest) -> HttpResponse:
    """Choose whether tournaments may write; the box sends nothing when it is not ticked."""
    people.prefer(user=request.user, wants_mail="wants_mail" in request.POST)
    messages.success(request, "Saved.")
    return redirect("me")


@login_required
@require_POST
def time_zone(request: HttpRequest) -> HttpResponse:
    """Choose the zone that pages are in; nothing sent: the room's."""
    try:
        people.prefer(user=request.user, time_zone=request.POST.get("time_zone", ""))
        messages.success(request, "Saved.")
    except CardroomError as refusal:
        messages.error(request, refusal.message)
    return redirect("me")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """One's keys for programs; a new one's secret is on the answer to the form and nowhere else."""
    form = TokenForm(request.POST or None)
    secret = None
    if request.method == "POST" and form.is_valid():
        _, secret = token_services.issue(user=request.user, **form.cleaned_data)
        form = TokenForm()
    held = ApiToken.objects.filter(user=request.user).order_by("-pk")
    return render(request, "cardroom/tokens.html", {"form": form, "tokens": held, "secret": secret})


@login_required
@require_POST
def revoke_token(request: HttpRequest, token_id: int) -> HttpResponse:
    token_services.revoke(user=request.user, token_id=token_id)
    messages.success(request, "The key is revoked.")
    return redirect("tokens")
