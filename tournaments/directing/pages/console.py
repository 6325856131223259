"""The director's console: the page from which an event is run.

The page is its frame, and its parts, which are drawn anew after every order and whenever the event moves. No part holds
anything that is typed into: that is done in panels beside them, of one player, one table, the clock or the payouts.
"""

from __future__ import annotations

import json
from secrets import token_urlsafe
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.vary import vary_on_headers

from cardroom.core.errors import Refusal
from cardroom.core.sentences import translated
from tournaments.directing.pages.console_board import board
from tournaments.events import journal as event_journal
from tournaments.events.journal import Receipt
from tournaments.events.models import Tournament
from tournaments.registration.pages.views import event_of, looked_for

_LONGEST = 60
_MOST_TOLD = 4


@ensure_csrf_cookie
@vary_on_headers("HX-Request")
def console(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """`?q=` a part of a name, the number of an entry, or `t4` for a table."""
    row = event_of(request, tournament_id)
    is_part = request.htmx and not request.htmx.history_restore_request
    return parts_page(request, row) if is_part else console_page(request, row)


def console_page(request: HttpRequest, row: Tournament, *, refusal: Refusal | None = None) -> HttpResponse:
    """The whole page. `refusal`: why an order was not carried out."""
    context = _context(request, row) | {"refusal": refusal}
    return render(request, "tournaments/directing/console.html", context, status=refusal.status if refusal else 200)


def parts_page(request: HttpRequest, row: Tournament) -> HttpResponse:
    """What changes as an event goes on."""
    return render(request, "tournaments/directing/_parts.html", _context(request, row) | {"is_part": True})


def _context(request: HttpRequest, row: Tournament) -> dict[str, Any]:
    query = looked_for(request.POST if request.method == "POST" else request.GET, most=_LONGEST)
    return {
        "tournament": row,
        "seq": row.seq,
        "board": board(row, now=timezone.now(), query=query),
        "is_room": row.conduct == Tournament.Conduct.ROOM,
        "query": query,
        "key": token_urlsafe(9),
    }


def words_of(row: Tournament, outcome: Receipt | str) -> str:
    """What was done, by the labels of its facts."""
    if isinstance(outcome, str):
        return outcome
    facts = event_journal.facts(row.pk, after=outcome.facts_from - 1, upto=outcome.seq)
    labels = [translated(fact.label) for fact in facts if fact.label]
    message = "; ".join(labels[:_MOST_TOLD])
    if len(labels) > _MOST_TOLD:
        return gettext("{what}, and {n} more.").format(what=message, n=len(labels) - _MOST_TOLD)
    return f"{message}." if labels else gettext("Recorded.")


def done(words: str) -> str:
    """The events a page is told of when its order was carried out."""
    return json.dumps({"toast": {"message": str(words)}, "order-done": True})
