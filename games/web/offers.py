"""Pages of managers: the games on offer, drop schedules and sections; and of the floor: opening a table."""

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardroom.services import access
from cardroom.services.errors import CardroomError, Invalid
from games.models import Offer
from games.selectors import offers as select
from games.services import offers, schedules, sections, tables
from games.web.forms import sent
from games.web.offers_forms import NameForm, OfferForm, OpenForm, ReasonForm, ScheduleForm

_SEES = ("floor", "manager", "auditor")


@never_cache
@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The games in their order, with what goes on in each."""
    access.require_role(request.user, *_SEES)
    rows = select.offers()
    context = {
        "rows": [row for row in rows if row.offer.is_listed],
        "withdrawn": [row for row in rows if not row.offer.is_listed],
        "free": [table for table in select.room_tables() if table.phase == "free"],
        **_may(request),
    }
    return render(request, "games/offers/page.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, offer_id: int | None = None) -> HttpResponse:
    """A game on offer, new or as it is. With `do=check` nothing is saved: the preview is drawn."""
    access.require_role(request.user, offers.ROLE)
    offer = None if offer_id is None else select.offer(offer_id)
    form = OfferForm(request.POST if request.method == "POST" else None, offer=offer, initial=_new_key())
    status = 200
    if request.method == "POST" and form.is_valid() and request.POST.get("do") == "save":
        refused = _saved_offer(request, form, offer)
        if refused is None:
            messages.success(request, f"{form.cleaned_data['name']} is saved.")
            return redirect("offers")
        status = refused
    elif request.method == "POST" and not form.is_valid():
        status = 200 if request.POST.get("do") != "save" else 400
    context = {"form": form, "offer": offer, "preview": _offer_preview(form), "tables": _tables_of(offer)}
    return render(request, "games/offers/edit.html", context, status=status)


@login_required
@require_POST
def change(request: HttpRequest, offer_id: int, verb: str) -> HttpResponse:
    """Withdraw a game, put it on offer again, show it further up or down."""
    access.require_role(request.user, offers.ROLE)
    said = sent(ReasonForm, request)
    offer = select.offer(offer_id)
    if verb == "withdraw":
        offers.withdraw(offer_id=offer_id, by=request.user, **said)
        messages.success(request, f"{offer.name} is withdrawn. Its open tables play on.")
    elif verb == "relist":
        offers.relist(offer_id=offer_id, by=request.user, **said)
        messages.success(request, f"{offer.name} is on offer.")
    elif verb in ("up", "down"):
        ids = [row.offer.pk for row in select.offers(is_listed=True)]
        offers.reorder(offer_ids=_shifted(ids, offer_id, up=verb == "up"), by=request.user)
    else:
        raise Invalid("A game is withdrawn, put on offer again, or shown further up or down.", "bad-form")
    return redirect("offers")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def open_table(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Open a table for a game."""
    access.require_role(request.user, *tables.ROLES)
    offer = select.offer(offer_id)
    form = OpenForm(request.POST if request.method == "POST" else None, offer=offer, initial=_new_key())
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = tables.open_for(offer_id=offer_id, by=request.user, **form.cleaned_data)
            except CardroomError as refusal:
                form.add_error(None, refusal.message)
                status = refusal.status
            else:
                messages.success(request, f"{made.name} is open.")
                return redirect(f"/floor/?table={made.pk}")
    return render(request, "games/offers/open.html", {"form": form, "offer": offer}, status=status)


@login_required
@require_POST
def add_table(request: HttpRequest) -> HttpResponse:
    """A free table more in the room."""
    made = tables.add(by=request.user, **sent(NameForm, request))
    messages.success(request, f"{made.name} stands in the room.")
    return redirect("offers")


