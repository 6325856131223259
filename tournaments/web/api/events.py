"""Events: lists of them, their terms, and the way from a draft to the start."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.fields import Order
from cardroom.web.api.paging import NewestFirst
from cardroom.web.api.schema import refusals
from tournaments import journal
from tournaments.models import Tournament
from tournaments.selectors import board
from tournaments.selectors import tournaments as found
from tournaments.services import notices, tournaments
from tournaments.web.api import order_serializers as orders
from tournaments.web.api import serializers as shapes
from tournaments.web.api.looking import event_of, is_director
from tournaments.web.api.orders import DIRECTORS, facts_told, view_of

MOST_FACTS = 500


class TournamentsView(APIView):
    """Events, the newest first."""

    tags = ("tournaments",)
    is_public = True
    scope = "direct"
    pagination_class = NewestFirst

    @extend_schema(
        operation_id="tournaments",
        summary="Events",
        description="Drafts are told to directors only.",
        parameters=[shapes.TournamentQuery],
        responses=shapes.TournamentRow(many=True),
    )
    def get(self, request: Request) -> Response:
        wanted = _wanted(request, shapes.TournamentQuery.read(request))
        rows, later = NewestFirst().page(request, partial(_newest, wanted), number=lambda row: row.pk)
        return Response({"next": later, "results": shapes.TournamentRow(rows, many=True).data})

    @extend_schema(
        operation_id="create_tournament",
        summary="Make a draft",
        description=f"{DIRECTORS} Nobody else sees it before it is announced or opened.",
        request=shapes.TournamentOrder,
        parameters=[keys.PARAMETER],
        responses={201: shapes.TournamentView} | refusals(404, 409, 422),
    )
    def post(self, request: Request) -> Response:
        order = shapes.TournamentOrder.read(request)
        row = tournaments.create(by=asker(request), key=keys.key_of(request), **order)
        return Response(told(row, is_directors=True), status=status.HTTP_201_CREATED)


class TournamentView(APIView):
    """An event."""

    tags = ("tournaments",)
    is_public = True
    scope = "direct"

    @extend_schema(operation_id="tournament", summary="An event", responses=shapes.TournamentView)
    def get(self, request: Request, tournament_id: int) -> Response:
        return Response(told(event_of(request, tournament_id), is_directors=is_director(request)))

    @extend_schema(
        operation_id="edit_tournament",
        summary="Change an event",
        description=f"{DIRECTORS} Until the start; later only what does not concern play.",
        request=shapes.TournamentChange,
        responses={200: shapes.TournamentView} | refusals(409, 422),
    )
    def patch(self, request: Request, tournament_id: int) -> Response:
        order = shapes.TournamentChange.read(request)
        row = tournaments.edit(tournament_id=tournament_id, by=asker(request), **order)
        return Response(told(row, is_directors=True))

    @extend_schema(
        operation_id="delete_tournament",
        summary="Throw a draft away",
        description=f"{DIRECTORS} What was announced is cancelled instead.",
        responses={204: None} | refusals(409, 422),
    )
    def delete(self, request: Request, tournament_id: int) -> Response:
        tournaments.delete(tournament_id=tournament_id, by=asker(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class BoardView(APIView):
    """What everybody may know of an event at a glance, as its socket tells it."""

    tags = ("tournaments",)
    is_public = True

    @extend_schema(
        operation_id="tournament_board",
        summary="An event at a glance",
        description="What the socket `/ws/tournaments/<id>/` tells as its snapshot; `you` for who has entered.",
        responses={200: {"type": "object", "required": [*shapes.BOARD], "additionalProperties": True}},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        row = event_of(request, tournament_id)
        viewer = request.user.pk if request.user.is_authenticated else None
        read = board.read(row.pk, notices_after={viewer: 0} if viewer else {}, now=timezone.now())
        if read is None:
            found.event(row.pk)  # a draft has no board, not even for its director
            raise RuntimeError("an event that is no draft has a board")
        return Response({"seq": read.seq, "now": read.now, "you": read.own.get(viewer), **read.parts})


class FactsView(APIView):
    """What happened in an event, fact by fact. Nothing in it is secret."""

    tags = ("tournaments",)
    is_public = True

    @extend_schema(
        operation_id="event_facts",
        summary="The facts of an event",
        description=f"At most {MOST_FACTS} at a time: ask again `after` the last one, while `seq` is below `last`.",
        parameters=[shapes.FactsQuery],
        responses=shapes.EventFacts,
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        after = shapes.FactsQuery.read(request)["after"]
        row = event_of(request, tournament_id)
        upto = min(row.seq, after + MOST_FACTS)
        facts = journal.facts(row.pk, after=after, upto=upto) if upto > after else []
        body = {"tournament": row.pk, "seq": max(after, upto), "last": row.seq, "facts": facts_told(facts, after)}
        return Response(body)


def _announce(order: dict[str, Any], **given: Any) -> Tournament:
    return tournaments.announce(**given)


def _open(order: dict[str, Any], **given: Any) -> Tournament:
    return tournaments.open_registration(**given)


def _start(order: dict[str, Any], *, key: str, **given: Any) -> Tournament:
    return tournaments.start(command_id=key, **given, **order)


def _cancel(order: dict[str, Any], **given: Any) -> Tournament:
    return tournaments.cancel(**given, **order)


def _verb(name: str, summary: str, verb: Any, shape: type[Order], *, has_key: bool = False) -> Any:
    """A step on the way of an event; the event is the answer. Taken once more it changes nothing."""

    @extend_schema(
        operation_id=f"{name}_tournament",
        summary=summary,
        description=DIRECTORS,
        request=shape if shape is not orders.NoOrder else None,
        parameters=[keys.PARAMETER],
        responses={200: shapes.TournamentView} | refusals(409, 422),
    )
    def post(self: APIView, request: Request, tournament_id: int) -> Response:
        said, key = shape.read(request), keys.key_of(request)
        given = {"tournament_id": tournament_id, "by": asker(request)}
        row = verb(said, **given, **({"key": key} if has_key else {}))
        return Response(told(row, is_directors=True))

    return view_of(name, summary, post)


STEPS = {
    "announce": _verb("announce", "Show it to everybody", _announce, orders.NoOrder),
    "open": _verb("open", "Open registration", _open, orders.NoOrder),
    "start": _verb("start", "Draw the seats, and start", _start, orders.Directed, has_key=True),
    "cancel": _verb("cancel", "Call it off, and refund everybody", _cancel, orders.CancelOrder),
}


class MessagesView(APIView):
    """A director's words to all players of an event."""

    tags = ("directors",)
    scope = "direct"

    @extend_schema(
        operation_id="message_players",
        summary="Tell everybody who has an entry",
        description=DIRECTORS,
        request=orders.MessageOrder,
        parameters=[keys.PARAMETER],
        responses={200: shapes.Told} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        order = orders.MessageOrder.read(request)
        given = {"by": asker(request), "command_id": keys.key_of(request)}
        return Response({"told": notices.message(tournament_id=tournament_id, **given, **order)})


def told(row: Tournament, *, is_directors: bool) -> Any:
    """In the shape of `serializers.TournamentView`."""
    return shapes.TournamentView(row, context={"is_director": is_directors}).data


def _wanted(request: Request, asked: dict[str, Any]) -> QuerySet[Tournament]:
    rows = Tournament.objects.all()
    if not is_director(request):
        rows = rows.exclude(state=Tournament.State.DRAFT)
    columns = {"state": "state", "conduct": "conduct", "series": "series", "season": "season", "final": "parent"}
    for name, column in columns.items():
        if name in asked:
            rows = rows.filter(**{column: asked[name]})
    if "name" in asked:
        rows = rows.filter(name__icontains=asked["name"])
    if "is_over" in asked:
        over = [Tournament.State.FINISHED, Tournament.State.CANCELLED]
        rows = rows.filter(state__in=over) if asked["is_over"] else rows.exclude(state__in=over)
    if "entered" in asked:
        mine = found.of_player(asker(request)).values("pk")
        rows = rows.filter(pk__in=mine) if asked["entered"] else rows.exclude(pk__in=mine)
    return rows.order_by("-pk")


def _newest(rows: QuerySet[Tournament], before: int | None, limit: int) -> list[Tournament]:
    return list((rows.filter(pk__lt=before) if before is not None else rows)[:limit])
