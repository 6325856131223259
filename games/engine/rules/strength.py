"""What a hand is worth that comes to the showdown."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.ranking import five_of, low_five_of, low_name_of, name_of, value_of
from games.engine.seat import SeatState


def strengths_of(hand: HandInPlay, player: SeatState) -> tuple[int | None, ...]:
    cards = all_cards(hand, player)
    return tuple([way.strength(cards) for way in hand.game.ways])


def all_cards(hand: HandInPlay, player: SeatState) -> list[str]:
    """The hand and the common card."""
    return [card for card in (*player.cards, *hand.common_for(player)) if card is not None]


def as_shown(hand: HandInPlay, player: SeatState, cards: Sequence[str]) -> play.HandShown:
    whole = [*cards, *[card for card in hand.common_for(player) if card is not None]]
    has_high = hand.game.has_high
    has_low = any(way.is_low and way.strength(whole) is not None for way in hand.game.ways)
    low_five = low_five_of(whole) if has_low else ()
    return play.HandShown(
        player.seat,
        tuple(cards),
        five_of(whole) if has_high else (),
        name_of(value_of(whole)) if has_high else "",
        low_five,
        low_name_of(low_five) if low_five else "",
    )
