"""The API of directing: what directors and the tables see of an event, and the orders that programs give."""

from typing import Annotated, Any

from django.utils import timezone
from django.utils.translation import gettext

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import NotFound, Verbatim
from cardroom.core.models import User
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.shapes import object_of
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing import arrivals, closing, confirming, event_clock, hands, penalties, seats, undoing
from tournaments.directing import queries as directing_queries
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages.console_forms import race_or_try
from tournaments.engine import plain
from tournaments.engine.chip_race import Race
from tournaments.events import staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.pages import fact_serializers, fields
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.fields import DIRECTORS, TABLES
from tournaments.events.playing import OrderReceipt
from tournaments.online import suggestions
from tournaments.online.suggestions import EventSuggestion
from tournaments.registration import flights
from tournaments.registration.pages.views import EVENT, event_for

After = Annotated[int, Limits(default=0, max_value=fields.MOST_SEQ, help_text="The number of the last fact you have.")]


def _opened_event(by: Any, tournament_id: int, words: str, code: str) -> Tournament:
    """The event, once registration has opened."""
    row = event_for(by, tournament_id)
    if not row.seq:
        raise NotFound(code, Verbatim(words))
    return row


def console_of(*, tournament_id: int, by: User) -> Any:
    words = gettext("Registration has not opened: nothing to run yet.")
    return directing_queries.console(
        tournament=_opened_event(by, tournament_id, words, "not-open-yet"), now=timezone.now()
    )


def tables(*, tournament_id: int, by: Any) -> Any:
    row = event_for(by, tournament_id)
    return directing_queries.console(tournament=row, now=timezone.now()).tables if row.seq else ()


def table(*, tournament_id: int, table: int, by: Any) -> Any:
    row = _opened_event(by, tournament_id, gettext("There are no tables yet."), "no-such-table")
    return directing_queries.table(tournament=row, number=table)


def moves(*, tournament_id: int, after: After = 0, by: Any) -> Any:
    return directing_queries.moves(tournament=event_for(by, tournament_id), after=after)


def suggestions_of(*, tournament_id: int, by: User) -> Any:
    rows = suggestions.read_suggestions(tournament=event_for(by, tournament_id), now=timezone.now())
    return [suggestions.spoken_of(row) for row in rows]


def answer_of(kind: Any) -> PlainAnswer:
    return PlainAnswer(object_of(kind), plain.to_plain)


def answer_of_rows(kind: Any) -> PlainAnswer:
    return PlainAnswer({"type": "array", "items": object_of(kind)}, plain.to_plain)


RECEIPT = PlainAnswer(fact_serializers.EventReceipt, fact_serializers.receipt_told)


def close_entry(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, key: str, by: User) -> OrderReceipt:
    """Close entry, whatever the level."""
    return event_clock.keep_entry_open.once(
        key, tournament_id=tournament_id, on=False, expected_seq=expected_seq, by=by
    )


def follow_terms_of_entry(
    *, tournament_id: RowId, expected_seq: ExpectedSeq = None, key: str, by: User
) -> OrderReceipt:
    """Hold entry open or closed by the terms of the event again."""
    return event_clock.keep_entry_open.once(key, tournament_id=tournament_id, on=None, expected_seq=expected_seq, by=by)


def carry_flights(*, tournament_id: RowId, key: str, by: User) -> list[TournamentEntry]:
    """Enter the remaining players of the flights in this final."""
    return flights.carry.once(key, final_id=tournament_id, by=by)


class OrderResource(Resource):
    """An order in an event, or what there is to see for it."""

    tags, scope = ("directors",), "direct"


class ConsoleResource(OrderResource):
    path = f"{EVENT}console"
    get = reads(
        console_of,
        name="console",
        summary="The event for its director",
        description="For the staff.",
        roles=staff.TABLES,
        answers=answer_of(directing_queries.Console),
    )


class SuggestionsResource(OrderResource):
    path = f"{EVENT}suggestions"
    get = reads(
        suggestions_of,
        name="event_suggestions",
        summary="List suggestions, most urgent first",
        description="For the staff. Each takes effect after it is confirmed, unless the event allows automatic moves.",
        roles=staff.TABLES,
        answers=answer_of_rows(EventSuggestion),
    )


class TableResource(OrderResource):
    path, tags, scope = f"{EVENT}tables/<id:table>", ("tournaments",), "play"
    get = reads(
        table,
        name="event_table",
        summary="A table of an event",
        is_public=True,
        answers=answer_of(directing_queries.EventTableRow),
    )


