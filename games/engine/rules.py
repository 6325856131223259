"""A rulebook's points as the engine reads them for one setting, worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from .rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Rules:
    """``most_raises``: 0 for no cap. ``heads_up``: how the cap is lifted for two players. Points that only matter when
    something went wrong are read from the book where they are needed."""

    fewest_players: int
    most_players: int
    burns: frozenset[int]
    plays_without_bring_in: bool
    opener_may_complete: bool
    most_raises: int
    heads_up: str
    has_open_pair_choice: bool
    folds_keep_receiving: bool
    bring_in_may_fold: bool
    absent_killed: str
    short_deck: str
    low_stakes_below: int
    weighs_beaten_calls: bool


@lru_cache(maxsize=64)
def resolve(book: Rulebook, setting: str) -> Rules:
    """The points of ``book`` in ``setting`` (cash or tournament)."""
    cap = book.value("raise_cap", setting)
    players = book.value("players", setting)
    folds = book.value("fold_keeps_receiving", setting)
    return Rules(
        fewest_players=players["least"],
        most_players=players["most"],
        burns=frozenset(book.value("burns", setting)),
        plays_without_bring_in=book.value("forced_bet", setting) == "lowest-or-highest",
        opener_may_complete=book.value("opener_may_complete", setting),
        most_raises=cap["raises"],
        heads_up=cap["heads_up"],
        has_open_pair_choice=book.value("open_pair_fourth", setting) == "either-limit",
        folds_keep_receiving=folds in ("no-wager", "no-wager-or-forced-bet"),
        bring_in_may_fold=folds == "no-wager-or-forced-bet",
        absent_killed=book.value("absent_player", setting),
        short_deck=book.value("deck_exhaustion", setting),
        low_stakes_below=book.value("announcements", setting)["low_stakes_below"],
        weighs_beaten_calls=book.value("beaten_call_stands", setting),
    )
