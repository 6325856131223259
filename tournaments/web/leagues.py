"""Pages of leagues: how events count, their seasons, and the table of each."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardroom.services import access
from cardroom.services.errors import CardroomError
from tournaments.models import League
from tournaments.selectors import leagues as selectors
from tournaments.services import leagues as services
from tournaments.services import staff
from tournaments.web.leagues_form import LeagueForm, SeasonForm, counting, league_fields, said_of

FORM = ["GET", "HEAD", "POST"]
PLAYERS_A_PAGE = 100


@require_safe
def league_list(request: HttpRequest) -> HttpResponse:
    context = {"leagues": selectors.leagues(), "is_director": access.has_role(request.user, *staff.DIRECTORS)}
    return render(request, "tournaments/leagues/list.html", context)


@require_safe
def league(request: HttpRequest, league_id: int) -> HttpResponse:
    """How its events count, and its seasons."""
    row = selectors.league(league_id)
    context = {
        "league": row,
        "counting": counting(row),
        "seasons": row.seasons.order_by("-starts_on", "-pk"),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
    }
    return render(request, "tournaments/leagues/league.html", context)


@never_cache
@require_safe
def season(request: HttpRequest, season_id: int) -> HttpResponse:
    """The table of a season, and its events."""
    row = selectors.season(season_id)
    context = {
        "season": row,
        "league": row.league,
        "counting": counting(row.league),
        "page": Paginator(selectors.standings(row), PLAYERS_A_PAGE).get_page(request.GET.get("page")),
        "events": selectors.events(row),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
    }
    return render(request, "tournaments/leagues/season.html", context)


@login_required
@never_cache
@require_http_methods(FORM)
def new_league(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    return _league_form(request, _asked(request, League(formula="root")), title="New league")


@login_required
@never_cache
@require_http_methods(FORM)
def edit_league(request: HttpRequest, league_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = selectors.league(league_id)
    return _league_form(request, _asked(request, row), title=f"Edit {row.name}", row=row)


@login_required
@never_cache
@require_http_methods(FORM)
def new_season(request: HttpRequest, league_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = selectors.league(league_id)
    form, refusal = SeasonForm(request.POST or None), None
    if request.method == "POST" and form.is_valid():
        try:
            made = services.open_season(league_id=row.pk, by=request.user, **form.cleaned_data)
        except CardroomError as error:
            refusal = error
        else:
            messages.success(request, f"{made.name} is open: choose it where an event is made.")
            return redirect("season", made.pk)
    context = {"form": form, "title": f"New season of {row.name}", "league": row, "refusal": refusal}
    return render(request, "tournaments/leagues/form.html", context, status=_status(request, refusal))


@login_required
@require_POST
def close_season(request: HttpRequest, season_id: int) -> HttpResponse:
    row = services.close_season(season_id=season_id, by=request.user)
    messages.success(request, f"{row.name} is closed. Its table stays.")
    return redirect("season", row.pk)


def _asked(request: HttpRequest, row: League) -> LeagueForm:
    return LeagueForm(request.POST) if request.method == "POST" else LeagueForm(initial=said_of(row))


def _league_form(request: HttpRequest, form: LeagueForm, *, title: str, row: League | None = None) -> HttpResponse:
    refusal = None
    if request.method == "POST" and form.is_valid():
        fields: dict[str, Any] = league_fields(form.cleaned_data)
        try:
            if row is None:
                saved = services.create(by=request.user, **fields)
            else:
                saved = services.edit(league_id=row.pk, by=request.user, **fields)
        except CardroomError as error:
            refusal = error
        else:
            messages.success(request, f"{saved.name} is saved.")
            return redirect("league", saved.pk)
    is_sent = request.method == "POST"
    context = {"form": form, "title": title, "league": row, "refusal": refusal, "is_sent": is_sent}
    return render(request, "tournaments/leagues/league_form.html", context, status=_status(request, refusal))


def _status(request: HttpRequest, refusal: CardroomError | None) -> int:
    """Of the form, shown again: what was refused, or fields that make no sense."""
    if refusal is not None:
        return refusal.status
    return 400 if request.method == "POST" else 200
