"""Lessons: hands that the engine plays as they are written, with a coach who stops at turns of the learner.

A lesson is a file in `lesson_files/`. The lines of its scripts are those of scenario files, and these:
`! text`: what the coach says before the line that follows;
`- fold: text`, after the line of a turn of the learner: why this other choice is poor;
`+ text`, after the same line: what the coach says once the learner has done what the line says.
A turn of the learner without these lines is played for them. The learner sits in seat 1 and sees what that seat sees.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from games.engine.facts.base import Fact, redact, to_json
from games.engine.facts.play import ActionOn
from games.engine.hand import Hand
from games.engine.stakes import HandConfig, Stakes
from games.notation.scenarios.commands import command_of
from games.notation.scenarios.reading import ScriptTable, read_fact
from games.rulebooks.queries import load

SEAT = 1
STAKES = Stakes(ante=1, bring_in=2, small_bet=5, big_bet=10)
RULEBOOK = "roberts-v4"
_STACK = 300
_FOLDER = Path(__file__).parent / "lesson_files"


def translated(text: str) -> str:
    """The text of a lesson file in the current language; "" stays ""."""
    return gettext(text) if text else ""


@dataclass
class Stop:
    """Where the coach speaks, once fact `upto` has happened. At a turn of the learner's `best` is what to do, such as
    "complete", and `poor` says of every other choice why not; `then` is said afterwards."""

    upto: int
    speech: str = ""
    best: str = ""
    poor: dict[str, str] = field(default_factory=dict)
    then: str = ""

    def as_json(self) -> dict[str, Any]:
        poor = {choice: translated(why) for choice, why in self.poor.items()}
        return {
            "upto": self.upto,
            "says": translated(self.speech),
            "best": self.best,
            "poor": poor,
            "then": translated(self.then),
        }


@dataclass(frozen=True)
class LessonHand:
    """A hand of a lesson: its facts as the learner may see them, numbered from 1."""

    title: str
    names: tuple[str, ...]
    facts: tuple[Fact, ...]
    stops: tuple[Stop, ...]

    def as_json(self, number: int) -> dict[str, Any]:
        """The data from which the page plays the hand, like that of a finished hand."""
        return {
            "id": number, "title": translated(self.title), "seatCount": max(4, len(self.names)), "you": SEAT,
            "seats": [
                {"number": seat, "name": translated(name) if seat == SEAT else name, "isBot": seat != SEAT}
                for seat, name in enumerate(self.names, 1)
            ],
            "facts": [(seq, fact.kind, to_json(fact)) for seq, fact in enumerate(self.facts, 1)],
            "stops": [stop.as_json() for stop in self.stops],
        }  # fmt: skip


@dataclass(frozen=True)
class Lesson:
    slug: str
    title: str
    about: str
    place: int
    parts: tuple[LessonHand, ...]


@lru_cache(maxsize=1)
def lessons() -> Mapping[str, Lesson]:
    """All lessons by their slug, in their order. ``ScriptError``, ``IllegalAction`` or ``ValueError`` for one that
    cannot be played as it is written."""
    in_order = sorted(map(_read_lesson, _FOLDER.glob("*.toml")), key=attrgetter("place"))
    return {lesson.slug: lesson for lesson in in_order}


def _read_lesson(path: Path) -> Lesson:
    data = tomllib.loads(path.read_text("utf-8"))
    parts = tuple(_play_script(hand, data.get("game", "seven-card-stud")) for hand in data["hands"])
    return Lesson(path.stem, data["title"], data["about"], data["place"], parts)


def _play_script(data: Mapping[str, Any], game: str) -> LessonHand:
    """A hand of a lesson, played from its script. A line is what happens, as in a scenario, but for three marks: ``!``
    is what the coach says before the next line, ``- choice: text`` why another choice at the last turn is a poor one,
    and ``+`` what the coach says after that turn."""
    names = data["names"]
    seats = frozenset(range(1, len(names) + 1))
    hand = Hand.start(
        HandConfig(
            rulebook=load(RULEBOOK), game=game, stakes=STAKES, stacks=dict.fromkeys(sorted(seats), _STACK),
            dealer=len(names), is_hand_dealt=True,
        )
    )  # fmt: skip
    table, stops, speech = ScriptTable(len(names), seats), [], ""
    for line in filter(None, map(str.strip, data["script"].splitlines())):
        match line[0], line[1:].strip():
            case "!", text:
                speech = text
            case "-", text:
                choice, _, why = text.partition(":")
                stops[-1].poor[choice] = why.strip()
            case "+", text:
                stops[-1].then = text
            case _:
                if speech or line.startswith(f"{SEAT} "):
                    stops.append(Stop(len(hand.facts), speech, _action(hand, line)))
                speech = ""
                command = command_of(read_fact(line.split(), table))
                if command is None:
                    raise ValueError(f"a lesson cannot say {line!r}")
                hand.play(command)
    if speech:
        stops.append(Stop(len(hand.facts), speech))
    facts = tuple(redact(fact, SEAT) for fact in hand.facts)
    return LessonHand(data.get("title", ""), tuple(names), facts, tuple(map(_without_unasked_turn, stops)))


def _action(hand: Hand, line: str) -> str:
    """What the learner does here, as the buttons have it; "" where it is not their turn."""
    if not line.startswith(f"{SEAT} ") or hand.to_act != SEAT:
        return ""
    option = hand.options(SEAT)
    verb = line.split()[1]
    assert isinstance(option, ActionOn)
    wager = option.verb.removesuffix("-to")
    return {"folds": "fold", "checks": "check", "calls": "call", "brings-in": "bring-in"}.get(verb, wager)


def _without_unasked_turn(stop: Stop) -> Stop:
    """``stop`` without its best choice where no other choice is explained: that turn is played for the learner."""
    if stop.best and not stop.poor:
        stop.best = ""
    return stop
