"""The games of the stud family as data: what is dealt when, who brings it in, who opens, and what wins.

The rules ask a street or a game what it is; they never compare its number or its name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from games.engine.cards import Card
from games.engine.errors import Said
from games.engine.ranking import low8_value_of, low_value_of, value_of

#: The highest rank of a qualified low at eight-or-better.
EIGHT = 8

STRUCTURES = ("fixed-limit", "spread-limit", "pot-limit", "no-limit")


@dataclass(frozen=True, slots=True)
class Street:
    """One round of cards.

    ``number``: cards a full hand holds once it is dealt. ``ups``: for each card of it, whether it lies face up.
    ``limit``: 0 the small bet, 1 the big bet. ``opens``: who opens the betting, by the ``door`` card or by the whole
    ``board``. ``is_burned_for``: a card is burned before it, where the rulebook burns on that street.
    ``has_open_pair_choice``: an open pair opens the upper limit as well, where the rulebook has it so.
    """

    number: int
    name: str
    ups: tuple[bool, ...]
    limit: int
    opens: str = "board"
    has_betting: bool = True
    is_burned_for: bool = True
    has_open_pair_choice: bool = False
    is_first: bool = False
    is_last: bool = False
    #: How many of its cards lie face down.
    downs: int = field(init=False)
    #: Whether the last card of a hand comes face down on this street.
    has_last_downcard: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "downs", self.ups.count(False))
        object.__setattr__(self, "has_last_downcard", self.is_last and not self.ups[-1])


def _high(cards: Sequence[Card]) -> int | None:
    return value_of(cards)


def _low(cards: Sequence[Card]) -> int | None:
    return -low_value_of(cards)


def _low_eight(cards: Sequence[Card]) -> int | None:
    low = low8_value_of(cards)
    return None if low is None else -low


@dataclass(frozen=True, slots=True)
class WayToWin:
    """One way to win a pot, or half of it where the game has two.

    ``strength``: how good cards are for it, more is better; None: they do not qualify. ``highest``: the highest rank of
    a low that qualifies, which needs five different ranks; 0: every hand qualifies.
    """

    slug: str
    is_low: bool
    strength: Callable[[Sequence[Card]], int | None] = field(repr=False, compare=False)
    highest: int = 0


HIGH = WayToWin("high", is_low=False, strength=_high)
LOW = WayToWin("low", is_low=True, strength=_low)
LOW_EIGHT = WayToWin("low-eight", is_low=True, strength=_low_eight, highest=EIGHT)


@dataclass(frozen=True, slots=True)
class Game:
    """``brings_in``: the lowest or the highest door card. ``opens``: the high or the low board. ``ways``: how a pot is
    won; two ways halve it. ``forced``: the bets nobody chooses. ``hand_size``: cards in a full hand."""

    slug: str
    title: str
    streets: tuple[Street, ...]
    brings_in: str = "lowest"
    opens: str = "high"
    ways: tuple[WayToWin, ...] = (HIGH,)
    forced: tuple[str, ...] = ("ante", "bring-in")
    most_seats: int = 8
    hand_size: int = 7
    first: Street = field(init=False, repr=False, compare=False)
    last: Street = field(init=False, repr=False, compare=False)
    #: Each street by its number.
    by_number: Mapping[int, Street] = field(init=False, repr=False, compare=False)
    #: The street after each, by number; after 0 comes the first, after the last none.
    following: Mapping[int, Street | None] = field(init=False, repr=False, compare=False)
    has_high: bool = field(init=False)
    has_low: bool = field(init=False)

    def __post_init__(self) -> None:
        numbers = [street.number for street in self.streets]
        derived = {
            "first": self.streets[0],
            "last": self.streets[-1],
            "by_number": dict(zip(numbers, self.streets, strict=True)),
            "following": dict(zip([0, *numbers], [*self.streets, None], strict=True)),
            "has_high": any(not way.is_low for way in self.ways),
            "has_low": any(way.is_low for way in self.ways),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)


def describe(game: Game) -> dict[str, Any]:
    """The game for programs, by the names it has here. A way to win is told by its ``slug``, its ``highest`` rank (0:
    every hand qualifies) and whether it ``is_low``, ace to five."""
    return {
        "slug": game.slug,
        "title": game.title,
        "hand_size": game.hand_size,
        "most_seats": game.most_seats,
        "forced": list(game.forced),
        "has_high": game.has_high,
        "has_low": game.has_low,
        "ways": [{"slug": way.slug, "is_low": way.is_low, "highest": way.highest} for way in game.ways],
        "streets": [
            {
                "number": street.number,
                "name": str(street.name),
                "ups": list(street.ups),
                "downs": street.downs,
                "has_betting": street.has_betting,
                "has_open_pair_choice": street.has_open_pair_choice,
                "is_first": street.is_first,
                "is_last": street.is_last,
            }
            for street in game.streets
        ],
    }


_THIRD = Street(3, Said("third"), (False, False, True), 0, opens="door", is_first=True)
_FOURTH = Street(4, Said("fourth"), (True,), 0)
_FIFTH = Street(5, Said("fifth"), (True,), 1)
_SIXTH = Street(6, Said("sixth"), (True,), 1)
_SEVENTH = Street(7, Said("seventh"), (False,), 1, is_last=True)

_STUD = (_THIRD, _FOURTH, _FIFTH, _SIXTH, _SEVENTH)
_HIGH_STUD = (_THIRD, replace(_FOURTH, has_open_pair_choice=True), _FIFTH, _SIXTH, _SEVENTH)
_MISSISSIPPI = (
    _THIRD,
    replace(_FOURTH, has_betting=False),
    replace(_FIFTH, limit=0, is_burned_for=False),
    _SIXTH,
    replace(_SEVENTH, ups=(True,)),
)

GAMES = {
    game.slug: game
    for game in (
        Game("seven-card-stud", "Seven-Card Stud", _HIGH_STUD),
        Game("mississippi-stud", "Mississippi Stud", _MISSISSIPPI),
        Game("razz", "Razz", _STUD, brings_in="highest", opens="low", ways=(LOW,)),
        Game("stud-eight", "Seven-Card Stud Eight-or-Better", _STUD, ways=(HIGH, LOW_EIGHT)),
    )
}

#: Seats of the largest table that any game allows: the house's tables are built for so many.
MOST_SEATS = max(game.most_seats for game in GAMES.values())

#: The seats there can be, by their numbers.
SEAT_NUMBERS = range(1, MOST_SEATS + 1)
