"""The floor and the dealers: the map of the room, calls, rulings, what is ordered and why; the console of a table that
a person deals, and what is entered there. See `cardroom.core.web.operations`.
"""

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.csrf import ensure_csrf_cookie
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.core.errors import Conflict
from cardroom.core.web import operations as of
from cardroom.core.web import parts
from cardroom.core.web.api.access import asker
from cardroom.core.web.api.fields import Number, Query, RequestBody, Text, WholeNumber
from cardroom.core.web.api.routes import resource
from cardroom.core.web.api.schema import refusals
from cardroom.core.web.api.shapes import Shape
from cardroom.core.web.operations import Operation, Page, Read
from cardroom.core.web.parts import part_of
from games.dealing import dealer, entries, procedure
from games.dealing.procedure import Step as StepRow
from games.dealing.procedure import Undo as UndoRow
from games.engine.facts.play import Ruled
from games.floor import queries as floor_queries
from games.floor import room_map
from games.floor import rulings as floor_rulings
from games.floor.models import FloorCall
from games.floor.models import FloorOrder as OrderRow
from games.play import private
from games.play.pages.hands import (
    RECEIPT,
    Facts,
    TableName,
    Turn,
    answered,
    command_id,
    named,
    receipt_told,
    told,
    turn_of,
)
from games.play.pages.tables import EPOCH
from games.tables.models.offers import Section
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries
from games.waitlists.queries import TableDemand

ORDERS_A_PAGE = 50
#: Whose the map of the room is. Rulings are the floor's alone.
ROLES = ("floor", "manager")


@ensure_csrf_cookie
def room(request: HttpRequest) -> HttpResponse:
    """The map of the room, live; beside it the lists, or the table that was chosen (`?table=`)."""
    context = _map(request) | {
        "sections": Section.objects.all(),
        "chosen": parts.whole_or_none(request.GET.get("table", "")),
        "seat": parts.whole_or_none(request.GET.get("seat", "")),
    }
    return render(request, "games/floor/room.html", context)


@part_of("floor")
def tables(request: HttpRequest) -> HttpResponse:
    """The map alone, for the page to keep itself up to date with."""
    return render(request, "games/floor/_map.html", _map(request))


@part_of("floor", table="table_id")
def panel(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table: who sits there since when, and what may be done; other areas add their forms. `?seat=`: the one that
    was chosen."""
    glance = room_map.table_glance(table_id, now=timezone.now())
    seat = parts.whole_or_none(request.GET.get("seat", ""))
    return render(request, "games/floor/_panel.html", {"glance": glance, "table": glance.table, "seat": seat})


@ensure_csrf_cookie
def rulings(request: HttpRequest) -> HttpResponse:
    """All hands and the calls from their tables; they come over the floor's socket."""
    return render(request, "games/floor/floor.html")


@ensure_csrf_cookie
def table(request: HttpRequest, table_id: int) -> HttpResponse:
    """One table as the rail sees it, and what the floor may order there: this page holds no card."""
    return render(request, "games/floor/table.html", {"table": table_queries.table(table_id)})


def log(request: HttpRequest) -> HttpResponse:
    """What was ordered, by whom and why, newest first; `?before=` goes back."""
    orders = floor_queries.floor_log(before=parts.whole_or_none(request.GET.get("before", "")), limit=ORDERS_A_PAGE)
    return render(request, "games/floor/log.html", {"orders": orders, "is_full": len(orders) == ORDERS_A_PAGE})


def _map(request: HttpRequest) -> dict[str, object]:
    section = parts.whole_or_none(request.GET.get("section", ""))
    return {"map": room_map.room_map(now=timezone.now(), section=section), "section": section}


@ensure_csrf_cookie
def console(request: HttpRequest, table_id: int) -> HttpResponse:
    """The console; what is dealt comes over the table's socket, as the rail sees it: this page holds no card."""
    table = table_queries.table(table_id)
    if table.dealt_by != "person":
        raise Conflict("automatic-table", "This table has an automatic dealer: there is nothing to enter.")
    return render(request, "games/floor/dealer.html", {"table": table})


# -- what programs are told, and tell ----------------------------------------------------------------------------------

MOST_SEQ = 2**31 - 1


def expected_seq() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEQ,
        help_text="The last fact you had seen; 409 when the hand has moved on. Without it, wherever the hand is now.",
    )


