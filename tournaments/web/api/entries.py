"""Entries: coming in, by oneself or at the desk, buying chips, going again, and who waits."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.models import User
from cardroom.services import access
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker, require_scope
from cardroom.web.api.fields import Order
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from tournaments.models import Payment, TournamentEntry
from tournaments.selectors import entries
from tournaments.services import buying, guests, registration, staff
from tournaments.services.play import rebuys
from tournaments.web.api import serializers as shapes
from tournaments.web.api.looking import event_of
from tournaments.web.api.money_serializers import PaymentRow
from tournaments.web.api.orders import view_of

DESK = "The player themselves, or the staff of the desk."


class EntriesView(APIView):
    """Who has entered, the newest first."""

    tags = ("entries",)
    scope = ("play", "direct")
    is_public = True
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="entries",
        summary="Who has entered",
        parameters=[shapes.EntryQuery],
        responses=shapes.EntryRow(many=True),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        asked = shapes.EntryQuery.read(request)
        rows = entries.in_order(event_of(request, tournament_id)).order_by("-number")
        if "state" in asked:
            rows = rows.filter(state=asked["state"])
        if "name" in asked:
            rows = rows.filter(name__icontains=asked["name"])
        page, later = NewestFirst().page(request, partial(_newest, rows), number=lambda row: row.number)
        return Response({"next": later, "results": shapes.EntryRow(page, many=True).data})

    @extend_schema(
        operation_id="enter_tournament",
        summary="Enter",
        description="By yourself; the staff of the desk may name a player, or a guest without an account. When the "
        "event is full the entry waits as an alternate.",
        request=shapes.EnterOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.EntryRow} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order, by = shapes.EnterOrder.read(request), asker(request)
        event_of(request, tournament_id)
        name, guest = order.pop("player", ""), order.get("guest", "")
        if name or guest:
            _require_desk(request)
            player = player_called(name) if name else None
        else:
            require_scope(request, "play")
            player = by
        ticket, how = order.pop("ticket", None), "" if name or guest else "api"
        entry = registration.register(
            tournament_id=tournament_id,
            by=by,
            player=player,
            ticket_id=ticket,
            how=how,
            key=keys.key_of(request),
            **order,
        )
        return Response(shapes.EntryRow(entry).data, status=status.HTTP_201_CREATED)


class EntryView(APIView):
    """One entry."""

    tags = ("entries",)
    is_public = True

    @extend_schema(operation_id="entry", summary="An entry", responses=shapes.EntryRow)
    def get(self, request: Request, tournament_id: int, entrant: int) -> Response:
        entry = entries.entry(event_of(request, tournament_id), entrant)
        return Response(shapes.EntryRow(entry).data)


class AlternatesView(APIView):
    """Who waits for a seat, in order."""

    tags = ("entries",)
    is_public = True

    @extend_schema(
        operation_id="alternates",
        summary="Who waits for a seat, the next one first",
        responses=shapes.EntryRow(many=True),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        waiting = entries.in_order(event_of(request, tournament_id)).filter(state=TournamentEntry.State.ALTERNATE)
        return Response(shapes.EntryRow(waiting, many=True).data)


class ReceiptsView(APIView):
    """What was paid in an event: your own receipts, and for the staff of the desk everybody's."""

    tags = ("entries",)
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="receipts",
        summary="Receipts",
        description="Your own; for the staff of the desk everybody's.",
        responses=PaymentRow(many=True),
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        by = asker(request)
        rows = entries.payments(event_of(request, tournament_id)).order_by("-number")
        if not access.has_role(by, *staff.DESK):
            rows = rows.filter(entry__player=by)
        page, later = NewestFirst().page(request, partial(_newest, rows), number=lambda row: row.number)
        return Response({"next": later, "results": PaymentRow(page, many=True).data})


