"""Who may import whom, how long a module may be, and what may lie at the top of the tree.

The rules are the project's own; they are read from the source with `ast`, so an import inside a function counts too.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
APPS = ("cardroom", "games", "tournaments")

ENGINES = ("games.engine", "tournaments.engine")
ENGINE_MAY_IMPORT = frozenset({
    "__future__", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "itertools", "math",
    "operator", "typing",
})  # fmt: skip

COMPOSITION_ROOT = frozenset({"settings", "urls", "asgi", "celery", "api"})  # of `cardroom`
EDGES = frozenset({"web", "live", "tasks", "management", "admin"})
LEVELS = {"engine": 0, "rulebooks": 1, "signals": 1, "models": 1, "journal": 2, "selectors": 3, "services": 4}
TOURNAMENTS_MAY_USE_OF_GAMES = frozenset({"services", "selectors", "signals", "rulebooks"})

TOO_LONG = 600
TOP_LEVEL = frozenset({
    "manage.py", "pyproject.toml", "Makefile", "README.md", "cardroom", "games", "tournaments", "templates", "tests",
    "requirements.lock", "compose.yaml", "docs", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md",
})  # fmt: skip
HE_AND_SHE = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
GRAB_BAGS = frozenset({"utils", "util", "helpers", "misc", "common"})


@dataclass(frozen=True)
class Module:
    """`name` is the dotted name; `app` and `part` its first two steps: games and services of games.play.hands."""

    name: str
    path: Path
    source: str

    @cached_property
    def names(self) -> set[str]:
        """What it imports."""
        return imports(self.source, self.name, is_package=self.path.name == "__init__.py")

    @property
    def app(self) -> str:
        return self.name.split(".")[0]

    @property
    def part(self) -> str:
        return part_of(self.name)

    @property
    def is_root(self) -> bool:
        return self.app == "cardroom" and self.name.count(".") <= 1 and self.part not in {"models", "services", "web"}


def part_of(name: str) -> str:
    return [*name.split("."), ""][1]


def imports(source: str, name: str, *, is_package: bool = False) -> set[str]:
    """The dotted names a module imports; of `from a.b import c` both a.b and a.b.c, as c may be a module."""
    package = name if is_package else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                steps = package.split(".")
                base = ".".join([*steps[: len(steps) - node.level + 1], *([base] if base else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return found


def imported_apps(names: set[str]) -> Iterator[str]:
    return (name for name in sorted(names) if name.split(".")[0] in APPS)


def engine_faults(engine: str, names: set[str]) -> list[str]:
    return [
        name
        for name in sorted(names)
        if name.split(".")[0] not in ENGINE_MAY_IMPORT
        and name != engine
        and not name.startswith(f"{engine}.")
        # `from games import engine` imports the package on the way
        and name != engine.split(".")[0]
    ]


def app_faults(module: Module, names: set[str]) -> list[str]:
    """Imports that cross from one app into another where they may not."""
    faults = []
    for name in imported_apps(names):
        other, part = name.split(".")[0], part_of(name)
        if other == "cardroom" and part in COMPOSITION_ROOT and not module.is_root:
            faults.append(f"{name} (only the composition root puts the room together)")
        if other == module.app or (module.is_root and module.part in COMPOSITION_ROOT):
            continue
        if module.app == "cardroom":
            faults.append(f"{name} (the house knows neither app)")
        elif module.app == "games" and other == "tournaments":
            faults.append(f"{name} (games know no tournaments)")
        elif module.app == "tournaments" and other == "games" and part not in {"", *TOURNAMENTS_MAY_USE_OF_GAMES}:
            faults.append(f"{name} (of games only {', '.join(sorted(TOURNAMENTS_MAY_USE_OF_GAMES))})")
    return faults


def layer_faults(module: Module, names: set[str]) -> list[str]:
    """Imports that go up: from rules and services to the edges, or from one edge to another."""
    if module.part in {"apps", "migrations"} or module.is_root:
        return []
    faults = []
    for name in imported_apps(names):
        part = part_of(name)
        if part in EDGES and part != module.part:
            faults.append(f"{name} (an edge, imported from {module.part})")
        elif name.split(".")[0] == module.app and LEVELS.get(part, 0) > LEVELS.get(module.part, 5):
            faults.append(f"{name} (above {module.part})")
    return faults


def tracked() -> list[Path]:
    """Every file of the project, as git knows it, new ones included."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, check=False)
    if listed.returncode == 0:
        names = [PROJECT / name for name in listed.stdout.decode().split("\0") if name]
        return sorted(path for path in names if path.is_file())
    return sorted(
        path
        for path in PROJECT.rglob("*")
        if path.is_file() and not path.relative_to(PROJECT).parts[0].startswith((".venv", ".run", ".git"))
    )


