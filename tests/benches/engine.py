"""How many whole hands the engine plays in a second of processor time, beside PokerKit on the same policy.

Two policies, eight seats: ``uniform`` takes each legal action with equal chance (fold, also where checking is free;
check or call; bring-in; each wager), ``calldown`` has everyone call to the showdown. Shuffling is counted on both
sides, and every fact (there: every operation) is kept. PokerKit plays as in a cash game, where it too lets a player
fold for free. The two take turns in short slices, so that a slow moment of the machine falls on both.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

from games.engine.cards import DECK
from games.engine.commands import BringIn, Call, Check, Command, Fold, Wager
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.rulebooks.queries import load

SEATS = 8
STACK = 1_000
STAKES = Stakes(ante=1, bring_in=5, small_bet=15, big_bet=30)
RULEBOOK = "roberts-v4"
SEED = 7
SLICE = 1.0

#: Plays one hand with the chance it is given.
Player = Callable[[random.Random], None]


def run(seconds: float = 24.0, seed: int = SEED) -> dict[str, Any]:
    """Plays for about ``seconds`` of processor time in all. Rates are medians over the slices, in hands per second
    of processor time; PokerKit's and the ratio are None where it is not installed."""
    theirs = _pokerkit_players()
    lanes = 4 if theirs else 2
    a_slice = min(SLICE, seconds / lanes)
    rounds = max(1, round(seconds / lanes / a_slice))
    report: dict[str, Any] = {"seats": SEATS}
    for policy, ours in {"uniform": _ours(_at_random), "calldown": _ours(_call)}.items():
        report[policy] = _compare(ours, theirs.get(policy), random.Random(seed), a_slice, rounds)
    return report


def _compare(
    ours: Player, theirs: Player | None, rng: random.Random, a_slice: float, rounds: int
) -> dict[str, float | None]:
    players = [ours] if theirs is None else [ours, theirs]
    rates: list[list[float]] = [[] for _ in players]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PokerKit warns of every fold for free
        for player in players:
            player(rng)  # what is worked out on first sight is not counted
        for _ in range(rounds):
            for player, measured in zip(players, rates, strict=True):
                measured.append(_hands_per_second(player, rng, a_slice))
    medians = [median(measured) for measured in rates]
    return {
        "hands_per_cpu_s": round(medians[0], 1),
        "pokerkit_hands_per_cpu_s": round(medians[1], 1) if theirs else None,
        "ratio": round(medians[0] / medians[1], 2) if theirs else None,
    }


def _hands_per_second(player: Player, rng: random.Random, a_slice: float) -> float:
    hands = 0
    started = process_time()
    while (spent := process_time() - started) < a_slice:
        player(rng)
        hands += 1
    return hands / spent


def _ours(policy: Callable[[ActionOn, random.Random], Command]) -> Player:
    rulebook = load(RULEBOOK)
    stacks = dict.fromkeys(range(1, SEATS + 1), STACK)
    cards = list(DECK)

    def play(rng: random.Random) -> None:
        scramble = tuple(cards)  # the shuffle of the hand before is as good a second one
        rng.shuffle(cards)
        hand = Hand.start(
            HandConfig(
                rulebook=rulebook, stakes=STAKES, stacks=stacks, dealer=SEATS, deck=tuple(cards), scramble=scramble
            )
        )
        while seat := hand.to_act:
            option = hand.options(seat)
            assert option is not None
            hand.play(policy(option, rng))
        assert hand.is_over

    return play


def _at_random(option: ActionOn, rng: random.Random) -> Command:
    seat = option.seat
    choices: list[Any] = [*option.sizes]
    if option.can_fold:
        choices.append(Fold)
    if option.can_check:
        choices.append(Check)
    if option.call:
        choices.append(Call)
    if option.bring_in:
        choices.append(BringIn)
    choice = choices[int(rng.random() * len(choices))]
    return Wager(seat, choice) if type(choice) is int else choice(seat)


def _call(option: ActionOn, rng: random.Random) -> Command:
    if option.bring_in:
        return BringIn(option.seat)
    return Check(option.seat) if option.can_check else Call(option.seat)


def _pokerkit_players() -> dict[str, Player]:
    """PokerKit under the same two policies; none where it is not installed."""
    try:
        from pokerkit import Automation, FixedLimitSevenCardStud, Mode
    except ImportError:
        return {}
    automations = tuple(Automation)  # it needs only the players' actions

    def start(rng: random.Random) -> Any:
        random.seed(rng.getrandbits(32))  # it shuffles with the module's own generator
        return FixedLimitSevenCardStud.create_state(
            automations,
            True,
            STAKES.ante,
            STAKES.bring_in,
            STAKES.small_bet,
            STAKES.big_bet,
            (STACK,) * SEATS,
            SEATS,
            mode=Mode.CASH_GAME,
        )

    def at_random(rng: random.Random) -> None:
        state = start(rng)
        while state.status:
            choices = []
            if state.can_complete_bet_or_raise_to():
                choices.append(state.complete_bet_or_raise_to)
            if state.can_fold():
                choices.append(state.fold)
            if state.can_check_or_call():
                choices.append(state.check_or_call)
            if state.can_post_bring_in():
                choices.append(state.post_bring_in)
            choices[int(rng.random() * len(choices))]()

    def call(rng: random.Random) -> None:
        state = start(rng)
        while state.status:
            if state.can_post_bring_in():
                state.post_bring_in()
            else:
                state.check_or_call()

    return {"uniform": at_random, "calldown": call}
