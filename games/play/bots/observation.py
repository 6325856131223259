"""What can be seen from one seat: own cards, boards, dead cards, the price, shown strength; and starting hands.

A starting hand is judged by the usual teaching of the game. Where the high hand wins: rolled-up trips, then big pairs,
then live three-flushes and three-straights; a pair is worth less for each of its rank that is gone and for each higher
door card against it, a draw for each card it needs that somebody else shows. Where a low wins: three different low
cards, the lower the better, the more so when the cards that would pair them are gone. Where both do: three low cards
that can become a high hand too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from games.engine.cards import ACE, DECK, rank_of, suit_of
from games.engine.facts.base import Fact
from games.engine.facts.play import ActionOn, Called, RoundOpened, Wagered
from games.engine.games import EIGHT, GAMES, HIGH, LOW, LOW_EIGHT, Game, Way
from games.engine.hand import Hand
from games.engine.ranking import low8_value_of, low_value_of, value_of

_KNOWN = frozenset(DECK)
FULL_HAND = 7
#: The highest card of a low that counts in eight-or-better.


@dataclass(frozen=True, slots=True)
class Opponent:
    """A live opponent. ``known``: the cards in sight; ``hidden``: how many are not; ``resolve``: 0 has shown nothing,
    1 has paid a full bet, 2 has wagered, 3 has wagered on this street over another wager."""

    seat: int
    known: tuple[str, ...]
    hidden: int
    resolve: int


@dataclass(frozen=True, slots=True)
class Observation:
    """The hand as its owner sees it when it is their turn.

    ``unseen``: every card that is not in sight, whoever holds it; ``wagers``: bets and raises on this street so far,
    ``own_wagers`` those of this seat; ``entered``: opponents who came in of their own will on this street.
    """

    game: Game
    street: int
    mine: tuple[str, ...]
    door: str
    board: tuple[str, ...]
    common: tuple[str, ...]
    opponents: tuple[Opponent, ...]
    unseen: tuple[str, ...]
    dead: frozenset[str]
    pot: int
    option: ActionOn
    wagers: int
    own_wagers: int
    entered: int

    @property
    def streets_to_come(self) -> int:
        return FULL_HAND - self.street

    @property
    def has_best_board(self) -> bool:
        """No live opponent shows as good a board, by what the board's owner hopes to win with."""
        if not self.board:
            return False
        board = self._value_of_board(self.board)
        return all(not other.known or self._value_of_board(other.known) < board for other in self.opponents)

    def _value_of_board(self, cards: tuple[str, ...]) -> int:
        shown = cards[:FULL_HAND]
        return -low_value_of(shown) if self.game.opens == "low" else value_of(shown)


def observe(hand: Hand, seat: int, option: ActionOn) -> Observation:
    """What ``seat`` sees. ``hand``: a replay of facts redacted for it."""
    own = hand.seats[seat]
    mine = _known(own.cards)
    board = _known(own.upcards)
    common = _known(hand.common)
    round_facts = _this_round(hand.facts)
    resolve = _resolve(hand.facts)
    opponents = tuple(
        Opponent(other.seat, known, len(other.cards) - len(known), resolve.get(other.seat, 0))
        for other in hand.seats.values()
        if other.seat != seat and other.is_live
        for known in [_known(other.cards)]
    )
    in_sight = {*common}.union(*(_known(other.cards) for other in hand.seats.values()))
    live = {other.seat for other in opponents}
    wagers = [fact.seat for fact in round_facts if isinstance(fact, Wagered)]
    entered = {fact.seat for fact in round_facts if isinstance(fact, (Wagered, Called))} - {seat}
    return Observation(
        game=GAMES[hand.started.game],
        street=hand.street,
        mine=mine,
        door=board[0] if board else "",
        board=board,
        common=common,
        opponents=opponents,
        unseen=tuple(card for card in DECK if card not in in_sight),
        dead=frozenset(in_sight.difference(mine)),
        pot=hand.pot,
        option=option,
        wagers=len(wagers),
        own_wagers=wagers.count(seat),
        entered=len(entered & live),
    )


def ace_low(card: str) -> int:
    """The rank of a card where the ace is 1."""
    rank = rank_of(card)
    return 1 if rank == ACE else rank


def _known(cards: object) -> tuple[str, ...]:
    return tuple(card for card in cards if card in _KNOWN)  # type: ignore[attr-defined]


