"""What a director orders or a service reports, in the imperative. ``EventEngine.play`` turns it into facts or refuses.

``entrant`` is an entry's number, ``player`` the number of the player who made it. Seeds are any int: 64 random bits
from the caller.
"""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.engine.clock import Level
from tournaments.engine.config import FREE, EventConfig, Paid, PayoutTerms


@dataclass(frozen=True, slots=True)
class Command:
    """An order or a report to an event."""


# -- entries, and what they add ----------------------------------------------------------------------------------------


WAYS_IN = ("desk", "web", "ticket", "flight", "late", "api")
WAYS_OUT = ("withdrew", "no-show", "refund")


@dataclass(frozen=True, slots=True)
class ChangeTerms(Command):
    """Other terms, before the start."""

    config: EventConfig


@dataclass(frozen=True, slots=True)
class ChangePayout(Command):
    """Other terms of the payout, as long as nobody has agreed on it."""

    payout: PayoutTerms


@dataclass(frozen=True, slots=True)
class Register(Command):
    """``stack`` None: the starting stack. ``how``: one of ``WAYS_IN``."""

    player: int
    name: str
    paid: Paid = FREE
    stack: int | None = None
    how: str = "desk"


@dataclass(frozen=True, slots=True)
class Unregister(Command):
    """``why``: one of ``WAYS_OUT``. Once cards are in the air only a player who never came (``no-show``) can be taken
    off."""

    entrant: int
    why: str = "withdrew"


@dataclass(frozen=True, slots=True)
class ReEnter(Command):
    """The player of ``entrant``, who is out, enters once more."""

    entrant: int
    paid: Paid = FREE
    how: str = "late"


@dataclass(frozen=True, slots=True)
class Identify(Command):
    """The player of this entry, and of all their entries before and after it, is ``player``: a guest who turns out to
    be a member."""

    entrant: int
    player: int


@dataclass(frozen=True, slots=True)
class Rebuy(Command):
    """``stack``: what the player has now, where the event has not followed their chips (None: what it has). Online it
    always has."""

    entrant: int
    paid: Paid = FREE
    stack: int | None = None


@dataclass(frozen=True, slots=True)
class AddOn(Command):
    entrant: int
    paid: Paid = FREE


@dataclass(frozen=True, slots=True)
class KeepEntryOpen(Command):
    """Keeps entry open, or closed, at any level; None: by the terms again."""

    on: bool | None


# -- tables and seats --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReserveSeat(Command):
    """Table 0: no reservation any more."""

    entrant: int
    table: int
    seat: int


@dataclass(frozen=True, slots=True)
class SeatAll(Command):
    """Draw everybody's seat; until the start as often as wanted."""

    seed: int


@dataclass(frozen=True, slots=True)
class SeatLate(Command):
    """Draw a seat for a player without one, at a new table where all are full."""

    entrant: int
    seed: int


@dataclass(frozen=True, slots=True)
class OpenTable(Command):
    """0: the next number."""

    table: int = 0


@dataclass(frozen=True, slots=True)
class CloseTable(Command):
    table: int


@dataclass(frozen=True, slots=True)
class Move(Command):
    entrant: int
    table: int
    seat: int
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Swap(Command):
    """``entrant`` and ``other`` change seats, each with all they have; no seat has to be free."""

    entrant: int
    other: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class BreakTable(Command):
    """``busy``: tables in the middle of a hand."""

    table: int
    seed: int
    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Balance(Command):
    """Everything that evens the tables now; nobody leaves a table that is ``busy`` with a hand."""

    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawFinalTable(Command):
    """``table`` 0: the one that would break last."""

    seed: int
    table: int = 0
    busy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawRound(Command):
    """Shootout and bracket: the winners sit down for the next round."""

    seed: int


# -- the start, the clock and the levels -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Cards in the air."""


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the clock."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Let the clock go on."""


@dataclass(frozen=True, slots=True)
class AddTime(Command):
    """Milliseconds; below 0 takes them away."""

    ms: int


@dataclass(frozen=True, slots=True)
class SetRemaining(Command):
    ms: int


@dataclass(frozen=True, slots=True)
class RoomWasAway(Command):
    """Nobody could play in the last ``ms`` milliseconds: the clock goes on from where it stood before them."""

    ms: int


