"""Directing an event: what its director and the tables see of it, and the orders that they give.

The buttons of the director's console post to one address; `verb` says which. With htmx the answer is the console's
parts as they are then, else the way back to where it was asked: the console, or a panel opened as a page of its own. A
refusal changes nothing, and is said where the eyes are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from cardroom.core import access
from cardroom.core.errors import NotFound, Refusal, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled, spoken
from cardroom.core.web.api.fields import Order
from cardroom.core.web.api.shapes import object_of
from cardroom.core.web.operations import Form, Operation, Page, Read, Shape, Then, Told, went_to
from tournaments.directing import hands, seats, undoing
from tournaments.directing import queries as directing_queries
from tournaments.directing.pages import order_serializers as orders
from tournaments.directing.pages import tablet
from tournaments.directing.pages.run import (
    address_of,
    asked_from,
    console,
    console_page,
    done,
    panel,
    panel_page,
    parts_page,
    words_of,
)
from tournaments.engine import plain
from tournaments.engine.chip_race import Race
from tournaments.events import staff
from tournaments.events.models import Tournament, TournamentEntry
from tournaments.events.pages import serializers as shapes
from tournaments.events.pages.serializers import DIRECTORS, TABLES, receipt_told
from tournaments.online import suggestions
from tournaments.online.suggestions import Suggestion
from tournaments.registration import flights
from tournaments.registration.pages.views import EVENT, event_for, event_of

_ROLES = {DIRECTORS: staff.DIRECTORS, TABLES: staff.TABLES}


@dataclass(frozen=True)
class Done:
    """What came of an order in an event."""

    event: int
    made: Any


# -- the console -------------------------------------------------------------------------------------------------------


def _refused(request: HttpRequest, *, tournament_id: int, refusal: Refusal, typed: Any) -> HttpResponse:
    if request.htmx:
        raise refusal
    row = event_of(request, tournament_id)
    panel = asked_from(row, typed)
    return panel_page(request, row, *panel, refusal=refusal) if panel else console_page(request, row, refusal=refusal)


def _all_here(entries: list[TournamentEntry]) -> str:
    if not entries:
        return gettext("This table has no players.")
    return gettext("Everybody at table {table} is seated.").format(table=entries[0].table)


def _told(words: Callable[[Any], str] | None) -> Then:
    """`words` of what was made; None: the labels of the facts."""

    def then(request: HttpRequest, made: Any) -> HttpResponse:
        made = made.made if isinstance(made, Done) else made
        row = event_of(request, request.resolver_match.kwargs["tournament_id"])
        said = words(made) if words else words_of(row, made)
        if not request.htmx:
            messages.success(request, said)
            panel = asked_from(row, request.POST)
            return redirect(address_of(row, *panel) if panel else reverse("tournament_run", args=[row.pk]))
        answer = parts_page(request, row)
        answer["HX-Trigger"] = done(said)
        return answer

    return then


def _race_told(request: HttpRequest, raced: Race) -> HttpResponse:
    """A trial is shown; after the race itself it goes back to where the table is looked at."""
    at = request.resolver_match.kwargs
    if request.POST.get("do") != "race":
        return tablet.race(request, **at, raced=raced, typed=request.POST)
    words = filled(
        gettext("Table {table}: the chips of {leaving:,} are gone. {why}"),
        table=at["table"],
        leaving=raced.leaving,
        why=spoken(raced.why),
    )
    if access.has_role(request.user, *staff.DIRECTORS):
        return went_to(request, words, "tournament_run", at["tournament_id"])
    return went_to(request, words, "tournament_tablet", *at.values())


RACE = Page(f"{EVENT}run/tables/<id:table>/race/", "tournament_run_race", tablet.race, staff.TABLES)
TABLETS = Page(
    f"{EVENT}tables/", "tournament_tablets", tablet.tablets, staff.TABLES, template="tournaments/directing/tablets.html"
)
TABLET = Page(f"{EVENT}tables/<id:table>/", "tournament_tablet", tablet.page, staff.TABLES)
CONSOLE = Page(f"{EVENT}run/", "tournament_run", console, staff.DIRECTORS)
PAGES = [
    TABLETS,
    TABLET,
    RACE,
    CONSOLE,
    Page(f"{EVENT}run/players/<id:number>/", "tournament_run_player", partial(panel, name="player"), staff.DIRECTORS),
    Page(f"{EVENT}run/tables/<id:number>/", "tournament_run_table", partial(panel, name="table"), staff.DIRECTORS),
    Page(f"{EVENT}run/undo/", "tournament_run_undo", partial(panel, name="undo"), staff.DIRECTORS),
    Page(f"{EVENT}run/clock/", "tournament_run_clock", partial(panel, name="clock"), staff.DIRECTORS),
    Page(f"{EVENT}run/chips/", "tournament_run_chips", partial(panel, name="chips"), staff.DIRECTORS),
    Page(f"{EVENT}run/prizes/", "tournament_run_prizes", partial(panel, name="prizes"), staff.DIRECTORS),
]


def _arrived(entry: TournamentEntry) -> str:
    return gettext("{name} is seated.").format(name=entry.name)


_ENTRANT = {"entrant": gettext_lazy("Choose an entry.")}
_TRIAL = {"is_trial": "yes"}
_TABLE = {"table": gettext_lazy("Choose a table.")}


def button(
    *verbs: str, words: Callable[[Any], str] | None = None, named: Mapping[str, Any] | None = None, says: str = ""
) -> Form:
    """Of the console. `named`: what the form names, as `Form.hidden`; `says`: the field that `verbs` stand for."""
    return Form(
        f"{EVENT}run/do/", "tournament_run_do", CONSOLE, _told(words), hidden=named or {},
        again=_refused, verb_name="verb",
        verbs={verb: {says: verb} if says else {} for verb in verbs},
    )  # fmt: skip


def of_entrant(*verbs: str, words: Callable[[Any], str] | None = None) -> Form:
    return button(*verbs, words=words, named=_ENTRANT)


def of_table(*verbs: str) -> Form:
    return button(*verbs, named=_TABLE)


def _told_at_table(words: Callable[[Any], str] | None) -> Then:
    def then(request: HttpRequest, made: Any) -> HttpResponse:
        at = request.resolver_match.kwargs
        said = (words or partial(words_of, event_of(request, at["tournament_id"])))(made.made)
        if not request.htmx:
            return went_to(request, said, "tournament_tablet", *at.values())
        answer = tablet.page(request, **at, told=said)
        answer["HX-Trigger"] = done(said)
        return answer

    return then


def at_table(verb: str, words: Callable[[Any], str] | None = None, **named: Any) -> Form:
    """A button of the tablet of a table. What is told there is of that table: whether something happened at another
    one meanwhile does not matter, so it names no `expected_seq`, but to take something back."""
    seen = {} if "expected_seq" in named else {"expected_seq": None}
    return Form(
        f"{EVENT}tables/<id:table>/do/", "tournament_tablet_do", TABLET, _told_at_table(words), hidden=named,
        verbs={verb: {}}, verb_name="verb", gives=seen | {"is_at_table": True},
    )  # fmt: skip


# -- orders ------------------------------------------------------------------------------------------------------------


_RECEIPT = Told(shapes.EventReceipt, lambda told: told)


def directed(
    address: str,
    name: str,
    summary: str,
    service: Callable[..., Any],
    order: type[Order] = orders.Directed,
    form: Form | tuple[Form, ...] = (),
    *,
    who: str = DIRECTORS,
    gives: Mapping[str, Any] | None = None,
    out: Shape = _RECEIPT,
    told: Callable[[Any, int], Any] = receipt_told,
    **more: Any,
) -> Operation:
    """An order, by a director unless it says otherwise. `gives`: what its resource tells the service beside the
    order; `told`: what the service returned, and of which event, as `out` draws it."""

    def do(*, tournament_id: int, is_at_table: bool = False, **asked: Any) -> Done:
        if is_at_table:
            tablet.check_in_room(event_for(asked["by"], tournament_id))
        return Done(tournament_id, service(tournament_id=tournament_id, **asked, **(gives or {})))

    return Operation(
        name=name, summary=summary, address=f"{EVENT}{address}", description=who, does=do,
        order=order, form=form, keyed=True, key_name="command_id", out=out, refuses=(409, 422),
        shows=lambda made, by: told(made.made, made.event),
        **{"tag": "directors", "scope": "direct", "roles": _ROLES.get(who, ())} | more,
    )  # fmt: skip


def _of_one(service: Callable[..., Any]) -> Callable[..., Any]:
    """At a tablet the address names the table, which what is done about a player does not ask for."""

    def do(*, table: int | None = None, **order: Any) -> Any:
        return service(**order)

    return do


def as_made(made: Any, event: int) -> Any:
    return made


def _carried(*, tournament_id: int, command_id: str = "", **given: Any) -> list[TournamentEntry]:
    return flights.carry(final_id=tournament_id, **given)


def _raced(
    *,
    tournament_id: int,
    by: User,
    command_id: str,
    is_trial: bool = False,
    expected_seq: int | None = None,
    **order: Any,
) -> Race:
    if not is_trial:
        given = {"by": by, "command_id": command_id, "expected_seq": expected_seq}
        return hands.race(tournament_id=tournament_id, **given, **order)
    row = _opened(by, tournament_id, gettext("There are no tables yet."), "no-such-table")
    return hands.try_race(tournament=row, by=by, now=timezone.now(), **order)


# -- what can be looked at ---------------------------------------------------------------------------------------------


def _opened(by: Any, tournament_id: int, words: str, code: str) -> Tournament:
    """The event, once registration has opened."""
    row = event_for(by, tournament_id)
    if not row.seq:
        raise NotFound(code, Verbatim(words))
    return row


def _console(by: User, *, tournament_id: int) -> Any:
    words = gettext("Registration has not opened: nothing to run yet.")
    return directing_queries.console(tournament=_opened(by, tournament_id, words, "not-open-yet"), now=timezone.now())


def _tables(by: Any, *, tournament_id: int) -> Any:
    row = event_for(by, tournament_id)
    return directing_queries.console(tournament=row, now=timezone.now()).tables if row.seq else ()


def _table(by: Any, *, tournament_id: int, table: int) -> Any:
    row = _opened(by, tournament_id, gettext("There are no tables yet."), "no-such-table")
    return directing_queries.table(tournament=row, number=table)


def _moves(by: Any, *, tournament_id: int, after: int) -> Any:
    return directing_queries.moves(tournament=event_for(by, tournament_id), after=after)


def _suggestions(by: User, *, tournament_id: int) -> Any:
    found = suggestions.read(tournament=event_for(by, tournament_id), now=timezone.now())
    return [suggestions.spoken_of(each) for each in found]


def told_as(kind: Any) -> Told:
    return Told(object_of(kind), plain.to_plain)


def told_as_rows(kind: Any) -> Told:
    return Told({"type": "array", "items": object_of(kind)}, plain.to_plain)


DECLARED = [
    # What directors and tables see
    Read(
        name="console", summary="The event for its director", description="For the staff.", tag="directors",
        address=f"{EVENT}console", roles=staff.TABLES, out=told_as(directing_queries.Console), finds=_console,
    ),
    Read(
        name="event_suggestions", summary="List suggestions, most urgent first", tag="directors",
        description="For the staff. Each takes effect after it is confirmed, unless the event allows automatic moves.",
        address=f"{EVENT}suggestions", roles=staff.TABLES, out=told_as_rows(Suggestion), finds=_suggestions,
    ),
    Read(
        name="event_tables", summary="List seats", tag="tournaments", scope="direct", is_public=True,
        address=f"{EVENT}tables", out=told_as_rows(directing_queries.TableRow), finds=_tables,
    ),
    Read(
        name="event_table", summary="A table of an event", tag="tournaments", is_public=True,
        address=f"{EVENT}tables/<id:table>", out=told_as(directing_queries.TableRow), finds=_table,
    ),
    Read(
        name="event_moves", summary="List valid moves, latest first", tag="tournaments", scope="direct",
        is_public=True, address=f"{EVENT}moves", query=shapes.FactsQuery,
        out=told_as_rows(directing_queries.Move), finds=_moves,
    ),
    # The clock: see `clock` for the rest
    directed("pause", "event_pause", "Stop the clock; online the tables pause after their hands", hands.pause,
             form=button("pause")),
    directed("resume", "event_resume", "Resume the clock", hands.resume, form=button("resume")),
    # Entry
    directed("offline", "event_offline", "Close entry, whatever the level", hands.keep_entry_open,
             gives={"on": False}),
    directed("online", "event_online", "Follow the terms of the event for entry", hands.keep_entry_open,
             gives={"on": None}),
    directed("entry", "event_keep_entry_open", "Keep entry open or closed", hands.keep_entry_open,
             orders.EntryOpenOrder, button("entry")),
    # Seats and tables
    directed("draw-seats", "event_draw_seats", "Draw all seats before the start", seats.draw_seats,
             form=button("draw-seats")),
    directed("balance", "event_balance", "Balance the tables by the rule for stud", seats.balance,
             form=button("balance")),
    directed("final-table", "event_final_table", "Draw the final table", seats.draw_final_table, orders.TableOrder,
             button("final-table")),
    directed("draw-round", "event_draw_round", "Shootout and bracket: draw the next round", seats.draw_round,
             form=button("draw-round")),
    directed("tables", "event_open_table", "Open a table", seats.open_table, orders.TableOrder, button("open-table"),
             tag="tournaments"),
    directed("tables/<id:table>/break", "event_break_table", "Break a table", seats.break_table,
             form=of_table("break-table")),
    directed("tables/<id:table>/close", "event_close_table", "Close an empty table", seats.close_table,
             form=of_table("close-table")),
    directed("moves", "event_move", "Move a player", seats.move, orders.MoveOrder, button("move"), tag="tournaments"),
    directed("swaps", "event_swap", "Swap the seats of two players", seats.swap, orders.SwapOrder, button("swap"),
             tag="tournaments"),
    directed("entries/<id:entrant>/seat", "event_seat", "Draw a seat for a player without one", seats.seat,
             form=of_entrant("seat")),
    directed("entries/<id:entrant>/reserve", "event_reserve_seat", "Reserve a seat for a player", seats.reserve_seat,
             orders.ReserveOrder, of_entrant("reserve")),
    directed("suggestions/confirm", "event_confirm", "Confirm a suggestion", seats.confirm, orders.KeyOrder,
             button("confirm")),
    directed("suggestions/dismiss", "event_dismiss", "Dismiss a "
    "suggestion", seats.dismiss, orders.KeyOrder, button("dismiss")),
    directed("auto-arrange", "event_auto_arrange", "Turn automatic moves on or off", seats.auto_arrange, orders.OnOrder,
             button("auto-arrange")),
    # Hands, stacks, players
    directed("busts", "event_bust", "Report a bust", hands.bust, orders.BustOrder,
             (button("bust"), at_table("bust")), who=TABLES),
    directed("tables/<id:table>/hand-done", "event_hand_done", "Report that a table has played its "
    "hand", hands.hand_done,
             orders.HandDoneOrder, (of_table("hand-done"), at_table("hand-done")), who=TABLES),
    directed("hand-for-hand", "event_hand_for_hand", "Start or end hand-for-hand", hands.hand_for_hand, orders.OnOrder,
             button("hand-for-hand")),
    directed("counts", "event_count", "Record a player's chips", hands.count, orders.CountOrder, button("count"),
             who=TABLES),
    directed("chips", "event_correct_chips", "Correct the chips in play", hands.correct_chips, orders.CorrectChipsOrder,
             button("correct-chips")),
    directed("tables/<id:table>/counts", "event_count_table", "Record the counted stacks of a table",
             hands.count_table, orders.CountTableOrder, (of_table("counts"), at_table("counts")), who=TABLES),
    directed("tables/<id:table>/all-here", "event_all_here", "Mark everybody at a table as seen", hands.all_here,
             form=at_table("all-here", _all_here), who=TABLES, out=shapes.EntryRow, many=True, told=as_made),
    directed("entries/<id:entrant>/arrived", "event_arrived", "Mark a player as seen",
             _of_one(hands.arrived), orders.ArrivedOrder,
             (of_entrant("arrived", words=_arrived), at_table("arrived", _arrived, **_ENTRANT)),
             who=TABLES, out=shapes.EntryRow, told=as_made),
    directed("entries/<id:entrant>/clock-on", "event_clock_on", "Put the clock on a player", _of_one(hands.clock_on),
             form=(of_entrant("clock-on"), at_table("clock-on", **_ENTRANT)), who=TABLES),
    directed("entries/<id:entrant>/clock-off", "event_clock_off", "Stop the clock on a "
    "player", _of_one(hands.clock_off),
             form=(of_entrant("clock-off"), at_table("clock-off", **_ENTRANT)), who=TABLES),
    directed("penalties", "event_penalise", "Penalise a player", hands.penalise, orders.PenaltyOrder,
             button("penalise")),
    Operation(
        name="disqualify", summary="Disqualify a player", address="", tag="directors", roles=staff.DIRECTORS,
        does=hands.disqualify, order=orders.DisqualifyOrder, keyed=True, key_name="command_id",
        form=button("disqualify"),
    ),
    directed("entries/<id:entrant>/revive", "event_revive", "Undo a bust", hands.revive, orders.ReviveOrder,
             of_entrant("revive")),
    Operation(
        name="event_chip_race", summary="Race the odd chips of a table", description=TABLES, tag="directors",
        address=f"{EVENT}chip-race", scope="direct", roles=staff.TABLES, does=_raced, order=orders.RaceOrder,
        keyed=True, key_name="command_id", out=told_as(Race), refuses=(409, 422),
        form=Form(RACE.address, RACE.name, RACE, _race_told, order=orders.RaceForm, verb_name="do",
                  verbs={"race": {}, "try": _TRIAL, "": _TRIAL}),
    ),
    # Taking back, and the end
    directed("undo", "event_undo", "Undo the last order, and move back what money moved by it", _of_one(undoing.undo),
             orders.UndoOrder,
             (button("undo"), at_table("undo", expected_seq="Send the `seq` of the event as you saw it."))),
    directed("redo", "event_redo", "Redo the order undone last", undoing.redo, form=button("redo")),
    directed("finish", "event_finish", "End the event after a deal that left nothing to play for", seats.finish,
             form=button("finish")),
    directed("close-flight", "event_close_flight", "End the flight: the stacks go on to the final", seats.close_flight,
             form=button("close-flight")),
    directed("carry-flights", "event_carry_flights", "Enter the remaining players of the flights in this "
    "final", _carried,
             orders.NoOrder, out=shapes.EntryRow, many=True, told=as_made),
]  # fmt: skip
