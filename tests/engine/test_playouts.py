"""Thousands of random hands, every invariant after every fact.

Which hands is fixed by their numbers. 340 are played by ``make test``: of faults put in by hand those that 700 of
them noticed were noticed by the 330th. 5,000 are played by ``make test-long``; ``CARDROOM_PLAYOUTS`` is how many.
To see one that failed again: ``play_and_check(number)``.
"""

import os
import random
from dataclasses import asdict, replace

import pytest

from tests.support import tiers
from tests.support.invariants import Watch, check_goes_on, whole_state
from tests.support.parts.stud import AUDITOR, RAIL, DropTaken, Fact, Hand, HandConfig, IllegalAction, PotAwarded, Stakes
from tests.support.playout import non_options_of, options_of, play_out, random_table
from tests.support.refusals import refused
from tests.support.secrecy import check_secrecy
from tests.support.winners import check_winners

HANDS = int(os.environ.get("CARDROOM_PLAYOUTS", tiers.many(340, long=5_000)))
BLOCKS = 10

#: At this share of the choices every option and a sample of non-options are tried.
TRIED = 0.12


def play_and_check(number: int) -> Hand:
    """Play hand ``number`` from start to end under watch."""
    rng = random.Random(number)
    config = random_table(rng)
    # Most hands are watched by the rail and two seats, every eighth by everybody.
    seats = sorted(config.stacks)
    viewers = [RAIL, AUDITOR, *seats] if number % 8 == 0 else [RAIL, *rng.sample(seats, 2)]
    watch = Watch(viewers)
    hand = Hand.start(config)
    watch.saw(hand.facts)
    lengths = [len(hand.facts)]

    def before(hand: Hand) -> None:
        if rng.random() < TRIED:
            check_options(hand)
            check_non_options(hand, rng)

    def after(hand: Hand, facts: tuple[Fact, ...]) -> None:
        watch.saw(facts)
        lengths.append(len(hand.facts))

    commands = play_out(hand, rng, before=before, after=after)
    check_winners(hand)
    check_non_options(hand, rng)
    watch.check_replay(hand)
    check_goes_on(hand, commands, lengths, config.rulebook, rng)
    if number % 4 == 0:
        check_secrecy(hand, commands, config, (RAIL, *seats), rng)
    return hand


def check_options(hand: Hand) -> None:
    """Each legal action can be played on a twin and leaves the hand itself alone."""
    before = whole_state(hand)
    for command in options_of(hand):
        twin = hand.copy()
        assert (facts := twin.play(command))
        assert tuple(twin.facts) == (*hand.facts, *facts)
    assert whole_state(hand) == before


def check_non_options(hand: Hand, rng: random.Random) -> None:
    """Whatever is not on offer is refused with a reason, and changes nothing."""
    before = whole_state(hand)
    for command in non_options_of(hand, rng):
        refusal = refused(IllegalAction, hand.play, command)
        assert all((refusal.code, refusal.message))
        assert len(hand.facts) == len(before["facts"]), command
    assert whole_state(hand) == before


@pytest.mark.parametrize("block", range(BLOCKS))
def test_random_hands_keep_every_invariant_after_every_fact(block: int) -> None:
    for number in range(block, HANDS, BLOCKS):
        print(f"hand {number} of the playouts")  # the last of these has failed
        play_and_check(number)


def times(table: HandConfig, by: int) -> HandConfig:
    """The same table at eight-or-better, where pots are halved, and every chip is ``by`` of them."""
    stakes = Stakes(**{name: chips * by for name, chips in asdict(table.stakes).items()})
    stacks = {seat: chips * by for seat, chips in table.stacks.items()}
    drop = table.drop.scaled(by) if table.drop else None
    return replace(table, game="stud-eight", stakes=stakes, stacks=stacks, drop=drop)


def test_random_hands_split_and_rake_in_whole_chips_of_the_smallest_in_play() -> None:
    halved = 0
    for number in range(tiers.many(100, long=3_000)):
        rng = random.Random(number)
        hand = Hand.start(times(random_table(rng), 25))
        play_out(hand, rng)
        for fact in hand.facts:
            if isinstance(fact, PotAwarded):
                assert fact.amount % 25 == 0, f"hand {number}"
                halved += fact.share == "low"
            elif isinstance(fact, DropTaken):
                assert all(given % 25 == 0 for given in (*fact.pots, fact.rake, fact.promo, fact.jackpot))
    assert halved > 20
