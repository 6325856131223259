"""Why chips moved: kept in English by the ledger, and read in the language of whoever looks at their wallet."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import translation

from cardroom.ledger.reasons import reason
from tests.support.parts.cardroom import account_queries, people

GERMAN = {
    "buy-in at {at}": "Buy-in an {at}",
    "re-entry, {name}": "Re-Entry, {name}",
    "correction: {reason}": "Korrektur: {reason}",
    "comp redeemed": "Comp eingelöst",
    "welcome to the room": "Willkommen",
}
BY_NAME = ("post", "reverse", "issue_play_money", "take_off", "refund", "give_back", "end")
#: Where the words of a transfer are given to: the name of the argument, and its place.
POSTS = dict.fromkeys(BY_NAME, ("reason", None))
POSTS |= {"Post": ("reason", 1), "_post": ("reason", 2), "write": ("words", 2)}
CALLS = re.compile(rf"\b(?:{'|'.join(POSTS)})\(")
#: What stands in these places is one of the words of the code, and no name.
WORDS = {
    "kind": ("deposit", "withdrawal", "buy-in", "cash-out"),
    "what.replace('_', '-')": ("entry", "re-entry", "rebuy", "add-on"),
    "row.what": ("prize", "ticket"),
}
#: Of the house's own chips and money, or of chips in play: no wallet has a line of it.
NO_WALLET = {
    *("Larch filled", "Larch to the vault", "money for the vault", "money out of the vault", "Larch over"),
    *("Larch short", "drop box of Larch", "over at Larch", "short at Larch", "moved to another seat", "a ticket"),
    *("guarantee, Larch", "added to Larch", "Larch closed", "Larch grows", "Larch starts"),
    "flight Larch goes on in Larch",
}


@pytest.fixture
def in_german(monkeypatch):
    monkeypatch.setattr(translation._trans, "gettext", lambda message: GERMAN.get(message, message))
    with translation.override("de"):
        yield


def texts(node, function) -> list[str]:
    """What this piece of code may be, each name in it Larch; nothing where it is given from elsewhere."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            each = [filled(part.value) if isinstance(part, ast.FormattedValue) else [part.value] for part in parts]
            return ["".join(some) for some in itertools.product(*each)]
        case ast.IfExp(body=one, orelse=other) | ast.BoolOp(values=[one, other]):
            return texts(one, function) + texts(other, function)
        case ast.Subscript(value=whole):
            return texts(whole, function)
        case ast.Name(id=name):
            return [text for value in values_of(name, function) for text in texts(value, None)]
    return []


def filled(node) -> list[str]:
    if isinstance(node, ast.IfExp):
        return filled(node.body) + filled(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) else [*WORDS.get(ast.unparse(node), ("Larch",))]


def all_in(node, kind) -> Iterator:
    return (each for each in ast.walk(node) if isinstance(each, kind))


def values_of(name, function):
    for each in all_in(function, ast.Assign) if function is not None else ():
        for target in each.targets:
            is_both = isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple)
            pairs = zip(target.elts, each.value.elts, strict=True) if is_both else [(target, each.value)]
            yield from (value for one, value in pairs if isinstance(one, ast.Name) and one.id == name)


def functions() -> Iterator[ast.FunctionDef]:
    for room in ("cardroom", "games", "tournaments"):
        for path in (Path(settings.BASE_DIR) / room).rglob("*.py"):
            source = path.read_text("utf-8")
            if CALLS.search(source) and not {"benches", "migrations", "engine"} & set(path.parts):
                yield from all_in(ast.parse(source), ast.FunctionDef)


def written() -> set[str]:
    found: set[str] = set()
    for function in functions():
        for call in all_in(function, ast.Call):
            named, place = POSTS.get(getattr(call.func, "attr", getattr(call.func, "id", "")), ("", None))
            given = [each.value for each in call.keywords if each.arg == named]
            given += call.args[place : place + 1] if place is not None else []
            found |= {text for node in given for text in texts(node, function) if text}
    return found


def test_every_reason_in_the_code_is_read_by_a_pattern(monkeypatch):
    monkeypatch.setattr(translation._trans, "gettext", lambda message: f"read: {message}")
    found = written()
    assert {"buy-in at Larch", "chips added at Larch", "cash-out at the cage", "re-entry, Larch"} <= found
    with translation.override("de"):
        unread = {text for text in found if not reason(text).startswith("read: ")}
    assert unread - NO_WALLET == set()
    assert NO_WALLET - found == set(), "said no more"


@pytest.mark.parametrize(("kept", "read"), [
    ("buy-in at Larch", "Buy-in an Larch"), ("comp redeemed", "Comp eingelöst"), ("was called away", "was called away"),
    ("re-entry, Sunday Stud, the late one", "Re-Entry, Sunday Stud, the late one"),
    ("correction: comp redeemed", "Korrektur: comp redeemed"),
])  # fmt: skip
def test_a_reason_is_read_in_the_readers_language_and_what_somebody_wrote_as_it_is(in_german, kept, read):
    assert reason(kept) == read


def test_a_wallet_says_its_reasons_in_the_readers_language_and_keeps_them_in_english(in_german, north, now):
    people.issue_play_money(user=north, amount=500, reference="welcome:1", reason="welcome to the room", now=now)
    (line,) = account_queries.statement(north)
    assert (line.reason, line.said) == ("welcome to the room", "Willkommen")
