"""Chance: the shuffled deck. The engine gets it as data, and the journal keeps it for a server that is killed."""

import secrets

from games.engine.cards import DECK

_chance = secrets.SystemRandom()


def shuffled() -> tuple[str, ...]:
    """The 52 cards in an order nobody can foretell, top card first."""
    cards = list(DECK)
    _chance.shuffle(cards)
    return tuple(cards)