class StartOrder(RequestBody):
    """Begin the next hand."""

    absent = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=9),
        required=False,
        max_length=9,
        help_text="Seats that are dealt in without their player.",
    )
    command_id = command_id()


class Started(Shape):
    of = dealer.Started
    field_names = "hand number seq"
    help_texts = {"number": "Counts from 1 at each table.", "seq": "The last fact before the first card."}


class DealerOrder(RequestBody):
    """Something a dealer did, or somebody did before their eyes."""

    what = serializers.ChoiceField(entries.WHATS)
    fields_ = serializers.DictField(
        required=False,
        help_text="By `what`: deal {street, cards?: [{seat, card?, exposed?, off_table?, skipped?, place?}], burns?, "
        "common?}; deal-too-soon {street, cards}; notice {card?}; fouled {card?: one there twice, or joker}; "
        "act {seat, action, amount?}; undo {reason?}; {seat} for all the others.",
    )
    expected_seq = expected_seq()
    command_id = command_id()

    def get_fields(self) -> dict[str, Any]:
        """`fields` is a name of the framework's own, so it is declared under another."""
        return {name.rstrip("_"): field for name, field in super().get_fields().items()}


class Step(Shape):
    """The next step of correct procedure."""

    of = StepRow
    field_names = "what words street seat"
    help_texts = {"what": "deal, act, name-low, show, notice or over"}


class Undo(Shape):
    """The entry that would be taken back."""

    of = UndoRow
    field_names = "words upto"
    help_texts = {"upto": "The hand goes back to this fact."}


class LowCard(serializers.Serializer[Any]):
    """The wrong seat was named low."""

    named = serializers.IntegerField()
    true = serializers.IntegerField()


class Procedure(Shape):
    """What the dealer of a hand has to do next."""

    of = procedure.Procedure
    field_names = (
        "hand seq awaits next receivers cards_each burns common_due=is_common_due stub is_typed premature_street"
        " lowcard mistake cards_to_name whats seats choices undo"
    )
    help_texts = {
        "awaits": "deal, action, opener, show; empty when it is over.",
        "receivers": "Who gets a card, in dealing order.",
        "burns": "Cards to be burned before the next street.",
        "common_due": "The deck is too short: one card for everybody.",
        "stub": "Cards not dealt yet.",
        "is_typed": "Whether the cards are of a physical deck.",
        "premature_street": "The street whose cards could be dealt too soon now.",
        "mistake": "The point on which a notice brings a ruling; empty: nothing is out of order.",
        "cards_to_name": "How many cards come to light, which a notice has to name.",
        "whats": "What can be entered for the hand.",
    }
    next = Step()
    lowcard = LowCard(allow_null=True)
    seats = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="What can be entered, by seat."
    )
    choices = Turn(allow_null=True, help_text="Whose turn it is, and exactly what is legal.")
    undo = Undo(allow_null=True)


class Call(serializers.Serializer[Any]):
    """Somebody at a table wants the floor."""

    id = serializers.IntegerField()
    table = serializers.IntegerField()
    table_name = serializers.CharField()
    hand = serializers.IntegerField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True, help_text="null for a dealer.")
    who = serializers.CharField()
    kind = serializers.ChoiceField(FloorCall.Kind.choices, help_text="What is wanted.")
    note = serializers.CharField(allow_blank=True)
    at = serializers.IntegerField(help_text=EPOCH)


class FloorOrder(RequestBody):
    """What the rules leave to the floor."""

    what = serializers.ChoiceField(floor_rulings.WHATS)
    seat = WholeNumber(required=False, min_value=0, max_value=9, help_text="0: the whole hand.")
    hands = WholeNumber(
        required=False, min_value=0, max_value=100, help_text="Hands a penalty keeps the player out of."
    )
    reason = Text(min_length=3, max_length=300)
    expected_seq = expected_seq()
    command_id = command_id()


