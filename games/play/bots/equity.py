"""What share of the pot a hand can expect at the showdown, by playing the rest of it out a fixed number of times.

The cards nobody has shown are dealt at random. An opponent who has shown strength is given the best of several
holdings, which is how a bet becomes news. The work is bounded by a count of evaluations, never by a clock, so the same
chance gives the same answer on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from games.engine.lowball import low8_value_of, low_value_of
from games.engine.ranking import value_of
from games.play.bots.observation import EIGHT, FULL_HAND, Observation, Opponent, ace_low

#: Evaluations a question may cost: some milliseconds.
BUDGET = 1_200
#: Enough to tell a call from a fold; more would not change the answer.
MOST_TRIALS = 160
#: How many holdings an opponent picks from, by the resolve shown so far.
_HOLDINGS = (1, 1, 2, 3)


def share_of_pot(observation: Observation, rng: random.Random) -> float:
    """0 to 1: the expected share of a pot that all the live hands play for."""
    if not observation.opponents:
        return 1.0
    to_come, has_common = observation.streets_to_come if not observation.common else 0, False
    holdings = [_HOLDINGS[other.resolve] if other.hidden else 1 for other in observation.opponents]
    while _needed(observation, holdings, to_come) > len(observation.unseen) and max(holdings) > 1:
        holdings[holdings.index(max(holdings))] -= 1
    if to_come and _needed(observation, holdings, to_come) > len(observation.unseen):
        # So many players that the deck cannot give everybody a last card: one in the middle plays for all.
        to_come, has_common = to_come - 1, True
    needed = _needed(observation, holdings, to_come) + has_common
    costs = len(observation.game.pays) * (1 + sum(1 + (picks if picks > 1 else 0) for picks in holdings))
    trials = max(1, min(MOST_TRIALS, BUDGET // costs))
    pairs = list(zip(observation.opponents, holdings, strict=True))
    total = 0.0
    for _ in range(trials):
        drawn = rng.sample(observation.unseen, min(needed, len(observation.unseen)))
        total += _one_showdown(observation, pairs, drawn, to_come, has_common=has_common)
    return total / trials


def _needed(observation: Observation, holdings: list[int], to_come: int) -> int:
    theirs = sum(other.hidden * picks + to_come for other, picks in zip(observation.opponents, holdings, strict=True))
    return to_come + theirs


def _one_showdown(
    observation: Observation, opponents: list[tuple[Opponent, int]], drawn: list[str], to_come: int, *, has_common: bool
) -> float:
    common = (*observation.common, drawn.pop()) if has_common else observation.common
    at = to_come
    pays = observation.game.pays
    held = (*observation.mine, *drawn[:at], *common)[:FULL_HAND]
    mine = [_VALUES[half](held) for half in pays]
    theirs: list[list[int]] = []
    for other, picks in opponents:
        held = tuple(drawn[at : at + other.hidden])
        at += other.hidden
        if picks > 1:
            value_of_holding = _aim_of(other, pays)
            best = value_of_holding((*other.known, *held)[:FULL_HAND])
            for _ in range(picks - 1):
                another = tuple(drawn[at : at + other.hidden])
                at += other.hidden
                if (value := value_of_holding((*other.known, *another)[:FULL_HAND])) > best:
                    held, best = another, value
        whole = (*other.known, *held, *drawn[at : at + to_come], *common)[:FULL_HAND]
        at += to_come
        theirs.append([_VALUES[half](whole) for half in pays])
        if all(value > own for value, own in zip(theirs[-1], mine, strict=True)):
            return 0.0
    shares = [_share(own, values) for own, *values in zip(mine, *theirs, strict=True)]
    # A half that nobody has a hand for goes to the other.
    won = [share for share in shares if share is not None]
    return sum(won) / len(won)


def _share(mine: int, theirs: list[int]) -> float | None:
    """The share of a pot, or of one half of it, that ``mine`` wins; None where no hand qualifies."""
    best = max(mine, *theirs)
    if best == _NONE:
        return None
    return 1.0 / (1 + theirs.count(best)) if mine == best else 0.0


#: Below every value of a hand.
_NONE = -(10**9)


def _low(cards: Sequence[str]) -> int:
    return -low_value_of(cards)


def _low8(cards: Sequence[str]) -> int:
    value = low8_value_of(cards)
    return _NONE if value is None else -value


#: What a hand is worth for each way a game pays: the higher, the better.
_VALUES: dict[str, Callable[[Sequence[str]], int]] = {"high": value_of, "low": _low, "low-eight": _low8}


def _aim_of(other: Opponent, pays: tuple[str, ...]) -> Callable[[Sequence[str]], int]:
    """What an opponent who has shown strength holds the best of: where the halves differ, what the upcards say."""
    if len(pays) == 1:
        return _VALUES[pays[0]]
    small = sum(ace_low(card) <= EIGHT for card in other.known)
    return _low if 2 * small > len(other.known) else value_of
