"""The documentation holds: its commands run, and every link, setting, address, command and file it names is there.

`HOW` says for each command how it is held; one that no line of it matches is a fault, so nothing is left out.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from celery.bin.celery import celery as celery_command
from django.conf import settings as django_settings
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve
from uvicorn.main import main as uvicorn_command

from cardroom.asgi import sockets
from cardroom.management.commands import serve
from cardroom.realtime import health
from cardroom.realtime import room as room_topics
from cardroom.realtime import sockets as messages
from games.live import messages as tables
from games.notation.scenarios import checks, fields, words
from tests.games.test_phh import STOLEN, written
from tests.support import services
from tests.support.parts.cardroom import access, allowances, tokens
from tests.support.parts.games import run_paths, slugs
from tests.support.room import Room, own_room
from tests.support.waiting import soon
from tournaments.live import messages as events

PROJECT = Path(__file__).resolve().parents[1]
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"), PROJECT / "tests/README.md"])
#: What stands between fences, by the word behind the first one: `sh` is run, `toml` and `python` too, `ini` is read.
LANGUAGES = {"sh", "toml", "python", "ini", ""}
HERE = "http://localhost:8000"


def texts(page: Path) -> str:
    return page.read_text("utf-8")


@cache
def blocks(language: str) -> list[tuple[Path, str]]:
    """What is fenced as this language, without its indentation."""
    found = []
    for page in PAGES:
        # The first change is made in a copy: `flows/test_first_change.py`.
        shown = re.sub(r"## Your first change\n.*?(?=^## )", "", texts(page), flags=re.DOTALL | re.MULTILINE)
        for indent, word, text in re.findall(r"^( *)```(.*)\n((?:.*\n)*?) *```$", shown, re.MULTILINE):
            assert word in LANGUAGES, f"{page.name}: how is {word!r} held?"
            if word == language:
                found.append((page, re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)))
    return found


def commands() -> list[str]:
    """Every command of every page, once; lines that end with a backslash are one."""
    found: dict[str, None] = {}
    for _, text in blocks("sh"):
        for line in re.sub(r"\\\n\s*", "", text).splitlines():
            if line.strip():
                found[line.strip()] = None
    return list(found)


@cache
def spans(page: Path) -> tuple[str, ...]:
    """What a page has between backticks, its blocks aside."""
    prose = re.sub(r"^( *)```(?:.*\n)*?\1```$", "", texts(page), flags=re.MULTILINE)
    return tuple(re.findall(r"`([^`\n]+)`", prose))


def named(pattern: str) -> Iterator[tuple[str, re.Match[str]]]:
    """(page, match) for each span of this form."""
    for page in PAGES:
        for span in spans(page):
            if match := re.fullmatch(pattern, span):
                yield str(page.relative_to(PROJECT)), match


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Room]:
    """A room that nobody serves, for `manage.py`."""
    secret = {"DJANGO_SUPERUSER_PASSWORD": "two-pairs-of-nines-1"}
    with own_room(tmp_path_factory.mktemp("still"), _migrated_database, **secret) as room:
        yield room


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, _migrated_database: str) -> Iterator[Room]:
    """What `make run` serves: the demo room."""
    with own_room(tmp_path_factory.mktemp("served"), _migrated_database, CARDROOM_BOT_THINKS="0.4") as room:
        assert room.manage("demo").returncode == 0
        room.start()
        soon(lambda: room.get_json("/healthz/clockwork")[0] == 200)
        yield room


@pytest.fixture(scope="module")
def token(served: Room) -> str:
    """The secret that the documented command shows."""
    command = next(command for command in commands() if command.endswith("/api/v1/tokens"))
    return re.findall('"([0-9a-f]{64})"', curl(command, served))[0]


def run(command: str, *, cwd: Path = PROJECT, **environment: str) -> str:
    """What it writes; it must end well."""
    done = subprocess.run(
        ["sh", "-euc", command], cwd=cwd, env={**os.environ, "no_proxy": "*", **environment}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def need(program: str) -> None:
    if shutil.which(program) is None:
        assert not services.is_ci(), f"needs {program}"
        pytest.skip(f"needs {program}: install it")


def curl(command: str, room: Room, **environment: str) -> str:
    need("curl")
    (room.folder / ".curlrc").write_text("fail-with-body\nsilent\nshow-error\n")
    return run(command.replace(HERE, room.url), CURL_HOME=str(room.folder), **environment)


#: `make` installs, serves or runs this suite: the target is there, and its recipe does this, which is run elsewhere.
MADE = {
    "setup": ("$(UV_PIP) -r requirements.lock", "every test runs in what it made"),
    "run": ("manage.py serve --demo", "tests/test_serving.py, tests/games/test_demo.py"),
    "test": ("-m tests.support.suite", "it runs this test"),
    "lint": ("ruff check", "`make test` begins with it"),
    "house": ("-m tests.support.house", "tests/test_house.py"),
    "types": ("mypy games/engine tournaments/engine", "tests.support.suite runs it beside the tests"),
}


def makes(command: str, request: pytest.FixtureRequest) -> None:
    target, *variables = shlex.split(command)[1:]
    part, _ = MADE[target]
    assert part in recipes()[target]
    for variable, value in (word.split("=") for word in variables):
        assert f"$({variable})" in recipes()[target]
        assert variable != "SUITE" or (PROJECT / value).exists()


@cache
def recipes() -> dict[str, str]:
    """The rule of each target that `make help` tells, with what it needs."""
    rules = dict(re.findall(r"^([a-z-]+):(.*(?:\n\t.*)*)", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    locked = re.findall(r"^\$\(LOCKED\):(.*(?:\n\t.*)*)", (PROJECT / "Makefile").read_text(), re.MULTILINE)[0]
    return {target: rule + locked * ("$(LOCKED)" in rule) for target, rule in rules.items()}


def serves(command: str, request: pytest.FixtureRequest) -> None:
    """A server that goes on is started by tests/test_serving.py and tests/faults; here its options are read."""
    program, *options = shlex.split(command)
    name = Path(program).name
    compose = texts(PROJECT / "compose.yaml")
    if name == "celery":
        with pytest.raises(SystemExit, match="0"):  # --help is done once the other options were understood
            celery_command.main([*options, "--help"], prog_name="celery")
        assert " ".join(options) in compose
        return
    asked = uvicorn_command.make_context("uvicorn", options).params
    ours = serve.configuration()
    for option in ("ws", "ws_max_size", "ws_per_message_deflate", "ws_ping_interval", "ws_ping_timeout", "access_log",
                   "timeout_graceful_shutdown"):  # fmt: skip
        assert asked[option] == getattr(ours, option), option
        said = "no-access-log" if option == "access_log" else option.replace("_", "-")
        assert f"--{said}" in compose
    assert asked["app"] == ours.app


def composes(command: str, request: pytest.FixtureRequest) -> None:
    """Docker builds and downloads: only what it is told is read. Its commands are those of the other lines."""
    told = yaml.safe_load(texts(PROJECT / "compose.yaml"))
    assert {"database", "messages", "migrate", "web", "worker", "beat"} == told["services"].keys()
    for copied in re.findall(r"^COPY (\S+)", told["x-room"]["build"]["dockerfile_inline"], re.MULTILINE):
        assert (PROJECT / copied).exists()


def has_tests(command: str, request: pytest.FixtureRequest) -> None:
    """pytest cannot run in itself."""
    for path in shlex.split(command)[1:]:
        assert "def test_" in texts(PROJECT / path)


def lints(command: str, request: pytest.FixtureRequest) -> None:
    run(command.replace(".venv/bin/ruff", f"{sys.executable} -m ruff"))


#: What takes seconds, and is run by another part of the suite.
ELSEWHERE = {"check": "test_settings.py", "languages": "web/test_words.py", "makemigrations": "support/suite.py"}


def is_run_elsewhere(command: str, request: pytest.FixtureRequest) -> None:
    _, _, verb, *options = shlex.split(command)
    assert all(f'"{word}"' in texts(PROJECT / "tests" / ELSEWHERE[verb]) for word in (verb, *options))


#: What is asked of the keyboard, or written into `.run` or the code, is done by these options instead.
INSTEAD = {
    "createsuperuser": ["--noinput", "--username", "operator", "--email", "operator@room.example"],
    "collectstatic": ["--dry-run", "--verbosity", "0"],
}


def manages(command: str, request: pytest.FixtureRequest) -> None:
    room: Room = request.getfixturevalue("still")
    arguments = shlex.split(command)[2:]
    if "my-hands.phh" in arguments:
        path = room.folder / "my-hands.phh"
        path.write_text(written(STOLEN))
        arguments = [str(path) if word == "my-hands.phh" else word for word in arguments]
    done = room.manage(*arguments, *INSTEAD.get(arguments[0], []))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() or arguments[0] == "collectstatic", "it says nothing"


def asks(command: str, request: pytest.FixtureRequest) -> None:
    room: Room = request.getfixturevalue("served")
    if "/hands/1/" in command:
        soon(lambda: room.get_json("/api/v1/hands/1")[0] == 200)
    secret = {"TOKEN": request.getfixturevalue("token")} if "$TOKEN" in command else {}
    assert curl(command, room, **secret).startswith(("{", "["))


def dumps(command: str, request: pytest.FixtureRequest) -> None:
    """Written to the room's folder, and read back into the same database."""
    room: Room = request.getfixturevalue("still")
    need(shlex.split(command)[0])
    url = room.environment["DATABASE_URL"]
    [dump] = [command for command in commands() if command.startswith("pg_dump ")]
    if not (room.folder / "cardroom.dump").exists():
        run(dump, cwd=room.folder, DATABASE_URL=url)
    assert (room.folder / "cardroom.dump").stat().st_size > 10_000
    if command != dump:
        run(command, cwd=room.folder, DATABASE_URL=url)
        assert room.manage("migrate", "--check").returncode == 0