def _this_round(facts: list[Fact]) -> list[Fact]:
    """The facts since the betting round opened."""
    for place in range(len(facts) - 1, -1, -1):
        if isinstance(facts[place], RoundOpened):
            return facts[place:]
    return []


def _resolve(facts: list[Fact]) -> dict[int, int]:
    """How much strength each seat has shown; a wager of an earlier street fades to 2."""
    resolve: dict[int, int] = {}
    wagers = 0
    for fact in facts:
        if isinstance(fact, RoundOpened):
            wagers = 0
            resolve = {seat: min(shown, 2) for seat, shown in resolve.items()}
        elif isinstance(fact, Wagered):
            wagers += 1
            resolve[fact.seat] = 3 if wagers > 1 else max(2, resolve.get(fact.seat, 0))
        elif isinstance(fact, Called) and wagers:
            resolve[fact.seat] = max(1, resolve.get(fact.seat, 0))
    return resolve


# Starting hands


_TEN = 10
_ACE = 14
_HIGH_ONLY = (HIGH,)


def strength_of(
    mine: Sequence[str],
    dead: Collection[str],
    doors: Sequence[str],
    *,
    is_split: bool = True,
    ways: tuple[Way, ...] = _HIGH_ONLY,
) -> float:
    """0 to 1. ``dead``: all other cards in sight, folded ones too; ``doors``: upcards of live opponents;
    ``is_split``: a pair shows one of its cards (a buried one is worth a little more); ``ways``: as ``Game.ways``."""
    if ways == _HIGH_ONLY:
        return _of_high(mine, dead, doors, is_split=is_split)
    low = _of_low(mine, dead, doors)
    if HIGH not in ways:
        return low
    high = _of_high(mine, dead, doors, is_split=is_split)
    if max(map(ace_low, mine)) > EIGHT or len({ace_low(card) for card in mine}) < len(mine):
        # Half of the pot is somebody else's: only the best of high hands are worth it.
        return max(0.0, high - 0.12) if high < _SURE else high
    return min(1.0, max(low, high) + 0.25 * min(low, high))


#: From here on a high hand is rolled up.
_SURE = 0.9


# -- low -------------------------------------------------------------------------------------------------------------

#: Three different cards by the highest of them, ace low.
_BY_TOP = {9: 0.36, 10: 0.27, 11: 0.2, 12: 0.14, 13: 0.1}
#: A card that pairs another is no card; the third of a kind is worse still.
_PAIRED = (11, 13)


def _of_low(mine: Sequence[str], dead: Collection[str], doors: Sequence[str]) -> float:
    own = sorted({ace_low(card) for card in mine})
    low, mid, top = sorted([*own, *_PAIRED[: len(mine) - len(own)]])
    value = _BY_TOP[top] if top > EIGHT else 0.48 + 0.05 * (EIGHT - top)
    value += 0.012 * (EIGHT - mid) if mid <= EIGHT else -0.05 * (mid - EIGHT)
    value += 0.004 * (EIGHT - low) if low <= EIGHT else -0.05 * (low - EIGHT)
    gone = [ace_low(card) for card in dead]
    helped = sum(1 for rank in gone if rank in own)
    hurt = sum(1 for rank in gone if rank <= EIGHT and rank not in own)
    smoother = sum(1 for door in doors if ace_low(door) < top)
    return max(0.0, min(1.0, value + 0.012 * helped - 0.008 * hurt - 0.01 * smoother))


# -- high ------------------------------------------------------------------------------------------------------------


def _of_high(mine: Sequence[str], dead: Collection[str], doors: Sequence[str], *, is_split: bool) -> float:
    ranks = sorted((rank_of(card) for card in mine), reverse=True)
    gone = [rank_of(card) for card in dead]
    if len(set(ranks)) == 1:
        return min(1.0, 0.93 + ranks[0] * 0.005)
    over = sum(1 for door in doors if rank_of(door) > ranks[0])
    best = max(_of_flush(mine, ranks, dead), _of_straight(ranks, gone), _of_high_cards(ranks, gone, over))
    if len(set(ranks)) == len(ranks) - 1:
        best = max(best, _of_pair(ranks, gone, doors, is_split=is_split))
    return max(0.0, min(1.0, best))


