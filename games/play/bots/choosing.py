"""What a house bot does when it is its turn: one legal command, never a fold where checking is free."""

from __future__ import annotations

import random

from games.engine.cards import rank_of
from games.engine.commands import BringIn, Call, Check, Command, Fold, Show, Wager
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand
from games.play.bots.equity import share_of_pot
from games.play.bots.personalities import PERSONALITIES, Personality
from games.play.bots.sight import EIGHT, Sight, ace_low, sight_of, strength_of

#: From so many own wagers on a street on, only a hand that can hardly lose puts in another.
_MANY_WAGERS = 3
_HARDLY_BEATABLE = 0.93
#: And after these even the surest hand calls: two sure bots would raise each other until a stack is gone.
_MOST_WAGERS = 6
#: Against so many opponents a start need only be so strong, as a share of what a full table asks for.
_FEWER_WANT_LESS = (0.6, 0.62, 0.7, 0.8, 0.9, 1.0)
_TEN = 10


def choose(*, hand: Hand, seat: int, personality: str, rng: random.Random) -> Command:
    """The command that the bot in ``seat`` gives now.

    ``hand``: a replay of the facts redacted for that seat; it is not changed. ``personality``: a key of
    ``PERSONALITIES``. Raises ValueError when it is not that seat's turn or there is no such personality.
    """
    character = PERSONALITIES.get(personality)
    if character is None:
        raise ValueError(f"there is no personality called {personality!r}; there are {', '.join(PERSONALITIES)}")
    if hand.awaits == "show" and hand.to_act == seat:
        return Show(seat)
    option = hand.options(seat)
    if option is None:
        raise ValueError(f"it is not the turn of seat {seat}")
    sight = sight_of(hand, seat, option)
    if sight.street == 3:
        return _third_street(sight, character, rng)
    return _later_street(sight, character, rng)


def _third_street(sight: Sight, character: Personality, rng: random.Random) -> Command:
    doors = [other.known[0] for other in sight.opponents if other.known]
    strength = strength_of(sight.mine, sight.dead, doors, is_split=_is_split(sight), pays=sight.game.pays)
    strength += rng.uniform(-0.03, 0.03)  # nobody plays quite the same way twice
    strength /= _FEWER_WANT_LESS[min(len(sight.opponents), len(_FEWER_WANT_LESS) - 1)]
    dearer = character.dearer * sight.wagers
    if strength >= character.leads + dearer and _may_raise(sight, strength):
        return _wager(sight, is_strong=True)
    if _is_steal(sight, doors) and rng.random() < character.steals:
        return _wager(sight, is_strong=False)
    if sight.option.bring_in:
        return BringIn(sight.option.seat)
    price = character.pays + dearer if sight.wagers else character.enters
    if sight.own_wagers or _price(sight) < 0.15:
        price -= 0.12  # most of it is paid already
    return _call_or_not(sight, is_worth_it=strength >= price)


def _later_street(sight: Sight, character: Personality, rng: random.Random) -> Command:
    share = share_of_pot(sight, rng)
    even = 1.0 / (len(sight.opponents) + 1)
    wanted = even + (1.0 - even) * min(0.9, character.edge + character.raise_step * sight.wagers)
    if share >= wanted and _may_raise(sight, share):
        return _wager(sight, is_strong=share >= wanted + 0.1)
    if _is_bluff(sight) and rng.random() < character.bluffs:
        return _wager(sight, is_strong=False)
    # With streets to come, the price of a call is not the last one.
    price = _price(sight) + character.margin + 0.015 * sight.streets_to_come
    return _call_or_not(sight, is_worth_it=share > 0.01 and share >= price)


def _call_or_not(sight: Sight, *, is_worth_it: bool) -> Command:
    option = sight.option
    if option.can_check:
        return Check(option.seat)
    if is_worth_it and option.call:
        return Call(option.seat)
    if option.can_fold:
        return Fold(option.seat)
    return Call(option.seat) if option.call else BringIn(option.seat)


def _price(sight: Sight) -> float:
    """The share of the pot that a call must win to pay for itself."""
    call = sight.option.call
    return call / (sight.pot + call) if call else 0.0


def _may_raise(sight: Sight, chance: float) -> bool:
    """A wager is open, and it is not the umpteenth on a hand that can be beaten."""
    most = _MOST_WAGERS if chance >= _HARDLY_BEATABLE else _MANY_WAGERS
    return bool(sight.option.verb) and sight.own_wagers < most


def _wager(sight: Sight, *, is_strong: bool) -> Command:
    """The dearer of two sizes with a strong hand; where any size goes, about two thirds of the pot."""
    option: ActionOn = sight.option
    least, most = option.sizes[0], option.sizes[-1]
    if option.is_range:
        aimed = least + (2 * sight.pot) // 3 if is_strong else least + sight.pot // 3
        return Wager(option.seat, min(most, aimed))
    return Wager(option.seat, most if is_strong else least)


def _is_split(sight: Sight) -> bool:
    """The door card is one of the pair."""
    return bool(sight.door) and sum(card[0] == sight.door[0] for card in sight.mine) > 1


def _is_steal(sight: Sight, doors: list[str]) -> bool:
    """Nobody came in of their own will, few are left to act, and the door card is the best in sight."""
    if not sight.option.verb or sight.wagers or sight.entered or not sight.door:
        return False
    if len(sight.opponents) > 3:
        return False
    if sight.game.opens == "low":
        door = ace_low(sight.door)
        return door <= EIGHT and all(ace_low(other) > door for other in doors)
    best = rank_of(sight.door)
    return best >= _TEN and all(rank_of(other) < best for other in doors)


def _is_bluff(sight: Sight) -> bool:
    """Nobody has bet, one or two are to be talked out of it, and the board tells a story."""
    is_open = bool(sight.option.verb) and not sight.wagers and sight.option.can_check
    return is_open and len(sight.opponents) <= 2 and sight.has_best_board
