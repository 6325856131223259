"""What every fact has: its stable kind, its moment, its label where it begins an action, and the way through JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, TypeVar

from .. import plain


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened. ``kind`` is its stable name in JSON: a changed meaning is a new kind.

    ``at``: milliseconds since the epoch. ``label``: what was done, in words for people; only the first fact of an
    action has one, and the facts after it without a label belong to the same action.
    """

    kind: ClassVar[str] = ""

    at: int = field(kw_only=True)
    label: str = field(default="", kw_only=True)


KINDS: dict[str, type[Fact]] = {}

F = TypeVar("F", bound=Fact)


def named(kind: str) -> Callable[[type[F]], type[F]]:
    """Register a fact class under its stable kind."""

    def register(cls: type[F]) -> type[F]:
        cls.kind = kind
        KINDS[kind] = cls
        return cls

    return register


def to_json(fact: Fact) -> dict[str, Any]:
    """The fields of ``fact`` by name, ready for ``json.dumps``; ``fact.kind`` goes beside them."""
    cls: Any = type(fact)
    return {
        name: plain.to_plain(getattr(fact, name)) if is_nested else getattr(fact, name)
        for name, is_nested in _fields(cls)
    }


@cache
def _fields(cls: Any) -> tuple[tuple[str, bool], ...]:
    """(name, does it hold more than numbers and words)"""
    return tuple([(name, plain.is_nested(kind)) for name, kind in plain.hints(cls).items()])


def from_json(kind: str, data: dict[str, Any]) -> Fact:
    """The fact that ``to_json`` came from. Raises ``ValueError`` for an unknown kind or wrong fields."""
    cls = KINDS.get(kind)
    if cls is None:
        raise ValueError(f"there is no kind of fact called {kind!r}")
    return plain.from_plain(cls, data, kind)
