"""Tables and seats in an event: drawn, moved, balanced, broken, reserved; suggestions confirmed.

Draws are made here and the seed is shown to everybody. Online tables open and close with their players; a table in the
middle of a hand keeps them until it is over.
"""

from typing import Unpack

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.errors import Illegal, Stale, Verbatim
from cardroom.core.sentences import filled
from tournaments.directing.hands import Rooms, Stacks, an_order, seed
from tournaments.engine import labels
from tournaments.engine.commands import (
    Balance,
    BreakTable,
    Chips,
    CloseFlight,
    CloseTable,
    Command,
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
from tournaments.events import staff
from tournaments.events.checks import in_the_room, whole
from tournaments.events.journal import Receipt
from tournaments.events.models import Tournament
from tournaments.events.playing import Directed, Order, directing
from tournaments.online import suggestions
from tournaments.online.suggestions import Suggestion


@an_order()
def draw_seats(held: Directed) -> Command:
    """Draw everybody's seat, before the start and as often as wanted."""
    return SeatAll(seed())


@an_order(online=gettext_lazy("seats are drawn by the tournament"))
def seat(held: Directed, *, entrant: int) -> Command:
    """Draw a seat for a player without one, at the shortest table; at a new table where all are full."""
    return SeatLate(entrant, seed())


@an_order()
def move(held: Directed, *, entrant: int, table: int, seat: int = 0, reason: str = "", rule: str = "") -> Command:
    """Move one player, by the director's own choice or, with `rule`, by a rule that is named. `seat` 0: the one that
    opened last at that table, as the rule for stud has it."""
    number = seat or _seat_that_opened(held, table)
    return Move(entrant, table, number, " ".join(reason.split())[:200] or labels.BY_CHOICE(), rule[:40])


@an_order()
def swap(held: Directed, *, entrant: int, other: int = 0, table: int = 0, seat: int = 0, reason: str = "") -> Command:
    """Two players change seats, with their stacks, also where every table is full; one order, undone as one. `other` 0:
    whoever sits at `table` in `seat`.

    Refuses: `Illegal` (one of them has no seat, a reserved one, or is out; nobody sits there); online `Conflict` while
    one is in a hand.
    """
    return Swap(entrant, other or _sitting(held, table, seat), " ".join(reason.split())[:200] or labels.BY_CHOICE())


@an_order()
def break_table(held: Directed, *, table: int) -> Command:
    """Break a table: its players draw for seats at the others, and it closes."""
    return BreakTable(table, seed(), held.busy)


@an_order()
def balance(held: Directed) -> Command:
    """Every move that the rule for stud wants now, as one action."""
    return Balance(held.busy)


@an_order()
def draw_final_table(held: Directed, *, table: int = 0) -> Command:
    """All who are left draw for one table; 0: the one that would break last."""
    return DrawFinalTable(seed(), table, held.busy)


@an_order(online=gettext_lazy("the next round is drawn by the tournament"))
def draw_round(held: Directed) -> Command:
    """Shootout and bracket: the winners of the tables sit down for the next round."""
    return DrawRound(seed())


@an_order(online=gettext_lazy("tables open with their players"))
def open_table(held: Directed, *, table: int = 0) -> Command:
    """Open one more table; 0: the next number."""
    return OpenTable(table)


@an_order(online=gettext_lazy("tables close when their last player has gone"))
def close_table(held: Directed, *, table: int) -> Command:
    """Close an empty table; one with players has to be broken."""
    return CloseTable(table)


@an_order()
def reserve_seat(held: Directed, *, entrant: int, table: int, seat: int) -> Command:
    """Reserve a seat for a player, who is then moved by no rule. Table 0: end the reservation."""
    return ReserveSeat(entrant, table, seat)


def _sitting(held: Directed, table: int, seat: int) -> int:
    tables = held.locked.state.tables
    found = tables[table].seats.get(seat) if table in tables else None
    if found is None:
        raise Illegal(
            "seat-free",
            "Nobody sits at table {table}, seat {seat}: move the player there instead.",
            table=table,
            seat=seat,
        )
    return found


def _seat_that_opened(held: Directed, table: int) -> int:
    view = next((view for view in held.locked.state.views() if view.number == table), None)
    if view is None:
        raise Illegal("no-such-table", "There is no table {table} open.", table=table)
    free = view.free()
    if not free:
        raise Illegal("no-room", "Table {table} has no free seat.", table=table)
    return free[0]


# The end of the event


@an_order()
def finish(held: Directed) -> Command:
    """End the event after a deal that left nothing to play for: those who are left rank by their chips."""
    return Finish()


@an_order()
def close_flight(held: Directed, *, stacks: Stacks = (), anyway: bool = False) -> Command:
    """The day is over with several left, whose stacks go on to the final. `stacks`: pairs of an entrant and what is in
    their bag, in the room; who is left out has what was counted last.

    Refuses: `Illegal` where a stack was never counted, or they do not come to the chips in play, unless it is to be
    done `anyway`; and online while a hand is played.
    """
    if held.busy:
        raise Illegal("hand-running", "A hand is being played: stop the clock, and end the flight after it.")
    if stacks:
        in_the_room(held.locked, gettext("chips are counted by the tables"))
        held.play(Chips(tuple([(number, whole(chips, "stack")) for number, chips in stacks]), labels.STACKS_BAGGED()))
    if not anyway:
        _check_bags(held.locked.state)
    return CloseFlight()


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


@an_order()
def confirm(held: Directed, *, key: str) -> Command | None:
    """Carry out the suggestion with this key. `Stale` where it is suggested no longer; `Illegal` for what is only told.

    A colour-up that is confirmed has been done; to pay, use `payouts.pay`.
    """
    suggestion = _found(held, key)
    command = suggestions.command_of(suggestion)
    if command is None:
        if suggestion.kind != "colour-up":
            raise Illegal("not-confirmable", "{title}: that has a button of its own.", title=suggestion.title)
        _keep(held, key)
    return command


def dismiss(*, key: str, **order: Unpack[Order]) -> Receipt:
    """Dismiss a suggestion until something it depends on changes. A second call does nothing."""
    with directing(staff.DIRECTORS, **order) as held:
        if held.earlier is None and key not in suggestions.dismissed(held.locked.row):
            held.busy = Rooms(held.locked).busy
            if _found(held, key).kind == "pay":
                raise Illegal("not-dismissible", "Prizes cannot be dismissed: pay them.")
            _keep(held, key)
    return held.receipt


@an_order()
def auto_arrange(held: Directed, *, on: bool) -> None:
    """Whether moves, breaks, the final table and late seats in the room are carried out without asking."""
    _set(held.locked.row, suggestions.AUTO_ARRANGE, bool(on))


def _found(held: Directed, key: str) -> Suggestion:
    state = held.locked.state
    owed = suggestions.owed(held.locked.row, state)
    found = suggestions.of(state, now_ms=event_journal.ms(held.now), busy=held.busy, owed=owed)
    suggestion = next((each for each in found if each.key == key), None)
    if suggestion is None:
        raise Stale("suggestion-gone", "This suggestion is out of date: reload.", seq=held.locked.row.seq)
    if not suggestion.is_confirmable:
        raise Illegal(
            "not-confirmable",
            "{title}: there is nothing to confirm.",
            rule=suggestion.rule or None,
            title=suggestion.title,
        )
    return suggestion


def _keep(held: Directed, key: str) -> None:
    row = held.locked.row
    keys = [*suggestions.dismissed(row), key][-_MOST_KEPT:]
    _set(row, suggestions.DISMISSED, {"event": row.pk, "keys": keys})


def _set(row: Tournament, name: str, value: object) -> None:
    row.options = row.options | {name: value}
    row.save(update_fields=["options"])
