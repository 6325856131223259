"""What happened in a tournament, in the past tense: frozen and JSON-safe.

Money and chips are ints, entrants are numbered from 1 in the order of entry, tables and seats from 1, and ``at`` is in
milliseconds since the epoch. Nothing here is secret.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

from tournaments.engine import plain
from tournaments.engine.clock import Clock, Level
from tournaments.engine.config import EventConfig, Paid, PayoutTerms
from tournaments.engine.plain import Sentence


@dataclass(frozen=True, slots=True)
class EventFact:
    """One thing that happened. ``kind`` is its stable name in JSON: a changed meaning is a new kind.

    ``at``: milliseconds since the epoch. ``label``: what was done, in words for people; the facts after it without a
    label belong to the same action. ``follows``: another command of the same order went before, and the two are undone
    together: a late entry and its seat.
    """

    kind: ClassVar[str] = ""

    at: int = field(kw_only=True)
    label: Sentence = field(default="", kw_only=True)
    follows: bool = field(default=False, kw_only=True)


KINDS: dict[str, type[EventFact]] = {}

F = TypeVar("F", bound=EventFact)


@dataclass_transform(frozen_default=True)
def fact(kind: str) -> Callable[[type[F]], type[F]]:
    """Make a class a frozen dataclass of facts, known by its stable kind."""

    def register(cls: type[F]) -> type[F]:
        fact_class = dataclass(frozen=True, slots=True)(cls)
        fact_class.kind = kind
        KINDS[kind] = fact_class
        return fact_class

    return register


def from_json(kind: str, data: dict[str, Any]) -> EventFact:
    """The fact of which ``data`` are the fields by name. Raises ``ValueError`` for an unknown kind or wrong fields."""
    cls = KINDS.get(kind)
    if cls is None:
        raise ValueError(f"there is no kind of fact called {kind!r}")
    return plain.from_plain(cls, data, kind)


# -- who comes in, and who goes before they are out --------------------------------------------------------------------


@fact("announced")
class EventAnnounced(EventFact):
    """The event and its terms; the first fact of every tournament."""

    config: EventConfig


@fact("terms-changed")
class TermsChanged(EventFact):
    """Other terms, before the start."""

    config: EventConfig


@fact("entered")
class Entered(EventFact):
    """``player`` has entry number ``entrant``. ``stack``: the chips to start with; ``bounty``: what is on their head.
    ``how``: desk, web, ticket, flight, late or api. ``re_entry_of``: their entry before this one, or 0."""

    entrant: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    bounty: int = 0
    re_entry_of: int = 0


@fact("entered-as-alternate")
class EnteredAsAlternate(EventFact):
    """The event is full: the player waits, and counts as an entry only when let in."""

    entrant: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    bounty: int = 0
    re_entry_of: int = 0


@fact("alternate-admitted")
class AlternateAdmitted(EventFact):
    """There is room now: the alternate is in."""

    entrant: int


@fact("withdrew")
class Withdrew(EventFact):
    """As if the player had never entered. ``why``: withdrew, no-show or refund. ``chips`` left play with them."""

    entrant: int
    why: str
    chips: int


@fact("identified")
class Identified(EventFact):
    """The player known as ``was`` in all their entries, ``entrant`` among them, is ``player``."""

    entrant: int
    was: int
    player: int


@fact("rebought")
class Rebought(EventFact):
    """``chips`` were added to the ``before`` that the player had, and ``bounty`` to what is on their head."""

    entrant: int
    paid: Paid
    before: int
    chips: int
    bounty: int = 0


@fact("added-on")
class AddedOn(EventFact):
    entrant: int
    paid: Paid
    chips: int
    bounty: int = 0


@fact("entry-kept")
class EntryKept(EventFact):
    """The director keeps entry open, or closed, at any level; None: by the terms again."""

    is_open: bool | None


# -- tables and seats --------------------------------------------------------------------------------------------------


#: (entrant, table, seat)
Seat = tuple[int, int, int]


@fact("seat-reserved")
class SeatReserved(EventFact):
    """The player sits here and is never drawn or moved elsewhere; `table` 0: like everybody again."""

    entrant: int
    table: int
    seat: int


@fact("seats-drawn")
class SeatsDrawn(EventFact):
    """The draw of all who were in. Anyone who has ``seed`` can draw again and see the same seats."""

    seats: tuple[Seat, ...]
    seed: int


@fact("seated")
class Seated(EventFact):
    """One entrant got a seat. ``seed`` 0: it was not drawn, an alternate took the seat that opened."""

    entrant: int
    table: int
    seat: int
    seed: int


@fact("table-opened")
class TableOpened(EventFact):
    table: int
    size: int


@fact("table-closed")
class TableClosed(EventFact):
    table: int


@fact("moved")
class Moved(EventFact):
    """``rule``: its citation; ``why``: in a sentence, with the numbers. Where two swap, two of these follow each other,
    and the first takes a seat that the second is about to leave."""

    entrant: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    rule: str
    why: Sentence


@fact("table-broken")
class TableBroken(EventFact):
    """The moves of its players follow, then it is closed."""

    table: int
    seed: int


@fact("final-table-drawn")
class FinalTableDrawn(EventFact):
    """All who are left sit at one ``table`` of ``size`` seats; every other table is closed."""

    table: int
    size: int
    seats: tuple[Seat, ...]
    seed: int


@fact("round-drawn")
class RoundDrawn(EventFact):
    """Shootout and bracket: the winners of the tables before sit down anew, with ``stack`` each. ``byes``: entrants
    who are in the next round without playing this one."""

    round: int
    seats: tuple[Seat, ...]
    byes: tuple[int, ...]
    stack: int
    seed: int


# -- the start, the clock and the levels -------------------------------------------------------------------------------


@fact("began")
class Began(EventFact):
    """Cards are in the air."""

    clock: Clock


@fact("clock-set")
class ClockSet(EventFact):
    """``why``: paused, resumed, time, level, away, hands, hand-for-hand or round."""

    clock: Clock
    why: str


@fact("levels-edited")
class LevelsEdited(EventFact):
    """``levels`` stand from index ``from_level`` on; the clock keeps what has passed of the current one."""

    from_level: int
    levels: tuple[Level, ...]
    clock: Clock


@fact("clock-called")
class ClockCalled(EventFact):
    """The player must have acted by ``ends_at``."""

    entrant: int
    ends_at: int


@fact("clock-lifted")
class ClockLifted(EventFact):
    """The player has acted."""

    entrant: int


# -- hands, stacks, busts and penalties --------------------------------------------------------------------------------


#: (entrant, their chips when the hand began)
Bust = tuple[int, int]
#: (entrant, place as of now, how many share it, how many entries finished below them)
Out = tuple[int, int, int, int]
#: (whose bounty, who won it, money won, money put on the winner's own head)
BountyWon = tuple[int, int, int, int]


@fact("busted")
class Busted(EventFact):
    """``outs`` from the lowest place to the highest; a place may still go down while entry is open, as it is counted
    from below. ``by``: the entrants who took their last chips; ``bounties``: what that won them. ``table`` and ``hand``
    0: not said, or of several tables."""

    busts: tuple[Bust, ...]
    outs: tuple[Out, ...]
    table: int
    hand: int
    by: tuple[int, ...]
    bounties: tuple[BountyWon, ...]


@fact("busts-held")
class BustsHeld(EventFact):
    """Hand-for-hand: they are out when the hand is over at every table, and share with all who are."""

    busts: tuple[Bust, ...]
    table: int
    by: tuple[int, ...]


@fact("revived")
class Revived(EventFact):
    """The bust was a mistake: the player is in again with ``stack``, in this seat. ``bounty`` is on their head as
    before, and what others had won by it goes back."""

    entrant: int
    table: int
    seat: int
    stack: int
    seed: int
    bounty: int
    bounties: tuple[BountyWon, ...]


@fact("counted")
class Counted(EventFact):
    entrant: int
    chips: int


@fact("table-counted")
class TableCounted(EventFact):
    """What was counted at ``table``, all at once: (entrant, chips)."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@fact("chips-raced")
