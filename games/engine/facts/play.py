"""What happens in a hand: the deal, the betting, the showdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.engine.facts.base import AUDITOR, Cards, DealtCard, Fact, Pot, Sees, Viewer, named

# -- the hand begins, and what the dealer does -----------------------------------------------------------------------


@named("hand-started", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class HandStarted(Fact):
    """The table as the hand finds it. ``order``: the seats dealt in, first to receive cards first. ``warned``: seats
    warned before for the order of their upcards. ``holds_out_of_turn``: an action out of turn binds. ``drop``: what
    the house takes, as pairs; none: nothing. ``unit``: the smallest chip, in which pots are
    split. ``shows_beaten``: seats that show a hand which they could muck; nobody else is told beforehand."""

    rulebook: str
    rulebook_version: str
    setting: str
    game: str
    structure: str
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    min_bet: int
    max_bet: int
    stacks: tuple[tuple[int, int], ...]
    dealer: int
    order: tuple[int, ...]
    absent: tuple[int, ...]
    players_left: int
    choices: tuple[tuple[str, Any], ...]
    is_hand_dealt: bool
    is_hand_shown: bool
    warned: tuple[int, ...] = ()
    holds_out_of_turn: bool = False
    drop: tuple[tuple[str, Any], ...] = ()
    unit: int = 1
    shows_beaten: tuple[int, ...] = ()

    def for_viewer(self, viewer: Viewer) -> Fact:
        if viewer == AUDITOR or not self.shows_beaten:
            return self
        return replace(self, shows_beaten=tuple([seat for seat in self.shows_beaten if seat == viewer]))


@named("shuffle-committed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShuffleCommitted(Fact):
    """What the room binds itself to before the first card: under ``scheme``, ``root`` commits to every card of the deck
    without telling any. ``was_told_before``: the hand before told it as its ``next_root``, so that players could cut.
    ``cuts``: (seat, hash of their words) of those who did. ``next_root`` commits to the deck of the next hand."""

    scheme: str
    root: str
    was_told_before: bool
    cuts: tuple[tuple[int, str], ...]
    next_root: str


@named("deck-shuffled")
@dataclass(frozen=True, slots=True)
class DeckShuffled(Fact):
    """The deck, top card first, and the order in which cards fall should they have to be mixed again. ``secret``: what
    the commitment to it was made from, in hex, and ``next_secret`` that of the next hand; empty where there is none."""

    deck: Cards | None
    scramble: Cards | None
    secret: str | None = ""
    next_secret: str | None = ""


@named("antes-posted", Sees.ALL)
@dataclass(frozen=True, slots=True)
class AntesPosted(Fact):
    """``antes``: (seat, chips) in the order posted; a short stack posts what it has. ``is_apart``: they make one pot
    that every hand can win whole, even if it posted less."""

    antes: tuple[tuple[int, int], ...]
    is_apart: bool = False


@named("cards-dealt", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class CardsDealt(Fact):
    """Cards off the stub, in the order they were dealt. A downcard is its owner's alone."""

    street: int
    cards: tuple[DealtCard, ...]

    def for_viewer(self, viewer: Viewer) -> Fact:
        if viewer == AUDITOR:
            return self
        seen = tuple([deal if deal[2] or deal[0] == viewer else (deal[0], None, False) for deal in self.cards])
        return CardsDealt(self.street, seen)


@named("card-burned", public=("street",))
@dataclass(frozen=True, slots=True)
class CardBurned(Fact):
    """The top of the stub went to the burn pile before ``street``; nobody sees it."""

    card: str | None
    street: int = 0


