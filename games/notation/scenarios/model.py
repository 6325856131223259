"""What a scenario says, line by line, once it is read. Knows nothing of the engine.

Seats are ints from 1, cards strings such as ``"As"``, streets the number of cards of a whole hand, chips ints.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class ScriptError(ValueError):
    """A line or field that is not written as the format wants it; the message says what and why."""


@dataclass(frozen=True, slots=True)
class ScriptCard:
    """One card as it came: ``card`` is None where the seat was skipped; ``is_exposed``: dealt face up by mistake;
    ``is_off_table``: it left the table."""

    card: str | None
    is_exposed: bool = False
    is_off_table: bool = False

    @property
    def is_clean(self) -> bool:
        """Dealt as it should be."""
        return self.card is not None and not self.is_exposed and not self.is_off_table


@dataclass(frozen=True, slots=True)
class SeatDeal:
    """What one seat got, in the order it came. ``third``: the cards written after the slash."""

    seat: int
    cards: tuple[ScriptCard, ...]
    third: tuple[ScriptCard, ...] = ()

    @property
    def all(self) -> tuple[ScriptCard, ...]:
        return self.cards + self.third

    def is_clean(self, expected: int) -> bool:
        """Exactly ``expected`` cards, every one dealt as it should be."""
        return len(self.all) == expected and all(dealt.is_clean for dealt in self.all)


@dataclass(frozen=True, slots=True)
class DealLine:
    """A street is dealt: to ``seats``, or ``common`` in the middle, or (neither) by the engine off the stub."""

    street: int
    seats: tuple[SeatDeal, ...] = ()
    common: str | None = None


@dataclass(frozen=True, slots=True)
class PrematureLine:
    """Burned and dealt although the betting was not over."""

    street: int
    seats: tuple[SeatDeal, ...]


@dataclass(frozen=True, slots=True)
class BurnLine:
    """So many cards were burned before the deal that follows."""

    count: int


@dataclass(frozen=True, slots=True)
class NoticeLine:
    """Somebody points the mistake out."""


@dataclass(frozen=True, slots=True)
class LowLine:
    """The dealer names the seat as lowcard."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """What a player did; ``to``: the seat's total for the street, where the line says it."""

    seat: int
    verb: str
    to: int | None = None


@dataclass(frozen=True, slots=True)
class FloorLine:
    """What the floor ordered; ``seat`` is None where the order is to nobody in particular. ``card``: what fouls the
    deck, where the line says it."""

    order: str
    seat: int | None = None
    card: str = ""


FactLine = DealLine | PrematureLine | BurnLine | NoticeLine | LowLine | PlayerLine | FloorLine


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true. ``what``: the first word after ``?``; ``seat`` and ``value`` as that word takes them.

    ``can``: ``value`` maps each choice to its amounts (see ``expecting.py``). ``cannot``: ``value`` is the line
    refused, or None for ``start``. ``ruling``: (key, verdict). ``announces`` and ``silent``: what is said.
    """

    what: str
    seat: int | None = None
    value: Any = None


@dataclass(frozen=True, slots=True)
class ScriptLine:
    """One line of a script. ``number``: its line in the file, from 1."""

    number: int
    text: str
    content: FactLine | Expectation


@dataclass(frozen=True)
class Scenario:
    """One hand and what must come of it. ``line``: where it begins in ``file``."""

    file: str
    line: int
    name: str
    rule: str
    rulebooks: tuple[str, ...]
    stakes: Mapping[str, int]
    stacks: tuple[int, ...]
    lines: tuple[ScriptLine, ...]
    setting: str = "cash"
    game: str = "seven-card-stud"
    structure: str = "fixed-limit"
    dealer: int = 0
    absent: tuple[int, ...] = ()
    players_left: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    stub: tuple[str, ...] = ()

    @property
    def is_shown_manually(self) -> bool:
        """Players show or muck in the script, so the showdown does not run by itself."""
        return any(
            isinstance(line.content, PlayerLine) and line.content.verb in ("shows", "mucks") for line in self.lines
        )


@dataclass(frozen=True, slots=True)
class ScenarioFault:
    """A scenario, or a whole file, that could not be read. ``name`` is empty for the file."""

    file: str
    line: int
    reason: str
    name: str = ""
