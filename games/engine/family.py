"""The games of the stud family as data: what is dealt when, who brings it in, who opens, what wins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Street:
    """``number``: cards a full hand holds once it is dealt. ``ups``: how each card of it lies. ``limit``: 0 the small
    bet, 1 the big bet. ``is_burned_for``: a card is burned before it, where the rulebook burns on that street."""

    number: int
    name: str
    ups: tuple[bool, ...]
    limit: int
    has_betting: bool = True
    is_burned_for: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """``brings_in``: the lowest or the highest door card. ``opens``: the high or the low board. ``pays``: high, low
    (ace to five) and low-eight (a low of eight or under). ``has_open_pair``: an open pair on fourth street opens the
    upper limit."""

    slug: str
    title: str
    streets: tuple[Street, ...]
    brings_in: str = "lowest"
    opens: str = "high"
    pays: tuple[str, ...] = ("high",)
    has_open_pair: bool = False
    #: Cards in a full hand.
    hand_size: int = 7


_STUD = (
    Street(3, "third", (False, False, True), 0),
    Street(4, "fourth", (True,), 0),
    Street(5, "fifth", (True,), 1),
    Street(6, "sixth", (True,), 1),
    Street(7, "seventh", (False,), 1),
)

_MISSISSIPPI = (
    Street(3, "third", (False, False, True), 0),
    Street(4, "fourth", (True,), 0, has_betting=False),
    Street(5, "fifth", (True,), 0, is_burned_for=False),
    Street(6, "sixth", (True,), 1),
    Street(7, "seventh", (True,), 1),
)

GAMES = {
    game.slug: game
    for game in (
        Game("seven-card-stud", "Seven-Card Stud", _STUD, has_open_pair=True),
        Game("mississippi-stud", "Mississippi Stud", _MISSISSIPPI),
        Game("razz", "Razz", _STUD, brings_in="highest", opens="low", pays=("low",)),
        Game("stud-eight", "Seven-Card Stud Eight-or-Better", _STUD, pays=("high", "low-eight")),
    )
}
STRUCTURES = ("fixed-limit", "spread-limit", "pot-limit", "no-limit")
