"""The API of the clock and the levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from cardroom.core.sentences import translated
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing import event_clock
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.clock import set_clock
from tournaments.directing.pages.directing_api import RECEIPT, answer_of, answer_of_rows
from tournaments.engine import clock as clocks
from tournaments.engine.clock import Level, Structure
from tournaments.events import journal as event_journal
from tournaments.events import staff, terms
from tournaments.events.models import Tournament
from tournaments.events.pages.fields import DIRECTORS
from tournaments.registration.pages.views import EVENT, event_for


@dataclass(frozen=True)
class EventClock:
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


def _clock_now(row: Tournament, now: int) -> EventClock:
    structure, reading, ends_at = _structure(row, now)
    following = structure.levels[reading.next_level] if reading.next_level is not None else None
    return EventClock(
        tournament=row.pk,
        seq=row.seq,
        now=now,
        ends_at=ends_at,
        name=translated(structure.name(reading.level)),
        reading=reading,
        level=structure.levels[reading.level],
        next=following,
    )


def clock_of(*, tournament_id: int, by: Any) -> EventClock:
    """The clock as it is now."""
    return _clock_now(event_for(by, tournament_id), event_journal.ms(timezone.now()))


def levels_of(*, tournament_id: int, by: Any) -> Sequence[Level]:
    """Levels and breaks, in order."""
    return _levels_of(event_for(by, tournament_id))


class EventClockResource(Resource):
    """What there is of the clock."""

    tags, scope = ("clock",), "direct"


class ClockResource(EventClockResource):
    path = f"{EVENT}clock"
    get = reads(clock_of, name="event_clock", summary="The clock", is_public=True, answers=answer_of(EventClock))
    post = does(
        set_clock,
        name="set_event_clock",
        summary="Stop, resume, set or move the clock",
        description=DIRECTORS,
        roles=staff.DIRECTORS,
        body=orders.ClockOrder,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class LevelsResource(EventClockResource):
    path = f"{EVENT}levels"
    get = reads(
        levels_of,
        name="event_levels",
        summary="Levels and breaks, in order",
        is_public=True,
        answers=answer_of_rows(Level),
    )
    post = does(
        event_clock.edit_levels,
        name="edit_event_levels",
        summary="Change the upcoming levels",
        description=DIRECTORS,
        body=orders.LevelsOrder,
        answers=RECEIPT,
        refuses=(409, 422),
    )


api = addresses([ClockResource, LevelsResource])
