"""The levels that are still to be played, edited while the event runs. What was played stays as it was."""

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
from cardroom.services.errors import CardroomError, Invalid
from tournaments import words
from tournaments.engine.structure import Level, Structure
from tournaments.models import Tournament
from tournaments.moments import ms
from tournaments.services import clock, staff
from tournaments.web import before_levels, run_forms
from tournaments.web.flyer import looking
from tournaments.web.run import words_of
from tournaments.web.views import event_of


class LevelsForm(run_forms.OrderForm):
    """`first`: the index of the first row, as the page was drawn."""

    first = run_forms.Number(least=0)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def levels(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """`do`: save, add-level, add-break or remove-<row>; only the first of them changes the event."""
    access.require_role(request.user, *staff.DIRECTORS)
    row = event_of(request, tournament_id)
    known, current = _structure(row)
    if request.method != "POST":
        data = before_levels.told(known.levels[current:])
        return _page(request, row, data, first=current, seq=row.seq)
    said: dict[str, Any] = request.POST.dict()
    try:
        sent = run_forms.sent(LevelsForm, request.POST)
    except Invalid as refusal:
        return _page(request, row, said, first=current, seq=row.seq, refusal=refusal)
    what = said.get("do", "save")
    if what != "save":
        return _page(request, row, _changed(said, what), first=sent["first"], seq=sent["expected_seq"])
    try:
        words_told = _save(request, row, said, sent, known, current)
    except CardroomError as refusal:
        return _page(request, row, said, first=sent["first"], seq=row.seq, refusal=refusal)
    messages.success(request, words_told)
    return redirect("tournament_run", tournament_id)


def _save(
    request: HttpRequest, row: Tournament, said: Mapping[str, Any], sent: dict[str, Any], known: Structure, current: int
) -> str:
    table = before_levels.read(said)
    if table.faults:
        raise Invalid(" ".join(table.faults), "bad-levels")
    first, made = sent["first"], table.structure(()).levels
    over = current - first
    if 0 < over <= len(made) and made[:over] == known.levels[first:current]:
        # The clock has gone on while they were being typed, over levels that nobody touched.
        first, made = current, made[over:]
    signed: dict[str, Any] = {name: sent[name] for name in ("expected_seq", "command_id")}
    signed |= {"tournament_id": row.pk, "by": request.user}
    return words_of(row, clock.edit_levels(from_level=first, levels=made, **signed))


def _changed(said: dict[str, Any], what: str) -> dict[str, Any]:
    if what in ("add-level", "add-break"):
        return before_levels.with_one_more(said, what.removeprefix("add-"))
    number = what.removeprefix("remove-")
    return before_levels.without(said, int(number)) if number.isascii() and number.isdigit() else said


def _structure(row: Tournament) -> tuple[Structure, int]:
    """The levels, and the index of the one being played."""
    now = timezone.now()
    with looking(row, now=now) as state:
        return state.structure, state.level(ms(now)) if state.phase == "running" else 0


def _page(
    request: HttpRequest,
    row: Tournament,
    data: Mapping[str, Any],
    *,
    first: int,
    seq: int | None,
    refusal: CardroomError | None = None,
) -> HttpResponse:
    known, current = _structure(row)
    table = before_levels.read(data)
    kinds = [*known.levels[:first], *(Level(kind=each.kind) for each in table.rows)]
    names = Structure(tuple(kinds))
    for each in table.rows:
        each.name = names.name(first + each.number)
    context = {
        "tournament": row,
        "played": [(known.name(index), known.levels[index]) for index in range(min(first, len(known.levels)))],
        "levels": table,
        "first": first,
        "is_current": row.is_live and first == current,
        "seq": seq if seq is not None else row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
        "game_choices": words.GAMES.items(),
        "betting_choices": words.BETTING.items(),
    }
    return render(request, "tournaments/run/levels.html", context, status=refusal.status if refusal else 200)
