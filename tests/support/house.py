"""How the house is built, measured: `make house` prints each figure beside its aim. Sizes are no aim.

    python -m tests.support.house             # the table
    python -m tests.support.house --details   # with the files, calls and statements behind each figure

What is counted are the files that git knows. What an action, a bust-out and a deposit cross is seen by playing them, on
SQLite in memory: the files of the product that have a function called, after the commit too, but for those that serve
sockets (`SOCKETS`).
"""

import argparse
import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.support import game_copies, one_way, plain_words

PROJECT = Path(__file__).resolve().parents[2]
APPS = ("cardroom", "games", "tournaments")

#: What tells those who listen, and is not counted among what an action crosses.
SOCKETS = ("cardroom/realtime/*", "games/live/*", "tournaments/live/*")
#: A setting of a table that a player knows, and that is the same word wherever it stands.
SETTING = "extra_seconds"
#: A signal that is not an `Announcement`: sent in the transaction, where a receiver may refuse, or may answer.
SENT_AT_ONCE = re.compile(r"^(\w+) = (?:\w+\.)?(?:Signal|Question)\(\)", re.MULTILINE)
#: What there should be one of, and the line of code by which each of its kind is known.
MECHANISMS = {
    "stores of facts": r"^class EventStore\b|Fact\.objects\.(?:bulk_)?create\(|INSERT INTO \w+fact\b",
    "places that look a repeated request up by its key": (
        r"objects\.(?:select_related\([^)]*\)\.)?(?:get|filter)\((?![^)]*kind=)[^)]*\bkey=(?:full_)?key\)"
        r"|entries\.filter\(key=key\)"
    ),
    "outboxes of mail": r"\"mailed_at\"|\bmailed_at=",
    "socket shells": r"^class \w+\((?:Async|Sync|Json|Web)\w*Consumer\)",
}


@dataclass(frozen=True)
class Row:
    """One line of the table. `details` is what the figure counts."""

    name: str
    measured: str
    aim: str
    is_met: bool
    details: tuple[str, ...] = ()


# Files.


def tracked(root: Path) -> list[str]:
    """Every file that git knows of the tree, or of a folder that git does not know every file there."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in listed.stdout.decode().split("\0") if name and (root / name).is_file())
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def product(names: Iterable[str]) -> list[str]:
    """The Python of the product, migrations aside."""
    return [name for name in names if name.endswith(".py") and name.startswith(APPS) and "/migrations/" not in name]


def python(names: Iterable[str]) -> list[str]:
    """The Python of the product and of its tests, migrations aside."""
    return [name for name in names if name.endswith(".py") and "/migrations/" not in name]


def matching(names: Iterable[str], patterns: Iterable[str]) -> list[str]:
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def naming(root: Path, names: Iterable[str], pattern: str) -> list[str]:
    compiled = re.compile(pattern, re.MULTILINE)
    return [name for name in names if compiled.search((root / name).read_text("utf-8"))]


# Imports.


def circles(imports: dict[str, set[str]]) -> list[list[str]]:
    """The modules that import each other, by circle, the largest first."""
    reached: dict[str, set[str]] = {}
    for module in imports:
        seen, ahead = set(), list(imports[module])
        while ahead:
            if (name := ahead.pop()) not in seen:
                seen.add(name)
                ahead += imports.get(name, ())
        reached[module] = seen
    groups = {frozenset(other for other in reached[name] if name in reached.get(other, ())) for name in imports}
    return sorted((sorted(circle) for circle in groups if circle), key=len, reverse=True)


def imports_of(*packages: str) -> dict[str, set[str]]:
    """Who imports whom in these packages: at the top, inside functions and for types."""
    import grimp

    graph = grimp.build_graph(*packages, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


# Registries.


def registrants(source: str) -> Counter[str]:
    """How often each registry is given something in `ready()` of these apps; signals, which Django keeps, aside."""
    counts: Counter[str] = Counter()
    for ready in ast.walk(ast.parse(source)):
        if not isinstance(ready, ast.FunctionDef) or ready.name != "ready":
            continue
        imported: dict[str, str] = {}
        for node in ast.walk(ready):
            if isinstance(node, ast.ImportFrom):
                imported |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
        looped = [call for loop in ast.walk(ready) if isinstance(loop, ast.For) for call in ast.walk(loop)]
        for node in ast.walk(ready):
            if isinstance(node, ast.Call) and node.args and (name := _called(node.func, imported)):
                counts[name] += 2 if node in looped else 1
    return counts


def _called(function: ast.expr, imported: dict[str, str]) -> str:
    """The dotted name of an imported function; "" for a signal's `connect` and all else."""
    if isinstance(function, ast.Name):
        return imported.get(function.id, "")
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.attr != "connect":
        module = imported.get(function.value.id, "")
        return f"{module}.{function.attr}" if module else ""
    return ""


