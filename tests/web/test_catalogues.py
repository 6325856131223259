"""The languages' files: whoever is offered a language gets all of it, with the same names in every sentence."""

import ast
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from cardroom.core import languages
from cardroom.management.commands import languages as words

_NAMES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
_CALLS = {"gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}


def faults(message) -> list[str]:
    """What is wrong with one text of a language."""
    said = message.id if isinstance(message.id, tuple) else (message.id,)
    told = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(told):
        return [f"not translated: {said[0]!r}"]
    known = {name for text in said for name in _NAMES.findall(text)}
    strange = {name for text in told for name in _NAMES.findall(text)} - known
    missing = set(_NAMES.findall(said[-1])) - set(_NAMES.findall(told[-1]))
    return [f"{said[0]!r}: {sorted(strange | missing)}"] if strange or missing else []


def test_a_language_that_is_offered_has_every_text_with_the_same_names_in_it():
    offered = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    wrong = []
    for code in offered:
        for domain in languages.DOMAINS:
            _, today = words.updated(code, domain)
            wrong += [f"{code}: {fault}" for message in today if message.id for fault in faults(message)]
    assert not wrong, "\n".join(wrong[:40])


def test_a_text_without_words_or_with_another_name_in_it_is_found(tmp_path):
    file = tmp_path / "django.po"
    file.write_text('msgid "{player} folds"\nmsgstr "{spieler} passt"\n\nmsgid "Fold"\nmsgstr ""\n', encoding="utf-8")
    with file.open("rb") as read:
        found = [fault for message in read_po(read) if message.id for fault in faults(message)]
    assert found == ["'{player} folds': ['{player}', '{spieler}']", "not translated: 'Fold'"]


def test_what_is_marked_for_translation_is_a_whole_text_and_not_made_while_the_room_runs():
    made = []
    for room in ("cardroom", "games", "tournaments"):
        for path in sorted((Path(settings.BASE_DIR) / room).rglob("*.py")):
            for call in ast.walk(ast.parse(path.read_text("utf-8"))):
                name = getattr(getattr(call, "func", None), "id", "")
                if name in _CALLS and any(isinstance(each, ast.JoinedStr) for each in call.args):
                    made.append(f"{path.name}:{call.lineno}")
    assert not made


def test_every_rule_of_the_house_that_is_cited_is_marked_for_translation():
    given = {text for message in words.found("django") for text in (message.id, *message.id) if isinstance(text, str)}
    plain = []
    for room in ("cardroom", "games", "tournaments"):
        for path in sorted((Path(settings.BASE_DIR) / room).rglob("*.py")):
            said = (
                each.value for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.Constant)
            )
            cited = {text for text in said if str(text).startswith(("House rules: ", "Rules of the room, "))}
            plain += [f"{path.name}: {text}" for text in cited - given]
    assert not plain


@pytest.mark.parametrize(
    ("domain", "text"), [("django", "Skip to the content"), ("djangojs", "Fold"), ("django", "Before your turn")]
)
def test_what_pages_services_and_scripts_say_is_found_for_translators(domain, text):
    assert text in {message.id for message in words.found(domain)}