@named("stub-remixed", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class StubRemixed(Fact):
    """What was left of the stub, the burns and the cards set aside are one new stub, top card first."""

    stub: Cards

    def for_viewer(self, viewer: Viewer) -> Fact:
        return StubRemixed((None,) * len(self.stub))


@named("common-card-dealt", Sees.ALL)
@dataclass(frozen=True, slots=True)
class CommonCardDealt(Fact):
    """One card turned up in the middle that plays in every hand, in place of everybody's card of ``street``."""

    card: str | None
    street: int = 7


@named("no-card-left", Sees.ALL)
@dataclass(frozen=True, slots=True)
class NoCardLeft(Fact):
    """The whole deck is out: nobody gets a card on ``street``, and hands play with one less."""

    street: int


@named("announced", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Announced(Fact):
    """What the dealer says: ``what`` is lowcard, high-hand, completion, raise, pair, straight or flush."""

    what: str
    seat: int
    words: str


@named("ruled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Ruled(Fact):
    """A ruling: the rulebook point, the verdict, where the book says so (``rule``), our sentence for it, and its source
    in full (``citation``; empty in facts from before it was written down)."""

    key: str
    verdict: str
    rule: str
    seats: tuple[int, ...]
    words: str
    citation: str = ""


@named("call-weighed", Sees.OWNER, public=("seat",))
@dataclass(frozen=True, slots=True)
class CallWeighed(Fact):
    """At a last-round call: was the caller already beaten by upcards in sight? The answer tells of their downcards,
    so it is theirs alone; the fact itself follows every such call, lest its absence tell."""

    seat: int
    is_beaten: bool | None
    rule: str | None


#: How a hand begins, before its first card.
_OPENING = frozenset({"hand-started", "shuffle-committed", "deck-shuffled", "antes-posted"})


def opening_of(facts: Sequence[Fact]) -> int:
    """How many facts a hand began with, before its first card."""
    return sum(fact.kind in _OPENING for fact in facts[: len(_OPENING)])


# -- what players do with their chips --------------------------------------------------------------------------------


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


# -- the showdown and the pots ---------------------------------------------------------------------------------------


@named("showdown-opened", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowdownOpened(Fact):
    """The seats in the order in which they must show."""

    order: tuple[int, ...]


@named("show-due", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ShowDue(Fact):
    """``seat`` must show next, or muck where it ``may_muck`` (where hands are shown by their owners)."""

    seat: int
    may_muck: bool = True


@named("hand-tabled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandTabled(Fact):
    """All the betting is over before the last card: the hand is turned up while the rest is dealt."""

    seat: int
    cards: Cards


@named("hand-shown", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandShown(Fact):
    """The hand at the showdown: all its cards, the five that play, and what they make."""

    seat: int
    cards: Cards
    five: Cards
    words: str
    low_five: Cards
    low_words: str

    @property
    def made(self) -> str:
        """What it makes, high and low, as far as the game pays for them."""
        return "; ".join(filter(None, (self.words, self.low_words and f"low: {self.low_words}")))


@named("hand-mucked", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandMucked(Fact):
    """Thrown away unseen at the showdown; the cards stay hidden for good."""

    seat: int


@named("drop-taken", Sees.ALL)
@dataclass(frozen=True, slots=True)
class DropTaken(Fact):
    """What the house took before the pots were awarded: ``rake``, ``promo`` and ``jackpot``, and what each pot gave of
    all three, main pot first. ``why``: no-call, where the hand is free of it."""

    rake: int
    promo: int
    jackpot: int
    pots: tuple[int, ...]
    why: str = ""

    @property
    def total(self) -> int:
        return self.rake + self.promo + self.jackpot


@named("pot-awarded", Sees.ALL)
@dataclass(frozen=True, slots=True)
class PotAwarded(Fact):
    """``pot`` counts from 0, the main pot. ``share``: whole, high or low. ``odd``: odd chips within ``amount``."""

    pot: int
    seat: int
    amount: int
    share: str
    odd: int


@named("hand-ended", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandEnded(Fact):
    """The hand is over; ``stacks``: (seat, chips) of every seat dealt in."""

    stacks: tuple[tuple[int, int], ...]
