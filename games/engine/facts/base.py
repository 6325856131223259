"""What every fact has: its stable kind, who sees it, and the way through JSON.

Every fact class says who sees it. The default is nobody: a class that declares nothing loses all its fields on
the way out. ``redact`` is the only way a fact leaves the server; it never drops one, so numbering has no holes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Any, ClassVar, TypeVar

#: A viewer is a seat number, or one of these two.
Viewer = int
RAIL: Viewer = 0
AUDITOR: Viewer = -1

Cards = tuple[str | None, ...]
#: (seat, card, is_up)
DealtCard = tuple[int, str | None, bool]
#: (chips, seats that can win them)
Pot = tuple[int, tuple[int, ...]]


class Sees(Enum):
    """Who may read a fact whole."""

    ALL = "all"
    OWNER = "owner"
    EACH_CARD = "each card has its own answer"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happened. ``kind`` is its stable name in JSON: a changed meaning is a new kind. A field added
    later has a default, for facts are kept for good and those written before lack it."""

    kind: ClassVar[str] = ""
    sees: ClassVar[Sees] = Sees.NOBODY
    #: Fields that stay when the fact is sealed; every other field becomes None.
    public: ClassVar[frozenset[str]] = frozenset()

    def sealed(self) -> Fact:
        """The same fact with every field blanked that is not declared public."""
        kept = type(self).public
        return type(self)(*(getattr(self, f.name) if f.name in kept else None for f in fields(self)))

    def for_viewer(self, viewer: Viewer) -> Fact:
        """The fact card by card; only classes that declare ``Sees.EACH_CARD`` know how."""
        return self.sealed()


def redact(fact: Fact, viewer: Viewer) -> Fact:
    """``fact`` as ``viewer`` may see it (a seat number, ``RAIL`` or ``AUDITOR``)."""
    sees = fact.sees
    if sees is Sees.ALL:
        return fact
    if sees is Sees.EACH_CARD:
        return fact.for_viewer(viewer)
    if sees is Sees.OWNER and viewer != RAIL and viewer in (getattr(fact, "seat", RAIL), AUDITOR):
        return fact
    return fact.sealed()


KINDS: dict[str, type[Fact]] = {}

F = TypeVar("F", bound=Fact)


def named(kind: str, sees: Sees = Sees.NOBODY, public: tuple[str, ...] = ()) -> Callable[[type[F]], type[F]]:
    """Register a fact class under its stable kind and say who sees it."""

    def register(cls: type[F]) -> type[F]:
        cls.kind, cls.sees, cls.public = kind, sees, frozenset(public)
        cls.__init__ = _init_through_slots(cls)  # type: ignore[method-assign]
        KINDS[kind] = cls
        return cls

    return register


def _init_through_slots(cls: type[Fact]) -> Callable[..., None]:
    """An ``__init__`` like that of ``dataclass``, but with the slots' own setters: ``object.__setattr__``, which frozen
    classes use, takes nearly twice as long, and facts are made by the thousand."""
    scope: dict[str, Any] = {}
    parameters, body = [], []
    for field in fields(cls):
        name = field.name
        scope[f"set_{name}"], scope[f"default_{name}"] = getattr(cls, name).__set__, field.default
        parameters.append(name if field.default is MISSING else f"{name}=default_{name}")
        body.append(f"    set_{name}(self, {name})\n")
    exec(f"def __init__(self, {', '.join(parameters)}):\n{''.join(body)}", scope)  # noqa: S102
    initializer: Callable[..., None] = scope["__init__"]
    return initializer


def to_json(fact: Fact) -> dict[str, Any]:
    """The fields of ``fact`` by name, ready for ``json.dumps``; ``fact.kind`` goes beside them."""
    return {f.name: getattr(fact, f.name) for f in fields(fact)}


def from_json(kind: str, data: dict[str, Any]) -> Fact:
    """The fact that ``to_json`` came from. Raises ``ValueError`` for an unknown kind or wrong fields."""
    cls = KINDS.get(kind)
    if cls is None:
        raise ValueError(f"there is no kind of fact called {kind!r}")
    try:
        return cls(**{name: _as_tuples(value) for name, value in data.items()})
    except TypeError as error:
        raise ValueError(f"{kind}: {error}") from None


def _as_tuples(value: Any) -> Any:
    return tuple([_as_tuples(item) for item in value]) if type(value) in (list, tuple) else value
