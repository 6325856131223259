"""The languages' files: whoever is offered a language gets all of it, with the same names in every sentence."""

import ast
import re
from pathlib import Path

from babel.messages.pofile import read_po
from django.conf import settings

from cardroom.core import languages
from cardroom.management.commands import languages as words

_NAMES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
_CALLS = {"gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
_NUMBERED = re.compile(r"gettext.*\{[\w.]*:\+?,\}", re.DOTALL)
_OWN_RULES = ("House rules: ", "Rules of the room, ")


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


def test_what_the_code_says_is_found_and_a_language_that_is_offered_has_every_text_with_the_same_names_in_it():
    for domain, texts in (("django", {"Skip to the content", "Before your turn"}), ("djangojs", {"Fold"})):
        assert texts <= {message.id for message in words.found(domain)}
    wrong = []
    for code in (code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE):
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


def test_the_code_marks_whole_texts_and_all_that_cite_own_rules_and_fills_no_number_in_english_alone():
    wrong = []
    for path in (each for room in ("cardroom", "games", "tournaments") for each in Path(room).rglob("*.py")):
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        calls = [each for each in nodes if isinstance(each, ast.Call)]
        marked = {id(text): text for call in calls if getattr(call.func, "id", "") in _CALLS for text in call.args}
        said = [each for each in nodes if isinstance(each, ast.Constant) and id(each) not in marked]
        formats = [call.func.value for call in calls if getattr(call.func, "attr", "") == "format"]
        found = {
            "made while the room runs": [text for text in marked.values() if isinstance(text, ast.JoinedStr)],
            "not marked": [each for each in said if str(each.value).startswith(_OWN_RULES)],
            "languages.filled writes numbers": [text for text in formats if _NUMBERED.search(ast.unparse(text))],
        }
        wrong += [f"{path}:{each.lineno}: {why}" for why, texts in found.items() for each in texts]
    assert not wrong
