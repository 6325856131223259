"""The games of the stud family as data: what is dealt when, who opens, what wins."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Street:
    """``number``: cards a full hand holds once it is dealt. ``ups``: how each card of it lies. ``limit``: 0 the small
    bet, 1 the big bet."""

    number: int
    name: str
    ups: tuple[bool, ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Game:
    """``has_open_pair``: an open pair on fourth street opens the upper limit."""

    slug: str
    title: str
    streets: tuple[Street, ...]
    has_open_pair: bool


_STUD_STREETS = (
    Street(3, "third", (False, False, True), 0),
    Street(4, "fourth", (True,), 0),
    Street(5, "fifth", (True,), 1),
    Street(6, "sixth", (True,), 1),
    Street(7, "seventh", (False,), 1),
)

GAMES = {
    "seven-card-stud": Game("seven-card-stud", "Seven-Card Stud", _STUD_STREETS, has_open_pair=True),
}
