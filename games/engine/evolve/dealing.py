"""Copy what the dealer did."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f
from ..seat import SeatState

if TYPE_CHECKING:
    from ..state import HandState


def _hand_started(state: HandState, fact: f.HandStarted) -> None:
    state.started = fact
    stacks = dict(fact.stacks)
    state.order = fact.order
    state.dealer = fact.dealer
    state.seats = {seat: SeatState(seat, stacks[seat], seat in fact.absent) for seat in fact.order}
    state.players = list(state.seats.values())
    state.live = len(state.players)
    for seat in fact.warned:
        if seat in state.seats:
            state.seats[seat].warnings = 1
    state.following = dict(zip(fact.order, fact.order[1:] + fact.order[:1], strict=True))
    state.stub = [None] * 52


def _deck_shuffled(state: HandState, fact: f.DeckShuffled) -> None:
    state.deck = fact.deck
    state.scramble = fact.scramble
    is_whole = fact.deck is not None and len(fact.deck) == len(state.stub)
    if fact.deck is not None and (is_whole or not state.started.is_hand_dealt):
        state.stub = list(fact.deck[::-1])


def _antes_posted(state: HandState, fact: f.AntesPosted) -> None:
    for seat, amount in fact.antes:
        player = state.seats[seat]
        player.stack -= amount
        player.total += amount
        player.apart = amount if fact.is_apart else 0
        state.pot += amount


def _cards_dealt(state: HandState, fact: f.CardsDealt) -> None:
    seats = state.seats
    for seat, card, is_up in fact.cards:
        player = seats[seat]
        player.cards.append(card)
        player.ups.append(is_up)
        if is_up:
            player.upcards += (card,)
    if fact.cards:
        del state.stub[-len(fact.cards) :]
    if state.street == fact.street:
        state.street_cards += fact.cards
    else:
        state.street_cards = fact.cards
        state.street = fact.street
        state.acts = 0
        state.early_burns = 0
    state.phase = "open"


def _card_burned(state: HandState, fact: f.CardBurned) -> None:
    state.stub.pop()
    state.burns.append(fact.card)
    state.burn_counts = {**state.burn_counts, fact.street: state.burn_counts.get(fact.street, 0) + 1}


def _stub_remixed(state: HandState, fact: f.StubRemixed) -> None:
    state.stub = list(fact.stub[::-1])
    state.burns = []
    state.early_burns = 0
    state.set_aside = ()
    state.has_remixed = True


def _common_card_dealt(state: HandState, fact: f.CommonCardDealt) -> None:
    state.stub.pop()
    state.common.append(fact.card)
    state.common_streets += (fact.street,)
    state.acts = 0
    state.street_cards = ()
    state.street = fact.street
    state.phase = "open"


def _no_card_left(state: HandState, fact: f.NoCardLeft) -> None:
    state.street_cards = ()
    state.street = fact.street
    state.missing_cards += 1
    state.phase = "open"


APPLY: dict[str, Callable[[HandState, Any], None]] = {
    "hand-started": _hand_started,
    "deck-shuffled": _deck_shuffled,
    "antes-posted": _antes_posted,
    "cards-dealt": _cards_dealt,
    "card-burned": _card_burned,
    "stub-remixed": _stub_remixed,
    "common-card-dealt": _common_card_dealt,
    "no-card-left": _no_card_left,
}