class ChipsRaced(EventFact):
    """The chips of ``leaving`` at ``table`` were raced for chips of ``following`` with these ``cards``. ``stacks``:
    (entrant, chips as counted before, chips after); ``added``: so many more chips are in play by it, or fewer."""

    table: int
    leaving: int
    following: int
    cards: tuple[str, ...]
    stacks: tuple[tuple[int, int, int], ...]
    added: int


@fact("chips-corrected")
class ChipsCorrected(EventFact):
    """So many ``chips`` are in play as a director found; ``added``: so many more than were known of, or fewer."""

    chips: int
    added: int
    reason: str


@fact("stacks-set")
class StacksSet(EventFact):
    """(entrant, chips) after a hand."""

    stacks: tuple[tuple[int, int], ...]


@fact("hand-for-hand-set")
class HandForHandSet(EventFact):
    """``takes_minutes``: the clock stands, and every hand takes its minutes off it; ``stopped_clock``: it ran before,
    and goes on after."""

    is_on: bool
    takes_minutes: bool
    stopped_clock: bool


@fact("hand-finished")
class HandFinished(EventFact):
    """``table`` has played a hand; ``stacks`` (entrant, chips) after it, where they are known."""

    table: int
    stacks: tuple[tuple[int, int], ...]


@fact("hand-over")
class HandOver(EventFact):
    """Hand-for-hand: every table has played hand ``number``, and the next one may begin."""

    number: int


