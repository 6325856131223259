"""Reads the lines of a script that expect something: those that begin with ``?``.

The choices of ``? can`` become a dict from the choice to its amounts: None (``fold``), an int (``call:5``), a frozenset
of sizes (``raise-to:15|30``) or a ``range`` (``bet:10..200``, both ends in it).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from games.notation.scenarios.model import Expectation, FloorLine, PlayerLine, ScriptError
from games.notation.scenarios.reading import ScriptTable, card, cards, chips, read_fact
from games.notation.scenarios.words import ANNOUNCEMENTS, RULE_KEYS, VERDICTS

#: Choices of ``? can``: what comes after the colon.
_BARE = frozenset({"fold", "check", "declare-all-in"})


_ONE_AMOUNT = frozenset({"call", "bring-in"})


_SIZES = frozenset({"complete-to", "bet", "raise-to"})


def read_expectation(words: list[str], text: str, table: ScriptTable) -> Expectation:
    """What the words after ``?`` ask for; ``text`` is the same unsplit, for headings in quotes."""
    if not words:
        raise ScriptError("what is expected? nothing follows the question mark")
    what, rest = words[0], words[1:]
    if what not in _READERS:
        raise ScriptError(f"unknown word {what!r} after the question mark")
    if what == "cites":
        return Expectation("cites", value=_heading(text.removeprefix("cites").strip()))
    return _READERS[what](what, rest, table)


def _count(what: str, words: list[str], wanted: int, example: str) -> None:
    if len(words) != wanted:
        raise ScriptError(f"? {what} is written as in '? {example}'")


def _turn(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 1, "turn 2 (or: turn -)")
    return Expectation(what, None if words[0] == "-" else table.seat(words[0]))


def _seat(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 1, f"{what} 2")
    return Expectation(what, table.seat(words[0]))


def _seat_chips(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 2, f"{what} 2 7")
    return Expectation(what, table.seat(words[0]), chips(words[1]))


def _seat_cards(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 2, "upcards 2 7h9h")
    return Expectation(what, table.seat(words[0]), cards(words[1]))


def _number(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 1, f"{what} 4")
    return Expectation(what, value=chips(words[0]))


def _common(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 1, "common 6h")
    return Expectation(what, value=card(words[0]))


def _bare(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 0, what)
    return Expectation(what)


def _key(word: str) -> str:
    if word not in RULE_KEYS:
        raise ScriptError(f"{word!r} is no rule key")
    if word not in VERDICTS:
        raise ScriptError(f"there is never a ruling on {word!r}")
    return word


def _ruling(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 2, "ruling raise_cap capped")
    key, verdict = _key(words[0]), words[1]
    if verdict not in VERDICTS[key]:
        raise ScriptError(f"{verdict!r} is no verdict on {key}: there are {', '.join(VERDICTS[key])}")
    return Expectation(what, value=(key, verdict))


def _no_ruling(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 1, "no-ruling raise_cap")
    return Expectation(what, value=_key(words[0]))


def _announcement(what: str, words: list[str], table: ScriptTable) -> Expectation:
    _count(what, words, 2, f"{what} pair 2")
    if words[0] not in ANNOUNCEMENTS:
        raise ScriptError(f"{words[0]!r} is never announced: there are {', '.join(sorted(ANNOUNCEMENTS))}")
    return Expectation(what, table.seat(words[1]), words[0])


def _cannot(what: str, words: list[str], table: ScriptTable) -> Expectation:
    if words == ["start"]:
        return Expectation(what)
    if not words:
        raise ScriptError("? cannot is written as in '? cannot 2 checks'")
    # An empty seat may be asked about: nobody there can do anything.
    line = read_fact(words, ScriptTable(table.seats, frozenset(range(1, table.seats + 1))))
    if not isinstance(line, PlayerLine | FloorLine):
        raise ScriptError("? cannot takes what a player does or the floor orders, or start")
    return Expectation(what, value=line)


def _can(what: str, words: list[str], table: ScriptTable) -> Expectation:
    if len(words) < 2:
        raise ScriptError("? can is written as in '? can 2 fold call:5 raise-to:15|30'")
    choices: dict[str, Any] = {}
    for word in words[1:]:
        name, colon, amount = word.partition(":")
        if name in choices:
            raise ScriptError(f"{name} is there twice")
        choices[name] = _amounts(name, amount, bool(colon))
    return Expectation(what, table.seat(words[0]), choices)


def _amounts(name: str, amount: str, has_amount: bool) -> Any:
    if name in _BARE:
        if has_amount:
            raise ScriptError(f"{name} takes no amount")
        return None
    if name not in _ONE_AMOUNT | _SIZES:
        raise ScriptError(f"{name!r} is no choice: there are {', '.join(sorted(_BARE | _ONE_AMOUNT | _SIZES))}")
    if not amount:
        raise ScriptError(f"{name} needs an amount, as in {name}:5")
    if name in _ONE_AMOUNT:
        return chips(amount)
    if ".." in amount:
        least, _, most = amount.partition("..")
        if chips(least) >= chips(most):
            raise ScriptError(f"{amount} is not a range: the first amount must be the smaller")
        return range(chips(least), chips(most) + 1)
    sizes = [chips(size) for size in amount.split("|")]
    if len(set(sizes)) != len(sizes):
        raise ScriptError(f"{amount} has the same size twice")
    return frozenset(sizes)


def _heading(text: str) -> str:
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) or re.fullmatch(r'"[^"]+"', text):
        return text.strip('"')
    raise ScriptError(f"? cites takes a rule's number or its heading in quotes, and this is {text!r}")


_READERS: dict[str, Callable[[str, list[str], ScriptTable], Expectation]] = {
    "turn": _turn,
    "can": _can,
    "cannot": _cannot,
    "pot": _number,
    "burns": _number,
    "stub": _number,
    "stack": _seat_chips,
    "cards": _seat_chips,
    "down": _seat_chips,
    "wins": _seat_chips,
    "upcards": _seat_cards,
    "live": _seat,
    "dead": _seat,
    "receives": _seat,
    "not-receives": _seat,
    "shows-first": _seat,
    "ruling": _ruling,
    "no-ruling": _no_ruling,
    "cites": _bare,
    "common": _common,
    "announces": _announcement,
    "silent": _announcement,
    "misdeal": _bare,
    "over": _bare,
}
