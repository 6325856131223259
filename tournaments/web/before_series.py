"""Pages of series: events that belong together."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from cardroom.services import access
from cardroom.services.errors import CardroomError, NotFound
from tournaments.models import Series, Tournament
from tournaments.services import series as services
from tournaments.services import staff
from tournaments.web.before import FORM
from tournaments.web.forms import SeriesForm


@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    found = Series.objects.filter(is_archived=False).order_by("-starts_on", "name")
    context = {"series": found, "is_director": access.has_role(request.user, *staff.DIRECTORS)}
    return render(request, "tournaments/before/series_list.html", context)


@never_cache
@require_safe
def series(request: HttpRequest, series_id: int) -> HttpResponse:
    """A series, and its events in the order in which they are played."""
    row = _series(series_id)
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    events = row.tournaments.order_by("starts_at", "pk")
    if not is_director:
        events = events.exclude(state=Tournament.State.DRAFT)
    context = {"series": row, "events": events, "is_director": is_director}
    return render(request, "tournaments/before/series.html", context)


@login_required
@never_cache
@require_http_methods(FORM)
def new_series(request: HttpRequest) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)

    def save(said: dict[str, Any]) -> Series:
        return services.create(by=request.user, **said)

    return _form(request, SeriesForm(request.POST or None), save, title="New series")


@login_required
@never_cache
@require_http_methods(FORM)
def edit_series(request: HttpRequest, series_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = _series(series_id)
    initial = {name: getattr(row, name) for name in SeriesForm.base_fields}

    def save(said: dict[str, Any]) -> Series:
        return services.edit(series_id=row.pk, by=request.user, **said)

    return _form(request, SeriesForm(request.POST or None, initial=initial), save, title=f"Edit {row.name}")


def _form(request: HttpRequest, form: SeriesForm, save: Any, *, title: str) -> HttpResponse:
    refusal, status = None, 200
    if request.method == "POST":
        if form.is_valid():
            try:
                row = save(form.cleaned_data)
            except CardroomError as error:
                refusal, status = error, error.status
            else:
                messages.success(request, f"{row.name} is saved.")
                return redirect("tournament_one_series", row.pk)
        else:
            status = 400
    context = {"form": form, "title": title, "refusal": refusal}
    return render(request, "tournaments/before/series_form.html", context, status=status)


def _series(series_id: int) -> Series:
    row = Series.objects.filter(pk=series_id).first()
    if row is None:
        raise NotFound("There is no such series.", "no-such-series")
    return row
