"""How an order of the floor is carried out: played, done at the tables online, and what is arranged by itself after.

Prizes that have been paid bind the floor: an order after which somebody would have won another prize than was paid
is refused.
"""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Unpack

from tournaments.engine.commands import Command
from tournaments.journal import Receipt
from tournaments.models import Tournament
from tournaments.services import arranging, directing, payouts, staff
from tournaments.services.directing import Directed, Order
from tournaments.services.floor.rooms import Rooms

__all__ = ["give", "ordering", "seed"]


@contextmanager
def ordering(roles: tuple[str, ...], /, *, arranges: bool = True, **order: Unpack[Order]) -> Iterator[Directed]:
    """The event held for an order of the floor's; what follows from it is done on the way out. `arranges`: also what
    the event has arranged by itself."""
    with directing.directing(roles, **order) as held:
        if held.earlier is not None:
            yield held
            return
        rooms, first = Rooms(held.locked), held.locked.row.seq
        held.busy = rooms.busy
        yield held
        rooms.follow(held.locked.state.facts[first:], now=held.now)
        if arranges and held.locked.row.conduct == Tournament.Conduct.ROOM:
            arranging.arrange(held.locked, now=held.now)
        payouts.check_paid(held.locked)


def give(command: Command, roles: tuple[str, ...] = staff.DIRECTORS, /, **order: Unpack[Order]) -> Receipt:
    """Give one command."""
    with ordering(roles, **order) as held:
        if held.earlier is None:
            held.play(command)
    return held.receipt


def seed() -> int:
    """For a draw: it is kept with the fact, so that everybody can draw again."""
    return secrets.randbits(64)
