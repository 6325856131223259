"""Copy rulings, remedies, and what players did with their cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import facts as f

if TYPE_CHECKING:
    from ..seat import SeatState
    from ..state import HandState


def _ruled(state: HandState, fact: f.Ruled) -> None:
    state.rulings_made.append(fact)
    if fact.verdict == "all-in-option":
        for seat in fact.seats:
            state.seats[seat].may_declare = True


def _last_card_seen(state: HandState, fact: f.LastCardSeen) -> None:
    state.seats[fact.seat].last_card_seen = fact.how


def _cards_put_right(state: HandState, fact: f.CardsPutRight) -> None:
    streets = fact.streets or (state.street,)
    burned = sum(state.burn_counts.get(street, 0) for street in streets)
    end = len(state.burns) - state.early_burns
    state.burns[end - burned : end] = fact.burned
    state.burn_counts = {**state.burn_counts, **dict.fromkeys(streets, 0), streets[0]: len(fact.burned)}
    gave_up = dict(fact.given_up())
    for seat, count in gave_up.items():
        player = state.seats[seat]
        end = _end_of_street(player)
        del player.cards[end - count : end], player.ups[end - count : end]
    for seat, card, is_up in fact.cards:
        player = state.seats[seat]
        end = _end_of_street(player)
        player.cards.insert(end, card)
        player.ups.insert(end, is_up)
    for seat in {*gave_up, *(seat for seat, _, _ in fact.cards)}:
        state.seats[seat].may_declare = False
        state.seats[seat].turn_over(tuple(state.seats[seat].cards))
    if fact.taken:
        del state.stub[-fact.taken :]
    state.stub.extend(fact.returned)
    cards = [*(dealt for dealt in state.street_cards if dealt[0] not in gave_up), *fact.cards]
    state.street_cards = tuple(sorted(cards, key=lambda dealt: state.order.index(dealt[0])))
    state.phase = "open"
    state.forget_boards()


def _end_of_street(player: SeatState) -> int:
    """How many cards the seat has got up to the street in play: a last card kept early lies behind them."""
    return len(player.cards) - player.has_early_last_card


def _prematurely_dealt(state: HandState, fact: f.PrematurelyDealt) -> None:
    del state.stub[-len(fact.cards) :]
    state.premature = (*state.premature, *fact.cards)
    state.early_burns += state.burn_counts.get(fact.street, 0)
    state.burn_counts = {**state.burn_counts, fact.street: 0}


def _premature_card_kept(state: HandState, fact: f.PrematureCardKept) -> None:
    player = state.seats[fact.seat]
    player.cards.append(fact.card)
    player.ups.append(fact.is_up)
    if fact.is_up:
        player.upcards += (fact.card,)
    player.has_early_last_card = True
    player.may_not = "bet" if not fact.may_bet else "raise" if not fact.may_raise else ""
    premature = list(state.premature)
    del premature[next(place for place, dealt in enumerate(premature) if dealt[0] == fact.seat)]
    state.premature = tuple(premature)


def _cards_eliminated(state: HandState, fact: f.CardsEliminated) -> None:
    state.set_aside = (*state.set_aside, *(card for _, card, _ in state.premature), *fact.more)
    state.premature = ()
    if fact.more:
        del state.stub[-len(fact.more) :]
    for player in state.players:
        player.last_card_seen = ""


def _ante_returned(state: HandState, fact: f.AnteReturned) -> None:
    player = state.seats[fact.seat]
    player.stack += fact.amount
    player.total -= fact.amount
    player.apart = 0
    state.pot -= fact.amount


def _upcards_picked_up(state: HandState, fact: f.UpcardsPickedUp) -> None:
    player = state.seats[fact.seat]
    player.has_picked_up = state.phase == "bet" and player.bet < state.level


def _upcards_reordered(state: HandState, fact: f.UpcardsReordered) -> None:
    state.seats[fact.seat].warnings += 1


def _declared_all_in(state: HandState, fact: f.DeclaredAllIn) -> None:
    player = state.seats[fact.seat]
    player.has_declared = True
    player.may_declare = False
    if state.to_act == fact.seat:
        state.to_act = 0
        state.turn = None


def _action_held(state: HandState, fact: f.ActionHeld) -> None:
    state.held = {**state.held, fact.seat: fact}


def _action_released(state: HandState, fact: f.ActionReleased) -> None:
    state.held = {seat: held for seat, held in state.held.items() if seat != fact.seat}


def _hand_revived(state: HandState, fact: f.HandRevived) -> None:
    player = state.seats[fact.seat]
    state.live += not player.is_live
    player.is_live = player.is_ruled_live = True


APPLY: dict[str, Callable[[HandState, Any], None]] = {
    "ruled": _ruled,
    "last-card-seen": _last_card_seen,
    "cards-put-right": _cards_put_right,
    "prematurely-dealt": _prematurely_dealt,
    "premature-card-kept": _premature_card_kept,
    "cards-eliminated": _cards_eliminated,
    "ante-returned": _ante_returned,
    "upcards-picked-up": _upcards_picked_up,
    "upcards-reordered": _upcards_reordered,
    "declared-all-in": _declared_all_in,
    "action-held": _action_held,
    "action-released": _action_released,
    "hand-revived": _hand_revived,
}
