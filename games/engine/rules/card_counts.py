"""How many cards a hand should hold, and which hold too many or too few."""

from __future__ import annotations

from games.engine.in_play import HandInPlay
from games.engine.rules.acts import acts_after_forced_bet
from games.engine.seat import SeatState


def due_by_now(hand: HandInPlay, player: SeatState) -> int:
    """How many cards of its own a hand of ``player`` should hold on the street in play."""
    later = [street for street in hand.game.streets if street.number > hand.street]
    if player.has_early_last_card:
        later = later[:-1]
    return hand.cards_due(player) - sum(len(street.ups) for street in later)


def wrong_by_now(hand: HandInPlay) -> dict[int, int]:
    """Cards too many, or below 0 too few, of every live hand that does not hold the right number."""
    if not hand.street:
        return {}
    live = [player for player in hand.players if player.is_live and not player.is_ruled_live]
    wrong = {player.seat: len(player.cards) - due_by_now(hand, player) for player in live}
    return {seat: count for seat, count in wrong.items() if count}


def is_too_late_for_misdeal(hand: HandInPlay) -> bool:
    """Whether third street is over, or as many have acted after the forced bet as the rulebook lets pass."""
    is_third_over = hand.is_past_first_street or (hand.is_on_first_street and hand.phase == "deal" and hand.acts > 0)
    acted = {seat for seat, _ in acts_after_forced_bet(hand)}
    return is_third_over or len(acted) >= hand.point("misdeal")["too_late_after"]
