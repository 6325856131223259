"""What the dealer announces of the upcards."""

from __future__ import annotations

from games.engine.cards import DECK, rank_of
from games.engine.facts import play
from games.engine.in_play import HandInPlay
from games.engine.ranking import name_of, value_of
from games.engine.seat import SeatState

_KNOWN_DECK = frozenset(DECK)


def announce_boards(hand: HandInPlay) -> None:
    """Pairs that the last card made; in low-stakes games also possible straights and flushes."""
    if hand.is_on_first_street:
        return
    started = hand.started
    small = started.small_bet or started.min_bet
    low_stakes = dict(started.choices).get("low_stakes", small < hand.rules.low_stakes_below)
    for seat, card, is_up in hand.street_cards:
        player = hand.seats[seat]
        if not is_up or not player.is_live or card not in _KNOWN_DECK:
            continue
        same_rank = [other for other in player.upcards if other is not None and other[0] == card[0]]
        if len(same_rank) > 1:
            hand.emit(play.Announced("pair", player.seat, name_of(value_of(same_rank))))
        if low_stakes:
            _announce_possible(hand, player)


def _announce_possible(hand: HandInPlay, player: SeatState) -> None:
    ups = [card for card in player.upcards if card is not None and card in _KNOWN_DECK]
    if len(ups) < 3:
        return
    if len({card[1] for card in ups}) == 1:
        hand.emit(play.Announced("flush", player.seat, "possible flush"))
    ranks = {rank_of(card) for card in ups}
    wheel = {1 if rank == 14 else rank for rank in ranks}
    if len(ranks) == len(ups) and min(max(ranks) - min(ranks), max(wheel) - min(wheel)) <= 4:
        hand.emit(play.Announced("straight", player.seat, "possible straight"))
