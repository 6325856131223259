"""The end, and what is taken back or done again. The event says which action that is: `undo_label`, `redo_label`."""

from collections.abc import Sequence
from typing import Unpack

from cardroom.services.errors import Illegal
from tournaments.engine.commands import Chips, CloseFlight, Finish, Redo, Undo
from tournaments.engine.tournament import Tournament as Engine
from tournaments.journal import Receipt
from tournaments.services import flights, staff
from tournaments.services.directing import Order, in_the_room, whole
from tournaments.services.floor.ordering import give, ordering

Stacks = Sequence[tuple[int, int]]


def undo(**order: Unpack[Order]) -> Receipt:
    """Take back the last action of the floor that can be. Refuses (`Illegal`): money that changed hands, hands that
    were played online, prizes that were paid, and what later actions stand on; each with its reason."""
    with ordering(staff.DIRECTORS, arranges=False, **order) as held:
        if held.earlier is None:
            flights.check_not_carried(held.locked)
            held.play(Undo())
    return held.receipt


def redo(**order: Unpack[Order]) -> Receipt:
    """Do again what was undone last, unless something was done since."""
    with ordering(staff.DIRECTORS, arranges=False, **order) as held:
        if held.earlier is None:
            held.play(Redo())
    return held.receipt


def finish(**order: Unpack[Order]) -> Receipt:
    """Play no further after a deal that left nothing to play for: those who are left rank by their chips."""
    return give(Finish(), **order)


def close_flight(*, stacks: Stacks = (), anyway: bool = False, **order: Unpack[Order]) -> Receipt:
    """The day is over with several left, whose stacks go on to the final. `stacks`: pairs of an entrant and what is in
    their bag, in the room; who is left out has what was counted last.

    Refuses: `Illegal` where a stack was never counted, or they do not come to the chips in play, unless it is to be
    done `anyway`; and online while a hand is played.
    """
    with ordering(staff.DIRECTORS, **order) as held:
        if held.earlier is None:
            if held.busy:
                raise Illegal("A hand is being played: stop the clock, and end the flight after it.", "hand-running")
            if stacks:
                in_the_room(held.locked, "chips are counted by the tables")
                held.play(Chips(tuple([(number, whole(chips, "stack")) for number, chips in stacks]), "Stacks bagged"))
            if not anyway:
                _check_bags(held.locked.state)
            held.play(CloseFlight())
    return held.receipt


def _check_bags(state: Engine) -> None:
    bagged = sum(entrant.stack for entrant in state.in_play())
    if bagged != state.chips:
        wrong = f"{abs(bagged - state.chips):,} too {'many' if bagged > state.chips else 'few'}"
        raise Illegal(
            f"The stacks that were counted come to {bagged:,} of {state.chips:,} chips, {wrong}: count every stack "
            "before they go on to the final.",
            "bags-do-not-sum",
        )
    uncounted = [entrant.name for entrant in state.in_play() if not state.is_counted(entrant)]
    if uncounted:
        more = f" and {len(uncounted) - 3} more" if len(uncounted) > 3 else ""
        raise Illegal(
            f"Nobody has counted {', '.join(uncounted[:3])}{more}: count every stack before they go on to the final.",
            "not-counted",
        )
