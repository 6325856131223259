"""The shapes of the desk: questions, what is asked, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .scene import Scene

#: The answers to what a question asks, by name: words, whole numbers, or yes and no.
Answers = Mapping[str, Any]

GAMES = ("seven-card-stud", "razz", "stud-eight", "mississippi-stud")
#: Games whose last card comes down.
LAST_DOWN = ("seven-card-stud", "razz", "stud-eight")


@dataclass(frozen=True)
class Ask:
    """One thing to be asked. ``kind``: choice (of ``options``: value and label), number (``least`` to ``most``), or
    flag. ``only_if``: asked only where these other answers are among the values."""

    name: str
    label: str
    kind: str = "choice"
    options: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 0
    default: Any = None
    only_if: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def is_asked(self, answers: Answers) -> bool:
        """Whether the other answers make it worth asking."""
        return all(answers.get(name) in values for name, values in self.only_if.items())


def flag(name: str, label: str, *, default: bool = False, **only_if: tuple[Any, ...]) -> Ask:
    return Ask(name, label, "flag", default=default, only_if=only_if)


def choice(name: str, label: str, *options: tuple[str, str], **only_if: tuple[Any, ...]) -> Ask:
    """The first option is the default."""
    return Ask(name, label, "choice", options, default=options[0][0], only_if=only_if)


def number(name: str, label: str, least: int, most: int, default: int, **only_if: tuple[Any, ...]) -> Ask:
    return Ask(name, label, "number", least=least, most=most, default=default, only_if=only_if)


@dataclass(frozen=True)
class Question:
    """Something that happens at tables. ``keys``: the rulebook points it is ruled by; ``players``: least and most.

    ``play`` brings it about; ``setup`` says what kind of hand it needs before it starts.
    """

    slug: str
    group: str
    title: str
    keys: tuple[str, ...]
    asks: tuple[Ask, ...]
    play: Callable[[Scene, Answers], None]
    setup: Callable[[Answers], Setup] = lambda answers: Setup()
    games: tuple[str, ...] = GAMES
    structures: tuple[str, ...] = ("fixed-limit", "spread-limit", "pot-limit", "no-limit")
    players: tuple[int, int] = (2, 8)
    usual_players: int = 5
    #: What the rule comes to, where it is a rule of play and nothing is ruled on; "" where it comes to nothing.
    finding: Callable[[Scene], str] = lambda scene: ""


@dataclass(frozen=True)
class Setup:
    """What a scene starts with. ``wishes``: cards by (street, seat, place); ``stacks``: chips of single seats;
    ``low``: this seat gets the door card that owes the forced bet."""

    wishes: Mapping[tuple[int, int, int], str] = field(default_factory=dict)
    stacks: Mapping[int, int] = field(default_factory=dict)
    low: int = 0
    absent: tuple[int, ...] = ()
    warned: tuple[int, ...] = ()
    players_left: int = 0
    is_hand_shown: bool = False


@dataclass(frozen=True)
class RulingRow:
    """A ruling with where the book says so. ``follows``: whose rule a silent book plays."""

    key: str
    verdict: str
    seats: tuple[int, ...]
    words: str
    rule: str
    citation: str
    is_silent: bool
    follows: str


@dataclass(frozen=True)
class PointRow:
    """What a book says on a point, whether or not it came to a ruling."""

    key: str
    text: str
    citation: str
    is_silent: bool
    follows: str


@dataclass(frozen=True)
class Refusal:
    """Why the rules do not let this happen."""

    message: str
    rule: str | None
    code: str


@dataclass(frozen=True)
class Answer:
    """What the engine makes of it. ``told``: how the little hand went; ``deed``: what happened then; ``rulings``, cause
    first; ``finding``: what the rule of play comes to where there is nothing to rule on; ``remedy``: what follows, in
    sentences; ``next``: what correct procedure wants then. ``before``: the hand as the rail sees it before the deed,
    or, where that is the deal itself, before the ruling; ``table``: in the end. ``points``: what the book says on the
    points of the question."""

    what: str
    answers: Answers
    told: list[str]
    deed: list[str]
    rulings: list[RulingRow]
    finding: str
    remedy: list[str]
    next: str
    refused: Refusal | None
    before: dict[str, Any]
    table: dict[str, Any]
    points: list[PointRow]
