"""The stub: who gets the next cards, burns, and what is on top."""

from __future__ import annotations

from games.engine.cards import UNKNOWN
from games.engine.errors import Said
from games.engine.facts import play
from games.engine.games import Street
from games.engine.in_play import HandInPlay

#: More is no slip of the hand any more.
MOST_BURNED = 2


def receivers(hand: HandInPlay) -> list[int]:
    """The seats that get a card, first to receive first: live hands, and those folded without a wager while the stub
    has enough for all. Folded hands do not count when a deck is short."""
    players = [p for p in hand.players if (p.is_live or p.is_still_dealt_to) and not p.has_early_last_card]
    if hand.has_skippable and (street := hand.next_street()) is not None:
        stub = dealable(hand) - also_eliminated(hand)
        if stub < burns_due(hand, street) + len(players) * len(street.ups):
            players = [p for p in players if p.is_live]
    return [p.seat for p in players]


def burns_due(hand: HandInPlay, street: Street) -> int:
    """How many cards are burned before ``street``: one or none."""
    return 1 if street.is_burned_for and street.number in hand.rules.burns else 0


def also_eliminated(hand: HandInPlay) -> int:
    """How many cards go out of play besides those dealt too soon; a short stub may have less of them."""
    if not hand.premature:
        return 0
    seats_served = {seat for seat, _, _ in hand.premature}
    more = sum(
        player.is_live and player.seat not in seats_served and not player.has_early_last_card for player in hand.players
    )
    return min(more, len(hand.stub))


def checked_burns(hand: HandInPlay, street: Street, burned: int | None) -> int:
    """How many cards the dealer burned before ``street``, ``MOST_BURNED`` at most; None: as the rules have it."""
    due = burns_due(hand, street)
    if burned is not None and not 0 <= burned <= MOST_BURNED:
        message = Said("At most {most} cards can be entered as burned before a street.", most=MOST_BURNED)
        raise hand.refusal("burns", message, "burns")
    return due if burned is None else burned


def held_back(hand: HandInPlay) -> int:
    """How many cards of the deck are never dealt: its last one, where the house has it so."""
    return 1 if hand.point("last_stub_card") == "never" else 0


def dealable(hand: HandInPlay) -> int:
    """Cards that can be dealt off the stub."""
    return len(hand.stub) - held_back(hand)


def plays_common_card_at_once(hand: HandInPlay) -> bool:
    """Whether a stub that does not go round is left as it is, and one common card comes off it."""
    return bool(hand.point("deck_exhaustion") == "common-card")


def cards_left(hand: HandInPlay) -> int:
    """All cards that are in no hand: the stub, the burns, and what a premature deal put out of play."""
    return len(hand.stub) + len(hand.burns) + len(hand.set_aside) + len(hand.premature)


def burn(hand: HandInPlay, street: Street) -> None:
    """One card off the top, face down."""
    hand.emit(play.CardBurned(top_cards(hand, 1)[0], street.number))


def top_cards(hand: HandInPlay, count: int) -> list[str | None]:
    """The next ``count`` cards: off the known stub, else of those nobody has named, else unknown ones."""
    if not count:
        return []
    stub = hand.stub
    if len(stub) >= count and stub[-count] is not None:  # known cards never lie below unknown ones
        return stub[: -count - 1 : -1]
    seen = hand.cards_out().union(stub)
    spare = iter([card for card in hand.deck or () if card not in seen])
    top = [*stub[: -count - 1 : -1], *[None] * count][:count]
    return [next(spare, UNKNOWN) if card is None else card for card in top]
