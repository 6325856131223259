"""Why chips moved: stored as a code with its values, and worded in the language of the wallet's owner."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from cardroom.accounts.people import WELCOME
from cardroom.cage.reasons import CORRECTION
from cardroom.core.sentences import to_english, to_text
from games.tables.reasons import BUY_IN
from tests.support.parts.cardroom import people
from tournaments.events.reasons import PAID

GERMAN = {
    "buy-in at {at}": "Buy-in an {at}",
    "re-entry, {name}": "Re-Entry, {name}",
    "correction: {reason}": "Korrektur: {reason}",
    "welcome to the room": "Willkommen",
}
#: Where the reason of a transfer is given to: the name of the argument, and its place.
POSTS = dict.fromkeys(
    ("post", "reverse", "issue_play_money", "take_off", "refund", "give_back", "end"), ("reason", None)
)
POSTS |= {"Post": ("reason", 1), "_post": ("reason", 2), "write": ("words", 2)}


@pytest.fixture
def in_german(monkeypatch):
    monkeypatch.setattr(translation._trans, "gettext", lambda message: GERMAN.get(message, message))
    with translation.override("de"):
        yield


def sentences_given() -> Iterator[str]:
    """Where a reason of the house is given as a text that would be stored as it is."""
    for room in ("cardroom", "games", "tournaments"):
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            if {"migrations", "engine"} & set(path.parts):
                continue
            for call in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(call, ast.Call):
                    continue
                name, place = POSTS.get(getattr(call.func, "attr", getattr(call.func, "id", "")), ("", None))
                arguments = [each.value for each in call.keywords if name and each.arg == name]
                arguments += call.args[place : place + 1] if place is not None else []
                if any(isinstance(each, ast.JoinedStr | ast.Constant) for each in arguments):
                    yield f"{path.name}:{call.lineno}"


def test_every_reason_of_the_house_is_posted_as_a_code():
    assert list(sentences_given()) == []


@pytest.mark.parametrize(("reason", "text"), [
    (BUY_IN(at="Larch"), "Buy-in an Larch"),
    (PAID["re_entry"](name="Sunday Stud, the late one"), "Re-Entry, Sunday Stud, the late one"),
    (CORRECTION(reason="comp redeemed"), "Korrektur: comp redeemed"),
    ("was called away", "was called away"), ("welcome to the room", "welcome to the room"),
])  # fmt: skip
def test_a_reason_is_read_in_the_readers_language_and_what_somebody_wrote_as_it_is(in_german, reason, text):
    assert to_text(reason) == text


def test_a_wallet_words_its_reasons_in_the_readers_language(in_german, north, now):
    people.issue_play_money(user=north, amount=500, reference="welcome:1", reason=WELCOME(), now=now)
    (line,) = people.statement(north)
    assert (line.reason, line.reason_text) == (WELCOME(), "Willkommen")


def test_a_file_words_a_reason_in_english_whoever_reads_it():
    with translation.override("de"):
        assert to_english(WELCOME()) == "welcome to the room"