@fact("penalised")
class Penalised(EventFact):
    """``penalty``: warning, hands, rounds or disqualified; ``hands``: how many the player misses by it."""

    entrant: int
    penalty: str
    count: int
    hands: int
    reason: str


@fact("disqualified")
class Disqualified(EventFact):
    """The player is out, and their ``chips`` leave play."""

    entrant: int
    place: int
    below: int
    chips: int


# -- prizes, deals and the end -----------------------------------------------------------------------------------------


@fact("payout-changed")
class PayoutChanged(EventFact):
    """Other terms of the payout."""

    payout: PayoutTerms


@fact("payouts-locked")
class PayoutsLocked(EventFact):
    """``prizes``, first prize first, from the ``pool`` of so many ``entries``."""

    pool: int
    entries: int
    prizes: tuple[int, ...]


@fact("deal-made")
class DealMade(EventFact):
    """Everybody left agreed: (entrant, money), and ``play_for`` more for the winner. ``deal``: icm, chip, even or
    custom."""

    deal: str
    amounts: tuple[tuple[int, int], ...]
    play_for: int


@fact("ended")
class EventEnded(EventFact):
    """``left``: (entrant, place, how many share it, how many finished below) of those who were never out; ``prizes``:
    (entrant, money) of all who are paid; ``bounties``: (entrant, money) still to come at the end."""

    left: tuple[tuple[int, int, int, int], ...]
    prizes: tuple[tuple[int, int], ...]
    bounties: tuple[tuple[int, int], ...]


@fact("flight-closed")
class FlightClosed(EventFact):
    """The flight stops with several left, who take their ``stacks`` (entrant, chips) to the next day. It pays nothing
    itself."""

    stacks: tuple[tuple[int, int], ...]


@fact("cancelled")
class Cancelled(EventFact):
    reason: Sentence


@fact("prizes-paid")
class PrizesPaid(EventFact):
    """The money is out: nothing before this is undone. Events of before payments could be undone have it."""


@fact("paid-out")
class PaidOut(EventFact):
    """(entrant, money) of the ``prizes`` that were paid; none where they wait in cash at the desk. ``covered``: what
    the house had added to reach a guarantee before. ``by_itself``: the event paid, and no person."""

    prizes: tuple[tuple[int, int], ...]
    covered: int
    by_itself: bool


# -- what is taken back ------------------------------------------------------------------------------------------------


@fact("action-undone")
class ActionUndone(EventFact):
    """Facts ``first`` to ``last`` (numbered from 1) no longer stand. Nothing is deleted and the numbering goes on."""

    first: int
    last: int


@fact("action-redone")
class ActionRedone(EventFact):
    """Facts ``first`` to ``last`` stand again, where they stood."""

    first: int
    last: int


#: The kinds by which money moved: it has to move back when they are undone.
OF_MONEY = frozenset({Entered.kind, EnteredAsAlternate.kind, Withdrew.kind, Rebought.kind, AddedOn.kind, PaidOut.kind})
#: An order is called by what it did first, or by one of these where it led to one: seats are drawn for a start.
NAMES_AN_ORDER = frozenset({Began.kind, FlightClosed.kind})
#: The kinds of what was counted.
OF_COUNTS = frozenset({Counted.kind, TableCounted.kind})
#: Kinds of facts about hands, which follow each other all the time online: no director caused them.
OF_HANDS = frozenset({StacksSet.kind, HandFinished.kind})
