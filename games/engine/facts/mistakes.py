"""What went wrong at the table, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.facts.base import AUDITOR, Cards, DealtCard, Fact, Sees, Viewer, named


@named("last-card-seen", Sees.ALL)
@dataclass(frozen=True, slots=True)
class LastCardSeen(Fact):
    """``how``: the player looked at the last card, or mixed it with the holecards."""

    seat: int
    how: str


@named("cards-put-right", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class CardsPutRight(Fact):
    """After a burn error or a miscounted street: ``burned`` are the burns as they should be, ``returned`` go back on
    the stub (top card last), ``taken`` cards came off it. ``streets``: those that were dealt together; none said: the
    one in play, and every seat in ``cards`` gives up one. ``gave_up``: (seat, how many of its newest cards it gives
    up). Then the seats get ``cards``."""

    burned: Cards
    cards: tuple[DealtCard, ...]
    returned: Cards
    taken: int
    gave_up: tuple[tuple[int, int], ...] = ()
    streets: tuple[int, ...] = ()

    def given_up(self) -> tuple[tuple[int, int], ...]:
        """(seat, how many of its newest cards it gives up)."""
        return self.gave_up if self.streets else tuple([(seat, 1) for seat, _, _ in self.cards])

    def for_viewer(self, viewer: Viewer) -> Fact:
        sees = [is_up or viewer in (seat, AUDITOR) for seat, _, is_up in self.cards]
        seen = [deal if is_seen else (deal[0], None, False) for deal, is_seen in zip(self.cards, sees, strict=True)]
        burned, returned = (None,) * len(self.burned), (None,) * len(self.returned)
        return CardsPutRight(burned, tuple(seen), returned, self.taken, self.gave_up, self.streets)


@named("prematurely-dealt", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class PrematurelyDealt(Fact):
    """Cards of ``street`` dealt while the betting before it was open; they lie with the seats but are not theirs."""

    street: int
    cards: tuple[DealtCard, ...]

    def for_viewer(self, viewer: Viewer) -> Fact:
        if viewer == AUDITOR:
            return self
        seen = tuple([deal if deal[2] else (deal[0], None, False) for deal in self.cards])
        return PrematurelyDealt(self.street, seen)


@named("premature-card-kept", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class PrematureCardKept(Fact):
    """The last card came too soon and was seen: it is the seat's seventh. On the street in play it may not raise unless
    ``may_raise``, nor bet unless ``may_bet``. ``is_up``: it had come face up."""

    seat: int
    card: str | None
    may_bet: bool
    may_raise: bool = False
    is_up: bool = False

    def for_viewer(self, viewer: Viewer) -> Fact:
        if self.is_up or viewer in (self.seat, AUDITOR):
            return self
        return PrematureCardKept(self.seat, None, self.may_bet, self.may_raise)


@named("cards-eliminated", Sees.EACH_CARD)
@dataclass(frozen=True, slots=True)
class CardsEliminated(Fact):
    """The cards dealt too soon are set aside, and with them ``more`` off the stub, unseen."""

    more: Cards

    def for_viewer(self, viewer: Viewer) -> Fact:
        return CardsEliminated((None,) * len(self.more))


@named("ante-returned", Sees.ALL)
@dataclass(frozen=True, slots=True)
class AnteReturned(Fact):
    """The ante of a hand that the dealer killed goes back."""

    seat: int
    amount: int


@named("upcards-picked-up", Sees.ALL)
@dataclass(frozen=True, slots=True)
class UpcardsPickedUp(Fact):
    """The player took the upcards off the table."""

    seat: int


@named("upcards-reordered", Sees.ALL)
@dataclass(frozen=True, slots=True)
class UpcardsReordered(Fact):
    """The player changed the order of the upcards; the order in which they were received stays on record."""

    seat: int


@named("declared-all-in", Sees.ALL)
@dataclass(frozen=True, slots=True)
class DeclaredAllIn(Fact):
    """The choice of a player whose last card came face up: keep the rest of the stack, bet no more."""

    seat: int


@named("action-held", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ActionHeld(Fact):
    """An action out of turn that binds unless the price changes: ``verb`` check, call or wager, at ``level``."""

    seat: int
    verb: str
    to: int
    level: int


@named("action-released", Sees.ALL)
@dataclass(frozen=True, slots=True)
class ActionReleased(Fact):
    """A bet or raise in between changed what faces the player: the held action no longer binds."""

    seat: int


@named("ordered", Sees.ALL)
@dataclass(frozen=True, slots=True)
class Ordered(Fact):
    """The floor ordered what the rules leave to it. ``seat`` 0: the whole hand."""

    what: str
    seat: int
    reason: str


@named("hand-revived", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandRevived(Fact):
    """The floor ruled a hand live that lacks only its seventh card."""

    seat: int


@named("deck-fouled", Sees.ALL)
@dataclass(frozen=True, slots=True)
class DeckFouled(Fact):
    """A card was there twice, or one that does not belong in the deck: ``card``, which the table is shown; ``JOKER``,
    or "" where nobody said which it was."""

    card: str


@named("hand-voided", Sees.ALL)
@dataclass(frozen=True, slots=True)
class HandVoided(Fact):
    """Every chip is back; ``stacks``: (seat, chips). ``why``: misdeal, fouled-deck (both dealt again) or void."""

    why: str
    stacks: tuple[tuple[int, int], ...]


@named("entry-reversed", Sees.ALL)
@dataclass(frozen=True, slots=True)
class EntryReversed(Fact):
    """What was entered after fact ``upto`` was a mistake: the hand is again what facts 1 to ``upto`` made it.

    Nothing is deleted and the numbering goes on. ``reason``: in the words of the person who took it back, or ""."""

    upto: int
    reason: str


def in_force(facts: Sequence[Fact]) -> list[tuple[int, Fact]]:
    """The facts that still count, each with its number; reversals are not among them."""
    standing: list[tuple[int, Fact]] = []
    for seq, fact in enumerate(facts, 1):
        if not isinstance(fact, EntryReversed):
            standing.append((seq, fact))
            continue
        while standing and standing[-1][0] > fact.upto:
            standing.pop()
    return standing
