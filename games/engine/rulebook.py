"""A rulebook is data: for every point its value, the sentence for it, and where the book says so; and its points as the
engine reads them for one setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.engine.errors import Said

#: What is ruled by analogy, for no book has it: (point, verdict), the point that is followed, and the sentence for it.
BY_ANALOGY: Mapping[tuple[str, str], tuple[str, Said]] = {
    ("wrong_card_count", "corrected"): (
        "burn_error",
        Said(
            "A seat that was passed over or got a card too many on a later street is corrected like a burn error while "
            "nobody has acted: every card goes where it belongs."
        ),
    ),
    ("wrong_card_count", "misdeal"): (
        "misdeal",
        Said("A starting hand with too many or too few cards, seen before two players have acted, is a misdeal."),
    ),
}


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a rulebook.

    ``tournament`` is None where a tournament plays the same ``value``. ``cite`` is the rule's number or heading in the
    book, or the whole source where the rule is not of the book; ``citation`` is the source in full, for people. For a
    point on which the book is silent, ``follows`` names whose rule is played instead. ``played`` is the sentence for
    ``value`` where ``text`` is a house's own, which nothing holds to it.
    """

    key: str
    value: Any
    tournament: Any
    cite: str
    text: str
    citation: str
    is_silent: bool = False
    follows: str = ""
    played: str = ""

    @property
    def words(self) -> str:
        """The point for a ruling: its sentence, and what is played where that is another's."""
        return f"“{self.text}” Played: {self.played}" if self.played else self.text


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A dated version of a book; compared by identity, for it is loaded once."""

    slug: str
    version: str
    title: str
    points: Mapping[str, Point]

    def value(self, key: str, setting: str) -> Any:
        """What the book plays on ``key`` in ``setting`` (cash or tournament). Raises ``KeyError`` for no such point."""
        point = self.points[key]
        if setting == "tournament" and point.tournament is not None:
            return point.tournament
        return point.value

    def cite(self, key: str) -> str:
        """The rule's number or heading."""
        return self.points[key].cite

    def words(self, key: str) -> str:
        """The rule as a ruling says it."""
        return self.points[key].words

    def cited(self, key: str, verdict: str) -> dict[str, str]:
        """The rule, the words and the citation of a ruling, as its fact has them."""
        if (key, verdict) not in BY_ANALOGY:
            return {"rule": self.cite(key), "words": self.words(key), "citation": self.citation(key)}
        like, words = BY_ANALOGY[key, verdict]
        citation = f"By analogy with {self.citation(like)}"
        return {"rule": f"by analogy with {self.cite(like)}", "words": str(words), "citation": citation}

    def citation(self, key: str) -> str:
        """Where the rule is from, for people: ``Robert's Rules of Poker v4, 9``, ``TDA 2024, rule 53``."""
        return self.points[key].citation


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
        low_stakes_below=book.value("announcements", setting)["low_stakes_below"],
        weighs_beaten_calls=book.value("beaten_call_stands", setting),
    )
