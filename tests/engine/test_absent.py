"""Tournament hands dealt to players who are away: anted, with the forced bet where it falls on one, and killed then."""

import random
from typing import Any

import pytest

from tests.support.parts.games import load, slugs
from tests.support.parts.stud import DECK, Hand, HandConfig, Stakes, low_key
from tests.support.playout import play_out

STAKES = Stakes(ante=2, bring_in=5, small_bet=20, big_bet=40)
BOOKS = [slug for slug in slugs() if load(slug).value("absent_player", "tournament") == "after-starting-hand"]
HANDS = 150


def dealt(rng: random.Random, book: str, *, away: int | None) -> Hand:
    """A random hand; `away`: how many of its players are, None: any number, -1: all but one, 0 taken as all."""
    numbers = sorted(rng.sample(range(1, 8), rng.randint(2, 7)))
    many = {None: rng.randint(1, len(numbers)), -1: len(numbers) - 1, 0: len(numbers)}[away]
    stacks = {number: rng.choice((1, 2, 4, 7, 30, 1000)) for number in numbers}
    dealer, absent = rng.choice(numbers), tuple(sorted(rng.sample(numbers, many)))
    return start_hand(rng, book, STAKES, stacks=stacks, dealer=dealer, absent=absent)


def start_hand(rng: random.Random, book: str, stakes: Stakes, **config: Any) -> Hand:
    decks = {"deck": tuple(rng.sample(DECK, 52)), "scramble": tuple(rng.sample(DECK, 52))}
    left = len(config["stacks"])
    return Hand.start(
        HandConfig(rulebook=load(book), setting="tournament", stakes=stakes, players_left=left, **decks, **config)
    )


@pytest.mark.parametrize("book", BOOKS)
def test_an_absent_player_pays_only_ante_and_forced_bet(book: str) -> None:
    for seed in range(HANDS):
        hand = dealt(random.Random(seed), book, away=-1)
        before = dict(hand.started.stacks)
        there = next(player for player in hand.players if not player.is_absent)
        assert hand.is_over, seed
        paid = sum(stack for seat, stack in before.items() if seat != there.seat)
        left = sum(player.stack for player in hand.players if player is not there)
        assert there.stack == before[there.seat] + paid - left

        hand = dealt(random.Random(seed), book, away=0)
        lowest = min(hand.players, key=lambda player: low_key(str(player.upcards[0])))
        assert hand.is_over, seed
        assert [player.seat for player in hand.players if player.is_live] == [lowest.seat]
        assert lowest.stack > 0
        assert sum(player.stack for player in hand.players) == sum(stack for _, stack in hand.started.stacks)

        rng = random.Random(seed)
        hand = dealt(rng, book, away=None)
        before = dict(hand.started.stacks)
        is_anybody_there = not all(player.is_absent for player in hand.players)
        for player in hand.players:
            if player.is_absent and is_anybody_there:
                assert not player.is_live, seed
                owed = STAKES.ante + (STAKES.bring_in if hand.named == player.seat else 0)
                assert player.total in {min(owed, before[player.seat]), min(STAKES.ante, player.total)}
        assert sum(player.stack for player in hand.players) + hand.pot == sum(before.values())
        play_out(hand, rng)
        assert hand.is_over
        assert sum(player.stack for player in hand.players) == sum(before.values())
        assert hand.facts == Hand.replay(hand.facts, rulebook=load(book)).facts


@pytest.mark.parametrize("book", BOOKS)
def test_two_who_are_both_away_play_until_one_is_out(book: str) -> None:
    """Were it by the order of seats, which turns with the button, the antes could go to and fro for ever."""
    rng = random.Random(0)
    stacks, dealer = {1: 200, 2: 400}, 1
    stakes = Stakes(ante=200, bring_in=200, small_bet=400, big_bet=800)
    for _ in range(200):
        hand = start_hand(rng, book, stakes, stacks=stacks, dealer=dealer, absent=(1, 2))
        stacks = {player.seat: player.stack for player in hand.players}
        if 0 in stacks.values():
            break
        dealer = 3 - dealer
    assert sorted(stacks.values()) == [0, 600]
