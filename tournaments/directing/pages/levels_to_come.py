"""The levels that are still to be played while an event runs, in a table that directors change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from cardroom.core.errors import Invalid, Refusal, Verbatim
from cardroom.core.sentences import translated
from cardroom.core.web.api.fields import WholeNumber
from cardroom.core.web.forms import key_in
from tournaments.directing import event_clock
from tournaments.directing.pages.console import words_of
from tournaments.directing.pages.levels import LevelTable, fields_of_levels, press_button, read_levels
from tournaments.directing.pages.order_serializers import Directed
from tournaments.engine import customs
from tournaments.engine.clock import MOST_LEVELS, Level, Structure, check
from tournaments.engine.errors import IllegalCommand
from tournaments.events import queries as event_queries
from tournaments.events import terms
from tournaments.events.customs import Warned, warnings
from tournaments.events.journal import ms
from tournaments.events.models import Tournament
from tournaments.registration.pages.flyer import looking
from tournaments.registration.pages.views import event_of, for_directors


class LevelsForm(Directed):
    """`first`: the index of the first row, as the page was drawn."""

    first = WholeNumber(min_value=0, max_value=MOST_LEVELS)


@for_directors
def levels_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The levels still to be played; what was played stays as it was. `do`: save, or a button of the table, which
    changes nothing but the form."""
    row = event_of(request, tournament_id)
    known, current = _structure(row)
    if request.method != "POST":
        return _page(request, row, fields_of_levels(known.levels[current:]), first=current)
    form, first = request.POST.dict(), current
    try:
        sent = LevelsForm.typed(request.POST)
        first, seen = sent["first"], sent.get("expected_seq")
        if (press := form.get("do", "save")) != "save":
            return _page(request, row, press_button(form, press), first=first, seq=seen)
        signed = {"by": request.user, "expected_seq": seen}
        key = key_in(form, "command_id")
        start, levels = _sent_levels(form, first, known, current)
        saved = event_clock.edit_levels.once(key, tournament_id=row.pk, from_level=start, levels=levels, **signed)
    except Refusal as refusal:
        return _page(request, row, form, first=first, refusal=refusal)
    messages.success(request, words_of(row, saved))
    return redirect("tournament_run", tournament_id)


def _sent_levels(form: Mapping[str, Any], first: int, known: Structure, current: int) -> tuple[int, tuple[Level, ...]]:
    """The levels as typed, and the index of the first of them."""
    table = read_levels(form)
    if table.faults:
        raise Invalid("bad-levels", Verbatim(" ".join(table.faults)))
    typed, levels_passed = table.structure(()).levels, current - first
    if 0 < levels_passed <= len(typed) and typed[:levels_passed] == known.levels[first:current]:
        # The clock has gone on while they were being typed, over levels that nobody touched.
        return current, typed[levels_passed:]
    return first, typed


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
    seq: int | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """`seq`: the event's as the form was first drawn, None where it was looked at anew."""
    known, current = _structure(row)
    table, played = read_levels(data), known.levels[:first]
    names = Structure((*played, *(Level(kind=level_row.kind) for level_row in table.rows)))
    for level_row in table.rows:
        level_row.name = translated(names.name(len(played) + level_row.number))
    context = {
        "tournament": row,
        "played": [(translated(known.name(index)), level) for index, level in enumerate(played)],
        "levels": table,
        "first": first,
        "is_current": row.is_live and first == current,
        "seq": row.seq if seq is None else seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
        "game_choices": event_queries.SHORT_GAMES.items(),
        "betting_choices": event_queries.SHORT_BETTING.items(),
        "warnings": _unusual(known, first, table, terms.config_of(row).starting_stack),
    }
    return render(request, "tournaments/directing/levels.html", context, status=refusal.status if refusal else 200)


def _unusual(known: Structure, first: int, table: LevelTable, stack: int) -> list[Warned]:
    """Where the levels to come differ from the customs of structure sheets, as far as they can be read."""
    if table.faults:
        return []
    typed = table.structure(known.chip_set)
    whole = replace(typed, levels=(*known.levels[:first], *typed.levels))
    try:
        check(whole, stack)
    except IllegalCommand:
        return []
    return warnings(whole, [breach for breach in customs.breaches(whole) if breach.index >= first])
