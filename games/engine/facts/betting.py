"""What players do with their chips."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Fact, Pot, Sees, named


@named("round-opened", Sees.ALL)
@dataclass(frozen=True, slots=True)
class RoundOpened(Fact):
    """Betting begins. ``named``: the lowcard on third street, the high hand later; ``opener`` acts first and is another
    seat when the named one cannot act. ``sizes``: the limits in force; ``is_bring_in``: the forced bet is owed."""

    street: int
    named: int
    opener: int
    sizes: tuple[int, ...]
    is_bring_in: bool


@named("action-on", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ActionOn(Fact):
    """It is ``seat``'s turn, and these are exactly the legal actions.

    ``call``: chips to add (0: nothing to call). ``bring_in``: the forced bet as the seat's total (0: not owed).
    ``verb``: bet, complete-to or raise-to, '' when no wager is open; ``sizes``: the seat's totals for the street, or
    ``(least, most)`` when ``is_range``.
    """

    seat: int
    can_fold: bool
    can_check: bool
    call: int
    bring_in: int
    verb: str
    sizes: tuple[int, ...]
    is_range: bool
    can_declare_all_in: bool


@named("timed-out", Sees.ALL)
@dataclass(frozen=True, slots=True)
class TimedOut(Fact):
    """The action clock ran out; what was done for the seat follows."""

    seat: int


@named("bring-in-posted", Sees.ALL)
@dataclass(frozen=True, slots=True)
class BringInPosted(Fact):
    """The forced bet. ``level`` is what the others must match, also when the stack was short of it."""

    seat: int
    amount: int
    level: int


@named("checked", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Checked(Fact):
    """No wager, and none made."""

    seat: int


@named("called", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Called(Fact):
    """``amount``: chips added; less than the price when it was all the seat had."""

    seat: int
    amount: int


@named("wagered", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Wagered(Fact):
    """A bet, completion or raise (``verb``). ``amount``: chips added; ``to``: the seat's total for the street.

    ``full``: the level of the last wager that counted as full; ``raises``: raises used; ``sizes``: the limits in
    force from here on; ``least_raise``: without fixed limit, the last full bet or raise; ``is_capped``: no more.
    """

    seat: int
    verb: str
    amount: int
    to: int
    full: int
    raises: int
    sizes: tuple[int, ...]
    least_raise: int
    is_capped: bool


@named("folded", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Folded(Fact):
    """The hand is dead. ``is_still_dealt_to``: the seat keeps its place in the deal until a bet."""

    seat: int
    is_still_dealt_to: bool


@named("seats-skipped", Sees.ALL)
@dataclass(frozen=True, slots=True)
class SeatsSkipped(Fact):
    """A bet killed these folded hands for good: they get no more cards."""

    seats: tuple[int, ...]


@named("hand-killed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandKilled(Fact):
    """The hand is dead by a rule, not by its owner's choice."""

    seat: int


@named("player-left", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    """The player is absent from now on."""

    seat: int


@named("player-back", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PlayerBack(Fact):
    """The absent player is back."""

    seat: int


@named("bet-returned", Sees.ALL)
@dataclass(frozen=True, slots=True)
class BetReturned(Fact):
    """Chips nobody called go back before the pot is touched."""

    seat: int
    amount: int


@named("round-closed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class RoundClosed(Fact):
    """The betting on ``street`` is over and its chips are in the pots, main pot first."""

    street: int
    pots: tuple[Pot, ...]
