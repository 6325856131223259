"""How much the house bots of one strength win from those of another, by the engine alone.

Two play heads-up for fixed limits. Each deck is dealt twice, the second time with seats exchanged, so that luck with
the cards falls on both.
"""

from __future__ import annotations

import random
from itertools import combinations
from math import sqrt
from statistics import mean, stdev
from typing import Any

from games.engine.cards import DECK
from games.engine.facts.base import redact
from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.play.bots.choosing import choose
from games.rulebooks.queries import load
from games.tables.words import BOT_STRENGTHS, STRENGTHS

STAKES = Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30)
RULEBOOK = "roberts-v4"
_STACK = 3_000
_SEED = 7


def run(hands: int = 5_000, seed: int = _SEED, game: str = "seven-card-stud") -> dict[str, Any]:
    """Each strength against each weaker one, so many hands a pair: big bets won in 100 hands by the stronger, and half
    the width of the 95 % interval about it."""
    found: dict[str, Any] = {"hands": hands, "seed": seed, "game": game}
    for weaker, stronger in combinations(STRENGTHS, 2):
        won, give = compared(stronger, weaker, hands=hands, seed=seed, game=game)
        found[f"{stronger} against {weaker}"] = {"big_bets_in_100_hands": round(won, 1), "give_or_take": round(give, 1)}
    return found


def compared(
    stronger: str, weaker: str, *, hands: int, seed: int, game: str = "seven-card-stud"
) -> tuple[float, float]:
    """Big bets in 100 hands that a bot of one strength wins from one of the other, and half the 95 % interval."""
    strong, weak = (
        [key for key, strength in BOT_STRENGTHS.items() if strength == asked] for asked in (stronger, weaker)
    )
    rng = random.Random(f"{seed} {game}")
    results = []
    for number in range(max(2, hands // 2)):
        deck, scramble, chance = rng.sample(DECK, 52), rng.sample(DECK, 52), rng.getrandbits(64)
        won = 0
        for seat in (1, 2):
            players = {seat: strong[number % len(strong)], 3 - seat: weak[number % len(weak)]}
            won += _played(players, deck, scramble, game, random.Random(chance))[seat] - _STACK
        results.append(won / 2 / STAKES.big_bet * 100)
    return mean(results), 1.96 * stdev(results) / sqrt(len(results))


def _played(
    players: dict[int, str], deck: list[str], scramble: list[str], game: str, rng: random.Random
) -> dict[int, int]:
    """The stacks at the end of one hand."""
    hand = Hand.start(
        HandConfig(
            rulebook=load(RULEBOOK), game=game, stakes=STAKES, stacks=dict.fromkeys(players, _STACK), dealer=1,
            deck=tuple(deck), scramble=tuple(scramble),
        )
    )  # fmt: skip
    while seat := hand.to_act:
        view = Hand.replay(redact(fact, seat) for fact in hand.facts)
        hand.play(choose(hand=view, seat=seat, personality=players[seat], rng=rng))
    return {seat: state.stack for seat, state in hand.seats.items()}