#: How commands are held, by how they begin; the first that fits.
HOW: dict[str, Callable[[str, pytest.FixtureRequest], None]] = {
    "make *": makes, ".venv/bin/uvicorn *": serves, ".venv/bin/celery *": serves, "docker compose up": composes,
    **{f".venv/bin/python manage.py {verb}*": is_run_elsewhere for verb in ELSEWHERE},
    ".venv/bin/python manage.py *": manages,
    ".venv/bin/pytest *": has_tests, ".venv/bin/ruff *": lints, "curl *": asks, "pg_* *": dumps,
}  # fmt: skip


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, marks=[pytest.mark.postgres] * command.startswith("pg_")) for command in commands()],
)
def test_a_command_of_the_docs_does_what_it_is_there_for(command: str, request: pytest.FixtureRequest) -> None:
    ways = [how for begins, how in HOW.items() if fnmatchcase(command, begins)]
    assert ways, "say in HOW how this command is held"
    ways[0](command, request)


def test_the_client_of_a_socket_follows_a_table(served: Room, token: str) -> None:
    [(_, code)] = blocks("python")
    code = code.replace(HERE.replace("http", "ws"), served.url.replace("http", "ws"))
    assert "action-on" in run(shlex.join([sys.executable, "-c", code]), TOKEN=token)


