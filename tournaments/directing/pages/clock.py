"""The clock: what it shows, one page for any number of screens on the wall, and what a director does with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy

from cardroom.core.sentences import spoken
from cardroom.core.web.operations import Context, Page, Read
from tournaments.directing import hands as directing_clock
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.directing import button, directed, told_as, told_as_rows
from tournaments.engine import clock as clocks
from tournaments.engine.clock import Level, Structure
from tournaments.events import journal as event_journal
from tournaments.events import terms
from tournaments.events.journal import Receipt
from tournaments.events.models import Tournament
from tournaments.prizes import board
from tournaments.registration.pages.views import EVENT, event_for

#: By name in the address: what it is called.
LOOKS = {
    "plain": gettext_lazy("Plain"),
    "felt": gettext_lazy("Dark felt"),
    "time": gettext_lazy("Big time"),
    "payouts": gettext_lazy("Payouts"),
    "score": gettext_lazy("Scoreboard"),
}


@dataclass(frozen=True)
class ClockTold:
    """What the wall shows. `now`: the server's clock, `ends_at` when the level ends, null while it stands or goes by
    hands; both in milliseconds since 1970. `reading.level` and `reading.next_level` are indexes of the structure's
    levels, breaks counted; `next` is null after the last."""

    tournament: int
    seq: int
    now: int
    ends_at: int | None
    name: str
    reading: clocks.Reading
    level: Level
    next: Level | None


def clock(request: HttpRequest, *, tournament_id: int) -> Context:
    """`?look=` one of LOOKS, the first for any other; what it shows comes over the event's socket."""
    event = board.heading(tournament_id)
    look = request.GET.get("look", "")
    return {"tournament": event, "looks": LOOKS.items(), "look": look if look in LOOKS else next(iter(LOOKS))}


def worker(request: HttpRequest, *, tournament_id: int) -> HttpResponse:
    """The script that keeps the page for when the room is away. It lies below the page: that is all it may serve."""
    given = {"static_url": settings.STATIC_URL}
    return render(request, "tournaments/directing/clock_worker.js", given, content_type="text/javascript")


def _levels_of(row: Tournament) -> Sequence[Level]:
    return _structure(row, event_journal.ms(timezone.now()))[0].levels


def _structure(row: Tournament, now: int) -> tuple[Structure, clocks.Reading, int | None]:
    """The structure as it is played, the clock's reading, and when its level ends."""
    if not row.seq:
        structure = terms.config_of(row).structure
        return structure, clocks.read(clocks.begin(structure, now, is_running=False), structure, now), None
    with event_journal.looking(row.pk, upto=row.seq) as state:
        reading, structure = state.reading(now), state.structure
        is_live = state.phase == "running" and not reading.is_paused
    is_by_hands = structure.levels[reading.level].is_by_hands
    ends_at = now + reading.remaining_ms if is_live and not is_by_hands and not reading.is_overtime else None
    return structure, reading, ends_at


def _told(row: Tournament, now: int) -> ClockTold:
    structure, reading, ends_at = _structure(row, now)
    following = structure.levels[reading.next_level] if reading.next_level is not None else None
    return ClockTold(
        tournament=row.pk,
        seq=row.seq,
        now=now,
        ends_at=ends_at,
        name=spoken(structure.name(reading.level)),
        reading=reading,
        level=structure.levels[reading.level],
        next=following,
    )


def _set_clock(*, what: str, **order: Any) -> Receipt:
    return orders.CLOCK[what][0](**order)


PAGES = [
    Page(f"{EVENT}clock/", "tournament_clock", clock, is_public=True, template="tournaments/directing/clock.html"),
    Page(f"{EVENT}clock/worker.js", "tournament_clock_worker", worker, is_public=True),
]
_read = partial(Read, tag="clock", scope="direct", is_public=True)

DECLARED = [
    _read(
        name="event_clock", summary="The clock", address=f"{EVENT}clock", out=told_as(ClockTold),
        finds=lambda by, tournament_id: _told(event_for(by, tournament_id), event_journal.ms(timezone.now())),
    ),
    directed("clock", "set_event_clock", "Stop, resume, set or move the clock", _set_clock, orders.ClockOrder,
             button("next", "previous", "add-time", "set-remaining", "go-to", says="what"),
             tag="clock"),
    _read(
        name="event_levels", summary="Levels and breaks, in order", address=f"{EVENT}levels", out=told_as_rows(Level),
        finds=lambda by, tournament_id: _levels_of(event_for(by, tournament_id)),
    ),
    directed("levels", "edit_event_levels", "Change the upcoming levels", directing_clock.edit_levels,
             orders.LevelsOrder, tag="clock"),
]  # fmt: skip