class PauseResource(OrderResource):
    path = f"{EVENT}pause"
    post = does(
        event_clock.pause,
        name="event_pause",
        summary="Stop the clock; online the tables pause after their hands",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ResumeResource(OrderResource):
    path = f"{EVENT}resume"
    post = does(
        event_clock.resume,
        name="event_resume",
        summary="Resume the clock",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class OfflineResource(OrderResource):
    path = f"{EVENT}offline"
    post = does(
        close_entry,
        name="event_offline",
        summary="Close entry, whatever the level",
        description=DIRECTORS,
        answers=RECEIPT,
        roles=staff.DIRECTORS,
        refuses=(409, 422),
    )


class OnlineResource(OrderResource):
    path = f"{EVENT}online"
    post = does(
        follow_terms_of_entry,
        name="event_online",
        summary="Follow the terms of the event for entry",
        description=DIRECTORS,
        answers=RECEIPT,
        roles=staff.DIRECTORS,
        refuses=(409, 422),
    )


class KeepEntryOpenResource(OrderResource):
    path = f"{EVENT}entry"
    post = does(
        event_clock.keep_entry_open,
        name="event_keep_entry_open",
        summary="Keep entry open or closed",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class DrawSeatsResource(OrderResource):
    path = f"{EVENT}draw-seats"
    post = does(
        seats.draw_seats,
        name="event_draw_seats",
        summary="Draw all seats before the start",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class BalanceResource(OrderResource):
    path = f"{EVENT}balance"
    post = does(
        seats.balance,
        name="event_balance",
        summary="Balance the tables by the rule for stud",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class FinalTableResource(OrderResource):
    path = f"{EVENT}final-table"
    post = does(
        seats.draw_final_table,
        name="event_final_table",
        summary="Draw the final table",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class DrawRoundResource(OrderResource):
    path = f"{EVENT}draw-round"
    post = does(
        seats.draw_round,
        name="event_draw_round",
        summary="Shootout and bracket: draw the next round",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class OpenTableResource(OrderResource):
    path, tags = f"{EVENT}tables", ("tournaments",)
    get = reads(
        tables,
        name="event_tables",
        summary="List seats",
        is_public=True,
        answers=answer_of_rows(directing_queries.EventTableRow),
    )
    post = does(
        seats.open_table,
        name="event_open_table",
        summary="Open a table",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class BreakTableResource(OrderResource):
    path = f"{EVENT}tables/<id:table>/break"
    post = does(
        seats.break_table,
        name="event_break_table",
        summary="Break a table",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CloseTableResource(OrderResource):
    path = f"{EVENT}tables/<id:table>/close"
    post = does(
        seats.close_table,
        name="event_close_table",
        summary="Close an empty table",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class MoveResource(OrderResource):
    path, tags = f"{EVENT}moves", ("tournaments",)
    get = reads(
        moves,
        name="event_moves",
        summary="List valid moves, latest first",
        is_public=True,
        answers=answer_of_rows(directing_queries.SeatMoveRow),
    )
    post = does(
        seats.move,
        name="event_move",
        summary="Move a player",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class SwapResource(OrderResource):
    path, tags = f"{EVENT}swaps", ("tournaments",)
    post = does(
        seats.swap,
        name="event_swap",
        summary="Swap the seats of two players",
        description=DIRECTORS,
        answers=RECEIPT,
        body=orders.SwapOrder,
        refuses=(409, 422),
    )


class SeatResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/seat"
    post = does(
        seats.seat,
        name="event_seat",
        summary="Draw a seat for a player without one",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ReserveSeatResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/reserve"
    post = does(
        seats.reserve_seat,
        name="event_reserve_seat",
        summary="Reserve a seat for a player",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ConfirmSuggestionResource(OrderResource):
    path = f"{EVENT}suggestions/confirm"
    post = does(
        confirming.confirm,
        name="event_confirm",
        summary="Confirm a suggestion",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class DismissSuggestionResource(OrderResource):
    path = f"{EVENT}suggestions/dismiss"
    post = does(
        confirming.dismiss,
        name="event_dismiss",
        summary="Dismiss a suggestion",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class AutoArrangeResource(OrderResource):
    path = f"{EVENT}auto-arrange"
    post = does(
        confirming.auto_arrange,
        name="event_auto_arrange",
        summary="Turn automatic moves on or off",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class BustResource(OrderResource):
    path = f"{EVENT}busts"
    post = does(
        hands.bust,
        name="event_bust",
        summary="Report a bust",
        description=TABLES,
        answers=RECEIPT,
        body=orders.BustOrder,
        refuses=(409, 422),
    )


class HandDoneResource(OrderResource):
    path = f"{EVENT}tables/<id:table>/hand-done"
    post = does(
        hands.hand_done,
        name="event_hand_done",
        summary="Report that a table has played its hand",
        description=TABLES,
        answers=RECEIPT,
        body=orders.HandDoneOrder,
        refuses=(409, 422),
    )


class HandForHandResource(OrderResource):
    path = f"{EVENT}hand-for-hand"
    post = does(
        hands.hand_for_hand,
        name="event_hand_for_hand",
        summary="Start or end hand-for-hand",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CountChipsResource(OrderResource):
    path = f"{EVENT}counts"
    post = does(
        hands.count,
        name="event_count",
        summary="Record a player's chips",
        description=TABLES,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CorrectChipsResource(OrderResource):
    path = f"{EVENT}chips"
    post = does(
        hands.correct_chips,
        name="event_correct_chips",
        summary="Correct the chips in play",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CountTableResource(OrderResource):
    path = f"{EVENT}tables/<id:table>/counts"
    post = does(
        hands.count_table,
        name="event_count_table",
        summary="Record the counted stacks of a table",
        description=TABLES,
        answers=RECEIPT,
        body=orders.CountTableOrder,
        refuses=(409, 422),
    )


class AllHereResource(OrderResource):
    path = f"{EVENT}tables/<id:table>/all-here"
    post = does(
        arrivals.all_here,
        name="event_all_here",
        summary="Mark everybody at a table as seen",
        description=TABLES,
        answers=shapes.EntryRow,
        many=True,
        refuses=(409, 422),
    )


class ArrivedResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/arrived"
    post = does(
        arrivals.arrived,
        name="event_arrived",
        summary="Mark a player as seen",
        description=TABLES,
        answers=shapes.EntryRow,
        refuses=(409, 422),
    )


class ClockOnResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/clock-on"
    post = does(
        penalties.clock_on,
        name="event_clock_on",
        summary="Put the clock on a player",
        description=TABLES,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ClockOffResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/clock-off"
    post = does(
        penalties.clock_off,
        name="event_clock_off",
        summary="Stop the clock on a player",
        description=TABLES,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class PenaliseResource(OrderResource):
    path = f"{EVENT}penalties"
    post = does(
        penalties.penalise,
        name="event_penalise",
        summary="Penalise a player",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ReviveResource(OrderResource):
    path = f"{EVENT}entries/<id:entrant>/revive"
    post = does(
        hands.revive,
        name="event_revive",
        summary="Undo a bust",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class ChipRaceResource(OrderResource):
    path = f"{EVENT}chip-race"
    post = does(
        race_or_try,
        name="event_chip_race",
        summary="Race the odd chips of a table",
        description=TABLES,
        answers=answer_of(Race),
        roles=staff.TABLES,
        body=orders.RaceOrder,
        refuses=(409, 422),
    )


class UndoResource(OrderResource):
    path = f"{EVENT}undo"
    post = does(
        undoing.undo,
        name="event_undo",
        summary="Undo the last order, and move back what money moved by it",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class RedoResource(OrderResource):
    path = f"{EVENT}redo"
    post = does(
        undoing.redo,
        name="event_redo",
        summary="Redo the order undone last",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class FinishResource(OrderResource):
    path = f"{EVENT}finish"
    post = does(
        closing.finish,
        name="event_finish",
        summary="End the event after a deal that left nothing to play for",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CloseFlightResource(OrderResource):
    path = f"{EVENT}close-flight"
    post = does(
        closing.close_flight,
        name="event_close_flight",
        summary="End the flight: the stacks go on to the final",
        description=DIRECTORS,
        answers=RECEIPT,
        refuses=(409, 422),
    )


class CarryFlightsResource(OrderResource):
    path = f"{EVENT}carry-flights"
    post = does(
        carry_flights,
        name="event_carry_flights",
        summary="Enter the remaining players of the flights in this final",
        description=DIRECTORS,
        answers=shapes.EntryRow,
        roles=staff.DIRECTORS,
        body=orders.NoOrder,
        many=True,
        refuses=(409, 422),
    )


api = addresses(
    [
        ConsoleResource,
        SuggestionsResource,
        TableResource,
        PauseResource,
        ResumeResource,
        OfflineResource,
        OnlineResource,
        KeepEntryOpenResource,
        DrawSeatsResource,
        BalanceResource,
        FinalTableResource,
        DrawRoundResource,
        OpenTableResource,
        BreakTableResource,
        CloseTableResource,
        MoveResource,
        SwapResource,
        SeatResource,
        ReserveSeatResource,
        ConfirmSuggestionResource,
        DismissSuggestionResource,
        AutoArrangeResource,
        BustResource,
        HandDoneResource,
        HandForHandResource,
        CountChipsResource,
        CorrectChipsResource,
        CountTableResource,
        AllHereResource,
        ArrivedResource,
        ClockOnResource,
        ClockOffResource,
        PenaliseResource,
        ReviveResource,
        ChipRaceResource,
        UndoResource,
        RedoResource,
        FinishResource,
        CloseFlightResource,
        CarryFlightsResource,
    ]
)
