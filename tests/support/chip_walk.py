"""Every verb of the product, which of them can move chips, and a spy on what they take out of the house.

The list is made from the code: a new verb is on it by itself. What a function may call is read from its source:
the names in it, looked up in its module, with what lies in tables, signals and registries behind those names. That
finds rather too much than too little.
"""

import ast
import importlib
import inspect
import pkgutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache, partial
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import pytest
from django.dispatch import Signal

from cardroom.core.played import PlayedGames
from cardroom.core.verb import Verb
from cardroom.ledger import ledger, passages
from cardroom.ledger.models import Account
from games.tables.hosts import TableHost
from tournaments.events.tables import EventTables

APPS = ("cardroom", "games", "tournaments")
_NOT_OF_THE_ROOM = (".migrations", ".management", ".asgi", ".celery")
#: What moves chips, no matter what calls it.
MOVES = (ledger.post, ledger.post_many, ledger.reverse)
#: What rooms above implement for those below, which call their methods without importing them.
INTERFACES = (TableHost, EventTables, PlayedGames)
_DEEP = 3


def modules() -> Iterator[ModuleType]:
    for app in APPS:
        package = importlib.import_module(app)
        for module in pkgutil.walk_packages(package.__path__, f"{app}."):
            if not any(part in module.name for part in _NOT_OF_THE_ROOM):
                yield importlib.import_module(module.name)


@cache
def verbs() -> dict[str, Callable[..., Any]]:
    """Every service that is a verb, by its full name."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if getattr(value, "is_verb", False) and value.__module__ == module.__name__
    }


@cache
def movers() -> frozenset[str]:
    """The verbs that can move chips, by their full names."""
    return frozenset(name for name, run in verbs().items() if _moves(_plain(run)))


class Fall(NamedTuple):
    """What a transfer took out of the house: the verbs that were on their way, its passage, and who did it."""

    verbs: tuple[str, ...]
    reference: str
    passage: str | None


class Seen:
    """`moved`: verbs that moved chips; `falls`: what was taken out of the house."""

    def __init__(self) -> None:
        self.moved: set[str] = set()
        self.falls: list[Fall] = []


@contextmanager
def watching() -> Iterator[Seen]:
    """Note every transfer that is posted within it, and by which verbs."""
    seen, names, check = Seen(), _codes(), passages.check

    def noting(accounts: Any, moves: Any, passage: Any, *, reference: str) -> str | None:
        message = check(accounts, moves, passage, reference=reference)
        on_the_way = tuple(names[code] for code in _stack() if code in names)
        if moves:
            seen.moved.update(on_the_way)
        if any(chips < 0 and accounts[pk].kind == Account.Kind.HOUSE for pk, chips in moves.items()):
            seen.falls.append(Fall(on_the_way, reference, message))
        return message

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passages, "check", noting)
        yield seen


def _stack() -> Iterator[CodeType]:
    frame = sys._getframe(2)
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back  # type: ignore[assignment]


def _codes() -> dict[CodeType, str]:
    return {_plain(run).__code__: name for name, run in verbs().items()}


def _plain(function: Any) -> FunctionType:
    return inspect.unwrap(function)


def _moves(function: FunctionType) -> bool:
    """Whether `MOVES` can be reached from here."""
    seen: set[FunctionType] = set()
    left = [function]
    while left:
        current = left.pop()
        if any(current is _plain(move) for move in MOVES):
            return True
        if current in seen or not isinstance(current, FunctionType) or not current.__module__.startswith(APPS):
            continue
        seen.add(current)
        left += _functions_named(current)
    return False


@cache
def _functions_named(function: FunctionType) -> tuple[FunctionType, ...]:
    """The functions that this one names, in tables and signals behind names too."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return ()
    names: dict[str, Any] = {**vars(sys.modules[function.__module__]), **_enclosed_names(function)}
    called: list[FunctionType] = []
    looked_into = {id(held) for node in ast.walk(tree) if isinstance(node, ast.Compare) for held in node.comparators}
    for node in ast.walk(tree):
        if id(node) in looked_into:  # "what in _kinds" calls none of them
            continue
        if isinstance(node, ast.Name | ast.Attribute):
            called += _functions(_reached(names, node))
            if isinstance(node, ast.Attribute):
                called += _methods(function.__module__, node.attr)
    return tuple(called)


def _enclosed_names(function: FunctionType) -> dict[str, Any]:
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    return {name: cell.cell_contents for name, cell in cells if cell != cell.__class__()}


def _reached(names: dict[str, Any], node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        held = _reached(names, node.value)
        return getattr(held, node.attr, None) if isinstance(held, ModuleType | type) or _is_signal(held) else None
    return None


def _is_signal(held: Any) -> bool:
    return isinstance(held, Signal)


def _functions(held: Any, depth: int = 0) -> list[FunctionType]:
    """The functions that this is, or holds."""
    if depth > _DEEP or held is None or isinstance(held, str | int | ModuleType):
        return []
    if isinstance(held, partial):
        return _functions(held.func, depth + 1)
    if isinstance(held, FunctionType | Verb):
        return [_plain(held)]
    if inspect.ismethod(held):
        owner = held.__self__
        receivers = _receivers(owner) if _is_signal(owner) else []
        return [*([held.__func__] if isinstance(held.__func__, FunctionType) else []), *receivers]
    if isinstance(held, dict):
        return [function for value in held.values() for function in _functions(value, depth + 1)]
    if isinstance(held, list | tuple):
        return [function for value in held for function in _functions(value, depth + 1)]
    if is_dataclass(held) and not isinstance(held, type):
        values = [getattr(held, field.name, None) for field in fields(held)]
        return [function for value in values for function in _functions(value, depth + 1)]
    return []


def _receivers(signal: Signal) -> list[FunctionType]:
    functions = []
    for _, receiver, *_ in signal.receivers:
        function = receiver() if not inspect.isfunction(receiver) and callable(receiver) else receiver
        if isinstance(function, FunctionType):
            functions.append(_plain(function))
    return functions


@cache
def _methods(module: str, name: str) -> tuple[FunctionType, ...]:
    """The methods called so of the classes that this module has or uses, and of those that implement an interface."""
    classes = [value for value in vars(sys.modules[module]).values() if isinstance(value, type)]
    classes += [implementation for interface in INTERFACES for implementation in interface.__subclasses__()]
    methods = [vars(item).get(name) for item in classes if item.__module__.startswith(APPS)]
    return tuple(item for item in methods if isinstance(item, FunctionType))
