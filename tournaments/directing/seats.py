"""Tables and seats in an event: drawn, moved, balanced, broken, reserved; suggestions confirmed.

Draws are made here and the seed is shown to everybody. Online tables open and close with their players; a table in the
middle of a hand keeps them until it is over.
"""

from typing import Annotated

from django.utils.translation import gettext

from cardroom.core.arguments import Limits, RowId, internal
from cardroom.core.errors import Illegal, Stale, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.verb import verb
from tournaments.directing.hands import Rooms, Stacks, event_and_tables, seed
from tournaments.engine import labels
from tournaments.engine.commands import (
    Balance,
    BreakTable,
    Chips,
    CloseFlight,
    CloseTable,
    DrawFinalTable,
    DrawRound,
    Finish,
    Move,
    OpenTable,
    ReserveSeat,
    SeatAll,
    SeatLate,
    Swap,
)
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import playing, staff
from tournaments.events.arguments import MOST_TABLES, EntrantNumber, ExpectedSeq, SeatNumber, TableNumber
from tournaments.events.checks import in_the_room, whole
from tournaments.events.models import Tournament
from tournaments.events.playing import HeldEvent, OrderReceipt
from tournaments.online import suggestions
from tournaments.online.suggestions import Suggestion

_CHOSEN = Limits(required=False, min_value=0, max_value=MOST_TABLES, help_text="0: the event's choice.")
SuggestionKey = Annotated[str, Limits(called="key", max_length=300, help_text="Of the suggestion.")]