def test_the_scenarios_of_the_docs_pass(tmp_path: Path) -> None:
    for number, (_, text) in enumerate(blocks("toml")):
        (tmp_path / f"{number}.toml").write_text(text)
    results = list(run_paths([tmp_path]))
    assert len(results) == 7
    assert not [str(result) for result in results if not result.passed]


# -- what is named ---------------------------------------------------------------------------------------------------


def test_links_and_pictures_are_there_and_pictures_are_small() -> None:
    faults = []
    for page in PAGES:
        for link in re.findall(r"\]\(([^)]+)\)", texts(page)):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if re.match("https?://", link):
                continue
            if not target.exists() or (anchor and anchor not in anchors(target)):
                faults.append(f"{page.name}: {link}")
            elif target.suffix == ".png" and target.stat().st_size > 150_000:
                faults.append(f"{page.name}: {link} has {target.stat().st_size:,} bytes")
    assert not faults
    shown = {Path(link).name for page in PAGES for link in re.findall(r"!\[[^]]*\]\(([^)]+)\)", texts(page))}
    assert shown == {path.name for path in (PROJECT / "docs/pictures").iterdir()}


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", texts(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_the_readme_is_short_and_every_page_is_reached_from_it() -> None:
    assert texts(PROJECT / "README.md").count("\n") <= 150
    reached, to_read = set(), [PROJECT / "README.md"]
    while to_read:
        page = to_read.pop()
        reached.add(page)
        links = [(page.parent / link).resolve() for link in re.findall(r"\]\(([^):#]+\.md)\)", texts(page))]
        to_read += [link for link in links if link not in reached]
    assert set(PAGES) == reached


#: What `compose.yaml` alone reads.
FOR_COMPOSE = {"POSTGRES_PASSWORD", "ROOM_PASSWORD"}


