"""Where code repeats what the games know of themselves (`games/engine/games.py`): streets by their number, the seats of
the largest table, games by their name.

Tables that are keyed by a street or a game (words, classes, prices of bots) are data and not counted.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

#: The data itself.
DATA = ("games/engine/games.py",)
SLUGS = ("seven-card-stud", "mississippi-stud", "razz", "stud-eight")
MOST_SEATS = 8

_STREET_IN_SCRIPT = re.compile(r"[sS]treet\w*\s*(?:[!=]==?|[<>]=?)\s*\d|\b\d\s*(?:[!=]==?|[<>]=?)\s*[\w.]*[sS]treet")
_GAME_IN_SCRIPT = re.compile(rf"(?:[!=]==?|\bcase)\s*[\"'](?:{'|'.join(SLUGS)})[\"']")
_SEATS_IN_SCRIPT = re.compile(r"(?i)seat\w*\s*(?:[!=]==?|[<>]=?)\s*8\b")
_SEATS_IN_TEMPLATE = re.compile(r"12345678")
#: Limits that are of seats or players by what they limit.
_LIMITS = frozenset({"max_value", "most", "max_length", "blank", "le", "default", "least_players", "usual_players"})
_SEATS = re.compile(r"seat|players|number|final_seats")


def streets_by_number(root: Path, names: Iterable[str]) -> list[str]:
    """Comparisons of a street with a number."""
    return [*_in_python(root, names, _compares_street), *_in_text(root, names, (".js",), _STREET_IN_SCRIPT)]


def seats_by_number(root: Path, names: Iterable[str]) -> list[str]:
    """Eights that are the seats of the largest table."""
    return [
        *_in_python(root, names, _limits_seats),
        *_in_text(root, names, (".js",), _SEATS_IN_SCRIPT),
        *_in_text(root, names, (".html",), _SEATS_IN_TEMPLATE),
    ]


def games_by_name(root: Path, names: Iterable[str]) -> list[str]:
    """Comparisons of a game with its name."""
    return [*_in_python(root, names, _compares_game), *_in_text(root, names, (".js",), _GAME_IN_SCRIPT)]


def _in_python(root: Path, names: Iterable[str], matches: Callable[[ast.AST], bool]) -> Iterator[str]:
    for name in names:
        if not name.endswith(".py") or name in DATA or "/migrations/" in name:
            continue
        source = (root / name).read_text("utf-8")
        lines = source.splitlines()
        matching = [node for node in ast.walk(ast.parse(source)) if matches(node)]
        numbers = {getattr(node, "lineno", 0) or node.value.lineno for node in matching}  # type: ignore[attr-defined]
        yield from (f"{name}:{number}: {lines[number - 1].strip()}" for number in sorted(numbers))


def _in_text(root: Path, names: Iterable[str], endings: tuple[str, ...], pattern: re.Pattern[str]) -> Iterator[str]:
    for name in names:
        if not name.endswith(endings) or "/vendor/" in name:
            continue
        for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1):
            if pattern.search(line):
                yield f"{name}:{number}: {line.strip()}"


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_street(node: ast.AST) -> bool:
    """A street, or its number: `street`, `hand.street`, `street.number`."""
    words = ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    return words.endswith(("street", "street.number"))


def _compares_street(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return any(map(_is_street, sides)) and any(map(_is_number, sides))


def _compares_game(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    return any(isinstance(side, ast.Constant) and side.value in SLUGS for side in sides)


def _is_eight(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == MOST_SEATS and type(node.value) is int


def _limits_seats(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value == "12345678"
    if isinstance(node, ast.Compare):
        words = ast.unparse(node)
        return any(map(_is_eight, node.comparators)) and bool(_SEATS.search(words)) and "version" not in words
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        return ast.unparse(node) in ("range(1, 9)", "range(2, 9)")
    if isinstance(node, ast.keyword):
        return bool(node.arg) and bool(_SEATS.search(str(node.arg))) and _is_eight(node.value)
    if isinstance(node, ast.AnnAssign | ast.Assign):
        targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
        words = " ".join(map(ast.unparse, targets))
        if not _SEATS.search(words.lower()) or words == "MOST_STUD_SEATS":
            return False
        limits = node.value.keywords if isinstance(node.value, ast.Call) else []
        return _is_eight(node.value) or any(limit.arg in _LIMITS and _is_eight(limit.value) for limit in limits)
    if isinstance(node, ast.FunctionDef):
        given = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        return any(_SEATS.search(argument.arg) and _is_eight(default) for argument, default in given)
    return False
