"""The audit log in the reader's language: every act has a phrase, on the page, on a player's page and in the PDF."""

import ast
import inspect
from collections import defaultdict
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings as room_settings
from django.utils import translation

from cardroom.cage import requests as _requests  # noqa: F401 (registers what it asks a second person for)
from cardroom.cage.models import Slip
from cardroom.cage.reasons import OPENING_FILL
from cardroom.core import audit_log, titles
from cardroom.office import acts
from cardroom.office import audit_log as office_log
from games.tables.models.offers import DropSchedule
from games.waitlists import choosing
from tests.support.models import ListMove, StaffAction
from tests.support.offers import staff
from tests.support.parts.cardroom import approvals, bans, languages
from tests.support.parts.cardroom import paper as core_paper
from tests.support.parts.games import list_reasons

SAID = {
    "Player banned": "Spieler gesperrt", "Chips of a table counted": "Chips gezählt",
    "{n:,} entry, made {at}": "{n:,} Eintrag vom {at}", "account {number}": "Konto {number}",
    "table {number}": "Tisch {number}", "limit: {role}, {acts}": "Grenze: {role}, {acts}",
    "{name}: {words}": "{name} = {words}", "seat {n}": "Platz {n}", "Where": "Wo",
    "online and in the room": "überall", "Amount": "Betrag", "Counts": "Zählungen", "Private": "Nicht öffentlich",
    "In the room": "Im Raum", "Since": "Seit", "Words": "Wortlaut", "Limit of {most:,}": "Grenze von {most:,}",
    "yes": "ja", "no": "nein", "the house": "das Haus", "What": "Was", "The game broke.": "Das Spiel ist zu Ende.",
    "opening fill": "Anfangsbestand",
}  # fmt: skip
#: What stands behind the beginning of a verb where it is one of some choices.
FAMILIES = {"cage.": Slip.Kind.values, "lists.": ListMove.Kind.values}
HEAD = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
PLURAL = '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'


@pytest.fixture
def german(tmp_path, settings):
    """German has these words, and no others."""
    path = tmp_path / "words" / "de" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    lines = [f'msgid "{said}"\nmsgstr "{told}"\n' for said, told in SAID.items() if not said.startswith("{n:,}")]
    many = "{n:,} entries, newest first, made {at}"
    entry = SAID["{n:,} entry, made {at}"]
    lines.append(
        f'msgid "{{n:,}} entry, made {{at}}"\nmsgid_plural "{many}"\nmsgstr[0] "{entry}"\nmsgstr[1] "{many}"\n'
    )
    path.write_text("\n".join([HEAD + PLURAL, *lines]), encoding="utf-8")
    languages.lay_out(tmp_path / "words", tmp_path / "laid-out")
    settings.LOCALE_PATHS = [tmp_path / "laid-out"]


@pytest.fixture
def auditor(now):
    return staff("auditor", "aud")


@cache
def calls():
    """Each call in the code by the name it is called by, with its module and the functions around it."""
    found = defaultdict(list)

    def walk(node, module, around):
        if isinstance(node, ast.Call):
            found[dotted(node.func)].append((module, around, node))
        inside = [*around, node] if isinstance(node, ast.FunctionDef) else around
        for each in ast.iter_child_nodes(node):
            walk(each, module, inside)

    for room in ("cardroom", "games", "tournaments"):
        for path in sorted((Path(room_settings.BASE_DIR) / room).rglob("*.py")):
            module = ast.parse(path.read_text("utf-8"))
            module.stem = path.stem
            walk(module, module, [])
    return found


