"""Hands as the event sees them: stacks, who is out, penalties, hand-for-hand."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Fact, named

#: (entrant, their chips when the hand began)
Bust = tuple[int, int]
#: (entrant, place as of now, how many share it, how many entries finished below them)
Out = tuple[int, int, int, int]
#: (whose bounty, who won it, money won, money put on the winner's own head)
BountyWon = tuple[int, int, int, int]


@named("busted")
@dataclass(frozen=True, slots=True)
class Busted(Fact):
    """``outs`` from the lowest place to the highest; a place may still go down while entry is open, as it is counted
    from below. ``by``: who took their last chips; ``bounties``: what that won them. ``table`` and ``hand`` 0: not said,
    or of several tables."""

    busts: tuple[Bust, ...]
    outs: tuple[Out, ...]
    table: int
    hand: int
    by: tuple[int, ...]
    bounties: tuple[BountyWon, ...]


@named("busts-held")
@dataclass(frozen=True, slots=True)
class BustsHeld(Fact):
    """Hand-for-hand: they are out when the hand is over at every table, and share with all who are."""

    busts: tuple[Bust, ...]
    table: int
    by: tuple[int, ...]


@named("revived")
@dataclass(frozen=True, slots=True)
class Revived(Fact):
    """The bust was a mistake: the player is in again with ``stack``, in this seat. ``bounty`` is on their head as
    before, and what others had won by it goes back."""

    entrant: int
    table: int
    seat: int
    stack: int
    seed: int
    bounty: int
    bounties: tuple[BountyWon, ...]


@named("counted")
@dataclass(frozen=True, slots=True)
class Counted(Fact):
    entrant: int
    chips: int


@named("table-counted")
@dataclass(frozen=True, slots=True)
class TableCounted(Fact):
    """What was counted at ``table``, all at once: (entrant, chips)."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@named("chips-raced")
@dataclass(frozen=True, slots=True)
class ChipsRaced(Fact):
    """The chips of ``leaving`` at ``table`` were raced for chips of ``following`` with these ``cards``. ``stacks``:
    (entrant, chips as counted before, chips after); ``added``: so many more chips are in play by it, or fewer."""

    table: int
    leaving: int
    following: int
    cards: tuple[str, ...]
    stacks: tuple[tuple[int, int, int], ...]
    added: int


@named("stacks-set")
@dataclass(frozen=True, slots=True)
class StacksSet(Fact):
    """(entrant, chips) after a hand."""

    stacks: tuple[tuple[int, int], ...]


@named("hand-for-hand-set")
@dataclass(frozen=True, slots=True)
class HandForHandSet(Fact):
    """``takes_minutes``: the clock stands, and every hand takes its minutes off it; ``stopped_clock``: it ran before,
    and goes on after."""

    is_on: bool
    takes_minutes: bool
    stopped_clock: bool


@named("hand-finished")
@dataclass(frozen=True, slots=True)
class HandFinished(Fact):
    """``table`` has played a hand; ``stacks`` (entrant, chips) after it, where they are known."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@named("hand-over")
@dataclass(frozen=True, slots=True)
class HandOver(Fact):
    """Hand-for-hand: every table has played hand ``number``, and the next one may begin."""

    number: int


@named("penalised")
@dataclass(frozen=True, slots=True)
class Penalised(Fact):
    """``penalty``: warning, hands, rounds or disqualified; ``hands``: how many the player misses by it."""

    entrant: int
    penalty: str
    count: int
    hands: int
    reason: str


@named("disqualified")
@dataclass(frozen=True, slots=True)
class Disqualified(Fact):
    """The player is out, and their ``chips`` leave play."""

    entrant: int
    place: int
    below: int
    chips: int
