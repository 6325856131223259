"""Random hands with random mistakes under all five books, every invariant after every fact.

Which hands is fixed by their numbers. 250 are played by ``make test``, 5,000 by ``make test-long``;
``CARDROOM_MISTAKES`` is how many. To see one that failed again: ``play_and_check(number)``.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from games.engine import commands as c
from games.engine.cards import DECK
from games.engine.facts import AUDITOR, RAIL, Fact, ShowdownOpened, redact
from games.engine.hand import Hand
from games.engine.stakes import HandConfig
from games.scenarios.vocabulary import VERDICTS
from tests.support import tiers
from tests.support.invariants import Watch, cards_in, whole_state
from tests.support.mistakes import play_out, random_table
from tests.support.winners import check_winners

HANDS = int(os.environ.get("CARDROOM_MISTAKES", tiers.many(250, long=5_000)))
BLOCKS = 10


def play_and_check(number: int) -> Hand:
    """Play hand ``number`` from start to end under watch, again from its middle, and again with other hidden cards."""
    rng = random.Random(number)
    table = random_table(rng)
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
    assert whole_state(watch.whole).items() <= whole_state(hand).items()
    for viewer, view in watch.views.items():
        fresh = Hand.replay(redact(fact, viewer) for fact in hand.facts)
        assert whole_state(view).items() <= whole_state(fresh).items()
    check_goes_on(hand, commands, lengths, table.config, rng)
    check_secrecy(hand, commands, table.config, rng)
    return hand


def check_goes_on(
    hand: Hand, commands: list[c.Command], lengths: list[int], config: HandConfig, rng: random.Random
) -> None:
    """Rebuilt from its facts in the middle, the hand goes on as it went."""
    at = rng.randrange(len(commands)) if commands else 0
    again = Hand.replay(hand.facts[: lengths[at]], config.rulebook)
    for command in commands[at:]:
        again.play(command)
    assert whole_state(again) == whole_state(hand)


# -- secrecy ---------------------------------------------------------------------------------------------------------


def check_secrecy(hand: Hand, commands: list[c.Command], config: HandConfig, rng: random.Random) -> None:
    """With the cards that a viewer never saw exchanged among each other, he is sent the same until hands are shown."""
    told = until_hands_are_shown(hand.facts)
    for viewer in (RAIL, rng.choice(list(config.stacks))):
        sent = [redact(fact, viewer) for fact in told]
        fixed = set[str]().union(*map(cards_in, sent))
        free = [card for card in DECK if card not in fixed]
        faces = dict(zip(free, rng.sample(free, len(free)), strict=True))
        decks = {"deck": exchanged(config.deck, faces), "scramble": exchanged(config.scramble, faces)}
        again = Hand.start(replace(config, **decks))
        for command in commands:
            if again.phase in ("show", "over"):
                break
            again.play(with_faces(command, faces))
        assert [redact(fact, viewer) for fact in until_hands_are_shown(again.facts)] == sent, f"viewer {viewer}"


def until_hands_are_shown(facts: Iterable[Fact]) -> list[Fact]:
    kept: list[Fact] = []
    for fact in facts:
        kept.append(fact)
        if isinstance(fact, ShowdownOpened):
            break
    return kept


def exchanged(cards: tuple[str, ...] | None, faces: dict[str, str]) -> tuple[str, ...] | None:
    return cards if cards is None else tuple(faces.get(card, card) for card in cards)


def with_faces(command: c.Command, faces: dict[str, str]) -> c.Command:
    """The same command with other faces on the cards it names."""
    if isinstance(command, c.Deal | c.DealTooSoon):
        cards = tuple(replace(item, card=faces.get(item.card or "", item.card)) for item in command.cards)
        command = replace(command, cards=cards)
    if isinstance(command, c.Deal) and command.common:
        command = replace(command, common=faces.get(command.common, command.common))
    if isinstance(command, c.Notice) and command.card:
        command = replace(command, card=faces.get(command.card, command.card))
    return command


# -- the tests -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", range(BLOCKS))
def test_hands_with_mistakes_keep_every_invariant_after_every_fact(block: int) -> None:
    for number in range(block, HANDS, BLOCKS):
        try:
            play_and_check(number)
        except BaseException:
            print(f"hand {number} of the playouts with mistakes")
            raise


def test_the_playouts_with_mistakes_reach_every_ruling_there_is() -> None:
    met: set[tuple[str, str]] = set()
    for number in range(900):
        rng = random.Random(number)
        table = random_table(rng)
        hand = Hand.start(table.config)
        play_out(hand, table, rng)
        met.update((ruling.key, ruling.verdict) for ruling in hand.rulings_made)
        met.update((fact.kind, "") for fact in hand.facts)
    every = {(key, verdict) for key, verdicts in VERDICTS.items() for verdict in verdicts}
    kinds = {(kind, "") for kind in ("cards-put-right", "premature-card-kept", "cards-eliminated", "action-held")}
    kinds |= {(kind, "") for kind in ("action-released", "declared-all-in", "hand-revived", "hand-voided")}
    assert (every | kinds) - met == set()
