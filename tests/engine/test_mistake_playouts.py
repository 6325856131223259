"""Random hands with random mistakes under all five books, every invariant after every fact.

Which hands is fixed by their numbers. 250 are played by ``make test``, 5,000 by ``make test-long``;
``CARDROOM_MISTAKES`` is how many. To see one that failed again: ``play_and_check(number)``.
"""

import os
import random
from dataclasses import replace

import pytest

from games.notation.scenarios.words import VERDICTS
from tests.support import tiers
from tests.support.invariants import Watch, check_goes_on, whole_state
from tests.support.mistakes import play_out, random_table
from tests.support.parts.stud import AUDITOR, RAIL, Fact, Hand, c
from tests.support.secrecy import check_secrecy
from tests.support.winners import check_winners

HANDS = int(os.environ.get("CARDROOM_MISTAKES", tiers.many(250, long=5_000)))
BLOCKS = 10


#: What houses choose that no book has, one or the other in each hand.
CHOICES = (
    {"deck_exhaustion": "common-card"},
    {"last_stub_card": "never"},
    {"deck_exhaustion": "common-card", "last_stub_card": "never", "ante": "button"},
    {"final_card_faceup": "all-up", "ante": "button"},
)
#: The first numbers without a last card that comes up are passed over.
HOUSE_HANDS = range(320, 320 + tiers.many(80, long=2_000))


def play_and_check(number: int, choices: dict[str, str] | None = None) -> Hand:
    """Play hand ``number`` from start to end under watch, again from its middle, and again with other hidden cards."""
    rng = random.Random(number)
    table = random_table(rng)
    if choices:
        table = replace(table, config=replace(table.config, choices={**table.config.choices, **choices}))
    seats = sorted(table.config.stacks)
    viewers = [RAIL, AUDITOR, *seats] if number % 8 == 0 else [RAIL, *rng.sample(seats, min(2, len(seats)))]
    watch = Watch(viewers, allows_mistakes=True)
    hand = Hand.start(table.config)
    watch.saw(hand.facts)
    lengths = [len(hand.facts)]

    def after(facts: tuple[Fact, ...]) -> None:
        watch.saw(facts)
        lengths.append(len(hand.facts))

    def refused(command: c.Command) -> None:
        assert len(hand.facts) == lengths[-1], f"{command} was refused and left something behind"
        assert whole_state(watch.whole).items() <= whole_state(hand).items(), command

    commands = play_out(hand, table, rng, after=after, refused=refused)
    check_winners(hand)
    watch.check_replay(hand)
    check_goes_on(hand, commands, lengths, table.config.rulebook, rng)
    check_secrecy(hand, commands, table.config, (RAIL, rng.choice(list(table.config.stacks))), rng)
    return hand


@pytest.mark.parametrize("block", range(BLOCKS))
def test_hands_with_mistakes_keep_every_invariant_after_every_fact(block: int) -> None:
    for number in range(block, HANDS, BLOCKS):
        print(f"hand {number} of the playouts with mistakes")  # the last of these has failed
        play_and_check(number)


@pytest.mark.parametrize("block", range(len(CHOICES)))
def test_hands_of_a_house_that_chooses_keep_every_invariant(block: int) -> None:
    verdicts = set()
    for number in HOUSE_HANDS[block :: len(CHOICES)]:
        print(f"hand {number} of the playouts with choices")
        hand = play_and_check(number, CHOICES[block])
        verdicts |= {ruling.verdict for ruling in hand.rulings_made}
        if "ante" in CHOICES[block] and hand.facts[1].kind == "antes-posted":
            assert [seat for seat, _ in hand.facts[1].antes] == [hand.order[-1]]
    if "final_card_faceup" in CHOICES[block]:
        assert "all-up" in verdicts


def test_the_playouts_with_mistakes_reach_every_ruling_there_is() -> None:
    missing = {(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts}
    missing -= {("final_card_faceup", "all-up")}  # by a house's choice
    missing |= {(kind, "") for kind in ("cards-put-right", "premature-card-kept", "cards-eliminated", "action-held")}
    missing |= {(kind, "") for kind in ("action-released", "declared-all-in", "hand-revived", "hand-voided")}
    missing |= {(kind, "") for kind in ("timed-out", "player-left", "player-back", "hand-tabled", "hand-mucked")}
    missing |= {("bet-returned", "")}
    for number in range(1000):
        rng = random.Random(number)
        table = random_table(rng)
        hand = Hand.start(table.config)
        play_out(hand, table, rng)
        missing -= {(ruling.key, ruling.verdict) for ruling in hand.rulings_made}
        missing -= {(fact.kind, "") for fact in hand.facts}
        if not missing:
            return
    assert not missing