def dotted(node) -> str:
    """`audit_log.note`; of what is no name, the last part of it."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return getattr(node, "id", "")


def given(call, *names) -> dict[str, ast.expr]:
    return dict(zip(names, call.args, strict=False)) | {each.arg: each.value for each in call.keywords if each.arg}


def texts(node, module, around) -> set[str]:
    """What this may be: itself, or what the name stands for, here or where the function is called."""
    if isinstance(node, ast.Constant):
        return {node.value}
    if isinstance(node, ast.IfExp):
        return texts(node.body, module, around) | texts(node.orelse, module, around)
    if isinstance(node, ast.JoinedStr):
        begin, behind = node.values[0].value, node.values[1].value
        return {f"{begin}{word}" for word in FAMILIES.get(begin) or texts(behind, module, around)}
    found, name = set(), getattr(node, "id", "")
    for each in ast.walk(module):
        if isinstance(each, ast.Assign) and name in {getattr(target, "id", None) for target in each.targets}:
            found |= texts(each.value, module, around)
    for function in around:
        names = [each.arg for each in function.args.args]
        here = [each for each in calls()[function.name] if each[0] is module]
        for where, outside, call in [*here, *calls()[f"{module.stem}.{function.name}"]] if name in names else ():
            if name in given(call, *names):
                found |= texts(given(call, *names)[name], where, outside)
    return found


def notes():
    """Each call that writes into the audit log: `audit_log.note`, and a verb that does it by itself."""
    names = {"audit_log.note": "verb", "verb": "about"}
    return [each for called, how in names.items() for each in calls()[called] if how in given(each[2])]


def verb_of(call) -> ast.expr:
    """What is written as the verb: `verb=`, or the first argument of `@verb("chat.announce", about="...")`."""
    return given(call, "verb")["verb"]


def test_every_verb_that_the_code_writes_has_a_phrase_and_no_other():
    written = {text for module, around, call in notes() for text in texts(verb_of(call), module, around)}
    asked = {what for what in approvals._kinds if not what.startswith("test.")}  # those are of other tests
    assert written | asked == set(acts.VERBS)


def test_every_detail_that_the_code_writes_has_a_name():
    written = {name for _, _, call in notes() for name in given(call) if "about" not in given(call)}
    columns = set(inspect.signature(audit_log.note).parameters)
    assert written - columns - set(acts.NAMES) - set(titles._TITLES) == set()


def test_the_rules_of_lists_and_the_kinds_of_drops_are_said_as_their_pages_say_them():
    with translation.override("en"):
        for slug, rule in choosing.BY_SLUG.items():
            assert acts.details_text({"rule": slug}) == f"Rule: {rule.title}"
        for kind, title in DropSchedule.Kind.choices:
            assert acts.details_text({"kind": kind}) == f"Kind: {title}"


@pytest.mark.parametrize(("subject", "said"), [
    ("table:3", "Tisch 3"),
    ("cage-limit:cashier:deposit", "Grenze: cashier, Deposits and buy-ins"),
    ("room", "the room"),
    ("table:", "table:"),
    ("shelf:3", "shelf:3"),
])  # fmt: skip
def test_a_subject_is_said_by_its_kind_and_an_unknown_one_as_it_is(german, subject, said):
    with translation.override("de"):
        assert acts.subject_text(subject) == said


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"amount": 12500, "approval": 12500, "reason": None}, "Betrag = 12.500; Approval = 12500"),
        ({"is_private": True, "is_physical": False}, "Nicht öffentlich = ja; Im Raum = nein"),
        ({"has_spectators": "True"}, "Allow spectators = ja"),
        ({"words": {"pattern": "Limit of {most:,}", "most": 5000}}, "Wortlaut = Grenze von 5.000"),
        ({"counts": {"3": 1500, "5": 20}}, "Zählungen = Platz 3 = 1.500, Platz 5 = 20"),
        ({"where": "both", "what": "standing.ban"}, "Wo = überall; Was = Spieler gesperrt"),
        ({"since": "2030-01-05T20:00:00+00:00"}, "Seit = 5. Jan 2030, 20:00:00"),
        ({"drawer": 2000, "seats": [3, 5], "odd_thing": 1.5, "with_own": ["counts"]},
         "Drawer = 2000; Seats = 3, 5; Odd thing = 1,5; Settings of its own = Zählungen"),
        ({}, ""),
    ],
)  # fmt: skip
def test_details_are_told_in_the_readers_language(german, details, said):
    with translation.override("de"):
        assert acts.details_text(details) == said


@pytest.mark.parametrize(("verb", "reason", "said"), [
    ("lists.left", list_reasons.GAME_BROKE(), "Das Spiel ist zu Ende."),
    ("lists.left", "Had to catch a train", "Had to catch a train"),
    ("standing.ban", "The game broke.", "The game broke."),
    ("cage.fill", OPENING_FILL(), "Anfangsbestand"),
])  # fmt: skip
def test_only_reasons_of_the_system_are_translated_in_the_audit_log(german, verb, reason, said):
    with translation.override("de"):
        act = StaffAction(verb=verb, reason=reason, at=datetime(2030, 1, 5, tzinfo=UTC))
        assert acts.AuditRow(act).why == said
        assert office_log._row(act)["reason"] == said


def test_the_log_is_read_in_german_on_its_page_on_a_players_page_and_on_paper(
    german, auditor, pia, browse, now, monkeypatch
):
    manager = staff("manager", "mia")
    bans.ban(player=pia, reason="Threw a glass", by=manager, now=now)
    page = browse(auditor).get("/trail/", headers={"Accept-Language": "de"}).content.decode()
    assert 'Spieler gesperrt<br><span class="muted small">standing.ban</span>' in page
    assert f'<span title="user:{pia.pk}">Konto {pia.pk}</span>' in page
    assert "Wo = überall" in page
    page = browse(manager).get(f"/players/{pia.pk}/", headers={"Accept-Language": "de"}).content.decode()
    assert "Spieler gesperrt" in page
    assert "standing.ban" not in page
    printed = []
    monkeypatch.setattr(core_paper, "printable", lambda text: printed.append(text) or text)
    audit_log.note(verb="counting.count", subject="table:3", by=None, now=now)
    paper = browse(auditor).get("/trail/trail.pdf?verb=counting", headers={"Accept-Language": "de"})
    assert paper.content.startswith(b"%PDF")
    assert {"Chips gezählt", "das Haus", "Was", "Tisch 3"} <= set(printed)
    assert any(line.startswith("1 Eintrag vom ") for line in printed)
    file = browse(auditor).get("/trail/trail.csv", headers={"Accept-Language": "de"}).content.decode()
    assert "standing.ban" in file
    assert "Spieler gesperrt" not in file