def test_each_setting_is_told_and_none_that_is_not_there() -> None:
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', texts(PROJECT / "cardroom/settings.py")))
    told = re.findall(r"^\| `([A-Z_]+)` \|", texts(PROJECT / "docs/deployment.md"), re.MULTILINE)
    ours = {name for name in dir(django_settings) if name.startswith("CARDROOM_")}
    assert len(told) == len(set(told))
    assert set(told) == read | ours
    assert set(re.findall(r"^# ([A-Z_]+)=", texts(PROJECT / ".env.example"), re.MULTILINE)) == read | FOR_COMPOSE
    for _, text in blocks("ini"):
        assert {line.split("=")[0] for line in text.splitlines()} <= read
    wrong = [(page, match[1]) for page, match in named(r"((?:CARDROOM|DATABASE|REDIS|CSRF|HSTS)_[A-Z_]+)(?:=.*)?")
             if match[1] not in read | ours | {"CARDROOM_SUITE"}]  # fmt: skip
    assert not wrong


def test_each_address_leads_somewhere() -> None:
    found = list(named(r"(?:(?:GET|POST|PUT|PATCH|DELETE) )?(/[^ ]*)"))
    assert len({match[1] for _, match in found}) > 100
    assert not [(page, match[0]) for page, match in found if not leads_somewhere(match[1])]


def leads_somewhere(address: str) -> bool:
    address = re.sub("<(?:id|n|number)>", "1", address.partition("?")[0])
    address = re.sub("<(?:role|handle)>", "dealer", address)
    if address in health.PATHS:
        return True
    if address.startswith("/ws/"):
        return any(socket.pattern.match(address[1:]) for socket in sockets[:-1])
    for path in (address, f"{address}/", f"/api/v1{address}"):
        try:
            resolve(path)
        except Resolver404:
            continue
        return True
    return False


def test_commands_and_options_that_are_named_are_there() -> None:
    missing = [(page, match[0]) for page, match in named(r"make ([a-z-]+)(?: .*)?") if match[1] not in recipes()]
    for page in PAGES:
        for line in texts(page).splitlines():
            for name in re.findall(r"manage\.py (\w+)", line):
                options = re.findall(r"`(--[a-z-]+)`", line) if line.startswith("| `manage.py") else []
                known = options_of(name) if name in get_commands() else set()
                missing += [(page.name, name, option) for option in options if option not in known]
                missing += [] if name in get_commands() else [(page.name, name)]
    assert not missing
    ours = {name for name, app in get_commands().items() if str(app) in {"cardroom", "games", "tournaments"}} - {
        "flush", "migrate",  # Django's own
    }  # fmt: skip
    assert set(re.findall(r"^\| `manage\.py (\w+)", texts(PROJECT / "CONTRIBUTING.md"), re.MULTILINE)) == ours
    targets = set(re.findall(r"`make ([a-z-]+)`", texts(PROJECT / "CONTRIBUTING.md")))
    assert targets == recipes().keys() - {"help"}


def options_of(name: str) -> set[str]:
    command: Any = load_command_class(str(get_commands()[name]), name)
    return set(command.create_parser("manage.py", name)._option_string_actions)


def test_files_that_are_named_are_there() -> None:
    tops = "cardroom|games|tournaments|tests|docs|templates"
    places = [*named(rf"((?:{tops})/[\w./*-]+)"), *named(r"(\.ci/run|\.env\.example|[\w-]+\.(?:yaml|lock|toml))")]
    assert len(places) > 20
    assert not [(page, match[1]) for page, match in places if not list(PROJECT.glob(match[1].rstrip("/")))
                and not list((PROJECT / "tests").glob(match[1].rstrip("/")))]  # fmt: skip


def test_functions_that_are_named_are_where_it_is_said() -> None:
    found = list(named(r"([\w/]+\.py): (\w+)\(\)"))
    assert len(found) > 10
    assert not [match[0] for _, match in found if f"\ndef {match[2]}(" not in texts(PROJECT / match[1])]


