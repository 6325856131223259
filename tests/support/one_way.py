"""Where the code has more than one way to say a thing, by file and line; `make house` prints how often."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.plain_words import tree_of

#: A free-standing comment that titles what follows, as a file of its own would.
_HEADING = re.compile(r"^\s*# -- .* -+$")
ONCE = frozenset({"answer_once", "row_once", "made_before", "is_first_time", "command_name"})


def _nodes(root: Path, names: Iterable[str]) -> Iterator[tuple[str, ast.AST]]:
    for name in names:
        for node in ast.walk(tree_of(root / name)):
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
