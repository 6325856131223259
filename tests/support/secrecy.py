"""A hand played again with the cards exchanged that a viewer never saw: all that is sent to them must be the same."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

from tests.support.invariants import cards_in
from tests.support.parts.stud import DECK, Fact, Hand, HandConfig, ShowdownOpened, c, redact


def check_secrecy(
    hand: Hand, commands: list[c.Command], config: HandConfig, viewers: Iterable[int], rng: random.Random
) -> None:
    """Until hands are shown, each of the viewers is sent the same whatever the cards are that it cannot see."""
    open_facts = until_hands_are_shown(hand.facts)
    for viewer in viewers:
        sent = seen_by(viewer, open_facts)
        again = with_other_cards(config, commands, sent, rng)
        assert seen_by(viewer, until_hands_are_shown(again.facts)) == sent, f"viewer {viewer} is told of a hidden card"


def until_hands_are_shown(facts: Iterable[Fact]) -> list[Fact]:
    """The facts up to the showdown; all of them when there was none."""
    kept: list[Fact] = []
    for fact in facts:
        kept.append(fact)
        if isinstance(fact, ShowdownOpened):
            break
    return kept


def seen_by(viewer: int, facts: Iterable[Fact]) -> list[Fact]:
    return [redact(fact, viewer) for fact in facts]


def with_other_cards(
    config: HandConfig, commands: Iterable[c.Command], sent: Iterable[Fact], rng: random.Random
) -> Hand:
    """The same shuffles and commands, but the cards that `sent` does not name have changed faces among each other.

    It goes as far as the showdown: who may muck there is told by the cards.
    """
    fixed = set[str]().union(*map(cards_in, sent))
    free = [card for card in DECK if card not in fixed]
    faces = dict(zip(free, rng.sample(free, len(free)), strict=True))
    decks = {"deck": _exchanged(config.deck, faces), "scramble": _exchanged(config.scramble, faces)}
    # The commitment to them is the same, for its root hides them by their salts; what it is made from is another.
    hand = Hand.start(replace(config, **decks, secrets=("another", "another still") if config.commitment else ("", "")))
    for command in commands:
        if hand.phase in ("show", "over"):
            break
        hand.play(_with_faces(command, faces))
    return hand


def _exchanged(cards: tuple[str, ...] | None, faces: Mapping[str, str]) -> tuple[str, ...] | None:
    return cards if cards is None else tuple(faces.get(card, card) for card in cards)


def _with_faces(command: c.Command, faces: Mapping[str, str]) -> c.Command:
    """The same command with other faces on the cards it names."""
    if isinstance(command, c.Deal | c.DealTooSoon):
        cards = tuple(replace(item, card=faces.get(item.card or "", item.card)) for item in command.cards)
        command = replace(command, cards=cards)
    if isinstance(command, c.Deal) and command.common:
        command = replace(command, common=faces.get(command.common, command.common))
    if isinstance(command, c.NoticeMistake):
        command = replace(command, cards=tuple([faces.get(card, card) for card in command.cards]))
    return command
