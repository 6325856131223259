"""Sentences in the reader's language: marked patterns filled with values, numbers as they are written there."""

import re
import string
from collections.abc import Iterable
from functools import reduce
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext

_COMMAS = re.compile(r"\d{1,3}(?:,\d{3})+")


def is_english() -> bool:
    """Whether the current language is the one that the code is written in."""
    return (translation.get_language() or settings.LANGUAGE_CODE) == settings.LANGUAGE_CODE


def number(value: int) -> str:
    """A number as it is written in the current language: "1,000", "1.000"."""
    if is_english():
        return f"{value:,}"
    return number_format(value, use_l10n=True, force_grouping=True)


def signed(value: int) -> str:
    """A number with its sign, as it is written in the current language: "+1,000"; "" for 0."""
    return ("+" if value > 0 else "") + number(value) if value else ""


#: A number, written when it is read: in the language of its reader.
number_lazy = lazy(number, str)


def localized_numbers(words: str) -> str:
    """A text with numbers that were written in English, such as "1,000/2,000", as they are written in the current
    language."""
    return _COMMAS.sub(lambda match: number(int(match[0].replace(",", ""))), words)


class _Filler(string.Formatter):
    """As `str.format` does, but for numbers with commas."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in (",", "+,") or not isinstance(value, int):
            return str(super().format_field(value, format_spec))
        return ("+" if format_spec == "+," and value >= 0 else "") + number(value)


def filled(words: str, /, *given: Any, **values: Any) -> str:
    """A marked text with these in the place of its names in braces: numbers (`{amount:,}`, `{amount:+,}`) as they are
    written in the current language. A text with such numbers is filled by this and not by `str.format`, which writes
    them in English."""
    return _Filler().vformat(str(words), given, values)


#: The same, filled when it is read: in the language of its reader.
filled_lazy = lazy(filled, str)


def translated(words: str) -> str:
    """A text of an engine (its `Said`) in the current language; any other text as it is."""
    pattern = getattr(words, "pattern", "")
    if not pattern:
        return str(words)
    given: dict[str, Any] = getattr(words, "values", {})
    values = {name: _spoken_value(value) for name, value in given.items()}
    many = getattr(words, "many", "")
    text = translation.ngettext(pattern, many, values["n"]) if many else translation.gettext(pattern)
    return filled(text, **values) if values else text


def _spoken_value(value: Any) -> Any:
    if isinstance(value, tuple):
        return ", ".join(map(translated, value))
    return translated(value) if isinstance(value, str) else value


#: A text that is stored for readers of any language: its marked `pattern` (of a `context`) with its values; a list of
#: parts; or words and numbers that are the same in all languages.
StoredText = str | int | list["StoredText"] | dict[str, "StoredText"]


def stored_text(pattern: Any, **values: StoredText) -> dict[str, StoredText]:
    """A text of a marked pattern, which may be a lazy one, to be stored as JSON; `to_text` words it."""
    with translation.override(settings.LANGUAGE_CODE):
        return {"pattern": str(pattern), **values}


class Wording:
    """A sentence that is stored as a code and its values, and worded where it is read, in the reader's language.

        TAKEN_OFF = Wording("lists.taken-off", "Taken off the list by {name}.")
        entry.reason = TAKEN_OFF(name="Ann")    # {"code": "lists.taken-off", "values": {"name": "Ann"}}
        to_text(entry.reason)                   # "Taken off the list by Ann."

    A code is unique in the room and never changes its meaning: rows keep it.
    """

    def __init__(self, code: str, pattern: str) -> None:
        assert code not in _wordings, f"two sentences have the code {code}"
        self.code, self.pattern = code, pattern
        _wordings[code] = self

    def __call__(self, **values: StoredText) -> dict[str, StoredText]:
        return {"code": self.code, "values": values}

    def fill(self, values: dict[str, StoredText]) -> str:
        """The sentence with these values, in the current language; values that are stored sentences are worded too."""
        texts = {name: to_text(value) if isinstance(value, list | dict) else value for name, value in values.items()}
        text = self.in_language(texts)
        return filled(text, **texts) if texts else text

    def in_language(self, values: dict[str, StoredText]) -> str:
        return translation.gettext(self.pattern)


class CountedWording(Wording):
    """A stored sentence that counts something: `pattern` where its value `n` is 1, else `many`."""

    def __init__(self, code: str, pattern: str, many: str) -> None:
        super().__init__(code, pattern)
        self.many = many

    def in_language(self, values: dict[str, StoredText]) -> str:
        return translation.ngettext(self.pattern, self.many, int(str(values["n"])))


#: Every stored sentence by its code.
_wordings: dict[str, Wording] = {}


def to_text(words: StoredText) -> str:
    """A stored text in the current language, its numbers written as the pattern says."""
    if isinstance(words, list):
        return joined(map(to_text, words))
    if not isinstance(words, dict):
        return str(words)
    if "code" in words:
        wording = _wordings.get(str(words["code"]))
        values = words.get("values", {})
        assert isinstance(values, dict)
        return wording.fill(values) if wording else str(words["code"])
    values = {name: to_text(value) if isinstance(value, list | dict) else value for name, value in words.items()}
    pattern, context = str(values.pop("pattern")), str(values.pop("context", ""))
    text = translation.pgettext(context, pattern) if context else translation.gettext(pattern)
    return filled(text, **values) if values else text


def to_english(words: StoredText) -> str:
    """A stored text in English, for files and orders that read alike in every language."""
    with translation.override(settings.LANGUAGE_CODE):
        return to_text(words)


def joined(parts: Iterable[str]) -> str:
    """These parts of a text with a semicolon between them, "" for none: in French a space stands before it."""
    texts = [str(part) for part in parts]
    pattern = gettext("{one}; {other}")
    return reduce(lambda first, second: pattern.format(one=first, other=second), texts) if texts else ""


def mid_sentence(words: str) -> str:
    """These words as they stand inside a sentence, with a small letter first; in German, where nouns have a capital one
    everywhere, as they are."""
    words = str(words)
    return words if translation.get_language() == "de" else f"{words[:1].lower()}{words[1:]}"
