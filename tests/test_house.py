"""`make house` measures what it says it does, and prints every row."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import house

TWO_WAYS = """
# -- seats -----------------------------------------------------------------------------------------------------------


@operation(_lock, verb="seats.sit")
def sit(*, now, **asked):
    return answer_once(by=None, do=lambda: None)


def _lock(found):
    said = found
    return said
"""
READY = """
class Config:
    def ready(self):
        from cardroom.core import alarms, audit
        from games import tasks as jobs
        from games.books import find_with
        alarms.register("a", 1)
        alarms.register("b", 2)
        jobs.once(3)
        find_with(4)
        jobs.connect(self)
        jobs.look()
        for name in ("x", "y"):
            audit.register(name)
"""
TREE = {
    "games/__init__.py": "",
    "games/seats.py": "from games import tables\n\n\ndef sit():\n    tables.store()\n",
    "games/tables.py": "def store():\n    from games import clocks\n\n    clocks.start()\n",
    "games/clocks.py": "import games.seats\n\n\ndef start():\n    return None\n",
    "games/alone.py": "extra = 1\nfrom games import seats\n",
    "games/pages/lobby.py": "extra = 1\n\n",
    "games/migrations/0001_initial.py": "extra = 1\n",
    "tests/test_seats.py": "1\n2\n3\n",
    "docs/api.md": "extra\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_figures_are_of_the_product_without_its_migrations(tree: Path) -> None:
    names = house.product(house.tracked(tree))
    assert house.naming(tree, names, r"\bextra\b") == ["games/alone.py", "games/pages/lobby.py"]


def test_what_is_said_in_more_than_one_way_is_found(tmp_path: Path) -> None:
    (tmp_path / "seats.py").write_text(TWO_WAYS)
    assert {row.name: row.measured for row in house.ways(tmp_path, ["seats.py"])} == {
        "services declared otherwise than by verb": "1",
        "open parameters handed on": "1",
        "functions called _lock": "1",
        "keys looked up outside verb": "1",
        "headings inside files": "1",
    }


def test_questions_are_the_signals_that_do_not_wait_for_the_commit() -> None:
    declared = "moved = Announcement()\nopened = Signal()\nplace = topics.Question()\n"
    assert house.sent_at_once(declared) == ["opened", "place"]


def test_circles_go_through_functions_and_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "saloon").mkdir()
    for name, text in {
        "__init__": "",
        "seats": "from saloon import tables",
        "tables": "def store():\n    from saloon import clocks",
        "clocks": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import saloon.seats",
        "alone": "from saloon import seats",
        "books": "import saloon.pots",
        "pots": "import saloon.books",
    }.items():
        (tmp_path / "saloon" / f"{name}.py").write_text(f"{text}\n")
    imports = house.imports_of("saloon")
    assert house.circles(imports) == [
        ["saloon.clocks", "saloon.seats", "saloon.tables"],
        ["saloon.books", "saloon.pots"],
    ]
    assert house.circles({name: imports[name] - {"saloon.seats", "saloon.pots"} for name in imports}) == []


def test_a_registry_with_one_registrant_is_told_from_those_with_more() -> None:
    assert house.registrants(READY) == {
        "cardroom.core.alarms.register": 2, "games.tasks.once": 1, "games.books.find_with": 1,
        "cardroom.core.audit.register": 2,
    }  # fmt: skip


def test_a_file_is_crossed_when_a_function_of_it_is_called(tree: Path) -> None:
    called: dict[str, dict[str, object]] = {}
    for name in ("games/seats.py", "games/clocks.py", "docs/away.py"):
        exec(compile("def go():\n    return [1 for _ in 'a']\n", tree / name, "exec"), called.setdefault(name, {}))
    with house.crossed(tree) as files:
        for name in ("games/clocks.py", "docs/away.py"):
            called[name]["go"]()  # type: ignore[operator]
    assert files == {"games/clocks.py"}


def test_copies_of_what_the_games_know_are_counted(tmp_path: Path) -> None:
    sources = {
        "games/rules.py": "if hand.street == 3 and hand.game.slug == 'razz':\n    ok = 2 <= seat_count <= 8\n",
        "games/fine.py": "if street.is_first and seats <= MOST_SEATS:\n    name = NAMES['razz']\n",
        "games/table.js": 'if (hand.street === 7 && hand.game !== "razz") draw();\n',
        "templates/seats.html": '{% for number in "12345678" %}{% endfor %}\n',
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert {row.name: row.measured for row in house.copies_of_games(tmp_path, list(sources))} == {
        "streets compared with a number": "2",
        "literal eights for the most seats": "2",
        "games compared with a name": "2",
    }


@pytest.mark.long("measures the whole tree; the tests above measure one that is made up")
def test_every_row_is_printed() -> None:
    command = [sys.executable, "-m", "tests.support.house", "--details"]
    printed = subprocess.run(command, cwd=house.PROJECT, capture_output=True, text=True, check=True).stdout.splitlines()
    rows: dict[str, list[str]] = {}
    name = ""
    for line in printed[1:]:
        if line.startswith("    "):
            rows[name].append(line.strip())
        else:
            assert line.endswith(("   ok", "   not yet"))
            name = line[:52].strip()
            rows[name] = []
    assert len(rows) == 21 + len(house.MECHANISMS)
    assert all(rows[mechanism] for mechanism in house.MECHANISMS), "the line by which it is known has changed"
    for what in ("a player's action", "an online bust-out"):
        files = set(rows[f"files crossed by {what}"])
        assert "games/play/hands.py" in files
        assert "games/live/consumers.py" not in files
    assert "cardroom/cage/slips.py" in rows["files crossed by a cashier's deposit"]
    assert len(rows["SQL statements of an action in mid-hand"]) == 2
