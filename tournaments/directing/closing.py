"""The end of an event, or of a flight, by the director's order."""

from typing import Annotated

from django.utils.translation import gettext

from cardroom.core.arguments import RowId, internal
from cardroom.core.errors import Illegal, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import filled
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables
from tournaments.directing.hands import Stacks
from tournaments.engine import labels
from tournaments.engine.commands import Chips, CloseFlight, Finish
from tournaments.engine.tournament import EventEngine
from tournaments.events import staff
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import check_in_the_room, whole
from tournaments.events.playing import OrderReceipt


@verb("events.finish", roles=staff.DIRECTORS)
def finish(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """End the event after a deal that left nothing to play for: the remaining players rank by their chips."""
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
    their bag, in the room; a player not among them has what was counted last.

    Refuses: `Illegal` where a stack was never counted, or they do not come to the chips in play, unless it is to be
    done `anyway`; and online while a hand is played.
    """
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        if event.busy:
            raise Illegal("hand-running", "A hand is being played: stop the clock, and end the flight after it.")
        if stacks:
            check_in_the_room(event.locked, gettext("chips are counted by the tables"))
            event.play(
                Chips(tuple([(number, whole(chips, "stack")) for number, chips in stacks]), labels.STACKS_BAGGED())
            )
        if not anyway:
            _check_bags(event.state)
        event.play(CloseFlight())
    return event.receipt


def _check_bags(state: EventEngine) -> None:
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
        message = filled(pattern, bagged=bagged, chips=state.chips, wrong=abs(bagged - state.chips))
        raise Illegal("bags-do-not-sum", Verbatim(message))
    uncounted = [entrant.name for entrant in state.in_play() if not state.is_counted(entrant)]
    if uncounted:
        names, more = ", ".join(uncounted[:3]), len(uncounted) - 3
        pattern = (
            gettext("Nobody has counted {names} and {more} more: count every stack before they go on to the final.")
            if more > 0
            else gettext("Nobody has counted {names}: count every stack before they go on to the final.")
        )
        raise Illegal("not-counted", Verbatim(filled(pattern, names=names, more=more)))