def test_rooms_and_their_layers_are_told_as_they_are() -> None:
    text = texts(PROJECT / "docs/architecture.md")
    contracts = tomllib.loads(texts(PROJECT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = {contract["containers"][0]: contract["layers"] for contract in contracts if "containers" in contract}
    assert layers.keys() == {"cardroom", "games", "tournaments"}
    for house, below in layers.items():
        told = re.findall(rf"^  - `{house}`: ((?:.|\n    )*)", text, re.MULTILINE)[0]
        assert re.findall(r"`(\w+)`", told) == below
        rooms = rows("docs/architecture.md", f"**`{house}/`:")
        assert {name[1:-2] for name, *_ in rooms} == set(below)
        for name, _, begin in rooms:
            for path in re.findall(r"`([^`]+)`", begin):
                assert (PROJECT / house / name[1:-2] / path).exists(), f"{house} {name} {path}"


def test_libraries_are_those_of_the_project() -> None:
    told = re.findall(r"^\| ([a-z][\w, -]*) \|", texts(PROJECT / "docs/dependencies.md"), re.MULTILINE)
    project = tomllib.loads(texts(PROJECT / "pyproject.toml"))["project"]
    asked = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    used = [re.split(r"[\[<>=]", each)[0] for each in asked]
    assert sorted(name for row in told for name in row.split(", ") if name != "library") == sorted(used)


# -- what is listed --------------------------------------------------------------------------------------------------


def rows(page: str, title: str) -> list[list[str]]:
    """The cells of the table under this heading, its head aside."""
    under = texts(PROJECT / page).partition(title)[2].partition("\n")[2]
    table = re.search(r"(?:^\|.*\n)+", under, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table[0].splitlines()[2:]]


def words_of(rows: list[list[str]], column: int = 0) -> set[str]:
    """What stands between backticks in a column."""
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row[column])}


def test_messages_close_codes_and_topics_of_the_sockets_are_told() -> None:
    said = {tag_of(message) for message in get_args(tables.Message)}
    assert words_of(rows("docs/api.md", "### A table")) == said - {"answer_call"}  # that is for the floor's own
    text = texts(PROJECT / "docs/api.md")
    assert all(f"`{tag_of(message)}`" in text for message in get_args(events.Message))
    assert words_of([row for row in rows("docs/api.md", "### An event") if row[0] == "`snapshot`"], 1) == {
        "now", "you", *events.PARTS
    }  # fmt: skip
    codes = {int(row[0]) for row in rows("docs/api.md", "close code:")}
    assert codes == {messages.SIGNED_OUT, messages.FORBIDDEN, messages.NOWHERE, messages.LATER}
    told = words_of(rows("docs/api.md", "ask the API again."))
    refused = str(room_topics.refusal("-", room_topics.Asker(None))).partition("The topics are: ")[2].rstrip(".")
    assert told == set(refused.split(", "))
    assert words_of(rows("docs/api.md", "With the secret in")) == set(tokens.SCOPES)


def tag_of(message: Any) -> str:
    return str(message.__struct_config__.tag)


def test_the_words_of_rulebooks_and_scenario_files_are_told() -> None:
    assert words_of(rows("docs/rules.md", "## Rulebooks")) == set(slugs())
    assert words_of(rows("docs/rules.md", "### Fields")) == {*fields.REQUIRED, *fields.OPTIONAL}
    stakes = next(row for row in rows("docs/rules.md", "### Fields") if row[0] == "`stakes`")
    assert words_of([stakes], 1) == words.STAKES
    happened = " ".join(words_of(rows("docs/rules.md", "### What happened")))
    assert set(re.findall(r"[a-z][a-z-]+", happened)) >= words.VERBS
    assert set(re.findall(r"floor ([a-z-]+)", happened)) == words.FLOOR.keys()
    asked = {word.split()[1] for word in words_of(rows("docs/rules.md", "### What must be true")) if word[0] == "?"}
    assert asked == {*checks._CHECKS, "cannot"}
    told = {(key, verdict) for row in rows("docs/rules.md", "### Verdicts") for key in re.findall(r"`(\w+)`", row[0])
            for verdict in row[1].split(", ")}  # fmt: skip
    assert told == {(key, verdict) for key, verdicts in words.VERDICTS.items() for verdict in verdicts}


def test_roles_and_limits_of_the_cage_are_told() -> None:
    assert words_of(rows("docs/handbook/README.md", "## Roles")) == set(access.ROLES)
    verbs = {title.lower(): verb for verb, title in allowances.VERBS.items()}
    told = rows("docs/handbook/cage.md", "## Limits and approvals")
    assert len(told) == len(verbs)
    for what, *roles in told:
        for role, limit in zip(("cashier", "floor", "director", "manager"), roles, strict=True):
            allowed = allowances.DEFAULTS.get((role, verbs[what]))
            assert limit == (said_of(allowed) if allowed else ""), (what, role)


def said_of(allowed: allowances.Allowance) -> str:
    if allowed.slip is None:
        return "no limit"
    if allowed.slip == 0:
        return "needs approval"
    return f"{allowed.slip:,} / {allowed.day:,}" if allowed.day is not None else f"{allowed.slip:,}"
