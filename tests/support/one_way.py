"""Where the code has more than one way to say a thing, by file and line; `make house` prints how often."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

#: A free-standing comment that titles what follows, as a file of its own would.
_HEADING = re.compile(r"^\s*# -- .* -+$")
#: Names that say nothing where a noun exists: message, result, entry, arguments, created, row.
PUZZLING = frozenset({"said", "told", "found", "made", "asked", "gives", "says", "shows", "unsaid", "each", "one"})
#: Classes that every Django project has many of.
_CONVENTIONS = frozenset({"Meta", "Command", "Config", "Migration", "State", "Kind"})
ONCE = frozenset({"answer_once", "row_once", "made_before", "is_first_time", "command_name"})


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _nodes(root: Path, names: Iterable[str]) -> Iterator[tuple[str, ast.AST]]:
    for name in names:
        for node in ast.walk(_tree(root / name)):
            yield name, node


def headings(root: Path, names: Iterable[str]) -> list[str]:
    """Comments that title a part of a file."""
    return [
        f"{name}:{number}: {line.strip(' #-')}"
        for name in names
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1)
        if _HEADING.match(line)
    ]


def older_declarations(root: Path, names: Iterable[str]) -> list[str]:
    """Services that are declared otherwise than by `@verb`."""
    return [
        f"{name}:{node.lineno}: {node.name}"
        for name, node in _nodes(root, names)
        if isinstance(node, ast.FunctionDef)
        and any(
            ast.unparse(decorator).partition("(")[0] in ("operation", "an_order") for decorator in node.decorator_list
        )
    ]


def open_parameters(root: Path, names: Iterable[str]) -> list[str]:
    """Functions that take whatever they are given by name and hand it on."""
    return [
        f"{name}:{node.lineno}: {node.name}(**{node.args.kwarg.arg})"
        for name, node in _nodes(root, names)
        if isinstance(node, ast.FunctionDef) and node.args.kwarg and node.args.kwarg.arg in ("asked", "order", "told")
    ]


def locks_apart(root: Path, names: Iterable[str]) -> list[str]:
    """Functions called `_lock`, beside `cardroom.core.verb.lock`."""
    return [
        f"{name}:{node.lineno}"
        for name, node in _nodes(root, names)
        if isinstance(node, ast.FunctionDef) and node.name == "_lock"
    ]


def once_only(root: Path, names: Iterable[str]) -> list[str]:
    """Calls of what does something once by a key, outside `verb`."""
    return [
        f"{name}:{node.lineno}: {called}"
        for name, node in _nodes(root, names)
        if isinstance(node, ast.Call)
        and (called := ast.unparse(node.func).rpartition(".")[2]) in ONCE
        and not name.startswith("cardroom/core/")
    ]


def same_class_names(root: Path, names: Iterable[str]) -> list[str]:
    """Names that more than one class has."""
    where: dict[str, list[str]] = defaultdict(list)
    for name, node in _nodes(root, names):
        if isinstance(node, ast.ClassDef) and node.name not in _CONVENTIONS:
            where[node.name].append(f"{name}:{node.lineno}")
    return [f"{name}: {', '.join(places)}" for name, places in sorted(where.items()) if len(places) > 1]


def puzzling_names(root: Path, names: Iterable[str]) -> list[str]:
    """Variables, parameters and attributes with a name of `PUZZLING`, each once a function."""
    return sorted(
        {
            f"{name}: {node.name}: {word}"
            for name, node in _nodes(root, names)
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
            for word in _bound(node) & PUZZLING
        }
    )


def _bound(function: ast.FunctionDef | ast.ClassDef) -> set[str]:
    names = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names
