"""The chip race of one table, step by step: stacks as counted, how it comes out, and then what everybody has."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardroom.services import access
from cardroom.services.errors import CardroomError, Invalid, NotFound
from tournaments.engine.chip_race import Race
from tournaments.models import Tournament
from tournaments.moments import ms
from tournaments.services import floor, staff
from tournaments.services.suggestions import next_denomination
from tournaments.web import run_forms
from tournaments.web.flyer import looking
from tournaments.web.run_tables import Chair, table_of
from tournaments.web.views import event_of

_MOST_CARDS = 52


class RaceForm(run_forms.OrderForm):
    """`cards`: as dealt at the table, in seats' order; empty to have them dealt here."""

    leaving = run_forms.Count(least=1)
    following = run_forms.Count(required=False)
    cards = run_forms.forms.CharField(required=False, max_length=400)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def race(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """`?leaving=` the denomination. `do`: try, then race, with the cards of the try."""
    access.require_role(request.user, *staff.TABLES)
    row = event_of(request, tournament_id)
    table = table_of(row, number, now=timezone.now())
    if table is None:
        raise NotFound(f"There is no table {number} open.", "no-such-table")
    if request.method != "POST":
        data = {"leaving": request.GET.get("leaving", ""), "following": ""}
        return _page(request, row, number, table.seated, data)
    try:
        sent = run_forms.sent(RaceForm, request.POST)
        given = _given(request.POST, table.seated, sent)
        if request.POST.get("do") != "race":
            raced = floor.try_race(tournament=row, table=number, by=request.user, now=timezone.now(), **given)
            return _page(request, row, number, table.seated, request.POST, raced=raced)
        signed = {name: sent[name] for name in ("expected_seq", "command_id")}
        raced = floor.race(tournament_id=row.pk, table=number, by=request.user, **given, **signed)
    except CardroomError as refusal:
        return _page(request, row, number, table.seated, request.POST, refusal=refusal)
    messages.success(request, f"Table {number}: the chips of {raced.leaving:,} are gone. {raced.why}")
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    return redirect("tournament_run", row.pk) if is_director else redirect("tournament_tablet", row.pk, number)


def _given(data: Mapping[str, Any], seated: tuple[Chair, ...], sent: dict[str, Any]) -> dict[str, Any]:
    stacks = {}
    for chair in seated:
        counted = run_forms.count(data.get(f"stack-{chair.number}", ""), f"Stack of seat {chair.number}")
        if counted is None:
            raise Invalid(f"Count what {chair.name} in seat {chair.number} has.", "bad-stacks")
        stacks[chair.number] = counted
    cards = sent["cards"].replace(",", " ").split()
    return {
        "leaving": sent["leaving"],
        "stacks": stacks,
        "cards": [card[:-1].upper() + card[-1].lower() for card in cards[:_MOST_CARDS]] or None,
        "next_denomination": sent["following"] or 0,
    }


def _page(
    request: HttpRequest,
    row: Tournament,
    number: int,
    seated: tuple[Chair, ...],
    data: Mapping[str, Any],
    *,
    raced: Race | None = None,
    refusal: CardroomError | None = None,
) -> HttpResponse:
    now = timezone.now()
    said = str(data.get("leaving", ""))
    with looking(row, now=now) as state:
        level = state.level(ms(now))
        leaving = int(said) if said.isascii() and said.isdigit() and len(said) < 15 else 0
        following = next_denomination(state, level, leaving) if leaving else 0
        colours = state.structure.levels[level].colour_up
    context = {
        "tournament": row,
        "number": number,
        "rows": [(chair, data.get(f"stack-{chair.number}", "")) for chair in seated],
        "leaving": said or (colours[0] if colours else ""),
        "following": data.get("following") or following or "",
        "colours": colours,
        "cards": " ".join(card for one in raced.raced for card in one.cards) if raced else data.get("cards", ""),
        "raced": raced,
        "names": {chair.number: chair.name for chair in seated},
        "seq": row.seq,
        "key": token_urlsafe(9),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
        "refusal": refusal,
    }
    return render(request, "tournaments/run/race.html", context, status=refusal.status if refusal else 200)
