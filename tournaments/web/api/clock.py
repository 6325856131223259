"""The clock of an event and its levels."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from cardroom.web.api.typed import object_of
from tournaments import journal, moments
from tournaments.engine import clock as clocks
from tournaments.engine import plain
from tournaments.engine.structure import Level, Structure
from tournaments.models import Tournament
from tournaments.services import clock, terms
from tournaments.web.api import order_serializers as orders
from tournaments.web.api import serializers as shapes
from tournaments.web.api.looking import event_of
from tournaments.web.api.orders import DIRECTORS, receipt_told


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


class ClockView(APIView):
    """The clock as it is now, and what a director does with it."""

    tags = ("clock",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="event_clock", summary="What the clock shows", responses={200: object_of(ClockTold)})
    def get(self, request: Request, tournament_id: int) -> Response:
        row = event_of(request, tournament_id)
        return Response(plain.to_plain(_told(row, moments.ms(timezone.now()))))

    @extend_schema(
        operation_id="set_event_clock",
        summary="Stop it, let it go on, set it, move it",
        description=DIRECTORS,
        request=orders.ClockOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.EventReceipt} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = orders.ClockOrder.read(request)
        verb, _ = orders.CLOCK[order.pop("what")]
        return _done(request, tournament_id, verb, order)


class LevelsView(APIView):
    """The levels and breaks of an event."""

    tags = ("clock",)
    is_public = True
    scope = "direct"

    @extend_schema(
        operation_id="event_levels",
        summary="Levels and breaks, in order",
        responses={200: {"type": "array", "items": object_of(Level)}},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        structure, _, _ = _structure(event_of(request, tournament_id), moments.ms(timezone.now()))
        return Response(plain.to_plain(structure.levels))

    @extend_schema(
        operation_id="edit_event_levels",
        summary="Change the levels that are still to come",
        description=DIRECTORS,
        request=orders.LevelsOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.EventReceipt} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        return _done(request, tournament_id, clock.edit_levels, orders.LevelsOrder.read(request))


def _done(request: Request, tournament_id: int, verb: Any, order: dict[str, Any]) -> Response:
    given = {"by": asker(request), "command_id": keys.key_of(request)}
    return Response(receipt_told(verb(tournament_id=tournament_id, **given, **order), tournament_id))


def _structure(row: Tournament, now: int) -> tuple[Structure, clocks.Reading, int | None]:
    """The structure as it is played, the clock's reading, and when its level ends."""
    if not row.seq:
        structure = terms.config_of(row).structure
        return structure, clocks.read(clocks.begin(structure, now, is_running=False), structure, now), None
    with journal.looking(row.pk, upto=row.seq) as state:
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
        name=structure.name(reading.level),
        reading=reading,
        level=structure.levels[reading.level],
        next=following,
    )