class Ordered(Shape):
    """Something that was ordered or taken back."""

    of = OrderRow
    field_names = "id table hand=hand_id number=hand.number seq what seat hands reason by=by.username at"
    help_texts = {"number": "Of the hand at its table.", "seq": "The fact it led to."}
    table = TableName()


class OpenOrder(serializers.Serializer[Any]):
    what = serializers.ChoiceField(floor_rulings.WHATS)
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Empty: it concerns the whole hand.")


class FloorHand(serializers.Serializer[Any]):
    """What can be ordered in a hand now, and what was."""

    orders = OpenOrder(many=True)
    log = Ordered(many=True)


class LogQuery(Query):
    table = Number(required=False)


class LastRuling(Shape):
    of = Ruled
    field_names = "key verdict words rule citation seats seq"
    help_texts = {"citation": "Where the rule is from, for people."}
    seq = serializers.IntegerField(allow_null=True)


class GlanceHand(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    seq = serializers.IntegerField()
    street = serializers.IntegerField()
    pot = serializers.IntegerField()
    to_act = serializers.IntegerField(help_text="0: nobody.")
    awaits = serializers.CharField(allow_blank=True)
    since = serializers.IntegerField(help_text=f"When the turn began, or the hand. {EPOCH}")
    deadline = serializers.IntegerField(allow_null=True, help_text=EPOCH)
    last_ruling = LastRuling(allow_null=True)


class GlanceSeat(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField()
    is_bot = serializers.BooleanField()
    stack = serializers.IntegerField()
    state = serializers.CharField()


class GlanceBook(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField()


class Glance(Shape):
    """A table at a glance."""

    of = Table
    field_names = "id name state game structure stakes rulebook dealt_by deck seat_count seats last_hand hand calls"
    state = serializers.ChoiceField(Table.State.choices)
    rulebook = GlanceBook()
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices)
    deck = serializers.ChoiceField(Table.Deck.choices)
    seats = GlanceSeat(many=True)
    last_hand = serializers.IntegerField(allow_null=True)
    hand = GlanceHand(allow_null=True)
    calls = serializers.IntegerField(help_text="How many calls wait there.")


class FloorView(serializers.Serializer[Any]):
    tables = Glance(many=True)
    calls = Call(many=True)


class MapSeat(Shape):
    of = room_map.SeatGlance
    field_names = "number state player name is_bot stack sat_at out_since held_until held_why owes"
    help_texts = {
        "state": '"free", "held", or that of its player: "playing", "sitting-out" ...',
        "owes": "Time still to be paid.",
    }


class MapTable(Shape):
    of = room_map.TableGlance
    field_names = (
        "id=table.pk name=table.name offer=table.offer_id stakes=table.stakes phase is_physical=table.is_physical calls"
        " waiting seats"
    )
    help_texts = {"phase": "free, open, going, paused or breaking.", "calls": "Of its players for the floor."}
    seats = MapSeat(many=True)


class MapSection(Shape):
    of = room_map.SectionGlance
    field_names = "id name tables"
    tables = MapTable(many=True)


class WantedTable(Shape):
    of = TableDemand
    field_names = "offer=offer.pk name=offer.name opens_with=offer.opens_with waiting"


class MapShape(serializers.Serializer[Any]):
    sections = MapSection(many=True)
    wanted = WantedTable(many=True, help_text="Games in the room whose lists ask for a table.")


# -- what is done, and what can be looked at ---------------------------------------------------------------------------


def _start_hand(*, key: str, command_id: str = "", **asked: Any) -> dealer.Started:
    return dealer.start_hand(command_id=named(command_id, key), **asked)


def _enter(*, fields: Any = None, expected_seq: int | None = None, **asked: Any) -> Any:
    return dealer.command(fields=fields or {}, expected_seq=expected_seq, **asked)


def _procedure(by: Any, hand_id: int) -> dict[str, Any]:
    found = procedure.procedure(hand_id=hand_id)
    low = found.lowcard
    return vars(found) | {
        "lowcard": {"named": low[0], "true": low[1]} if low is not None else None,
        "seats": {str(seat): what for seat, what in found.seats.items()},
        "choices": turn_of(found.turn) if found.turn is not None else None,
    }


def _log(by: Any, before: int | None, limit: int, table: int | None = None) -> list[OrderRow]:
    return floor_queries.floor_log(table=table, before=before, limit=limit)


def _of_hand(by: Any, hand_id: int) -> dict[str, Any]:
    return {"orders": floor_queries.open_orders(hand_id=hand_id), "log": floor_queries.floor_log(hand=hand_id)}


class SealedView(APIView):
    """A hand with every card."""

    tags = ("floor",)
    scope = "direct"
    answer_is_secret = True
    description = "View the sealed cards of a hand"

    @extend_schema(
        operation_id="look_at_sealed",
        summary=description,
        description="For an auditor with an open view, and of hands that are over; each look is recorded. Nobody "
        "can view a game in which they had a seat, or take a seat in a game they have viewed in the last twelve hours.",
        request=None,
        responses={200: Facts} | refusals(409),
    )
    def post(self, request: Request, hand_id: int) -> Response:
        return Response(told(hand_id, private.look(hand_id=hand_id, by=asker(request)), 0))


_FLOOR = (floor_rulings.ROLE,)
RULINGS = Page("floor/rulings/", "floor_rulings", rulings, _FLOOR)
PAGES = [
    Page("tables/<int:table_id>/deal/", "deal", console, ("dealer", "floor")),
    Page("floor/", "floor", room, ROLES),
    Page("floor/map/", "floor_map", tables, ROLES),
    Page("floor/map/<int:table_id>/", "floor_panel", panel, ROLES),
    RULINGS,
    Page("floor/log/", "floor_log", log, _FLOOR),
    Page("floor/tables/<int:table_id>/", "floor_table", table, _FLOOR),
]
_read = partial(Read, tag="floor", description="For the floor.", roles=_FLOOR)
_verb = partial(Operation, tag="dealers", scope="direct", keyed=True, refuses=(409, 422))

DECLARED = [
    # Dealers
    _verb(
        name="start_hand", summary="Start a hand", description="The next one of a table that a person deals.",
        address="tables/<id:table_id>/start-hand", does=_start_hand, order=StartOrder, status=201, out=Started,
    ),
    Read(
        name="procedure", summary="The next step of correct procedure", description="For dealers and the floor.",
        address="hands/<id:hand_id>/dealer", tag="dealers", roles=dealer.ROLES, out=Procedure, finds=_procedure,
    ),
    _verb(
        name="enter", summary="Enter an action at the table", address="hands/<id:hand_id>/dealer",
        description="For dealers and the floor. A mistake is entered as it happened; the ruling is among the facts.",
        does=answered(_enter), order=DealerOrder, out=RECEIPT, shows=receipt_told,
    ),
    # The room
    _read(
        name="floor", summary="List every hand in progress", address="floor", out=FloorView,
        description="For the floor. The socket `/ws/floor/` tells the same at every change.",
        finds=lambda by: floor_queries.floor_view(),
    ),
    _read(
        name="floor_map", summary="Sections, tables, and who sits where", address="floor/map", roles=ROLES,
        description="For the floor. The socket `/ws/room/?topics=floor,hands` tells when to ask again.", out=MapShape,
        finds=lambda by: room_map.room_map(now=timezone.now()),
    ),
    _read(
        name="floor_log", summary="List floor orders", address="floor/log", query=LogQuery, out=Ordered,
        paged=True, finds=_log,
    ),
    # Orders
    _read(
        name="floor_hand", summary="List possible and given orders of a hand", address="hands/<id:hand_id>/floor",
        out=FloorHand, finds=_of_hand,
    ),
    _verb(
        name="order", summary="Give a floor order", address="hands/<id:hand_id>/floor",
        tag="floor", description="For the floor, with a reason.", does=answered(floor_rulings.order),
        order=FloorOrder, out=RECEIPT, shows=receipt_told,
    ),
]  # fmt: skip

api = [*of.resources(DECLARED), *resource("hands/<id:hand_id>/sealed", SealedView, name="api-sealed")]
urlpatterns = of.pages(PAGES, DECLARED)
