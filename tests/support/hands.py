"""Hands with chosen cards for the engine's tests: the dealer is a person who names every card."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

from games.rulebooks.queries import load
from tests.support.parts.stud import DECK, Hand, HandConfig, Stakes, c, parse_cards

STAKES = Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30)
THIRD = {1: "AsKs5d", 2: "QhQdJc", 3: "7c8c9h", 4: "2c3cTd"}
FOURTH = {1: "6h", 2: "Tc", 3: "2d", 4: "9s"}
FIFTH = {1: "Kd", 2: "4s", 3: "3s", 4: "8s"}
SIXTH = {1: "2h", 2: "8d", 3: "Ac", 4: "6d"}
SEVENTH = {1: "4h", 2: "7d", 3: "5s", 4: "Jd"}
STREETS = {3: THIRD, 4: FOURTH, 5: FIFTH, 6: SIXTH, 7: SEVENTH}


def shuffled_deck(seed: int) -> tuple[str, ...]:
    """A whole deck in the order that ``seed`` gives."""
    deck = list(DECK)
    random.Random(seed).shuffle(deck)
    return tuple(deck)


def deals(count: int, sizes: tuple[int, ...], seed: int) -> Iterator[tuple[str, ...]]:
    """So many random hands of these numbers of cards."""
    chance = random.Random(seed)
    for _ in range(count):
        yield tuple(chance.sample(DECK, chance.choice(sizes)))


def automatic(stacks: Mapping[int, int], seed: int = 1, **changes: Any) -> Hand:
    """A hand dealt by the automatic dealer from a seeded deck."""
    settings: dict[str, Any] = {"stakes": STAKES, "dealer": max(stacks), "rulebook": load("roberts-v4")} | changes
    return Hand.start(
        HandConfig(stacks=stacks, deck=shuffled_deck(seed), scramble=shuffled_deck(seed + 1000), **settings)
    )


def by_hand(stacks: Mapping[int, int], **changes: Any) -> Hand:
    """A hand whose cards the test deals."""
    settings: dict[str, Any] = {"stakes": STAKES, "dealer": max(stacks), "rulebook": load("roberts-v4")} | changes
    return Hand.start(HandConfig(stacks=stacks, is_hand_dealt=True, **settings))


def deal(hand: Hand, street: int, cards: Mapping[int, str] | None = None) -> None:
    """Deal ``street``: the given cards, or those of ``STREETS``, to every seat that receives any."""
    chosen = cards or STREETS[street]
    seats = [p.seat for p in hand.players if p.is_live or p.is_still_dealt_to]
    hand.play(c.Deal(street, tuple(c.Given(seat, card) for seat in seats for card in parse_cards(chosen[seat]))))


def third(stacks: Mapping[int, int], cards: Mapping[int, str] | None = None, **changes: Any) -> Hand:
    """A hand at the first choice of third street."""
    hand = by_hand(stacks, **changes)
    deal(hand, 3, cards)
    return hand


def passive(hand: Hand) -> c.Command:
    """The player to act brings in, checks where that is free, or calls."""
    turn = hand.turn
    if turn.can_check:
        return c.Check(turn.seat)
    return c.BringIn(turn.seat) if turn.bring_in else c.Call(turn.seat)


def round_called(hand: Hand) -> None:
    """Everybody brings in, calls and checks for the rest of the round; to the end where the dealer is automatic."""
    while hand.turn is not None:
        hand.play(passive(hand))


def one_step(hand: Hand) -> None:
    """The next street from ``STREETS``, or the next player brings in, calls or checks."""
    if hand.turn is not None:
        hand.play(passive(hand))
        return
    deal(hand, hand.next_street().number)


def checked_through(hand: Hand) -> None:
    """Everybody checks for the rest of the round."""
    while hand.turn is not None:
        hand.play(c.Check(hand.turn.seat))


def called_down(hand: Hand) -> None:
    """Everybody brings in, calls and checks to the end, the dealer dealing from ``STREETS``."""
    while not hand.is_over:
        one_step(hand)