def modules() -> list[Module]:
    found = []
    for path in tracked():
        steps = path.relative_to(PROJECT).with_suffix("").parts
        if path.suffix == ".py" and steps[0] in APPS:
            name = ".".join(steps[:-1] if steps[-1] == "__init__" else steps)
            found.append(Module(name, path, path.read_text("utf-8")))
    return found


MODULES = modules()


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_imports_only_itself_and_the_tools_for_data(engine: str) -> None:
    faults = {
        module.name: wrong
        for module in MODULES
        if f"{module.name}.".startswith(f"{engine}.")
        if (wrong := engine_faults(engine, module.names))
    }
    assert not faults


@pytest.mark.parametrize("engine", ENGINES)
def test_the_modules_of_an_engine_import_each_other_in_one_direction_for_types_too(engine: str) -> None:
    # A package says nothing of its modules: `from . import clock` imports the clock, not all of its neighbours.
    imported = {
        module.name: module.names - {module.name.rpartition(".")[0], engine}
        for module in MODULES
        if module.name.startswith(f"{engine}.")
    }
    assert len(imported) > 25
    TopologicalSorter({name: names & imported.keys() for name, names in imported.items()}).prepare()  # no CycleError


def test_no_app_imports_one_it_must_not_know_and_no_lower_layer_a_higher_one() -> None:
    assert not {module.name: wrong for module in MODULES if (wrong := app_faults(module, module.names))}
    assert not {module.name: wrong for module in MODULES if (wrong := layer_faults(module, module.names))}


@pytest.mark.parametrize(
    ("name", "source", "wrong"),
    [
        ("games.engine.hand", "import random", "random"),
        ("games.engine.hand", "from django.db import models", "django.db"),
        ("games.engine.hand", "def f():\n    import time", "time"),
        ("games.engine.hand", "from games import models", "games.models"),
        ("games.engine.hand", "from ..models import Hand", "games.models"),
        ("games.play.hands", "from games.live import feed", "games.live"),
        ("games.play.hands", "from cardroom.web import problems", "cardroom.web"),
        ("games.web.pages", "from games.live import feed", "games.live"),
        ("games.models", "from games.services import hands", "games.services"),
        ("games.selectors", "from .services import hands", "games.services"),
        ("games.play.hands", "from tournaments.services import play", "tournaments.services"),
        ("games.play.hands", "from cardroom.settings import DEBUG", "cardroom.settings"),
        ("cardroom.ledger.ledger", "from games.models import Table", "games.models"),
        ("tournaments.online.outcomes", "from games.models import Table", "games.models"),
        # These are right.
        ("games.engine.hand", "from games.engine.cards import Card\nfrom . import facts\nimport math", ""),
        ("games.play.hands", "from cardroom.services import ledger\nfrom games import journal, selectors", ""),
        ("games.live.feed", "from games import selectors, signals\nfrom games.services import hands", ""),
        ("cardroom.api", "from games.web.api import TableViewSet", ""),
        ("tournaments.online.outcomes", "from games.services import tables\nfrom games import signals", ""),
    ],
)
def test_these_rules_find_what_they_are_for_and_nothing_else(name: str, source: str, wrong: str) -> None:
    module = Module(name, PROJECT / (name.replace(".", "/") + ".py"), source)
    faults = [*app_faults(module, module.names), *layer_faults(module, module.names)]
    if ".engine" in name:
        faults += engine_faults("games.engine", module.names)
    assert any(fault.startswith(wrong) for fault in faults) if wrong else not faults


