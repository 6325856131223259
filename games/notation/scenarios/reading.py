"""Reads the lines of a script that say what happens. Lines that begin with ``?`` are read by ``expecting.py``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from games.engine.cards import DECK, JOKER
from games.notation.scenarios.model import (
    BurnLine,
    DealLine,
    FactLine,
    FloorLine,
    LowLine,
    NoticeLine,
    PlayerLine,
    PrematureLine,
    ScriptCard,
    ScriptError,
    SeatDeal,
)
from games.notation.scenarios.words import FLOOR, STREETS, VERBS, WAGERS

_CARDS = frozenset(DECK)


@dataclass(frozen=True, slots=True)
class ScriptTable:
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


def read_fact(words: list[str], table: ScriptTable) -> FactLine:
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


def _street(words: list[str]) -> int:
    if not words or words[0] not in STREETS:
        word = repr(words[0]) if words else "nothing"
        raise ScriptError(f"which street? {word} is none of {', '.join(STREETS)}")
    return STREETS[words[0]]


def _deal(words: list[str], table: ScriptTable) -> FactLine:
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


def _premature(words: list[str], table: ScriptTable) -> FactLine:
    street = _street(words)
    if not words[1:]:
        raise ScriptError("to whom? write seat and card, as in 1:9h")
    return PrematureLine(street, _shares(street, words[1:], table))


def _shares(street: int, items: list[str], table: ScriptTable) -> tuple[SeatDeal, ...]:
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
    share = SeatDeal(seat, _read_cards(downs), _read_cards(third))
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
    share = SeatDeal(seat, _read_cards(written))
    if len(share.cards) not in (1, 2):
        raise ScriptError(f"seat {seat} gets one card (two by mistake), and {written!r} is {len(share.cards)}")
    return share


def _read_cards(written: str) -> tuple[ScriptCard, ...]:
    """Cards with the marks before them: ``^`` face up, ``~`` off the table; ``-`` is a card not dealt."""
    dealt: list[ScriptCard] = []
    place = 0
    while place < len(written):
        marks = ""
        while written[place : place + 1] in ("^", "~"):
            marks += written[place]
            place += 1
        if written[place : place + 1] == "-":
            if marks:
                raise ScriptError(f"{marks}- in {written!r}: a card not dealt cannot be face up or off the table")
            dealt.append(ScriptCard(None))
            place += 1
            continue
        if len(set(marks)) != len(marks):
            raise ScriptError(f"{marks!r} in {written!r} says the same thing twice")
        dealt.append(ScriptCard(card(written[place : place + 2]), "^" in marks, "~" in marks))
        place += 2
    return tuple(dealt)


def _burn(words: list[str], table: ScriptTable) -> FactLine:
    if len(words) != 1:
        raise ScriptError("how many cards? write burn and a number, as in burn 2")
    return BurnLine(chips(words[0]))


def _notice(words: list[str], table: ScriptTable) -> FactLine:
    _nothing_after("notice", words)
    return NoticeLine()


def _low(words: list[str], table: ScriptTable) -> FactLine:
    if len(words) != 1:
        raise ScriptError("which seat? write low and its number, as in low 3")
    return LowLine(table.player(words[0]))


def _player(seat: str, words: list[str], table: ScriptTable) -> PlayerLine:
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


def _floor(words: list[str], table: ScriptTable) -> FactLine:
    if not words or words[0] not in FLOOR:
        word = repr(words[0]) if words else "nothing"
        raise ScriptError(f"unknown order of the floor {word}: there are {', '.join(FLOOR)}")
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


_BY_WORD: dict[str, Callable[[list[str], ScriptTable], FactLine]] = {
    "deal": _deal,
    "premature": _premature,
    "burn": _burn,
    "notice": _notice,
    "low": _low,
    "floor": _floor,
}
