"""The dealer's tablet: one table of an event in the room. Who went out, that the hand is done, what was counted.

It tells what happened at its own table, so it does not ask whether something happened at another one meanwhile; what
cannot be any more is refused. Only a director can take something back, as long as nothing else was done since.
"""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.services import access
from cardroom.services.errors import CardroomError, Conflict, NotFound
from tournaments.models import Tournament
from tournaments.moments import ms
from tournaments.services import staff
from tournaments.web.flyer import looking
from tournaments.web.run_board import clock_face
from tournaments.web.run_tables import table_of
from tournaments.web.views import event_of

_MOST_SEATS = 12


def tablets(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """The tables, each with the way to its tablet."""
    row = check_in_room(event_of(request, tournament_id))
    with looking(row, now=timezone.now()) as state:
        tables = [(table.number, len(table.seats)) for table in state.in_use()]
    return render(request, "tournaments/run/tablets.html", {"tournament": row, "tables": tables})


def check_in_room(row: Tournament) -> Tournament:
    if row.conduct == Tournament.Conduct.ONLINE:
        raise Conflict("This event is played online: its tables tell what happens themselves.", "online-tables")
    return row


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def page(
    request: HttpRequest,
    *,
    tournament_id: int,
    table: int,
    told: str = "",
    refusal: CardroomError | None = None,
    typed: Any = None,
) -> HttpResponse:
    """`told`: what the last order came to; it stays (`?after=`) as long as nothing else is done in the event."""
    row, number = check_in_room(event_of(request, tournament_id)), table
    if refusal and request.htmx:
        raise refusal
    now = timezone.now()
    with looking(row, now=now) as state:
        # A table that was broken leaves its page behind, which says so.
        is_known = 1 <= number <= state.last_table
        face = clock_face(state, ms(now))
        is_hfh, waiting = state.is_hand_for_hand, [one.number for one in state.in_use() if not one.hand_done]
        leaving = state.structure.levels[face.reading.level].colour_up
        left, entries, phase = state.left, state.entries, state.phase
        undo_label = state.undo_label
        if not told and request.GET.get("after") == str(state.seq):
            told = f"{state.actions[-1].label}."
    if not is_known:
        raise NotFound(f"There is no table {number} in this event.", "no-such-table")
    found = table_of(row, number, now=now)
    is_director = access.has_role(request.user, *staff.DIRECTORS)
    context = {
        "tournament": row,
        "number": number,
        "table": found,
        "clock": face,
        "phase": phase,
        "left": left,
        "entries": entries,
        "is_hand_for_hand": is_hfh,
        "waiting": [other for other in waiting if other != number] if is_hfh else [],
        "leaving": leaving,
        "told": told,
        "undo_label": undo_label if told and is_director else "",
        "is_director": is_director,
        "seq": row.seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
    }
    name = "_tablet" if request.htmx else "tablet"
    return render(request, f"tournaments/run/{name}.html", context)
