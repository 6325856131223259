"""Who may import whom, and what may lie at the top of the tree.

The rooms' layers are contracts of import-linter, in pyproject.toml; imports inside functions and for types count too.
"""

import ast
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PROJECT = Path(__file__).resolve().parents[1]
APPS = ("cardroom", "games", "tournaments")

ENGINES = ("games.engine", "tournaments.engine")
ENGINE_MAY_IMPORT = frozenset({
    "__future__", "bisect", "collections", "dataclasses", "enum", "fractions", "functools", "itertools", "math",
    "operator", "typing",
})  # fmt: skip

LOCKS = ("requirements.lock", "requirements-runtime.lock")
TOP_LEVEL = frozenset({
    "manage.py", "pyproject.toml", "Makefile", "README.md", "cardroom", "games", "tournaments", "templates", "tests",
    "requirements.lock", "requirements-runtime.lock", "compose.yaml", "docs", "LICENSE", "CHANGELOG.md",
    "CONTRIBUTING.md",
})  # fmt: skip
HE_AND_SHE = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
#: As a command of its own: it keeps what it has read in the process, and looks for packages from where it begins.
LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]
GRAB_BAGS = frozenset({"utils", "util", "helpers", "misc", "common"})


@dataclass(frozen=True)
class Module:
    """`name` is the dotted name."""

    name: str
    path: Path
    source: str

    @cached_property
    def names(self) -> set[str]:
        """What it imports."""
        return imports(self.source, self.name, is_package=self.path.name == "__init__.py")


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


