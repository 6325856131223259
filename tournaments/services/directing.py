"""What every order of a director has in common: who gives it, on what view of the event, under which name.

An order is one transaction with the event locked. It raises `NotFound`, `Forbidden` (no role for it), `Stale` (another
director did something meanwhile; it says what), and `Illegal` in the engine's words, with the rule.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import NotRequired, TypedDict, Unpack

from cardroom.models import User
from cardroom.services.errors import Illegal, Invalid
from tournaments.engine.commands import Command
from tournaments.journal import Receipt
from tournaments.models import Tournament
from tournaments.services import playing, staff
from tournaments.services.locking import Locked

_REASON = range(3, 201)


class Order(TypedDict):
    """`by` None: the house itself. `expected_seq`: the event's `seq` as the director saw it; `command_id`: the caller's
    own word for this order, of which a repeat is answered as the first was."""

    tournament_id: int
    by: User | None
    now: NotRequired[datetime]
    expected_seq: NotRequired[int | None]
    command_id: NotRequired[str]


@dataclass(slots=True)
class Directed:
    """An event that an order may change. `earlier`: what the same order was answered before; then do nothing.
    `busy`: the event's tables in the middle of a hand, as far as the house knows."""

    locked: Locked
    by: User | None
    now: datetime
    key: str
    earlier: Receipt | None = None
    busy: tuple[int, ...] = ()
    _first: int = field(default=0)

    def play(self, command: Command) -> Receipt:
        """Play a command; the first one goes by the name of the order."""
        receipt = playing.play(self.locked, command, now=self.now, by=self.by, key=self.key)
        self.key = ""
        self._first = self._first or receipt.facts_from
        return receipt

    @property
    def receipt(self) -> Receipt:
        """Everything that was done."""
        if self.earlier is not None:
            return self.earlier
        length = self.locked.row.seq
        return Receipt(seq=length, facts_from=self._first or length + 1)


@contextmanager
def directing(roles: tuple[str, ...] = staff.DIRECTORS, /, **order: Unpack[Order]) -> Iterator[Directed]:
    """The event held for somebody who holds one of `roles`. Look at `earlier` first."""
    by = order["by"]
    staff.require(by, roles)
    key = playing.key_of(by, order.get("command_id", ""))
    with playing.holding(order["tournament_id"], now=order.get("now")) as locked:
        earlier = playing.answered(locked, key)
        if earlier is None:
            playing.opened(locked)
            playing.check_seq(locked, order.get("expected_seq"))
        yield Directed(locked, by, locked.now, key, earlier)


def direct(
    command: Command,
    roles: tuple[str, ...] = staff.DIRECTORS,
    /,
    *,
    then: Callable[[Directed], None] | None = None,
    **order: Unpack[Order],
) -> Receipt:
    """Give one command, and do what goes with it."""
    with directing(roles, **order) as held:
        if held.earlier is None:
            held.play(command)
            if then is not None:
                then(held)
    return held.receipt


def reason_of(text: str, *, of: str) -> str:
    """Why it was done, where the rules want it said. `Invalid` without."""
    text = " ".join(text.split())
    if len(text) not in _REASON or not text.isprintable():
        raise Invalid(f"Say in {_REASON[0]} to {_REASON[-1]} characters why: {of} has a reason.", "reason-required")
    return text


def whole(value: int, what: str, *, least: int = 0, most: int = 10**15) -> int:
    """A whole number in its range, or `Invalid` naming it."""
    if type(value) is not int or not least <= value <= most:
        raise Invalid(f"The {what} is a whole number from {least:,} to {most:,}.", f"bad-{what.replace(' ', '-')}")
    return value


def in_the_room(locked: Locked, what: str) -> None:
    """`Illegal` online, where the tables themselves say it."""
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        raise Illegal(f"Online {what}: nobody enters it by hand.", "online-tables")
