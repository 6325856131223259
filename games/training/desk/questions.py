"""A question of the ruling desk: something that happens at tables, and the details that decide how it is ruled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from games.engine.games import MOST_SEATS
from games.training.desk.asks import GAMES, Answers, Ask
from games.training.desk.scene import DeskScene, Setup


@dataclass(frozen=True)
class Question:
    """Something that happens at tables. ``keys``: the rulebook points it is ruled by; ``players``: least and most.

    ``play`` brings it about; ``setup`` says what kind of hand it needs before it starts.
    """

    slug: str
    group: Any
    title: Any
    keys: tuple[str, ...]
    asks: tuple[Ask, ...]
    play: Callable[[DeskScene, Answers], None]
    setup: Callable[[Answers], Setup] = lambda answers: Setup()
    games: tuple[str, ...] = GAMES
    structures: tuple[str, ...] = ("fixed-limit", "spread-limit", "pot-limit", "no-limit")
    players: tuple[int, int] = (2, MOST_SEATS)
    usual_players: int = 5
    #: What the rule comes to, where it is a rule of play and nothing is ruled on; "" where it comes to nothing.
    finding: Callable[[DeskScene], str] = lambda scene: ""
