"""Decks that a test chooses, in place of those that follow from the secrets of the room."""

import random
from collections.abc import Callable

import pytest

from tests.support.parts.games import shuffling
from tests.support.parts.stud import DECK


def deal_from(monkeypatch: pytest.MonkeyPatch, shuffled: Callable[[], tuple[str, ...]]) -> None:
    """Every hand is dealt from `shuffled()`, with another for its second shuffle; what is committed to goes on."""
    monkeypatch.setattr(shuffling, "decks", lambda *secrets: (shuffled(), shuffled()))


def same_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(2030)
    deal_from(monkeypatch, lambda: tuple(chance.sample(DECK, len(DECK))))
