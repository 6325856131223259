"""Reads the fields of a scenario's TOML table other than its script, and the lines that begin with ``?``.

``read_fields`` checks the fields and gives defaults; a ``FieldError`` says which field is wrong and why.
``read_expectation`` reads one line; the choices of ``? can`` become a dict from the choice to its amounts: None
(``fold``), an int (``call:5``), a frozenset of sizes (``raise-to:15|30``) or a ``range`` (``bet:10..200``, both ends
in it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from games.engine.cards import DECK, JOKER
from games.notation.scenarios import model as words
from games.notation.scenarios.model import (
    ANNOUNCEMENTS,
    FLOOR,
    RULE_KEYS,
    STREETS,
    VERBS,
    VERDICTS,
    WAGERS,
    BurnLine,
    DealLine,
    Dealt,
    Expectation,
    FactLine,
    FloorLine,
    LowLine,
    NoticeLine,
    PlayerLine,
    PrematureLine,
    ScriptError,
    SeatDeal,
)

# Reads the lines of a script that say what happened. ``read_fact`` is the whole of it.


_CARDS = frozenset(DECK)


@dataclass(frozen=True, slots=True)
class Table:
    """The seats that lines may name: ``seats`` of them, of which ``taken`` have chips."""

    seats: int
    taken: frozenset[int]

    def seat(self, word: str) -> int:
        """A seat of this table, taken or empty."""
        if not re.fullmatch(r"[0-9]+", word):
            raise ScriptError(f"{word!r} is not a seat: write its number")
        number = int(word)
        if not 1 <= number <= self.seats:
            raise ScriptError(f"there is no seat {number}: the table has seats 1 to {self.seats}")
        return number

    def player(self, word: str) -> int:
        """A seat where somebody sits."""
        number = self.seat(word)
        if number not in self.taken:
            raise ScriptError(f"nobody sits in seat {number}")
        return number


def chips(word: str) -> int:
    """A whole number of chips."""
    if not re.fullmatch(r"[0-9]+", word):
        raise ScriptError(f"{word!r} is not a whole number")
    return int(word)


def card(word: str) -> str:
    """One card of the deck."""
    if word not in _CARDS:
        raise ScriptError(f"{word!r} is not a card: write rank and suit, as in Td")
    return word


def cards(word: str) -> tuple[str, ...]:
    """Cards written together, as in ``7h9h``."""
    return tuple(card(word[start : start + 2]) for start in range(0, len(word), 2))


def read_fact(words: list[str], table: Table) -> FactLine:
    """What the line made of ``words`` (at least one) says."""
    first, rest = words[0], words[1:]
    if first in _BY_WORD:
        return _BY_WORD[first](rest, table)
    if re.fullmatch(r"[0-9]+", first):
        return _player(first, rest, table)
    raise ScriptError(f"unknown word {first!r}")


def cards_named(fact: FactLine) -> Iterator[str]:
    """Every card that the line takes from the deck."""
    if isinstance(fact, DealLine | PrematureLine):
        for share in fact.seats:
            yield from (dealt.card for dealt in share.all if dealt.card is not None)
    if isinstance(fact, DealLine) and fact.common is not None:
        yield fact.common


# -- the dealer ------------------------------------------------------------------------------------------------------


def _street(words: list[str]) -> int:
    if not words or words[0] not in STREETS:
        said = repr(words[0]) if words else "nothing"
        raise ScriptError(f"which street? {said} is none of {', '.join(STREETS)}")
    return STREETS[words[0]]


def _deal(words: list[str], table: Table) -> FactLine:
    street = _street(words)
    items = words[1:]
    common = [item for item in items if item.startswith("common:")]
    if common:
        if street < STREETS["sixth"]:  # nine players run a deck out on sixth street
            raise ScriptError("a common card can only be the sixth or the seventh")
        if len(items) > 1:
            raise ScriptError("a common card is dealt alone")
        return DealLine(street, common=card(common[0].removeprefix("common:")))
    return DealLine(street, _shares(street, items, table))


def _premature(words: list[str], table: Table) -> FactLine:
    street = _street(words)
    if not words[1:]:
        raise ScriptError("to whom? write seat and card, as in 1:9h")
    return PrematureLine(street, _shares(street, words[1:], table))


def _shares(street: int, items: list[str], table: Table) -> tuple[SeatDeal, ...]:
    shares: list[SeatDeal] = []
    for item in items:
        seat, colon, written = item.partition(":")
        if not colon:
            raise ScriptError(f"{item!r} is not a deal: write seat and card, as in 1:9h")
        number = table.player(seat)
        if any(share.seat == number for share in shares):
            raise ScriptError(f"seat {number} is dealt to twice in one line")
        read = _starting_hand if street == min(STREETS.values()) else _one_card
        shares.append(read(number, written))
    return tuple(shares)


def _starting_hand(seat: int, written: str) -> SeatDeal:
    downs, slash, third = written.partition("/")
    share = SeatDeal(seat, _marked(downs), _marked(third))
    up_twice = sum(dealt.is_exposed or dealt.is_off_table for dealt in share.cards) == 2
    if len(share.cards) not in (2, 3):
        raise ScriptError(f"seat {seat} needs two cards before the slash, and {downs!r} is {len(share.cards)}")
    if slash and len(share.third) not in (1, 2):
        raise ScriptError(f"seat {seat} needs one card after the slash, and {third!r} is {len(share.third)}")
    if not slash and not up_twice:
        raise ScriptError(f"seat {seat} has no third card: write two cards, a slash and one card, as in 2c3d/7h")
    return share


def _one_card(seat: int, written: str) -> SeatDeal:
    if "/" in written:
        raise ScriptError(f"{seat}:{written} has a slash, which belongs to third street")
    share = SeatDeal(seat, _marked(written))
    if len(share.cards) not in (1, 2):
        raise ScriptError(f"seat {seat} gets one card (two by mistake), and {written!r} is {len(share.cards)}")
    return share


def _marked(written: str) -> tuple[Dealt, ...]:
    """Cards with the marks before them: ``^`` face up, ``~`` off the table; ``-`` is a card not dealt."""
    dealt: list[Dealt] = []
    place = 0
    while place < len(written):
        marks = ""
        while written[place : place + 1] in ("^", "~"):
            marks += written[place]
            place += 1
        if written[place : place + 1] == "-":
            if marks:
                raise ScriptError(f"{marks}- in {written!r}: a card not dealt cannot be face up or off the table")
            dealt.append(Dealt(None))
            place += 1
            continue
        if len(set(marks)) != len(marks):
            raise ScriptError(f"{marks!r} in {written!r} says the same thing twice")
        dealt.append(Dealt(card(written[place : place + 2]), "^" in marks, "~" in marks))
        place += 2
    return tuple(dealt)


def _burn(words: list[str], table: Table) -> FactLine:
    if len(words) != 1:
        raise ScriptError("how many cards? write burn and a number, as in burn 2")
    return BurnLine(chips(words[0]))


def _notice(words: list[str], table: Table) -> FactLine:
    _nothing_after("notice", words)
    return NoticeLine()


def _low(words: list[str], table: Table) -> FactLine:
    if len(words) != 1:
        raise ScriptError("which seat? write low and its number, as in low 3")
    return LowLine(table.player(words[0]))


# -- players and floor -----------------------------------------------------------------------------------------------


def _player(seat: str, words: list[str], table: Table) -> PlayerLine:
    number = table.player(seat)
    if not words:
        raise ScriptError(f"what does seat {number} do?")
    verb, rest = words[0], words[1:]
    if verb not in VERBS:
        raise ScriptError(f"unknown word {verb!r}: a player {', '.join(sorted(VERBS))}")
    if verb in WAGERS and len(rest) == 1:
        return PlayerLine(number, verb, chips(rest[0]))
    _nothing_after(verb, rest)
    return PlayerLine(number, verb)


def _floor(words: list[str], table: Table) -> FactLine:
    if not words or words[0] not in FLOOR:
        said = repr(words[0]) if words else "nothing"
        raise ScriptError(f"unknown order of the floor {said}: there are {', '.join(FLOOR)}")
    order, rest = words[0], words[1:]
    if order == "voids" and len(rest) == 1:
        return FloorLine(order, card=rest[0] if rest[0] == JOKER else card(rest[0]))
    if not FLOOR[order]:
        _nothing_after(f"floor {order}", rest)
        return FloorLine(order)
    if len(rest) != 1:
        raise ScriptError(f"floor {order} needs one seat")
    return FloorLine(order, table.player(rest[0]))


def _nothing_after(word: str, rest: list[str]) -> None:
    if rest:
        raise ScriptError(f"nothing may follow {word!r}, and {' '.join(rest)!r} does")


_BY_WORD: dict[str, Callable[[list[str], Table], FactLine]] = {
    "deal": _deal,
    "premature": _premature,
    "burn": _burn,
    "notice": _notice,
    "low": _low,
    "floor": _floor,
}


# Reads the fields of a scenario's TOML table other than its script, and the lines that begin with ``?``.


REQUIRED = ("name", "rule", "rulebooks", "stakes", "stacks", "play")
OPTIONAL = ("setting", "game", "structure", "dealer", "absent", "players_left", "options", "stub")


class FieldError(ScriptError):
    """A field that is missing or wrong; ``field`` says which."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


