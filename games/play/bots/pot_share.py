"""The share of the pot that a hand wins, estimated by dealing the rest many times."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from games.engine.cards import DECK
from games.engine.games import EIGHT, HIGH, LOW, LOW_EIGHT, WayToWin
from games.engine.ranking import low8_value_of, low_value_of, value_of
from games.play.bots.observation import FULL_HAND, Observation, Opponent, ace_low

#: The most evaluations of hands for one estimate: some milliseconds.
BUDGET = 1_200


#: Enough to tell a call from a fold; more would not change the answer.
MOST_TRIALS = 160


def without_memory(observation: Observation) -> Observation:
    """The same for a player who looks only at the cards on the table: folded cards may come again, and bets say
    nothing about the opponents' hands."""
    seen = {*observation.mine, *observation.common, *(card for other in observation.opponents for card in other.known)}
    opponents = tuple(replace(other, resolve=0) for other in observation.opponents)
    unseen = tuple(card for card in DECK if card not in seen)
    return replace(observation, opponents=opponents, unseen=unseen, dead=frozenset())


#: How many holdings an opponent picks from, by the resolve shown so far.
HOLDINGS = (1, 1, 2, 3)


def share_of_pot(observation: Observation, rng: random.Random, budget: int = BUDGET) -> float:
    """The expected share, from 0 to 1, of a pot that all the live hands play for. `budget`: the most evaluations."""
    if not observation.opponents:
        return 1.0
    to_come, has_common = observation.streets_to_come if not observation.common else 0, False
    holdings = [HOLDINGS[other.resolve] if other.hidden else 1 for other in observation.opponents]
    while _cards_needed(observation, holdings, to_come) > len(observation.unseen) and max(holdings) > 1:
        holdings[holdings.index(max(holdings))] -= 1
    if to_come and _cards_needed(observation, holdings, to_come) > len(observation.unseen):
        # The deck cannot give everybody a last card: a common card plays for all.
        to_come, has_common = to_come - 1, True
    needed = _cards_needed(observation, holdings, to_come) + has_common
    costs = len(observation.game.ways) * (1 + sum(1 + (picks if picks > 1 else 0) for picks in holdings))
    trials = max(1, min(MOST_TRIALS, budget // costs))
    pairs = list(zip(observation.opponents, holdings, strict=True))
    total = 0.0
    for _ in range(trials):
        drawn = rng.sample(observation.unseen, min(needed, len(observation.unseen)))
        total += _one_showdown(observation, pairs, drawn, to_come, has_common=has_common)
    return total / trials


def _cards_needed(observation: Observation, holdings: list[int], to_come: int) -> int:
    theirs = sum(other.hidden * picks + to_come for other, picks in zip(observation.opponents, holdings, strict=True))
    return to_come + theirs


def _one_showdown(
    observation: Observation, opponents: list[tuple[Opponent, int]], drawn: list[str], to_come: int, *, has_common: bool
) -> float:
    common = (*observation.common, drawn.pop()) if has_common else observation.common
    at = to_come
    ways = observation.game.ways
    held = (*observation.mine, *drawn[:at], *common)[:FULL_HAND]
    mine = [VALUES[way.slug](held) for way in ways]
    theirs: list[list[int]] = []
    for other, picks in opponents:
        held = tuple(drawn[at : at + other.hidden])
        at += other.hidden
        if picks > 1:
            value_of_holding = aim_of(other, ways)
            best = value_of_holding((*other.known, *held)[:FULL_HAND])
            for _ in range(picks - 1):
                another = tuple(drawn[at : at + other.hidden])
                at += other.hidden
                if (value := value_of_holding((*other.known, *another)[:FULL_HAND])) > best:
                    held, best = another, value
        whole = (*other.known, *held, *drawn[at : at + to_come], *common)[:FULL_HAND]
        at += to_come
        theirs.append([VALUES[way.slug](whole) for way in ways])
        if all(value > own for value, own in zip(theirs[-1], mine, strict=True)):
            return 0.0
    shares = [_share(own, values) for own, *values in zip(mine, *theirs, strict=True)]
    # A half that nobody has a hand for goes to the other.
    won = [share for share in shares if share is not None]
    return sum(won) / len(won)


def _share(mine: int, theirs: list[int]) -> float | None:
    """The share of a pot, or of one half of it, that ``mine`` wins; None where no hand qualifies."""
    best = max(mine, *theirs)
    if best == NONE:
        return None
    return 1.0 / (1 + theirs.count(best)) if mine == best else 0.0


#: Below every value of a hand.
NONE = -(10**9)


def _low(cards: Sequence[str]) -> int:
    return -low_value_of(cards)


def _low8(cards: Sequence[str]) -> int:
    value = low8_value_of(cards)
    return NONE if value is None else -value


#: What a hand is worth for each way to win: the higher, the better.
VALUES: dict[str, Callable[[Sequence[str]], int]] = {HIGH.slug: value_of, LOW.slug: _low, LOW_EIGHT.slug: _low8}


def aim_of(other: Opponent, ways: tuple[WayToWin, ...]) -> Callable[[Sequence[str]], int]:
    """For which half of the pot an opponent who has shown strength plays: where the halves differ, by their upcards."""
    if len(ways) == 1:
        return VALUES[ways[0].slug]
    small = sum(ace_low(card) <= EIGHT for card in other.known)
    return _low if 2 * small > len(other.known) else value_of