# -- drop schedules --------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_safe
def schedule_list(request: HttpRequest) -> HttpResponse:
    """What the house takes, and of which games."""
    access.require_role(request.user, *_SEES)
    rows = select.schedules()
    context = {
        "rows": [row for row in rows if row.retired_at is None],
        "retired": [row for row in rows if row.retired_at is not None],
        **_may(request),
    }
    return render(request, "games/offers/schedules.html", context)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def schedule_edit(request: HttpRequest, schedule_id: int | None = None) -> HttpResponse:
    """A schedule, new or in the place of one there is; with `do=check` only its preview is drawn."""
    access.require_role(request.user, schedules.ROLE)
    schedule = None if schedule_id is None else select.schedule(schedule_id)
    form = ScheduleForm(request.POST if request.method == "POST" else None, schedule=schedule, initial=_new_key())
    status = 200
    if request.method == "POST" and request.POST.get("do") == "save":
        if form.is_valid():
            key = form.cleaned_data["key"]
            made = schedules.save(by=request.user, key=key, replaces=schedule_id, **form.terms)
            messages.success(request, f"{made.name} is saved.")
            return redirect("drop_schedules")
        status = 400
    terms = form.terms if form.is_bound and form.is_valid() else None if form.is_bound else dict(form.initial)
    preview = schedules.preview(terms) if terms else None
    context = {"form": form, "schedule": schedule, "preview": preview, "players": schedules.PLAYERS}
    return render(request, "games/offers/schedule.html", context, status=status)


@login_required
@require_POST
def schedule_retire(request: HttpRequest, schedule_id: int) -> HttpResponse:
    """No game takes it up any more."""
    made = schedules.retire(schedule_id=schedule_id, by=request.user, **sent(ReasonForm, request))
    messages.success(request, f"{made.name} is retired.")
    return redirect("drop_schedules")


# -- sections --------------------------------------------------------------------------------------------------------


@never_cache
@login_required
@require_safe
def section_list(request: HttpRequest) -> HttpResponse:
    """The parts of the room."""
    access.require_role(request.user, *_SEES)
    context = {"sections": select.sections(), "key": secrets.token_urlsafe(9), **_may(request)}
    return render(request, "games/offers/sections.html", context)


@login_required
@require_POST
def section_add(request: HttpRequest) -> HttpResponse:
    """One more section."""
    made = sections.create(by=request.user, **sent(NameForm, request))
    messages.success(request, f"{made.name} is a section of the room.")
    return redirect("sections")


@login_required
@require_POST
def section_change(request: HttpRequest, section_id: int, verb: str) -> HttpResponse:
    """Rename a section, take it away, show it further up or down."""
    access.require_role(request.user, sections.ROLE)
    if verb == "rename":
        sections.rename(section_id=section_id, name=sent(NameForm, request)["name"], by=request.user)
    elif verb == "remove":
        sections.remove(section_id=section_id, by=request.user)
    elif verb in ("up", "down"):
        ids = [section.pk for section in select.sections()]
        sections.reorder(section_ids=_shifted(ids, section_id, up=verb == "up"), by=request.user)
    else:
        raise Invalid("A section is renamed, removed, or shown further up or down.", "bad-form")
    return redirect("sections")


def _saved_offer(request: HttpRequest, form: OfferForm, offer: Offer | None) -> int | None:
    """Save it; the status of the refusal, which the form then shows, or None."""
    said = {"by": request.user, "key": form.cleaned_data["key"], **form.terms}
    try:
        if offer is None:
            offers.create(**said)
        else:
            offers.edit(offer_id=offer.pk, version=form.cleaned_data["version"], **said)
    except CardroomError as refusal:
        errors = refusal.details.get("errors") or {None: [refusal.message]}
        for name, complaints in errors.items():
            form.add_error(name, complaints)
        return refusal.status
    return None


def _offer_preview(form: forms.Form) -> dict[str, Any] | None:
    """The game as players read it, where it can be played."""
    if form.is_bound and not form.is_valid():
        return None
    terms = form.terms if form.is_bound else form.initial  # type: ignore[attr-defined]
    drop = None if terms["drop_id"] is None else select.schedule(terms["drop_id"])
    fields = None if drop is None else {name: getattr(drop, name) for name in schedules.USUAL}
    deep = terms["max_buy_in"] // max(1, terms["big_bet"])
    return {"terms": terms, "drop": drop, "taken": schedules.preview(fields) if fields else None, "deep": deep}


def _tables_of(offer: Offer | None) -> list[Any]:
    return [] if offer is None else select.room_tables(offer_id=offer.pk)


def _may(request: HttpRequest) -> dict[str, bool]:
    roles = access.roles_of(request.user)
    return {"may_manage": "manager" in roles, "may_open": not roles.isdisjoint(tables.ROLES)}


def _new_key() -> dict[str, str]:
    return {"key": secrets.token_urlsafe(9)}


def _shifted(ids: list[int], one: int, *, up: bool) -> list[int]:
    if one not in ids:
        return ids
    at = ids.index(one)
    to = max(0, at - 1) if up else min(len(ids) - 1, at + 1)
    ids.insert(to, ids.pop(at))
    return ids
