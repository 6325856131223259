"""What a director sees of the event, and orders in it; each verb of the services is one resource."""

from functools import partial
from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardroom.services import access
from cardroom.services.errors import NotFound
from cardroom.web.api import keys
from cardroom.web.api.access import asker
from cardroom.web.api.schema import refusals
from cardroom.web.api.typed import object_of
from tournaments.engine import plain
from tournaments.engine.chip_race import Race
from tournaments.models import TournamentEntry
from tournaments.selectors import floor as console
from tournaments.services import clock, flights, floor, staff, suggestions
from tournaments.services.suggestions import Suggestion
from tournaments.web.api import order_serializers as orders
from tournaments.web.api import serializers as shapes
from tournaments.web.api.looking import event_of
from tournaments.web.api.orders import TABLES, order


class ConsoleView(APIView):
    """Everything a director needs at once."""

    tags = ("directors",)

    @extend_schema(
        operation_id="console",
        summary="The event as its director sees it",
        description="For the staff.",
        responses={200: object_of(console.Console)},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        access.require_role(asker(request), *staff.TABLES)
        row = event_of(request, tournament_id)
        if not row.seq:
            raise NotFound("Registration has not opened: there is nothing to run yet.", "not-open-yet")
        return Response(plain.to_plain(console.console(tournament=row, now=timezone.now())))


class TablesView(APIView):
    """The open tables of an event."""

    tags = ("tournaments",)
    is_public = True
    scope = "direct"

    @extend_schema(
        operation_id="event_tables",
        summary="Who sits where",
        responses={200: {"type": "array", "items": object_of(console.TableRow)}},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        row = event_of(request, tournament_id)
        tables = console.console(tournament=row, now=timezone.now()).tables if row.seq else ()
        return Response(plain.to_plain(tables))

    post = order("open-table", floor.open_table, "Open a table", orders.TableOrder).post  # type: ignore[attr-defined]


class TableView(APIView):
    """One table."""

    tags = ("tournaments",)
    is_public = True

    @extend_schema(
        operation_id="event_table", summary="A table of an event", responses={200: object_of(console.TableRow)}
    )
    def get(self, request: Request, tournament_id: int, table: int) -> Response:
        row = event_of(request, tournament_id)
        if not row.seq:
            raise NotFound("There are no tables yet.", "no-such-table")
        return Response(plain.to_plain(console.table(tournament=row, number=table)))


class MovesView(APIView):
    """Who was moved, and why."""

    tags = ("tournaments",)
    is_public = True
    scope = "direct"

    @extend_schema(
        operation_id="event_moves",
        summary="The last moves that stand, the latest first",
        parameters=[shapes.FactsQuery],
        responses={200: {"type": "array", "items": object_of(console.Move)}},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        after = shapes.FactsQuery.read(request)["after"]
        found = console.moves(tournament=event_of(request, tournament_id), after=after)
        return Response(plain.to_plain(found))

    post = order("move", floor.move, "Move a player", orders.MoveOrder).post  # type: ignore[attr-defined]


class SuggestionsView(APIView):
    """What the floor should do now, by which rule."""

    tags = ("directors",)

    @extend_schema(
        operation_id="event_suggestions",
        summary="What the floor should do now, the most urgent first",
        description="For the staff. Nothing of it happens before it is confirmed, unless the event lets it.",
        responses={200: {"type": "array", "items": object_of(Suggestion)}},
    )
    def get(self, request: Request, tournament_id: int) -> Response:
        access.require_role(asker(request), *staff.TABLES)
        found = suggestions.read(tournament=event_of(request, tournament_id), now=timezone.now())
        return Response(plain.to_plain(found))


class RaceView(APIView):
    """The chip race of a table."""

    tags = ("directors",)
    scope = "direct"

    @extend_schema(
        operation_id="event_chip_race",
        summary="Race the odd chips of a table",
        description=TABLES,
        request=orders.RaceOrder,
        parameters=[keys.PARAMETER],
        responses={200: object_of(Race)} | refusals(409, 422),
    )
    def post(self, request: Request, tournament_id: int) -> Response:
        said, by = orders.RaceOrder.read(request), asker(request)
        if said.pop("is_trial", False):
            said.pop("expected_seq", None)
            row = event_of(request, tournament_id)
            if not row.seq:
                raise NotFound("There are no tables yet.", "no-such-table")
            return Response(plain.to_plain(floor.try_race(tournament=row, by=by, now=timezone.now(), **said)))
        given = {"by": by, "command_id": keys.key_of(request)}
        return Response(plain.to_plain(floor.race(tournament_id=tournament_id, **given, **said)))


def _entry_told(entry: TournamentEntry, tournament_id: int) -> Any:
    return shapes.EntryRow(entry).data


def _carried(*, tournament_id: int, command_id: str = "", **given: Any) -> list[TournamentEntry]:
    return flights.carry(final_id=tournament_id, **given)


def _entries_told(entries: list[TournamentEntry], tournament_id: int) -> Any:
    return shapes.EntryRow(entries, many=True).data


_tables = partial(order, who=TABLES)

#: By the address below the event's.
VERBS = {
    "pause": order("pause", clock.pause, "Stop the clock; online the tables hold after their hands"),
    "resume": order("resume", clock.resume, "Let the clock go on"),
    "offline": order("offline", floor.keep_entry_open, "Take no entries for now, whatever the level", on=False),
    "online": order("online", floor.keep_entry_open, "Take entries again, by the terms of the event", on=None),
    "entry": order("keep-entry-open", floor.keep_entry_open, "Keep entry open, or closed", orders.EntryOpenOrder),
    "draw-seats": order("draw-seats", floor.draw_seats, "Draw everybody's seat before the start"),
    "balance": order("balance", floor.balance, "Make every move that the rule for stud wants"),
    "final-table": order("final-table", floor.draw_final_table, "Draw the final table", orders.TableOrder),
    "draw-round": order("draw-round", floor.draw_round, "Shootout and bracket: draw the next round"),
    "suggestions/confirm": order("confirm", floor.confirm, "Do what is suggested", orders.KeyOrder),
    "suggestions/dismiss": order("dismiss", floor.dismiss, "Let it be", orders.KeyOrder),
    "auto-arrange": order("auto-arrange", floor.auto_arrange, "Move and break without asking", orders.OnOrder),
    "busts": _tables("bust", floor.bust, "Say who is out", orders.BustOrder),
    "counts": _tables("count", floor.count, "Say what somebody has", orders.CountOrder),
    "penalties": order("penalise", floor.penalise, "Penalise a player", orders.PenaltyOrder),
    "hand-for-hand": order("hand-for-hand", floor.hand_for_hand, "Start or end hand-for-hand", orders.OnOrder),
    "undo": order("undo", floor.undo, "Take back the last action that can be"),
    "redo": order("redo", floor.redo, "Do again what was undone last"),
    "finish": order("finish", floor.finish, "Play no further after a deal that left nothing to play for"),
    "close-flight": order("close-flight", floor.close_flight, "End the flight: the stacks go on to the final"),
    "carry-flights": order(
        "carry-flights",
        _carried,
        "Have everybody left in the flights enter this final",
        orders.NoOrder,
        tells=shapes.EntryRow(many=True),
        telling=_entries_told,
    ),
}
TABLE_VERBS = {
    "break": order("break-table", floor.break_table, "Break it"),
    "close": order("close-table", floor.close_table, "Close it, empty"),
    "counts": _tables(
        "count-table", floor.count_table, "Say what was counted there, all at once", orders.CountTableOrder
    ),
    "all-here": _tables(
        "all-here",
        floor.all_here,
        "Everybody there was seen in their seat",
        tells=shapes.EntryRow(many=True),
        telling=_entries_told,
    ),
    "hand-done": _tables("hand-done", floor.hand_done, "It has played its hand", orders.HandDoneOrder),
}
ENTRY_VERBS = {
    "seat": order("seat", floor.seat, "Draw a seat for one who has none"),
    "reserve": order("reserve-seat", floor.reserve_seat, "Keep a seat for a player", orders.ReserveOrder),
    "revive": order("revive", floor.revive, "The bust was a mistake", orders.ReviveOrder),
    "clock-on": _tables("clock-on", floor.clock_on, "Put the clock on a player"),
    "clock-off": _tables("clock-off", floor.clock_off, "The player has acted"),
    "arrived": _tables(
        "arrived", floor.arrived, "The player was seen in their seat", orders.ArrivedOrder, tells=shapes.EntryRow,
        telling=_entry_told,
    ),
}  # fmt: skip