def read_fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a ``Scenario`` by name, the script aside. Raises ``FieldError``."""
    for field in sorted(set(table) - {*REQUIRED, *OPTIONAL}):
        raise FieldError(field, "there is no such field")
    for field in REQUIRED:
        if field not in table:
            raise FieldError(field, "is missing")
    rule = _text(table, "rule")
    if rule not in words.RULE_KEYS:
        raise FieldError("rule", f"{rule!r} is no rule key")
    structure = _one_of(table, "structure", words.STRUCTURES, "fixed-limit")
    stacks = _stacks(table["stacks"])
    if not isinstance(table["play"], str):
        raise FieldError("play", "is not a text")
    return {
        "name": _text(table, "name"),
        "rule": rule,
        "rulebooks": _rulebooks(table["rulebooks"]),
        "setting": _one_of(table, "setting", words.SETTINGS, "cash"),
        "game": _one_of(table, "game", words.GAMES, "seven-card-stud"),
        "structure": structure,
        "stakes": _stakes(table["stakes"], structure),
        "stacks": stacks,
        "dealer": _dealer(table, stacks),
        "absent": _absent(table, stacks),
        "players_left": _players_left(table),
        "options": _options(table),
        "stub": _stub(table),
    }


def _text(table: Mapping[str, Any], field: str) -> str:
    value = table[field]
    if not isinstance(value, str) or not value.strip():
        raise FieldError(field, "is not a text")
    return value


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _one_of(table: Mapping[str, Any], field: str, known: Any, default: str) -> str:
    value = table.get(field, default)
    if not isinstance(value, str) or value not in known:
        raise FieldError(field, f"{value!r} is none of {', '.join(sorted(known))}")
    return value


def _rulebooks(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(slug, str) and slug for slug in value):
        raise FieldError("rulebooks", "is not a list of slugs")
    if len(set(value)) != len(value):
        raise FieldError("rulebooks", "names a book twice")
    return tuple(value)


def _stacks(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not value or not all(_is_count(stack) for stack in value):
        raise FieldError("stacks", "is not a list of whole numbers of chips, one for each seat")
    return tuple(value)


def _stakes(value: Any, structure: str) -> dict[str, int]:
    if not isinstance(value, dict):
        raise FieldError("stakes", "is not a table such as { ante = 1, bring_in = 5, small_bet = 15, big_bet = 30 }")
    for name, amount in value.items():
        if name not in words.STAKES:
            raise FieldError("stakes", f"there is no stake called {name!r}")
        if not _is_count(amount):
            raise FieldError("stakes", f"{name} is not a whole number of chips")
    for name in words.STRUCTURES[structure]:
        if name not in value:
            raise FieldError("stakes", f"{structure} needs {name}")
    return dict(value)


def _dealer(table: Mapping[str, Any], stacks: tuple[int, ...]) -> int:
    value = table.get("dealer", len(stacks))
    if type(value) is not int or not 1 <= value <= len(stacks):
        raise FieldError("dealer", f"{value!r} is not one of the {len(stacks)} seats")
    return value


def _absent(table: Mapping[str, Any], stacks: tuple[int, ...]) -> tuple[int, ...]:
    value = table.get("absent", [])
    if not isinstance(value, list):
        raise FieldError("absent", "is not a list of seats")
    for seat in value:
        if type(seat) is not int or not 1 <= seat <= len(stacks):
            raise FieldError("absent", f"{seat!r} is not one of the {len(stacks)} seats")
        if not stacks[seat - 1]:
            raise FieldError("absent", f"nobody sits in seat {seat}")
    if len(set(value)) != len(value):
        raise FieldError("absent", "names a seat twice")
    return tuple(value)


def _players_left(table: Mapping[str, Any]) -> int:
    value = table.get("players_left", 0)
    if not _is_count(value):
        raise FieldError("players_left", "is not a number of players")
    return int(value)


def _options(table: Mapping[str, Any]) -> dict[str, Any]:
    value = table.get("options", {})
    if not isinstance(value, dict):
        raise FieldError("options", "is not a table of house choices")
    for name, choice in value.items():
        if name == "low_stakes":
            if not isinstance(choice, bool):
                raise FieldError("options", "low_stakes is true or false")
        elif name not in words.RULE_KEYS:
            raise FieldError("options", f"there is no house choice on {name!r}")
        elif isinstance(choice, str) and choice not in words.VERDICTS.get(name, (choice,)):
            raise FieldError("options", f"{choice!r} is no choice on {name}: {', '.join(words.VERDICTS[name])}")
    return dict(value)


def _stub(table: Mapping[str, Any]) -> tuple[str, ...]:
    value = table.get("stub", "")
    if not isinstance(value, str):
        raise FieldError("stub", "is not a text of cards")
    stub: list[str] = []
    for word in value.split():
        for start in range(0, len(word), 2):
            card = word[start : start + 2]
            if card not in DECK:
                raise FieldError("stub", f"{card!r} is not a card: write rank and suit, as in Td")
            if card in stub:
                raise FieldError("stub", f"{card} is there twice")
            stub.append(card)
    return tuple(stub)


# Expectations


#: Choices of ``? can``: what comes after the colon.
_BARE = frozenset({"fold", "check", "declare-all-in"})
_ONE_AMOUNT = frozenset({"call", "bring-in"})
_SIZES = frozenset({"complete-to", "bet", "raise-to"})


def read_expectation(words: list[str], text: str, table: Table) -> Expectation:
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


def _turn(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 1, "turn 2 (or: turn -)")
    return Expectation(what, None if words[0] == "-" else table.seat(words[0]))


def _seat(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 1, f"{what} 2")
    return Expectation(what, table.seat(words[0]))


def _seat_chips(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 2, f"{what} 2 7")
    return Expectation(what, table.seat(words[0]), chips(words[1]))


def _seat_cards(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 2, "upcards 2 7h9h")
    return Expectation(what, table.seat(words[0]), cards(words[1]))


def _number(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 1, f"{what} 4")
    return Expectation(what, value=chips(words[0]))


def _common(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 1, "common 6h")
    return Expectation(what, value=card(words[0]))


def _bare(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 0, what)
    return Expectation(what)


def _key(word: str) -> str:
    if word not in RULE_KEYS:
        raise ScriptError(f"{word!r} is no rule key")
    if word not in VERDICTS:
        raise ScriptError(f"there is never a ruling on {word!r}")
    return word


def _ruling(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 2, "ruling raise_cap capped")
    key, verdict = _key(words[0]), words[1]
    if verdict not in VERDICTS[key]:
        raise ScriptError(f"{verdict!r} is no verdict on {key}: there are {', '.join(VERDICTS[key])}")
    return Expectation(what, value=(key, verdict))


def _no_ruling(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 1, "no-ruling raise_cap")
    return Expectation(what, value=_key(words[0]))


def _announcement(what: str, words: list[str], table: Table) -> Expectation:
    _count(what, words, 2, f"{what} pair 2")
    if words[0] not in ANNOUNCEMENTS:
        raise ScriptError(f"{words[0]!r} is never announced: there are {', '.join(sorted(ANNOUNCEMENTS))}")
    return Expectation(what, table.seat(words[1]), words[0])


def _cannot(what: str, words: list[str], table: Table) -> Expectation:
    if words == ["start"]:
        return Expectation(what)
    if not words:
        raise ScriptError("? cannot is written as in '? cannot 2 checks'")
    # An empty seat may be asked about: nobody there can do anything.
    line = read_fact(words, Table(table.seats, frozenset(range(1, table.seats + 1))))
    if not isinstance(line, PlayerLine | FloorLine):
        raise ScriptError("? cannot takes what a player does or the floor orders, or start")
    return Expectation(what, value=line)


def _can(what: str, words: list[str], table: Table) -> Expectation:
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


_READERS: dict[str, Callable[[str, list[str], Table], Expectation]] = {
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