# Signals.


def sent_at_once(source: str) -> list[str]:
    """The signals declared here that are not kept until after the commit."""
    return SENT_AT_ONCE.findall(source)


# What is crossed.


@contextmanager
def crossed(root: Path) -> Iterator[set[str]]:
    """The files of the product below `root` that have a function called meanwhile."""
    codes: set[Any] = set()
    files: set[str] = set()

    def called(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield files
    finally:
        sys.setprofile(before)
        for code in codes:
            path = Path(code.co_filename)
            if code.co_name != "<module>" and path.is_relative_to(root):
                name = str(path.relative_to(root))
                if name.startswith(APPS) and not matching([name], SOCKETS):
                    files.add(name)


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL statements sent meanwhile, those that begin and end transactions aside."""
    from django.db import connection

    sent: list[str] = []

    def noted(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE", "COMMIT")):
            sent.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(noted):
        yield sent


def action() -> tuple[set[str], list[str]]:
    """A player of a cash table calls on third street: the files and the statements, of two such calls."""
    from tests.support.evening import Evening

    table = Evening()
    for number in range(1, 6):
        table.sit(f"house{number}", number)
    table.deal().act("bring-in")
    table.check_or_call()
    hand = table.table.hand_id
    player = table.to_act
    with statements() as sent:
        table.act("call", hand_id=hand, player=player)
    player = table.to_act
    with crossed(PROJECT) as files:
        table.act("call", hand_id=hand, player=player)
    return files, sent


def bust_out() -> set[str]:
    """Of the first three bots that bust at an online event of nine, by which a table breaks, the one that crosses the
    most files."""
    from tests.support.online import OnlineEvent
    from tournaments.engine.facts import Busted

    event = OnlineEvent(9, seats=4)
    event.start()
    files_of_busts: list[set[str]] = []
    while len(files_of_busts) < 3:
        alarm, busts = event.due()[0], len(event.facts(Busted))
        with crossed(PROJECT) as files:
            event.ring(alarm)
        if len(event.facts(Busted)) > busts:
            files_of_busts.append(files)
    return max(files_of_busts, key=len)


def deposit() -> set[str]:
    """A cashier takes a player's money into the drawer; the second deposit, as by then everything is imported."""
    from cardroom.cage import slips
    from tests.cardroom.cage_desk import furnished
    from tests.support.events import START

    cage = furnished(START)
    slips.deposit(player=cage.pia, amount=500, by=cage.cay, now=START, key=cage.key())
    with crossed(PROJECT) as files:
        slips.deposit(player=cage.pia, amount=500, by=cage.cay, now=START, key=cage.key())
    return files


# The table.


def measure(root: Path = PROJECT) -> Iterator[Row]:
    """Every row, in the order of the table. What is played needs Django and an empty database."""
    names = tracked(root)
    yield from structure(root, product(names))
    yield from ways(root, product(names))
    yield from words(root, product(names), python(names))
    yield from copies_of_games(root, names)
    files, sent = action()
    yield at_most("files crossed by a player's action", len(files), 12, sorted(files))
    yield at_most("files crossed by an online bust-out", len(files := bust_out()), 40, sorted(files))
    yield at_most("files crossed by a cashier's deposit", len(files := deposit()), 10, sorted(files))
    # On SQLite, which this is measured on; PostgreSQL does the same in one.
    yield at_most("SQL statements of an action in mid-hand", len(sent), 2, sent)


def ways(root: Path, code: list[str]) -> Iterator[Row]:
    """How often a thing is said otherwise than in its one way."""
    rest = [name for name in code if not name.startswith(("games/engine/", "tournaments/engine/"))]
    for what, places, aim in (
        ("services declared otherwise than by verb", one_way.older_declarations(root, code), 0),
        ("open parameters handed on", one_way.open_parameters(root, code), 0),
        ("functions called _lock", one_way.locks_apart(root, code), 0),
        ("keys looked up outside verb", one_way.once_only(root, rest), 0),
        ("headings inside files", one_way.headings(root, code), 20),
    ):
        yield at_most(what, len(places), aim, places)


def words(root: Path, code: list[str], everything: list[str]) -> Iterator[Row]:
    """What a reader stumbles over, in the product and, of the last two, in its tests as well."""
    for what, lines, aim in (
        ("class names used twice", plain_words.repeated_class_names(root, code), 40),
        ("functions with puzzling names in them", plain_words.puzzling_names(root, code), 30),
        ("modules under two names in one file", plain_words.modules_under_two_names(root, everything), 0),
        ("relative clauses without their noun", plain_words.missing_nouns(root, everything), 0),
        ("tests with names over 80 characters", plain_words.long_test_names(root, everything), 0),
    ):
        yield at_most(what, len(lines), aim, lines)


def structure(root: Path, code: list[str]) -> Iterator[Row]:
    import_circles = circles(imports_of(*APPS))
    yield Row(
        "import circles, files in each", " + ".join(str(len(circle)) for circle in import_circles) or "none", "none",
        not import_circles, tuple(", ".join(circle) for circle in import_circles),
    )  # fmt: skip
    yield at_most(f"files in which `{SETTING}` stands", len(named := naming(root, code, rf"\b{SETTING}\b")), 5, named)
    ready: Counter[str] = Counter()
    for name in matching(code, ["*/apps.py"]):
        ready += registrants((root / name).read_text("utf-8"))
    single = sorted(name for name, count in ready.items() if count == 1)
    yield at_most("registries with one registrant, filled in ready()", len(single), 0, single)
    questions = [f"{name}: {signal}" for name in code for signal in sent_at_once((root / name).read_text("utf-8"))]
    yield at_most("questions upwards by signal", len(questions), 5, questions)
    for name, pattern in MECHANISMS.items():
        there = naming(root, code, pattern)
        yield Row(name, str(len(there)), "1", len(there) == 1, tuple(there))


def copies_of_games(root: Path, names: list[str]) -> Iterator[Row]:
    """What is repeated of `games/engine/games.py`."""
    shown = [name for name in names if name.startswith((*APPS, "templates"))]
    for what, places in (
        ("streets compared with a number", game_copies.streets_by_number(root, shown)),
        ("literal eights for the most seats", game_copies.seats_by_number(root, shown)),
        ("games compared with a name", game_copies.games_by_name(root, shown)),
    ):
        yield at_most(what, len(places), 0, places)


def at_most(name: str, measured: int, aim: int, details: Iterable[str] = ()) -> Row:
    return Row(name, f"{measured:,}", f"at most {aim:,}" if aim else "none", measured <= aim, tuple(details))


def table(rows: Iterable[Row], *, details: bool = False) -> str:
    lines = []
    for row in rows:
        lines.append(f"{row.name:<52} {row.measured:>12} {row.aim:>15}   {'ok' if row.is_met else 'not yet'}")
        if details:
            lines += [f"    {' '.join(detail.split())}" for detail in row.details]
    return "\n".join([f"{'':<52} {'measured':>12} {'aim':>15}", *lines])


def set_up() -> None:
    """Django on an empty SQLite database in memory, with the settings of the tests."""
    os.environ["CARDROOM_TESTS_ON"] = "sqlite"
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.support.settings"
    import django
    from django.conf import settings

    settings.DATABASES["default"]["NAME"] = ":memory:"
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def main() -> None:
    parser = argparse.ArgumentParser(description="How the house is built, beside what is aimed at.")
    parser.add_argument("--details", action="store_true", help="what each figure counts")
    options = parser.parse_args()
    set_up()
    from tests.support.worlds import seeded

    with seeded():
        print(table(measure(), details=options.details))


if __name__ == "__main__":
    main()