def test_the_rooms_import_downwards_only_and_in_no_circle() -> None:
    """The contracts stand in pyproject.toml."""
    done = subprocess.run(LINT, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_an_import_upwards_and_a_circle_are_found(tmp_path: Path) -> None:
    contracts = (PROJECT / "pyproject.toml").read_text("utf-8").partition("[tool.importlinter]")
    (tmp_path / "pyproject.toml").write_text(contracts[1] + contracts[2], "utf-8")
    for module in MODULES:
        there = tmp_path / module.path.relative_to(PROJECT)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(module.source, "utf-8")
    for wrong, line, broken in (
        ("games/rake/drops.py", "from games.play import hands", "The rooms of games"),
        ("cardroom/ledger/ledger.py", "from games.tables.models.tables import Table", "Tournaments over games"),
        ("games/play/clocks.py", "def f():\n    from games.play import receivers", "No circles"),
        ("games/engine/cards.py", "from django.db import models", "The engines know"),
        ("games/play/hands.py", "from games.play.pages import tables", "Pages are imported"),
    ):
        there = tmp_path / wrong
        right = there.read_text("utf-8")
        there.write_text(f"{right}\n{line}\n", "utf-8")
        done = subprocess.run(LINT, cwd=tmp_path, capture_output=True, text=True, check=False)
        there.write_text(right, "utf-8")
        assert re.search(rf"^{broken}.* BROKEN", done.stdout, re.MULTILINE), wrong


@pytest.mark.parametrize(("source", "wrong"), [
    ("import random", "random"),
    ("from django.db import models", "django.db"),
    ("def f():\n    import time", "time"),
    ("from games import models", "games.models"),
    ("from ..models import Hand", "games.models"),
    ("from games.engine.cards import Card\nfrom . import facts\nimport math", ""),
])  # fmt: skip
def test_what_an_engine_must_not_import_is_found_and_nothing_else(source: str, wrong: str) -> None:
    faults = engine_faults("games.engine", imports(source, "games.engine.hand"))
    assert any(fault.startswith(wrong) for fault in faults) if wrong else not faults


def mentions(source: str, name: str) -> bool:
    return name in source and any(
        (isinstance(node, ast.Name) and node.id == name)
        or (isinstance(node, ast.Attribute) and node.attr == name)
        or (isinstance(node, ast.alias) and node.name == name)
        for node in ast.walk(ast.parse(source))
    )


@pytest.mark.parametrize(("row", "models", "journal"), [
    ("HandFact", ("games.tables.models", "games.migrations"), "games.tables.journal"),
    ("TournamentFact", ("tournaments.events.models", "tournaments.migrations"), "tournaments.events.journal"),
])  # fmt: skip
def test_only_a_journal_reads_and_writes_facts(row: str, models: tuple[str, ...], journal: str) -> None:
    """Through the event store, which it tells the model."""
    users = [module.name for module in MODULES if mentions(module.source, row) and not module.name.startswith(models)]
    assert users == [journal]


def test_only_the_ledger_writes_entries() -> None:
    writes = re.compile(r"\bEntry\(|\bEntry\.objects\.(?:create|bulk_create|get_or_create|update_or_create)\b")
    writers = {
        module.name
        for module in MODULES
        if writes.search(module.source)
        and not module.name.startswith(("cardroom.ledger.models", "cardroom.migrations"))
    }
    assert writers == {"cardroom.ledger.ledger"}


def test_no_module_is_a_grab_bag() -> None:
    assert not [module.name for module in MODULES if GRAB_BAGS & set(module.name.split("."))]


def test_what_registers_itself_or_hears_signals_is_imported_when_the_room_starts() -> None:
    """A room's `receivers.py`, `audit.py`, `outages.py` and `stalls.py` are known in every process by its `apps.py`."""
    started = set().union(*(module.names for module in MODULES if module.name in {f"{app}.apps" for app in APPS}))
    doors = re.compile(r"(?!cardroom\.core\.)\w+\.\w+\.(receivers|audit|outages|stalls)")
    missing = [module.name for module in MODULES if doors.fullmatch(module.name) and module.name not in started]
    assert not missing


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


def test_the_runtime_lock_is_the_part_of_the_lock_that_a_room_runs_on() -> None:
    whole, runtime = (locked((PROJECT / name).read_text("utf-8")) for name in LOCKS)
    assert runtime.items() <= whole.items(), "make lock"
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = {re.match(r"[\w-]+", line).group() for line in project["dependencies"]}
    extras = project["optional-dependencies"]
    extra = {re.match(r"[\w-]+", line).group() for lines in extras.values() for line in lines}
    assert extras.keys() == {"build", "dev"}
    assert needed <= runtime.keys()
    assert extra <= whole.keys()
    assert extra & runtime.keys() <= {"websockets"}, "which uvicorn brings"


def test_the_room_is_run_with_what_it_runs_on_and_tested_with_the_rest() -> None:
    """`make run` installs the runtime's lock alone where nothing is installed yet; where all is, it is enough."""
    with TemporaryDirectory() as there:
        for name in ("Makefile", *LOCKS):
            (Path(there) / name).write_text((PROJECT / name).read_text("utf-8"))
        (Path(there) / ".venv").mkdir()

        def dry_run(target: str) -> str:
            order = ["make", "--dry-run", f"PYTHON={sys.executable}", target]
            return subprocess.run(order, cwd=there, check=True, capture_output=True, text=True).stdout

        assert "-r requirements-runtime.lock" in dry_run("run")
        assert "-r requirements.lock" not in dry_run("run")
        assert "-r requirements.lock" in dry_run("test")
        (Path(there) / re.search(r"touch (\.venv/locked-\d+)", dry_run("test"))[1]).touch()
        assert "requirements" not in dry_run("run")


def locked(text: str) -> dict[str, tuple[str, ...]]:
    """By name, the version and the hashes of each library."""
    blocks = re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE)[1:]
    return {block.partition("==")[0]: tuple(re.findall(r"==[^\s;]+|sha256:\w+", block)) for block in blocks}


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_files_hold_hashes_and_no_addresses(name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    assert "://" not in text
    pinned = re.findall(r"^[a-z0-9][\w.-]*==\S+", text, flags=re.MULTILINE | re.IGNORECASE)
    blocks = re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(pinned) == len(blocks)
    assert all("--hash=sha256:" in block for block in blocks)


def test_people_are_they() -> None:
    """In code, comments, messages and pages: a player, a dealer or a director may be anybody."""
    folders = ("cardroom", "games", "tournaments", "templates", "docs")
    pages = [path for folder in folders for path in (PROJECT / folder).rglob("*")]
    texts = [path for path in [*PROJECT.glob("*.md"), *pages] if path.suffix in {".py", ".js", ".html", ".md", ".toml"}]
    assert len(texts) > 700
    wrong = [
        f"{path.relative_to(PROJECT)}:{number}: {line.strip()}"
        for path in texts
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if HE_AND_SHE.search(line)
    ]
    assert not wrong, "\n".join(wrong)
