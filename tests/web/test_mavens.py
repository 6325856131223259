"""What `docs/api.md` tells people who know Poker Mavens: each call is there, for those roles and that scope."""

import re
from pathlib import Path

from django.urls import ResolverMatch, resolve

from cardroom.core.web.api.access import scope_of
from tests.web.room_rows import ROLES
from tests.web.test_permissions import answers
from tests.web.test_room_repeats import ROOMS

#: As `features` names them; what is said of tournaments has a table of its own.
VERBS = {
    "Accounts": "Add DecBalance Delete Edit Get IncBalance List Password Permission SessionKey Ticket",
    "Blacklist": "Add Delete Edit Get List",
    "Connections": "Get List Message Terminate",
    "Logs": "AddEvent Error Event HandHistory LobbyChat",
    "RingGames": "Add Delete Edit Get List Message Offline Online Open Pause Playing Resume Waiting",
}
DOCS = (Path(__file__).parents[2] / "docs/api.md").read_text(encoding="utf-8")
LINES = re.findall(rf"^\| ((?:{'|'.join(VERBS)})\w[^|]*) \| (.*) \|$", DOCS, re.MULTILINE)
EVERY_ROLE = (*ROLES, "director")
_CALL_OR_BRACKET = re.compile(r"((?:`[A-Z]+`, )*)`([A-Z]+) (/[^` ]+)`|\(([^)]+)\)")


def resolved(path: str) -> ResolverMatch:
    return resolve("/api/v1" + re.sub(r"<(\w+)>", lambda found: "1" if found[1] == "id" else "dealer", path))


def calls(text: str):
    """Of a cell of the table: method, path, the roles in brackets behind it, and the scope there."""
    waiting: list[tuple[str, str]] = []
    for more, method, path, bracket in _CALL_OR_BRACKET.findall(text):
        if path:
            waiting += [(each, path) for each in [*re.findall("[A-Z]+", more), method]]
            continue
        scope = re.search(r"`(\w+)`", bracket)
        roles = {role for role in EVERY_ROLE if re.search(rf"\b{role}\b", bracket)}
        for method_, path_ in waiting:
            yield method_, path_, roles, scope[1] if scope else ""
        waiting = []
    for method_, path_ in waiting:
        yield method_, path_, set(), ""


ROWS = [
    (address, row.method, {role: getattr(row, role) for role in EVERY_ROLE if hasattr(row, role)})
    for address, row in answers()
]
#: What is asked twice under one key has to be done before. A token is made after the password: `api/test_tokens`.
ASKED = {
    (ask.method, resolved("/" + re.sub(r"{\w+}", "<id>", ask.path)).route) for asks, _ in ROOMS.values() for ask in asks
} | {("POST", "api/v1/tokens")}


def test_every_verb_has_its_line_and_each_call_there_is_for_whom_the_docs_say():
    said = set()
    for verbs, _ in LINES:
        group = next(group for group in VERBS if verbs.startswith(group))
        said |= {f"{group}{verb}" for verb in verbs.removeprefix(group).split(", ")}
    assert said == {f"{group}{verb}" for group, verbs in VERBS.items() for verb in verbs.split()}

    called = [call for _, text in LINES for call in calls(text)]
    assert len(called) > 50
    for method, path, roles, scope in called:
        there = resolved(path)
        rows = [row for address, of, row in ROWS if (address, of) == (there.route, method)]
        done = any(200 <= status < 300 for row in rows for role, status in row.items() if role in roles or not roles)
        assert done or (method, there.route) in ASKED, (method, path, "no test has it done")
        assert rows or not roles, (method, path, "no table says who may")
        for row in rows if roles else []:
            assert {role for role, status in row.items() if status in (401, 403)} == set(row) - roles, (path, row)
        if scope:
            assert scope_of(getattr(there.func, "cls", None), method) == ("read" if method == "GET" else scope), path
