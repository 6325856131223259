"""Who gets what answer at which address of the cash room: a module for each area, walked by `test_room_permissions`.

A module has `ROWS`, and `room(people, now)`, which makes what its rows are about and returns what stands for the
placeholders of their paths: `{"table": table.pk}` for "/tables/{table}/". `people` are those who ask, by role. Where a
placeholder is no number, `WORDS` says what an address with it looks like: `{"day": "2030-01-05"}`.
"""

import json
import pkgutil
from collections.abc import Iterable, Iterator
from http.cookies import SimpleCookie
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl
from zlib import crc32

from django.db import connection, transaction
from django.test import Client

from tests.support import tiers
from tournaments.events import journal as event_journal

AS_A_BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
WHOLE = b"<!doctype html"
LOGIN = 302  # to the page for logging in; or, for a person who is logged in, to the page where what was done is seen
ROLES = ("anonymous", "player", "dealer", "floor", "cashier", "manager", "auditor")


Data = dict[str, Any]


class Row(NamedTuple):
    """Statuses for somebody not logged in, for a player, and for one of each role; `data` is the form or the JSON."""

    method: str
    path: str
    anonymous: int
    player: int
    dealer: int
    floor: int
    cashier: int
    manager: int
    auditor: int
    data: Data = {}


def for_all(method: str, path: str, status: int, data: Data | None = None) -> Row:
    """The same answer to everybody."""
    return Row(method, path, *[status] * len(ROLES), data or {})


def for_roles(method: str, path: str, status: int, *roles: str, others: int = 403, data: Data | None = None) -> Row:
    """`status` for those who hold one of `roles`, `others` for everybody else who is logged in; nobody is sent to the
    log-in page, or told 401 by the API."""
    nobody = 401 if path.startswith("/api/") else LOGIN
    return Row(method, path, nobody, *[status if role in roles else others for role in ROLES[1:]], data or {})


def rows(text: str, row: Any = Row) -> Iterator[Any]:
    """The rows of a table: the roles, then a method, the status for each of them, and the addresses that answer so.

    Further addresses may stand on the lines below. `login` is what somebody gets who is not logged in and has to be.
    Where a request changes something, what stands behind the "?" is its form, or its JSON.
    """
    head, *lines = text.strip().splitlines()
    assert tuple(head.split()) == row._fields[2:-1], head
    answers: list[str] = []
    for words in map(str.split, lines):
        if words[0].isupper():
            answers, words = words[: len(head.split()) + 1], words[len(head.split()) + 1 :]
        for word in words:
            path, _, sent = (word, "", "") if answers[0] == "GET" else word.partition("?")
            login = "401" if path.startswith("/api/") else LOGIN
            data = {name: _value(text) for name, text in parse_qsl(sent, keep_blank_values=True)}
            yield row(answers[0], path, *(int(login if each == "login" else each) for each in answers[1:]), data)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def wrong_answers(
    rows: Iterable[Any], role: str, client: Client, places: dict[str, Any], headers: dict[str, str] | None = None
) -> list[str]:
    """What does not answer this role as its row says, or is no page where a person opens it in a tab of their own;
    whatever a request did is taken back before the next."""
    wrong, cookies, written = [], client.cookies.output(header=""), []

    def note(execute: Any, sql: str, *given: Any) -> Any:
        if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            written.append(sql)
        return execute(sql, *given)

    with connection.execute_wrapper(note):
        before = transaction.savepoint()
        for row in [row for row in rows if is_asked(row, role)]:
            path = row.path.format_map(places)
            client.cookies = SimpleCookie(cookies)  # some of allauth's pages end what somebody began
            form = {"content_type": "application/json"} if path.startswith("/api/") else {}
            send = getattr(client, row.method.lower())
            answer = send(path, data=filled_in(row.data, places), headers=headers, **form)
            is_page = not is_part(answer) or row.method != "GET" or opens_whole(client, path)
            if written or connection.needs_rollback:
                transaction.set_rollback(False)
                transaction.savepoint_rollback(before)
                written.clear()
            event_journal.forget()
            if answer.status_code != getattr(row, role):
                wrong.append(f"{role}: {row.method} {path}: {answer.status_code}, not {getattr(row, role)}")
            elif not is_page:
                wrong.append(f"{role}: {path}: a browser shows a part of a page")
        transaction.savepoint_commit(before)
    return wrong


def is_asked(row: Any, role: str) -> bool:
    """Whether this role asks at this address. In the long form all do. In the short one, of the most who are answered
    alike, two do, each address by another two; a person who is answered otherwise asks everywhere, and so does
    nobody."""
    alike = [one for one in row._fields[3:-1] if getattr(row, one) == getattr(row, role)]
    if tiers.is_long() or role == "anonymous" or 2 * len(alike) <= len(row._fields[3:-1]):
        return True
    turn = crc32(f"{row.method} {row.path}".encode()) % len(alike)
    return role in (alike[turn], alike[turn - 1])


def is_part(answer: Any) -> bool:
    """Whether this is a piece of HTML, not a page."""
    is_html = answer.status_code == 200 and answer["Content-Type"].startswith("text/html")
    return is_html and not answer.content[:200].lstrip().lower().startswith(WHOLE)


def opens_whole(client: Client, path: str) -> bool:
    """Whether who opens this in a tab of their own is shown a page."""
    answer = client.get(path, headers=AS_A_BROWSER, follow=True)
    return answer.status_code == 200 and not is_part(answer)


def filled_in(data: dict[str, Any], places: dict[str, Any]) -> dict[str, Any]:
    """With the numbers of what the room is made of: "{player}" is the player's."""

    def number(value: Any) -> Any:
        if type(value) is list:
            return [number(part) for part in value]
        return places[value[1:-1]] if type(value) is str and value[:1] == "{" else value

    return {name: number(value) for name, value in data.items()}


def areas() -> Iterator[ModuleType]:
    for found in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        yield import_module(f"{__name__}.{found.name}")


def example(area: ModuleType, path: str) -> str:
    """A path of this area as it may be resolved: every placeholder is 1, or the area's word for it."""
    words = getattr(area, "WORDS", {})
    return path.partition("?")[0].format_map(_Ones(words))


class _Ones(dict[str, Any]):
    def __missing__(self, name: str) -> int:
        return 1
