"""The end, and what is taken back or done again. The event says which action that is: `undo_label`, `redo_label`."""

from typing import Unpack

from tournaments.engine.commands import CloseFlight, Finish, Redo, Undo
from tournaments.journal import Receipt
from tournaments.services import flights, staff
from tournaments.services.directing import Order
from tournaments.services.floor.ordering import give, ordering


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


def close_flight(**order: Unpack[Order]) -> Receipt:
    """The day is over with several left, whose stacks go on to the final."""
    return give(CloseFlight(), **order)
