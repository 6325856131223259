"""Penalties, and the clock on a player."""

from typing import Annotated

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Illegal
from cardroom.core.models import User
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables
from tournaments.engine.commands import PENALTIES, ClockOff, ClockOn, Penalise
from tournaments.events import staff
from tournaments.events.arguments import EntrantNumber, ExpectedSeq, Why
from tournaments.events.checks import reason_of, whole
from tournaments.events.models import Tournament
from tournaments.events.playing import OrderReceipt

_MOST_HANDS = 100


@verb("events.penalise", roles=staff.DIRECTORS)
def penalise(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    kind: Annotated[str, Limits(choices=PENALTIES)],
    count: Annotated[
        int, Limits(required=False, min_value=0, max_value=_MOST_HANDS, help_text="Hands or rounds to miss.")
    ] = 0,
    reason: Annotated[Why, Limits(error_messages={"required": gettext_lazy("a penalty needs a reason.")})],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """A warning, or `count` hands or rounds to miss; `kind` as in `engine.commands.PENALTIES`. Online their seat serves
    it from the next hand on. A disqualified player is out, and their chips leave play; online between hands only:
    `Conflict` while they are in one."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if kind == "disqualified":
            why, number = reason_of(reason, of=gettext("a disqualification")), 0
        else:
            why = reason_of(reason, of=gettext("a penalty"))
            number = whole(count, "number", most=_MOST_HANDS)
        event.play(Penalise(entrant, kind, number, why))
    return event.receipt


@verb("events.disqualify", roles=staff.DIRECTORS)
def disqualify(
    *,
    tournament_id: RowId,
    entrant: EntrantNumber,
    reason: Annotated[str, Limits(required=False, max_length=200)] = "",
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """`penalise`, as a verb of its own."""
    return penalise(
        tournament_id=tournament_id,
        entrant=entrant,
        kind="disqualified",
        reason=reason,
        expected_seq=expected_seq,
        by=by,
    )


@verb("events.clock_on", roles=staff.TABLES)
def clock_on(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """Put the clock on the player: 25 seconds and a countdown of five. Also for the floor at the tables."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if event.row.conduct == Tournament.Conduct.ONLINE:
            raise Illegal("online-tables", "Online every turn has its clock already.", rule="TDA 29")
        event.play(ClockOn(entrant))
    return event.receipt


@verb("events.clock_off", roles=staff.TABLES)
def clock_off(
    *, tournament_id: RowId, entrant: EntrantNumber, expected_seq: ExpectedSeq = None, by: User | None
) -> OrderReceipt:
    """The player has acted."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(ClockOff(entrant))
    return event.receipt