def mentions(source: str, name: str) -> bool:
    return name in source and any(
        (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.alias) and node.name == name)
        for node in ast.walk(ast.parse(source))
    )


def test_only_the_journal_reads_and_writes_the_facts_of_a_hand() -> None:
    allowed = {"games.tables.journal", "games.models"}
    strangers = [
        module.name
        for module in MODULES
        if mentions(module.source, "HandFact") and module.name not in allowed and module.part not in allowed
        if not module.name.startswith(("games.tables.journal.", "games.models.", "games.migrations."))
    ]
    assert not strangers


def test_only_the_ledger_writes_entries() -> None:
    writes = re.compile(r"\bEntry\(|\bEntry\.objects\.(?:create|bulk_create|get_or_create|update_or_create)\b")
    writers = {
        module.name
        for module in MODULES
        if writes.search(module.source) and not module.name.startswith(("cardroom.models", "cardroom.migrations"))
    }
    assert writers <= {"cardroom.ledger.ledger"}


def test_modules_stay_small_and_none_is_a_grab_bag() -> None:
    long = {module.name: module.source.count("\n") for module in MODULES if module.part != "migrations"}
    faults = [f"{name}: {lines} lines" for name, lines in long.items() if lines > TOO_LONG]
    assert not faults
    assert not [module.name for module in MODULES if GRAB_BAGS & set(module.name.split("."))]


def test_nothing_else_lies_at_the_top() -> None:
    tops = {path.relative_to(PROJECT).parts[0] for path in tracked()}
    assert not {top for top in tops if top not in TOP_LEVEL and not top.startswith(".")}


# Spelled in pieces, so that this file may be read like all the others.
FOLDERS = "|".join(["w" + "ork", "r" + "oot", "h" + "ome", "o" + "pt", "t" + "mp", "U" + "sers"])
MACHINE = re.compile(
    rf"(?<![\w.])/(?:{FOLDERS})/|pypi[.]org|pythonhosted[.]org|--(?:extra-)?index[-]url|--find[-]links"
)
BINARY = frozenset({".png", ".jpg", ".ico", ".ttf", ".woff2"})


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    faults = []
    for path in tracked():
        if path.suffix in BINARY:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if found := MACHINE.search(line):
                faults.append(f"{path.relative_to(PROJECT)}:{number}: {found.group()}")
    assert not faults


def test_the_lock_file_holds_hashes_and_no_addresses() -> None:
    text = (PROJECT / "requirements.lock").read_text("utf-8")
    assert "://" not in text
    pinned = re.findall(r"^[a-z0-9][\w.-]*==\S+", text, flags=re.MULTILINE | re.IGNORECASE)
    blocks = re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(pinned) == len(blocks)
    assert all("--hash=sha256:" in block for block in blocks)


def test_people_are_they() -> None:
    """In code, comments, messages and pages: a player, a dealer or a director may be anybody."""
    pages = [
        path
        for folder in ("cardroom", "games", "tournaments", "templates", "docs")
        for path in (PROJECT / folder).rglob("*")
    ]
    texts = [path for path in [*PROJECT.glob("*.md"), *pages] if path.suffix in {".py", ".js", ".html", ".md", ".toml"}]
    assert len(texts) > 900
    wrong = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in texts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if HE_AND_SHE.search(line)
    ]
    assert not wrong, "\n".join(wrong)
