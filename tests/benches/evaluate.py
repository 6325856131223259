"""How many seven-card high hands the evaluator ranks in one second of processor time."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import median
from time import process_time

from games.engine.cards import DECK, Card
from games.engine.ranking import value_of

HANDS = 50_000
SEED = 7


def run(seconds: float = 3.0) -> dict[str, int]:
    """Ranks hands dealt beforehand, over and over for ``seconds`` of processor time; dealing is not counted.

    ``evaluations_per_cpu_s`` is the median over the passes. ``first_pass_per_cpu_s`` is the pass before them,
    which in a fresh process also works out each combination of ranks when it first meets it.
    """
    chance = random.Random(SEED)
    hands = [tuple(chance.sample(DECK, 7)) for _ in range(HANDS)]
    first = _one_pass(hands)
    passes = [_one_pass(hands)]
    while sum(passes) < seconds:
        passes.append(_one_pass(hands))
    return {
        "evaluations_per_cpu_s": round(HANDS / median(passes)),
        "first_pass_per_cpu_s": round(HANDS / first),
        "hands": HANDS,
        "passes": len(passes),
    }


def _one_pass(hands: Sequence[Sequence[Card]]) -> float:
    started = process_time()
    for hand in hands:
        value_of(hand)
    return process_time() - started
