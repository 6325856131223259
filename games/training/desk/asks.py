"""What the ruling desk asks: one `Ask` for each detail of what happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy

from games.engine.games import GAMES as FAMILY

#: The answers to what a question asks, by name: words, whole numbers, or yes and no.
Answers = Mapping[str, Any]

GAMES = ("seven-card-stud", "razz", "stud-eight", "mississippi-stud")
#: Games whose last card comes down.
LAST_DOWN = tuple([slug for slug in GAMES if FAMILY[slug].last.has_last_downcard])


def lowest_card(game: str) -> str:
    """The card that brings it in against any other."""
    return "Ks" if FAMILY[game].brings_in == "highest" else "2c"


@dataclass(frozen=True)
class Ask:
    """One detail that the desk asks for. ``kind``: choice (of ``options``: value and label), number (``least`` to
    ``most``), or flag. ``only_if``: asked only where these other answers are among the values."""

    name: str
    label: Any
    kind: str = "choice"
    options: tuple[tuple[str, Any], ...] = ()
    least: int = 0
    most: int = 0
    default: Any = None
    only_if: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def is_asked(self, answers: Answers) -> bool:
        """Whether this detail matters, given the other answers."""
        return all(answers.get(name) in values for name, values in self.only_if.items())


def flag(name: str, label: Any, *, default: bool = False, **only_if: tuple[Any, ...]) -> Ask:
    return Ask(name, label, "flag", default=default, only_if=only_if)


def choice(name: str, label: Any, *options: tuple[str, Any], **only_if: tuple[Any, ...]) -> Ask:
    """The first option is the default."""
    return Ask(name, label, "choice", options, default=options[0][0], only_if=only_if)


def number(name: str, label: Any, least: int, most: int, default: int, **only_if: tuple[Any, ...]) -> Ask:
    return Ask(name, label, "number", least=least, most=most, default=default, only_if=only_if)


#: As they stand in sentences.
STREET_NAMES = {
    3: gettext_lazy("third street"),
    4: gettext_lazy("fourth street"),
    5: gettext_lazy("fifth street"),
    6: gettext_lazy("sixth street"),
    7: gettext_lazy("seventh street"),
}
