"""The dealer's tablet: one table of an event in the room. It reports busts, hands that are done and counted stacks, and
has the chip race of the table.

It reports what happened at its own table, whatever happened at others meanwhile; a report that no longer fits the
event is refused. Only a director can take something back, as long as nothing else was done since.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.core import access
from cardroom.core.errors import Conflict, NotFound, Refusal
from cardroom.core.sentences import translated
from cardroom.core.web import parts
from cardroom.core.web.pages import Context
from tournaments.directing.undoing import next_undo
from tournaments.engine.chip_race import Race
from tournaments.events import staff
from tournaments.events.journal import ms
from tournaments.events.models import Tournament
from tournaments.online.suggestions import next_denomination
from tournaments.registration.pages.flyer import ClockFace, in_numbers, looking, table_of
from tournaments.registration.pages.views import event_of


def tablets(request: HttpRequest, *, tournament_id: int) -> Context:
    """The tables, each with the way to its tablet."""
    row = check_in_room(event_of(request, tournament_id))
    with looking(row, now=timezone.now()) as state:
        return {"tournament": row, "tables": [(table.number, len(table.seats)) for table in state.in_use()]}


def check_in_room(row: Tournament) -> Tournament:
    if row.conduct == Tournament.Conduct.ONLINE:
        raise Conflict("online-tables", "This tournament is online: its tables report by themselves.")
    return row


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def page(
    request: HttpRequest,
    *,
    tournament_id: int,
    table: int,
    confirmation: str = "",
    refusal: Refusal | None = None,
    typed: Any = None,
) -> HttpResponse:
    """`confirmation`: the words for the last order, shown (`?after=`) as long as nothing else is done in the event."""
    row, number = check_in_room(event_of(request, tournament_id)), table
    if refusal and request.htmx:
        raise refusal
    now = timezone.now()
    with looking(row, now=now) as state:
        # A table that was broken leaves its page behind, which says so.
        is_known = 1 <= number <= state.last_table
        face = ClockFace.of(state, ms(now))
        figures = in_numbers(state, ms(now))
        waiting = [table_in_use.number for table_in_use in state.in_use() if not table_in_use.hand_done]
        leaving = state.structure.levels[face.reading.level].colour_up
        undo = next_undo(row, state)
        if not confirmation and request.GET.get("after") == str(state.seq):
            confirmation = f"{translated(state.actions[-1].label)}."
    if not is_known:
        raise NotFound("no-such-table", "There is no table {number} in this tournament.", number=number)
    shown_table = table_of(row, number, now=now)
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    context = figures | {
        "tournament": row,
        "number": number,
        "table": shown_table,
        "clock": face,
        "waiting": [other for other in waiting if other != number] if figures["is_hand_for_hand"] else [],
        "leaving": leaving,
        "confirmation": confirmation,
        "can_undo": bool(confirmation and is_director and undo.label and not undo.refusal and not undo.money),
        "is_director": is_director,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
    }
    name = "_tablet" if request.htmx else "tablet"
    return render(request, f"tournaments/directing/{name}.html", context)


def race(
    request: HttpRequest,
    *,
    tournament_id: int,
    table: int,
    raced: Race | None = None,
    refusal: Refusal | None = None,
    typed: Any = None,
) -> HttpResponse:
    """The chip race of the table, step by step: stacks as counted, how it comes out (`raced`), and then what everybody
    has. `?leaving=` the denomination."""
    row, now = event_of(request, tournament_id), timezone.now()
    shown_table = table_of(row, table, now=now)
    if shown_table is None:
        raise NotFound("no-such-table", "There is no table {table} open.", table=table)
    values = typed or request.GET
    denomination = values.get("leaving", "")
    with looking(row, now=now) as state:
        level, leaving = state.level(ms(now)), parts.whole_number_or_none(denomination) or 0
        following = next_denomination(state, level, leaving) if leaving else 0
        colours = state.structure.levels[level].colour_up
    context = {
        "tournament": row,
        "number": table,
        "rows": [(chair, values.get(f"stack-{chair.number}", "")) for chair in shown_table.seated],
        "leaving": denomination or (colours[0] if colours else ""),
        "following": values.get("following") or following or "",
        "cards": " ".join(card for raced_seat in raced.raced for card in raced_seat.cards)
        if raced
        else values.get("cards", ""),
        "raced": raced,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "is_director": access.has_role(request.user, *staff.DIRECTORS),
        "refusal": refusal,
    }
    return render(request, "tournaments/directing/race.html", context)