@verb("events.draw_seats", roles=staff.DIRECTORS)
def draw_seats(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Draw everybody's seat, before the start and as often as wanted."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(SeatAll(seed()))
    return event.receipt


@verb("events.seat", roles=staff.DIRECTORS)
def seat(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Draw a seat for a player without one, at the shortest table; at a new table where all are full."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("seats are drawn by the tournament"))
        event.play(SeatLate(entrant, seed()))
    return event.receipt


@verb("events.move", roles=staff.DIRECTORS)
def move(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    table: TableNumber,
    seat: Annotated[
        SeatNumber, Limits(required=False, help_text="0: the one that opened last, as the rule for stud has it.")
    ] = 0,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    rule: Annotated[str, Limits(required=False, max_length=40, help_text="The rule that it is done by.")] = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Move one player, by the director's own choice or, with `rule`, by a rule that is named. `seat` 0: the one that
    opened last at that table, as the rule for stud has it."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        number = seat or _seat_that_opened(event, table)
        event.play(Move(entrant, table, number, " ".join(reason.split())[:200] or labels.BY_CHOICE(), rule[:40]))
    return event.receipt


@verb("events.swap", roles=staff.DIRECTORS)
def swap(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    other: EntrantNumber = 0,
    table: int = 0,
    seat: int = 0,
    reason: str = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Two players change seats, with their stacks, also where every table is full; one order, undone as one. `other` 0:
    whoever sits at `table` in `seat`.

    Refuses: `Illegal` (one of them has no seat, a reserved one, or is out; nobody sits there); online `Conflict` while
    one is in a hand.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(
            Swap(entrant, other or _sitting(event, table, seat), " ".join(reason.split())[:200] or labels.BY_CHOICE())
        )
    return event.receipt


@verb("events.break_table", roles=staff.DIRECTORS)
def break_table(*, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Break a table: its players draw for seats at the others, and it closes."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(BreakTable(table, seed(), event.busy))
    return event.receipt


@verb("events.balance", roles=staff.DIRECTORS)
def balance(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Every move that the rule for stud wants now, as one action."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Balance(event.busy))
    return event.receipt


@verb("events.draw_final_table", roles=staff.DIRECTORS)
def draw_final_table(
    *, tournament_id: RowId, table: Annotated[int, _CHOSEN] = 0, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """All who are left draw for one table; 0: the one that would break last."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(DrawFinalTable(seed(), table, event.busy))
    return event.receipt


@verb("events.draw_round", roles=staff.DIRECTORS)
def draw_round(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Shootout and bracket: the winners of the tables sit down for the next round."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("the next round is drawn by the tournament"))
        event.play(DrawRound(seed()))
    return event.receipt


@verb("events.open_table", roles=staff.DIRECTORS)
def open_table(
    *, tournament_id: RowId, table: Annotated[int, _CHOSEN] = 0, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Open one more table; 0: the next number."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("tables open with their players"))
        event.play(OpenTable(table))
    return event.receipt


@verb("events.close_table", roles=staff.DIRECTORS)
def close_table(*, tournament_id: RowId, table: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Close an empty table; one with players has to be broken."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        in_the_room(event.locked, gettext("tables close when their last player has gone"))
        event.play(CloseTable(table))
    return event.receipt


@verb("events.reserve_seat", roles=staff.DIRECTORS)
def reserve_seat(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    table: Annotated[int, Limits(min_value=0, max_value=MOST_TABLES, help_text="0: the seat is like any other again.")],
    seat: SeatNumber,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Reserve a seat for a player, who is then moved by no rule. Table 0: end the reservation."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(ReserveSeat(entrant, table, seat))
    return event.receipt


def _sitting(event: HeldEvent, table: int, seat: int) -> int:
    tables = event.state.tables
    found = tables[table].seats.get(seat) if table in tables else None
    if found is None:
        raise Illegal(
            "seat-free",
            "Nobody sits at table {table}, seat {seat}: move the player there instead.",
            table=table,
            seat=seat,
        )
    return found


def _seat_that_opened(event: HeldEvent, table: int) -> int:
    view = next((view for view in event.state.views() if view.number == table), None)
    if view is None:
        raise Illegal("no-such-table", "There is no table {table} open.", table=table)
    free = view.free()
    if not free:
        raise Illegal("no-room", "Table {table} has no free seat.", table=table)
    return free[0]


# The end of the event


@verb("events.finish", roles=staff.DIRECTORS)
def finish(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """End the event after a deal that left nothing to play for: those who are left rank by their chips."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Finish())
    return event.receipt


@verb("events.close_flight", roles=staff.DIRECTORS)
def close_flight(
    *,
    tournament_id: RowId,
    stacks: Annotated[Stacks, internal] = (),
    anyway: Annotated[bool, internal] = False,
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """The day is over with several left, whose stacks go on to the final. `stacks`: pairs of an entrant and what is in
    their bag, in the room; who is left out has what was counted last.

    Refuses: `Illegal` where a stack was never counted, or they do not come to the chips in play, unless it is to be
    done `anyway`; and online while a hand is played.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if event.busy:
            raise Illegal("hand-running", "A hand is being played: stop the clock, and end the flight after it.")
        if stacks:
            in_the_room(event.locked, gettext("chips are counted by the tables"))
            event.play(
                Chips(tuple([(number, whole(chips, "stack")) for number, chips in stacks]), labels.STACKS_BAGGED())
            )
        if not anyway:
            _check_bags(event.state)
        event.play(CloseFlight())
    return event.receipt


def _check_bags(state: Engine) -> None:
    bagged = sum(entrant.stack for entrant in state.in_play())
    if bagged != state.chips:
        pattern = (
            gettext(
                "The stacks that were counted come to {bagged:,} of {chips:,} chips, {wrong:,} too many: count every "
                "stack before they go on to the final."
            )
            if bagged > state.chips
            else gettext(
                "The stacks that were counted come to {bagged:,} of {chips:,} chips, {wrong:,} too few: count every "
                "stack before they go on to the final."
            )
        )
        said = filled(pattern, bagged=bagged, chips=state.chips, wrong=abs(bagged - state.chips))
        raise Illegal("bags-do-not-sum", Verbatim(said))
    uncounted = [entrant.name for entrant in state.in_play() if not state.is_counted(entrant)]
    if uncounted:
        names, more = ", ".join(uncounted[:3]), len(uncounted) - 3
        pattern = (
            gettext("Nobody has counted {names} and {more} more: count every stack before they go on to the final.")
            if more > 0
            else gettext("Nobody has counted {names}: count every stack before they go on to the final.")
        )
        raise Illegal("not-counted", Verbatim(filled(pattern, names=names, more=more)))


# Suggestions, confirmed or dismissed


_MOST_KEPT = 200


@verb("events.confirm", roles=staff.DIRECTORS)
def confirm(
    *, tournament_id: RowId, suggestion_key: SuggestionKey, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Carry out the suggestion with this key. `Stale` where it is suggested no longer; `Illegal` for what is only told.

    A colour-up that is confirmed has been done; to pay, use `payouts.pay`.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        suggestion = _found(event, suggestion_key)
        command = suggestions.command_of(suggestion)
        if command is not None:
            event.play(command)
        elif suggestion.kind == "colour-up":
            _keep(event, suggestion_key)
        else:
            raise Illegal("not-confirmable", "{title}: that has a button of its own.", title=suggestion.title)
    return event.receipt


@verb("events.dismiss", roles=staff.DIRECTORS)
def dismiss(
    *, tournament_id: RowId, suggestion_key: SuggestionKey, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Dismiss a suggestion until something it depends on changes. A second call does nothing."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        if suggestion_key not in suggestions.dismissed(event.row):
            event.busy = Rooms(event.locked).busy
            if _found(event, suggestion_key).kind == "pay":
                raise Illegal("not-dismissible", "Prizes cannot be dismissed: pay them.")
            _keep(event, suggestion_key)
    return event.receipt


@verb("events.auto_arrange", roles=staff.DIRECTORS)
def auto_arrange(*, tournament_id: RowId, on: bool, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Whether moves, breaks, the final table and late seats in the room are carried out without asking."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        _set(event.row, suggestions.AUTO_ARRANGE, bool(on))
    return event.receipt


def _found(event: HeldEvent, key: str) -> Suggestion:
    state = event.state
    owed = suggestions.owed(event.row, state)
    found = suggestions.of(state, now_ms=event_journal.ms(event.now), busy=event.busy, owed=owed)
    suggestion = next((each for each in found if each.key == key), None)
    if suggestion is None:
        raise Stale("suggestion-gone", "This suggestion is out of date: reload.", seq=event.row.seq)
    if not suggestion.is_confirmable:
        raise Illegal(
            "not-confirmable",
            "{title}: there is nothing to confirm.",
            rule=suggestion.rule or None,
            title=suggestion.title,
        )
    return suggestion


def _keep(event: HeldEvent, key: str) -> None:
    row = event.row
    keys = [*suggestions.dismissed(row), key][-_MOST_KEPT:]
    _set(row, suggestions.DISMISSED, {"event": row.pk, "keys": keys})


def _set(row: Tournament, name: str, value: object) -> None:
    row.options = row.options | {name: value}
    row.save(update_fields=["options"])
