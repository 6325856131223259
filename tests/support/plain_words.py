"""Words that a reader stumbles over, by file; `make house` counts them, `tests/test_plain_words.py` allows no new one.

Each function returns sorted lines that hold no line numbers, so that an allowed exception stays the same line when the
file around it changes.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

#: Names that tell nothing where a noun exists: message, result, entry, arguments, created, row.
PUZZLING = frozenset({"said", "told", "found", "made", "asked", "gives", "says", "shows", "unsaid", "each", "one"})
#: Classes that every Django project has many of, and the choices of a model's column.
_CONVENTIONS = frozenset({"Meta", "Command", "Config", "Migration", "State", "Kind", "Status", "Reason"})
#: A relative clause that has lost its noun: before "who" stands the person, as in "for a player who may not play".
_NO_NOUN = re.compile(
    r"\bwhoever\b|\b(?:for|of|to|by|from|than|with) who\b(?! in\b|,| for\b)|\bof which there\b", re.IGNORECASE
)
#: A text within a line, which may be a sentence with translations: no comment and no docstring.
_TEXT = re.compile(r'(?<!")"(?!"")[^"]*"(?!")')
#: A test's name is one short sentence.
LONGEST_TEST_NAME = 80


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def puzzling_names(root: Path, names: Iterable[str]) -> list[str]:
    """Variables, parameters and fields with a name of `PUZZLING`, each once for a function or class."""
    return sorted(
        {
            f"{name}: {node.name}: {word}"
            for name in names
            for node in ast.walk(tree_of(root / name))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            for word in _bound_names(node) & PUZZLING
        }
    )


def _bound_names(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> set[str]:
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return arguments | {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def repeated_class_names(root: Path, names: Iterable[str]) -> list[str]:
    """Names that more than one class has, with the files."""
    files: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for node in ast.walk(tree_of(root / name)):
            if isinstance(node, ast.ClassDef) and node.name not in _CONVENTIONS:
                files[node.name].append(name)
    return [f"{class_name}: {', '.join(sorted(where))}" for class_name, where in sorted(files.items()) if where[1:]]


def modules_under_two_names(root: Path, names: Iterable[str]) -> list[str]:
    """Modules of the tree that one file imports under more than one name."""
    lines = []
    for name in names:
        aliases: dict[str, set[str]] = defaultdict(set)
        for module, alias in _imported_modules(root, tree_of(root / name)):
            aliases[module].add(alias)
        lines += [f"{name}: {module}" for module, known in aliases.items() if len(known) > 1]
    return sorted(lines)


def _imported_modules(root: Path, tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for imported in node.names:
                module = f"{node.module}.{imported.name}"
                path = root / module.replace(".", "/")
                if path.with_suffix(".py").is_file() or (path / "__init__.py").is_file():
                    yield module, imported.asname or imported.name


def missing_nouns(root: Path, names: Iterable[str]) -> list[str]:
    """Lines of docstrings and comments in which a relative clause has no noun."""
    return sorted(
        f"{name}: {line.strip()}"
        for name in names
        for line in (root / name).read_text("utf-8").splitlines()
        if _NO_NOUN.search(_TEXT.sub("", line))
    )


def long_test_names(root: Path, names: Iterable[str]) -> list[str]:
    """Tests whose name is longer than `LONGEST_TEST_NAME`."""
    return sorted(
        f"{name}: {node.name}"
        for name in names
        for node in ast.walk(tree_of(root / name))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and len(node.name) > LONGEST_TEST_NAME
    )