@dataclass(frozen=True, slots=True)
class GoTo(Command):
    """``level``: an index of the structure's levels."""

    level: int


@dataclass(frozen=True, slots=True)
class NextLevel(Command):
    """Begin the next level or break now."""


@dataclass(frozen=True, slots=True)
class PreviousLevel(Command):
    """Begin the level or break before this one again."""


@dataclass(frozen=True, slots=True)
class EditLevels(Command):
    """``levels`` from index ``from_level`` on instead of those that were there."""

    from_level: int
    levels: tuple[Level, ...]


@dataclass(frozen=True, slots=True)
class HandsPlayed(Command):
    """So many more hands of a level by hands; a level by time does not count them."""

    hands: int = 1


# -- hands, stacks, busts and penalties --------------------------------------------------------------------------------


PENALTIES = ("warning", "hands", "rounds", "disqualified")


@dataclass(frozen=True, slots=True)
class Bust(Command):
    """``busts``: (entrant, chips at the start of the hand), all of one hand at one table. ``by``: the entrants who won
    the chips."""

    busts: tuple[tuple[int, int], ...]
    table: int = 0
    hand: int = 0
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Revive(Command):
    """The bust was a mistake. ``stack`` None: what the player had. ``seed`` draws a seat where their own is taken."""

    entrant: int
    seed: int = 0
    stack: int | None = None


@dataclass(frozen=True, slots=True)
class Count(Command):
    entrant: int
    chips: int


@dataclass(frozen=True, slots=True)
class CountTable(Command):
    """``stacks``: (entrant, chips) of those at ``table`` whose stacks were counted."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CorrectChips(Command):
    """So many ``chips`` are really in play, in the room: a race went wrong, a table was given too many."""

    chips: int
    reason: str


@dataclass(frozen=True, slots=True)
class Chips(Command):
    """(entrant, chips) after a hand: the same chips in all, online. ``why``: what else it was."""

    stacks: tuple[tuple[int, int], ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class RaceChips(Command):
    """The chip race of ``table``: chips of ``leaving`` for chips of ``following``. ``stacks``: (seat, chips) of all
    who sit there, as counted; ``cards``: as ``chip_race.race`` has them."""

    table: int
    leaving: int
    following: int
    stacks: tuple[tuple[int, int], ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandForHand(Command):
    on: bool


@dataclass(frozen=True, slots=True)
class HandDone(Command):
    """``table`` has finished its hand; ``stacks`` after it where they are known, ``busts`` and ``by`` as in
    ``Bust``."""

    table: int
    busts: tuple[tuple[int, int], ...] = ()
    by: tuple[int, ...] = ()
    stacks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Penalise(Command):
    """``kind``: one of ``PENALTIES``; ``count``: how many hands or rounds."""

    entrant: int
    kind: str
    count: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockOn(Command):
    """Put the clock on a player."""

    entrant: int


@dataclass(frozen=True, slots=True)
class ClockOff(Command):
    """The player has acted."""

    entrant: int


# -- prizes, deals, the end, and what is taken back --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LockPayouts(Command):
    """Announce the prizes."""


@dataclass(frozen=True, slots=True)
class Agree(Command):
    """A deal that everybody left has accepted: (entrant, money), and ``play_for`` more for the winner."""

    deal: str
    amounts: tuple[tuple[int, int], ...]
    play_for: int = 0


@dataclass(frozen=True, slots=True)
class Finish(Command):
    """End the event after a deal that left nothing to play for."""


@dataclass(frozen=True, slots=True)
class CloseFlight(Command):
    """Stop with several left: their stacks go on to the next day."""


@dataclass(frozen=True, slots=True)
class Cancel(Command):
    reason: str


@dataclass(frozen=True, slots=True)
class PayOut(Command):
    """(entrant, money) of prizes that are paid now. ``covered``: what the house had added to the pool before;
    ``by_itself``: the event pays, and no person."""

    prizes: tuple[tuple[int, int], ...]
    covered: int = 0
    by_itself: bool = False


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Undo the last order."""


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Redo the order undone last, as long as nothing else was done."""
