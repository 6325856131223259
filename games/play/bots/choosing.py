"""The choice of a house bot in its turn: one legal command, never a fold where checking is free.

`games.tables.words` has the strength of each personality, and `manage.py bench bots` measures it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from games.engine.cards import rank_of
from games.engine.commands import BringIn, Call, Check, Command, Fold, Show, Wager
from games.engine.facts.play import ActionOn
from games.engine.games import EIGHT
from games.engine.hand import Hand
from games.play.bots.observation import Observation, ace_low, observe
from games.play.bots.pot_share import BUDGET, share_of_pot, without_memory
from games.play.bots.strength import strength_of


@dataclass(frozen=True, slots=True)
class Personality:
    """The character of a bot. ``title`` and ``about`` are for people; the rest are thresholds from 0 to 1.

    On third street they are compared with the strength of a start (``strength.strength_of``):
    ``enters``: calls the forced bet; ``pays``: calls a full bet; ``leads``: completes or raises; ``dearer``: what each
    raise adds to the two before; ``steals``: how often a high door card tries to take the antes.

    On later streets with the expected share of the pot (``pot_share.share_of_pot``):
    ``margin``: how far the share must be above the price of a call; ``edge``: how far above its even share a hand bets;
    ``raise_step``: what each earlier wager adds to that; ``bluffs``: how often a good-looking board bets alone.

    ``blur``: the largest error in judging a hand, either way. A bot that does not ``remember`` ignores the cards that
    were folded, and what others paid.
    """

    title: str
    about: str
    enters: float
    pays: float
    leads: float
    dearer: float
    steals: float
    margin: float
    edge: float
    raise_step: float
    bluffs: float
    blur: float = 0.03
    remembers: bool = True

    def __str__(self) -> str:
        return self.title


#: By the key in the bot's account.
PERSONALITIES: Mapping[str, Personality] = MappingProxyType(
    {
        "rock": Personality(
            title="Rock",
            about="Waits for a hand, calls more than raises, and hardly ever bluffs.",
            enters=0.27,
            pays=0.37,
            leads=0.55,
            dearer=0.1,
            steals=0.08,
            margin=0.04,
            edge=0.28,
            raise_step=0.15,
            bluffs=0.02,
        ),
        "lively": Personality(
            title="Lively",
            about="Is in most pots, bets first and asks later.",
            enters=0.17,
            pays=0.24,
            leads=0.38,
            dearer=0.07,
            steals=0.45,
            margin=-0.04,
            edge=0.08,
            raise_step=0.12,
            bluffs=0.22,
        ),
        "professor": Personality(
            title="Professor",
            about="Counts the dead cards and the price, and now and then tells a story.",
            enters=0.22,
            pays=0.31,
            leads=0.46,
            dearer=0.08,
            steals=0.3,
            margin=0.0,
            edge=0.16,
            raise_step=0.13,
            bluffs=0.10,
        ),
        "novice": Personality(
            title="Novice",
            about="Plays nearly every hand to the end, and forgets what was folded.",
            enters=0.05,
            pays=0.1,
            leads=0.55,
            dearer=0.02,
            steals=0.02,
            margin=-0.14,
            edge=0.35,
            raise_step=0.2,
            bluffs=0.04,
            blur=0.15,
            remembers=False,
        ),
        "guest": Personality(
            title="Guest",
            about="Came for the company: pays to see one more card, and forgets what was folded.",
            enters=0.1,
            pays=0.17,
            leads=0.5,
            dearer=0.04,
            steals=0.1,
            margin=-0.08,
            edge=0.24,
            raise_step=0.16,
            bluffs=0.08,
            blur=0.08,
            remembers=False,
        ),
    }
)


#: After so many own wagers on a street only a hand that can hardly lose raises again.
_MANY_WAGERS = 3
_HARDLY_BEATABLE = 0.93
#: After so many even the best hand only calls: two sure bots would raise each other until a stack is gone.
_MOST_WAGERS = 6
#: By the number of opponents (1, 2, ...): the strength that a start needs, as a share of what a full table asks for.
_FEWER_WANT_LESS = (0.6, 0.62, 0.7, 0.8, 0.9, 1.0)
_TEN = 10


def choose(*, hand: Hand, seat: int, personality: str, rng: random.Random, budget: int = BUDGET) -> Command:
    """The command of the bot in ``seat`` in its turn.

    ``hand``: a replay of the facts redacted for that seat; it is not changed. ``personality``: a key of
    ``PERSONALITIES``; ``budget``: evaluations that it may cost. Raises ValueError when it is not that seat's turn or
    there is no such personality.
    """
    character = PERSONALITIES.get(personality)
    if character is None:
        raise ValueError(f"there is no personality called {personality!r}; there are {', '.join(PERSONALITIES)}")
    if hand.awaits == "show" and hand.to_act == seat:
        return Show(seat)
    option = hand.options(seat)
    if option is None:
        raise ValueError(f"it is not the turn of seat {seat}")
    observation = observe(hand, seat, option)
    if not character.remembers:
        observation = without_memory(observation)
    if observation.game.by_number[observation.street].is_first:
        return _third_street(observation, character, rng)
    return _later_street(observation, character, rng, budget)


def _third_street(observation: Observation, character: Personality, rng: random.Random) -> Command:
    doors = [other.known[0] for other in observation.opponents if other.known]
    mine, ways = observation.mine, observation.game.ways
    strength = strength_of(mine, observation.dead, doors, is_split=_is_split(observation), ways=ways)
    strength += rng.uniform(-character.blur, character.blur)  # nobody plays quite the same way twice
    strength /= _FEWER_WANT_LESS[min(len(observation.opponents), len(_FEWER_WANT_LESS) - 1)]
    dearer = character.dearer * observation.wagers
    if strength >= character.leads + dearer and _may_raise(observation, strength):
        return _wager(observation, is_strong=True)
    if _is_steal(observation, doors) and rng.random() < character.steals:
        return _wager(observation, is_strong=False)
    if observation.option.bring_in:
        return BringIn(observation.option.seat)
    price = character.pays + dearer if observation.wagers else character.enters
    if observation.own_wagers or _price(observation) < 0.15:
        price -= 0.12  # most of it is paid already
    return _call_or_not(observation, is_worth_it=strength >= price)


def _later_street(observation: Observation, character: Personality, rng: random.Random, budget: int) -> Command:
    share = share_of_pot(observation, rng, budget)
    if not character.remembers:
        share = min(1.0, max(0.0, share + rng.uniform(-character.blur, character.blur)))
    even = 1.0 / (len(observation.opponents) + 1)
    wanted = even + (1.0 - even) * min(0.9, character.edge + character.raise_step * observation.wagers)
    if share >= wanted and _may_raise(observation, share):
        return _wager(observation, is_strong=share >= wanted + 0.1)
    if _is_bluff(observation) and rng.random() < character.bluffs:
        return _wager(observation, is_strong=False)
    # With streets to come, a call will have to be followed by others.
    price = _price(observation) + character.margin + 0.015 * observation.streets_to_come
    return _call_or_not(observation, is_worth_it=share > 0.01 and share >= price)


def _call_or_not(observation: Observation, *, is_worth_it: bool) -> Command:
    option = observation.option
    if option.can_check:
        return Check(option.seat)
    if is_worth_it and option.call:
        return Call(option.seat)
    if option.can_fold:
        return Fold(option.seat)
    return Call(option.seat) if option.call else BringIn(option.seat)


def _price(observation: Observation) -> float:
    """The share of the pot that a call must win to pay for itself."""
    call = observation.option.call
    return call / (observation.pot + call) if call else 0.0


def _may_raise(observation: Observation, chance: float) -> bool:
    """A wager is possible, and this seat has not raised too often with a hand that can be beaten."""
    most = _MOST_WAGERS if chance >= _HARDLY_BEATABLE else _MANY_WAGERS
    return bool(observation.option.verb) and observation.own_wagers < most


def _wager(observation: Observation, *, is_strong: bool) -> Command:
    """The larger of two sizes with a strong hand; where any size is allowed, about two thirds of the pot."""
    option: ActionOn = observation.option
    least, most = option.sizes[0], option.sizes[-1]
    if option.is_range:
        aimed = least + (2 * observation.pot) // 3 if is_strong else least + observation.pot // 3
        return Wager(option.seat, min(most, aimed))
    return Wager(option.seat, most if is_strong else least)


def _is_split(observation: Observation) -> bool:
    """The door card is one of the pair."""
    return bool(observation.door) and sum(card[0] == observation.door[0] for card in observation.mine) > 1


def _is_steal(observation: Observation, doors: list[str]) -> bool:
    """Nobody called or raised, few players are left to act, and the door card is the best in sight."""
    if not observation.option.verb or observation.wagers or observation.entered or not observation.door:
        return False
    if len(observation.opponents) > 3:
        return False
    if observation.game.opens == "low":
        door = ace_low(observation.door)
        return door <= EIGHT and all(ace_low(other) > door for other in doors)
    best = rank_of(observation.door)
    return best >= _TEN and all(rank_of(other) < best for other in doors)


def _is_bluff(observation: Observation) -> bool:
    """Nobody has bet, one or two opponents are left, and the own board looks strongest."""
    is_open = bool(observation.option.verb) and not observation.wagers and observation.option.can_check
    return is_open and len(observation.opponents) <= 2 and observation.has_best_board
