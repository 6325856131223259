"""The hand begins, and what the dealer does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .base import AUDITOR, Cards, DealtCard, Fact, Sees, Viewer, named


@named("hand-started", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandStarted(Fact):
    """The table as the hand finds it. ``order``: the seats dealt in, first to receive cards first. ``warned``: seats
    warned before for the order of their upcards. ``holds_out_of_turn``: an action out of turn binds. ``drop``: what
    the house takes, as pairs (see ``engine.drop``); none: nothing. ``unit``: the smallest chip, in which pots are
    split."""

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


@named("deck-shuffled")
@dataclass(frozen=True, slots=True)
class DeckShuffled(Fact):
    """The deck, top card first, and the order in which cards fall should they have to be mixed again."""

    deck: Cards | None
    scramble: Cards | None


@named("antes-posted", Sees.ALL)
@dataclass(frozen=True, slots=True)
class AntesPosted(Fact):
    """``antes``: (seat, chips) in the order posted; a short stack posts what it has. ``is_apart``: they make one pot
    that every hand can win whole, whatever it posted itself."""

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
