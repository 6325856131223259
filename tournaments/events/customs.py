"""What is said of a structure that breaks a custom of structure sheets, in the current language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext, gettext_lazy

from cardroom.core.sentences import filled, translated
from tournaments.engine.clock import Structure
from tournaments.engine.customs import Breach

STAKES = {
    "ante": gettext_lazy("ante"),
    "bring_in": gettext_lazy("bring-in"),
    "small_bet": gettext_lazy("small bet"),
    "big_bet": gettext_lazy("big bet"),
}
_SENTENCES = {
    "number": gettext_lazy("the {what} is {amount:,}; 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 and zeros are usual."),
    "chip": gettext_lazy("the {what} of {amount:,} is not a multiple of {chip:,}, the smallest chip in play."),
    "step": gettext_lazy("bets go from {was:,} to {now:,}; a rise by 1.14 to 1.5 times is usual."),
    "big-bet": gettext_lazy("the big bet of {big_bet:,} is not twice the small bet of {small_bet:,}."),
    "ante": gettext_lazy("the ante is {ante:,} with a small bet of {small_bet:,}; about a quarter is usual."),
    "bring-in": gettext_lazy("the bring-in is {bring_in:,} with a small bet of {small_bet:,}; about a third is usual."),
    "no-bring-in": gettext_lazy("there is no bring-in."),
    "bring-in-below-ante": gettext_lazy("the bring-in of {bring_in:,} is below the ante of {ante:,}."),
    "play-too-long": gettext_lazy("{minutes} minutes of play without a break; 80 to 120 are usual."),
    "play-too-short": gettext_lazy("only {minutes} minutes of play before it; 80 to 120 are usual."),
    "break-length": gettext_lazy("it lasts {minutes} minutes; 10 to 15 are usual, or 60 to 90 for a meal."),
    "chip-stays": gettext_lazy("no later level needs the chips of {chip:,}: colour them up here."),
    "colour-up-in-play": gettext_lazy("the chips of {chip:,} are coloured up outside of a break."),
    "entry-end": gettext_lazy("registration closes after it, but no break follows; one follows level {nearest}."),
    "rebuy-end": gettext_lazy("rebuys end after it, but no break follows; one follows level {nearest}."),
    "add-on": gettext_lazy("rebuys end with it, at break {rebuys}, but the add-on is sold in break {number}."),
}


@dataclass(frozen=True)
class Warned:
    """A custom that is broken: `code`, the entries of the structure where (`indexes`, from 0), and of the first of them
    its `values` and a sentence."""

    code: str
    indexes: tuple[int, ...]
    values: dict[str, int | str]
    sentence: str


def warnings(structure: Structure, broken: Iterable[Breach]) -> list[Warned]:
    """One for each custom that is broken, those first that come first."""
    by_code: dict[str, list[Breach]] = {}
    for breach in broken:
        by_code.setdefault(breach.code, []).append(breach)
    return [_warning(structure, code, breaches) for code, breaches in by_code.items()]


def _warning(structure: Structure, code: str, breaches: Sequence[Breach]) -> Warned:
    first, indexes = breaches[0], tuple(dict.fromkeys(breach.index for breach in breaches))
    values = first.values | ({"what": str(STAKES[str(first.values["what"])])} if "what" in first.values else {})
    explanation = filled(str(_SENTENCES[code]), **values)
    sentence = f"{translated(structure.name(first.index))}: {explanation}"
    if len(indexes) > 1:
        sentence = gettext("{sentence} Likewise: {others}.").format(
            sentence=sentence, others=_level_list(structure, indexes[1:])
        )
    return Warned(code, indexes, first.values, sentence)


def _level_list(structure: Structure, indexes: Sequence[int]) -> str:
    """`level 3, levels 5–7, break 2`."""
    parts: list[str] = []
    for is_break in (False, True):
        numbers = [
            structure.break_number(index) if is_break else structure.number(index)
            for index in indexes
            if structure.levels[index].is_break == is_break
        ]
        for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
            row = [number for _, number in run]
            singular, plural = gettext("break {n}"), gettext("breaks {first}–{last}")
            if not is_break:
                singular, plural = gettext("level {n}"), gettext("levels {first}–{last}")
            parts.append(singular.format(n=row[0]) if len(row) == 1 else plural.format(first=row[0], last=row[-1]))
    return ", ".join(parts)