def _of_pair(ranks: list[int], gone: list[int], doors: Sequence[str], *, is_split: bool) -> float:
    pair = next(rank for rank in ranks if ranks.count(rank) == 2)
    kicker = next(rank for rank in ranks if rank != pair)
    value = 0.32 + 0.033 * (pair - 2)
    value += max(0, kicker - _TEN) * (0.012 if kicker > pair else 0.006)
    value -= (0.0, 0.07, 0.17)[min(2, gone.count(pair))] + 0.015 * gone.count(kicker)
    value -= min(0.12, 0.035 * sum(1 for door in doors if rank_of(door) > pair))
    return value if is_split else value + 0.03


def _of_flush(mine: Sequence[str], ranks: list[int], dead: Collection[str]) -> float:
    suit = suit_of(mine[0])
    if any(suit_of(card) != suit for card in mine):
        return 0.0
    lost = sum(1 for card in dead if suit_of(card) == suit)
    value = 0.47 + 0.012 * sum(max(0, rank - _TEN) for rank in ranks)
    if _spread(ranks) <= 4:
        value += 0.05
    return value - 0.01 * min(lost, 1) - 0.06 * max(0, lost - 1)


def _of_straight(ranks: list[int], gone: list[int]) -> float:
    if len(set(ranks)) < len(ranks):
        return 0.0
    gaps = _spread(ranks) - 2
    if gaps > 2:
        return 0.0
    top = ranks[0]
    value = 0.31 + 0.014 * max(0, top - 6) - 0.10 * gaps
    if gaps == 0 and top == _ACE:
        value -= 0.03  # only one end is open
    wanted = {*range(top - 4, top + 3)} - {*ranks}
    return value - 0.025 * sum(1 for rank in gone if rank in wanted)


def _of_high_cards(ranks: list[int], gone: list[int], over: int) -> float:
    """Unpaired high cards: their worth is that they pair, and that they are over what shows."""
    live = sum(max(0, rank - _TEN) * (0.5 if rank in gone else 1.0) for rank in set(ranks))
    return 0.10 + 0.022 * live - 0.03 * over


def _spread(ranks: list[int]) -> int:
    """From the lowest to the highest, the ace at the end that suits it."""
    low = sorted(1 if rank == _ACE else rank for rank in ranks)
    return min(max(ranks) - min(ranks), low[-1] - low[0])


# What share of the pot a hand can expect at the showdown, by playing the rest of it out a fixed number of times.


#: Evaluations a question may cost: some milliseconds.
BUDGET = 1_200
#: Enough to tell a call from a fold; more would not change the answer.
MOST_TRIALS = 160


def forgotten(observation: Observation) -> Observation:
    """The same for a player who looks at the cards before them alone: what was folded may come again, and nobody has
    shown anything by what they paid."""
    seen = {*observation.mine, *observation.common, *(card for other in observation.opponents for card in other.known)}
    opponents = tuple(replace(other, resolve=0) for other in observation.opponents)
    unseen = tuple(card for card in DECK if card not in seen)
    return replace(observation, opponents=opponents, unseen=unseen, dead=frozenset())


#: How many holdings an opponent picks from, by the resolve shown so far.
HOLDINGS = (1, 1, 2, 3)


def share_of_pot(observation: Observation, rng: random.Random, budget: int = BUDGET) -> float:
    """0 to 1: the expected share of a pot that all the live hands play for, for so many evaluations."""
    if not observation.opponents:
        return 1.0
    to_come, has_common = observation.streets_to_come if not observation.common else 0, False
    holdings = [HOLDINGS[other.resolve] if other.hidden else 1 for other in observation.opponents]
    while _needed(observation, holdings, to_come) > len(observation.unseen) and max(holdings) > 1:
        holdings[holdings.index(max(holdings))] -= 1
    if to_come and _needed(observation, holdings, to_come) > len(observation.unseen):
        # So many players that the deck cannot give everybody a last card: one in the middle plays for all.
        to_come, has_common = to_come - 1, True
    needed = _needed(observation, holdings, to_come) + has_common
    costs = len(observation.game.ways) * (1 + sum(1 + (picks if picks > 1 else 0) for picks in holdings))
    trials = max(1, min(MOST_TRIALS, budget // costs))
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


def aim_of(other: Opponent, ways: tuple[Way, ...]) -> Callable[[Sequence[str]], int]:
    """What an opponent who has shown strength holds the best of: where the halves differ, what the upcards say."""
    if len(ways) == 1:
        return VALUES[ways[0].slug]
    small = sum(ace_low(card) <= EIGHT for card in other.known)
    return _low if 2 * small > len(other.known) else value_of