class NoShowsView(APIView):
    """Those who never came."""

    tags = ("entries",)
    scope = "direct"

    @extend_schema(
        operation_id="remove_no_shows",
        summary="Take off who never came, and refund them",
        description="For the staff of the desk. Under another key it is refused: they have no entry that stands.",
        request=shapes.NoShowsOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.EntryRow(many=True)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = shapes.NoShowsOrder.read(request)
        gone = registration.remove_no_shows(
            tournament_id=tournament_id, by=asker(request), key=keys.key_of(request), **order
        )
        return Response(shapes.EntryRow(gone, many=True).data)


def _verb(name: str, summary: str, verb: Any, shape: type[Order], *, tells: Any = shapes.EntryRow, status: int) -> Any:
    """Something about an entry, by the player or the desk: `verb` is told who, when, the key and what was said."""

    @extend_schema(
        operation_id=name.replace("-", "_"),
        summary=summary,
        description=DESK,
        request=shape,
        parameters=[keys.PARAMETER],
        responses={status: tells} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, tournament_id: int, entrant: int) -> Response:
        said, by = shape.read(request), asker(request)
        entry = entries.entry(event_of(request, tournament_id), entrant)
        if entry.player_id != by.pk:
            _require_desk(request)
        else:
            require_scope(request, "play")
        given = {"tournament_id": tournament_id, "entrant": entrant, "by": by}
        done = verb(key=keys.key_of(request), entry=entry, **given, **said)
        return Response(tells(done).data, status=status)

    return view_of(name, summary, post, scope=("play", "direct"), tags=("entries",))


def _unregister(*, key: str, entry: TournamentEntry, **given: Any) -> TournamentEntry:
    is_gone = entry.state == TournamentEntry.State.WITHDRAWN  # a repeat, or as good as one
    return entry if is_gone else registration.unregister(**given)


def _re_enter(*, entry: TournamentEntry, ticket: int | None = None, **given: Any) -> TournamentEntry:
    return registration.re_enter(ticket_id=ticket, **given)


def _rebuy(*, entry: TournamentEntry, **given: Any) -> Payment:
    return buying.rebuy(**given)


def _automatic(*, entry: TournamentEntry, on: bool, **_: Any) -> dict[str, bool]:
    rebuys.ask(tournament_id=entry.tournament_id, player=entry.player, on=on)
    return {"on": on}


def _add_on(*, entry: TournamentEntry, **given: Any) -> Payment:
    return buying.add_on(**given)


def _identify(*, key: str, entry: TournamentEntry, entrant: int, player: str, **given: Any) -> TournamentEntry:
    return guests.identify(entrant=entrant, player=player_called(player), command_id=key, **given)


VERBS = {
    "identify": _verb("identify-guest", "A guest is this member", _identify, shapes.IdentifyOrder, status=200),
    "unregister": _verb("unregister", "Take it back, and be refunded", _unregister, shapes.ReasonOrder, status=200),
    "re-enter": _verb("re-enter", "Come in once more", _re_enter, shapes.ReEnterOrder, status=201),
    "rebuy": _verb("rebuy", "Buy chips", _rebuy, shapes.RebuyOrder, tells=PaymentRow, status=200),
    "automatic-rebuy": _verb(
        "automatic-rebuy",
        "Rebuy by itself, or no longer",
        _automatic,
        shapes.AutomaticOrder,
        tells=shapes.Automatic,
        status=200,
    ),
    "add-on": _verb("add-on", "Buy the add-on", _add_on, shapes.AddOnOrder, tells=PaymentRow, status=200),
}


def player_called(name: str) -> User:
    """Somebody with an account, by their screen name."""
    player = User.objects.filter(username__iexact=name, is_bot=False, is_active=True).first()
    if player is None:
        raise NotFound("There is no such member.", "no-such-player")
    return player


def _require_desk(request: Request) -> None:
    require_scope(request, "direct")
    access.require_role(asker(request), *staff.DESK)


def _newest(rows: "QuerySet[TournamentEntry] | QuerySet[Payment]", before: int | None, limit: int) -> list[Any]:
    return list((rows.filter(number__lt=before) if before is not None else rows)[:limit])
