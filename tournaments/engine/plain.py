"""Frozen dataclasses to plain JSON and back, with every type looked at on the way in.

What comes in was often typed by people: a fault is named by where it stands (``structure.levels.3.ante``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from tournaments.engine.errors import EventSentence, Phrase, sentence

Reader = Callable[[Any, str], Any]

#: Words that facts keep by a code, or that somebody wrote.
Sentence = EventSentence | str

_NONE = type(None)
_UNIONS = (Union, type(int | None))

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """``value`` as dicts, lists, ints, strings, bools and None."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    return value


def from_plain(cls: type[T], data: Any, where: str = "") -> T:
    """The ``cls`` that ``data`` tells. Raises ``ValueError`` naming the field that is missing, unknown or of the wrong
    type."""
    kind: Any = cls
    result: T = reader(kind)(data, where or cls.__name__)
    return result


@cache
def reader(kind: Any) -> Reader:
    """How a value of type ``kind`` is read: dataclasses, tuples, int, str, bool, and any of them or None;
    also one of several dataclasses with different fields, and a ``Sentence``."""
    if kind == Sentence:
        return sentence
    if is_dataclass(kind) and isinstance(kind, type):
        return _dataclass_reader(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple:
        return _list_reader(inner[0]) if inner[1:] == (...,) else _row_reader(inner)
    if origin in _UNIONS:
        choices = [choice for choice in inner if choice is not _NONE]
        return _maybe_reader(choices[0]) if len(choices) == 1 else _either_reader(choices)
    return _scalar_reader(kind)


def hints(cls: Any) -> dict[str, Any]:
    """The type of every field of a dataclass."""
    known = get_type_hints(cls)
    return {field.name: known[field.name] for field in fields(cls)}


def _scalar_reader(kind: type) -> Reader:
    faults: dict[type, str] = {
        int: EventSentence("{where}: a whole number is wanted, not {data!r}"),
        str: EventSentence("{where}: a text is wanted, not {data!r}"),
        bool: EventSentence("{where}: true or false is wanted, not {data!r}"),
    }

    def read(data: Any, where: str) -> Any:
        # In Python True is an int, but nobody means a number by it.
        if type(data) is not kind:
            raise ValueError(EventSentence(faults[kind], where=where, data=data))
        return data

    return read


def _list_reader(kind: Any) -> Reader:
    item = reader(kind)

    def read(data: Any, where: str) -> Any:
        if not isinstance(data, list | tuple):
            raise ValueError(EventSentence("{where}: a list is wanted, not {data!r}", where=where, data=data))
        return tuple([item(value, f"{where}.{number}") for number, value in enumerate(data, 1)])

    return read


def _row_reader(kinds: tuple[Any, ...]) -> Reader:
    items = [reader(kind) for kind in kinds]

    def read(data: Any, where: str) -> Any:
        if not isinstance(data, list | tuple) or len(data) != len(items):
            raise ValueError(
                EventSentence("{where}: a list of {n} is wanted, not {data!r}", where=where, n=len(items), data=data)
            )
        return tuple(
            [item(value, f"{where}.{number}") for number, (item, value) in enumerate(zip(items, data, strict=True), 1)]
        )

    return read


def _maybe_reader(kind: Any) -> Reader:
    item = reader(kind)
    return lambda data, where: None if data is None else item(data, where)


def _either_reader(kinds: list[Any]) -> Reader:
    """One of several dataclasses, told apart by the names of their fields."""
    readers = {frozenset(field.name for field in fields(kind)): reader(kind) for kind in kinds}

    def read(data: Any, where: str) -> Any:
        named = frozenset(data) if isinstance(data, dict) else frozenset()
        if named not in readers:
            names = ", ".join(kind.__name__ for kind in kinds)
            raise ValueError(
                EventSentence("{where}: one of {names} is wanted, not {data!r}", where=where, names=names, data=data)
            )
        return readers[named](data, where)

    return read


def _dataclass_reader(cls: type) -> Reader:
    readers = {name: reader(kind) for name, kind in hints(cls).items()}
    needed = [field.name for field in fields(cls) if field.default is MISSING and field.default_factory is MISSING]

    def read(data: Any, where: str) -> Any:
        if not isinstance(data, dict):
            raise ValueError(EventSentence("{where}: an object is wanted, not {data!r}", where=where, data=data))
        if strange := sorted(set(data) - set(readers)):
            raise ValueError(EventSentence("{where}: there is no field {name!r} here", where=where, name=strange[0]))
        if missing := [name for name in needed if name not in data]:
            raise ValueError(EventSentence("{where}: the field {name!r} is missing", where=where, name=missing[0]))
        return cls(**{name: readers[name](value, f"{where}.{name}") for name, value in data.items()})

    return read


# Chance that can be checked: a seed that stands in a fact, and always the same draw from it.


_WORD = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Chance:
    """Numbers drawn one after the other from ``seed``, any int; the lowest 64 bits of it count."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _WORD

    def below(self, n: int) -> int:
        """An even chance of 0 to ``n`` - 1. Raises ``ValueError`` where there is nothing to choose from."""
        if n < 1:
            raise ValueError(f"cannot draw one of {n}")
        # The last, incomplete round of the wheel is thrown away: with it small numbers would come more often.
        fair = (1 << 64) - (1 << 64) % n
        while (drawn := self._word()) >= fair:
            pass
        return drawn % n

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """``items`` in random order, every order as likely as any other (Fisher and Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order

    def _word(self) -> int:
        self._state = (self._state + _STEP) & _WORD
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return word ^ (word >> 31)


# How the engine says numbers and names to people.


_FIRST = Phrase("1st", "1st")
#: By the last digit; from 10 to 20 all are as 10.
_ORDINALS = {1: Phrase("st", "{n}st"), 2: Phrase("nd", "{n}nd"), 3: Phrase("rd", "{n}rd")}
_OTHERS = Phrase("th", "{n}th")
_LISTED = Phrase("listed", "{names} and {last}")


def ordinal(number: int) -> EventSentence:
    """``1st``, ``12th``."""
    if number == 1:
        return _FIRST()
    is_teen = 10 <= number % 100 <= 20
    return (_OTHERS if is_teen else _ORDINALS.get(number % 10, _OTHERS))(n=number)


def listed(names: Iterable[str]) -> str:
    """``Ana, Ben and Cy``."""
    *first, last = names
    return _LISTED(names=tuple(first), last=last) if first else last
