"""The pots: who wins which part of which pot, with the odd chips; and a hand that nobody opposes."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import drop
from games.engine.facts import base, play
from games.engine.in_play import HandInPlay, halves, layers, split
from games.engine.ranking import five_of, low_five_of, odd_chip_key
from games.engine.rules.chips_in import close_round
from games.engine.rules.strength import all_cards


def finish_unopposed(hand: HandInPlay) -> None:
    """The last live hand takes the pot without showing."""
    if hand.phase != "show":
        close_round(hand)
    winner = next(player.seat for player in hand.players if player.is_live)
    if hand.pot and hand.started.drop:
        drop.take_drop(hand, ((hand.pot, (winner,)),))
    if hand.pot:
        hand.emit(play.PotAwarded(0, winner, hand.pot, "whole", 0))
    hand.end()


def award(hand: HandInPlay) -> None:
    """Each pot to its best hands, ties and odd chips pot by pot, and the hand is over."""
    held = {p.seat: all_cards(hand, p) for p in hand.players if p.is_live}
    values = {seat: tuple([way.strength(cards) for way in hand.game.ways]) for seat, cards in held.items()}
    pots: Sequence[base.Pot] = _live_pots(hand)
    if hand.started.drop and pots:
        pots = drop.take_drop(hand, pots)
    for place, (chips, seats) in enumerate(pots):
        ways = [way for way in range(len(hand.game.ways)) if any(values[seat][way] is not None for seat in seats)]
        parts = halves(chips, hand.started.unit) if len(ways) > 1 else (chips,)
        for way, part in zip(ways, parts, strict=True):
            _award_part(hand, place, part, way, len(ways) > 1, {seat: values[seat][way] for seat in seats}, held)
    hand.end()


def _award_part(
    hand: HandInPlay,
    place: int,
    chips: int,
    way: int,
    is_half: bool,
    values: dict[int, int | None],
    held: dict[int, list[str]],
) -> None:
    best = max(value for value in values.values() if value is not None)
    winners = [seat for seat, value in values.items() if value == best]
    is_low = hand.game.ways[way].is_low
    if len(winners) > 1:
        winners.sort(key=lambda seat: _odd_chip_order(held[seat], is_low=is_low), reverse=True)
    share = ("low" if is_low else "high") if is_half else "whole"
    for seat, amount, odd in split(chips, winners, hand.started.unit):
        if amount:
            hand.emit(play.PotAwarded(place, seat, amount, share, odd))


def _odd_chip_order(cards: list[str], *, is_low: bool) -> tuple[int, ...]:
    return odd_chip_key(low_five_of(cards), ace_low=True) if is_low else odd_chip_key(five_of(cards))


def _live_pots(hand: HandInPlay) -> tuple[base.Pot, ...]:
    """The pots with the hands still live; one whose every hand is dead goes to the pot below it."""
    pots: list[base.Pot] = []
    for chips, seats in hand.pots:
        live = tuple([seat for seat in seats if hand.seats[seat].is_live])
        if live or not pots:
            pots.append((chips, live))
        else:
            below, owners = pots[-1]
            pots[-1] = (below + chips, owners)
    if pots and not pots[0][1]:
        return layers(hand.players, hand.pot)
    return tuple(pots)
