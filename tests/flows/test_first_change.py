"""What CONTRIBUTING.md tells to do in "Your first change" is done, word by word, in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
GUIDE = (PROJECT / "CONTRIBUTING.md").read_text()
EDIT = re.compile(
    r"In\s+`(?P<path>[^`]+)`,\s+(?P<how>below|replace|at the end add)\n\n```\w+\n(?P<first>.*?)\n```"
    r"(?:\n\n(?:add|by)\n\n```\w+\n(?P<second>.*?)\n```)?",
    re.DOTALL | re.IGNORECASE,
)
COMMANDS = re.compile(r"```sh\n(.*?)\n```", re.DOTALL)
TRANSLATION = re.compile(r"```po\n(msgid .*?)\n(msgstr .*?)\n```", re.DOTALL)


def part() -> str:
    return GUIDE.partition("## Your first change")[2].partition("\n## ")[0]


def edits() -> Iterator[re.Match[str]]:
    return EDIT.finditer(part())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project as it is here, without what git does not keep."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    ).stdout
    for name in filter(None, names.decode().split("\0")):
        if (PROJECT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def run(copy: Path, command: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    done = subprocess.run(
        command, shell=True, cwd=copy, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_the_first_change_of_the_guide_works_word_by_word(copy):
    done = list(edits())
    assert len(done) == len(re.findall(r"(?i)\bin\s+`[^`]+`,\s+(?:below|replace|at the end)", part())) >= 7
    for edit in done:
        file = copy / edit["path"]
        text = file.read_text()
        if edit["how"] == "at the end add":
            file.write_text(f"{text}{edit['first']}\n")
            continue
        assert text.count(edit["first"]) == 1, f"{edit['path']} has not this once: {edit['first']}"
        kept = edit["first"] + "\n" if edit["how"] == "below" else ""
        file.write_text(text.replace(edit["first"], kept + edit["second"]))
    shown = [run(copy, line) for commands in COMMANDS.findall(part()) for line in commands.splitlines()]
    assert "1 passed" in shown[1]
    assert "Deutsch, django: " in shown[2]
    english, german = TRANSLATION.findall(part())[0]
    words = copy / "cardroom/locale/de/LC_MESSAGES/django.po"
    assert f'{english}\nmsgstr ""\n' in words.read_text(), "the words are there, to be translated"
    text = words.read_text()
    words.write_text(text.replace(f'{english}\nmsgstr ""\n', f"{english}\n{german}\n"))
    missing = re.compile(r"Deutsch, django: \d+ texts, (\d+) to be translated")
    after = run(copy, ".venv/bin/python manage.py languages --count")
    assert int(missing.findall(after)[0]) == int(missing.findall(shown[2])[0]) - 1
