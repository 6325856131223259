"""The languages that the room speaks: which there are, where their words lie, and which one a reader has.

What people read is written in English in the code and marked for gettext. `cardroom/locale` holds each language's words
beside it (`.po`, written anew by `manage.py languages`); Django reads a form of them made for machines, which is laid
out in `.run/locale` whenever words have changed since.
"""

import json
import os
import re
import string
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache, reduce
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_noop
from django.utils.translation.trans_real import DjangoTranslation
from django.views.decorators.cache import cache_control
from django.views.i18n import JavaScriptCatalog, set_language

from cardroom.core.errors import Invalid

#: Where translators write.
WORDS = Path(__file__).resolve().parent.parent / "locale"
#: Words of pages and answers, of scripts, and of the documents of the API.
DOMAINS = ("django", "djangojs", "api")
_COMMAS = re.compile(r"\d{1,3}(?:,\d{3})+")
_YEAR = 365 * 24 * 3600


def lay_out(words: Path = WORDS, target: Path | None = None) -> list[Path]:
    """Make what Django reads of all words that are newer than it; the files that were made. Two that do so at once do
    no harm."""
    target = target or Path(settings.LOCALE_PATHS[0])
    made = []
    for source in sorted(words.glob("*/LC_MESSAGES/*.po")):
        path = target / source.relative_to(words).with_suffix(".mo")
        if path.is_file() and path.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file, source.open("rb") as words_of:
            write_mo(file, read_po(words_of))
        os.replace(draft, path)
        made.append(path)
    return made


def check(language: str) -> None:
    """`Invalid` for a language that the room does not speak; "" is the browser's."""
    if language and language not in dict(settings.LANGUAGES):
        raise Invalid(
            gettext("There is no language {language!r} here: choose one from the list.").format(language=language),
            "no-such-language",
        )


def kept_in(request: HttpRequest) -> str:
    """The language that was chosen in this browser while nobody was logged in, "" for none."""
    return _known(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))


def spoken_to(user: Any) -> AbstractContextManager[Any]:
    """Within it all words are in the language that this person chose, else in that of the pages they read last, else in
    English: for what is sent to them."""
    return translation.override(chosen_by(user) or _read_by(user) or settings.LANGUAGE_CODE)


def chosen_by(user: Any) -> str:
    """The language that somebody chose, "" where they chose none or are not logged in."""
    return _known(getattr(user, "language", ""))


def _read_by(user: Any) -> str:
    return _known(getattr(user, "last_language", ""))


def _known(language: str) -> str:
    return language if language in dict(settings.LANGUAGES) else ""


def of_the_house() -> AbstractContextManager[Any]:
    """Within it all words are in English: for what is kept, and read by staff of whatever language."""
    return translation.override(settings.LANGUAGE_CODE)


def is_english() -> bool:
    """Whether the current language is the one that the code is written in."""
    return (translation.get_language() or settings.LANGUAGE_CODE) == settings.LANGUAGE_CODE


def number(value: int) -> str:
    """A number as it is written in the current language: "1,000", "1.000"."""
    if is_english():
        return f"{value:,}"
    return number_format(value, use_l10n=True, force_grouping=True)


def signed(value: int) -> str:
    """The same with its sign, "" for nothing: "+1,000"."""
    return ("+" if value > 0 else "") + number(value) if value else ""


#: A number, when it is read and not when it is said.
number_lazy = lazy(number, str)


def renumbered(words: str) -> str:
    """A text with numbers that were written in English, such as "1,000/2,000", as they are written in the current
    language."""
    return _COMMAS.sub(lambda found: number(int(found[0].replace(",", ""))), words)


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


#: The same, when it is read and not when it is said.
filled_lazy = lazy(filled, str)


def spoken(words: str) -> str:
    """What an engine says (its `Said`), in the current language; any other text as it is."""
    pattern = getattr(words, "pattern", "")
    if not pattern:
        return str(words)
    given: dict[str, Any] = getattr(words, "values", {})
    values = {name: spoken(value) if isinstance(value, str) else value for name, value in given.items()}
    many = getattr(words, "many", "")
    said = translation.ngettext(pattern, many, values["n"]) if many else translation.gettext(pattern)
    return filled(said, **values) if values else said


#: A text that is kept for readers of any language: its marked `pattern` (of a `context`) with what stands in it; a list
#: of parts; or words and numbers that are the same in all.
Kept = str | int | list["Kept"] | dict[str, "Kept"]


def kept(pattern: Any, **values: Kept) -> dict[str, Kept]:
    """A text of a marked pattern, which may be a lazy one, to be stored as JSON: `told` says it."""
    with of_the_house():
        return {"pattern": str(pattern), **values}


def told(words: Kept) -> str:
    """What was `kept`, in the current language; a number in it as its pattern says."""
    if isinstance(words, list):
        return joined(map(told, words))
    if not isinstance(words, dict):
        return str(words)
    values = {name: told(value) if isinstance(value, list | dict) else value for name, value in words.items()}
    pattern, context = str(values.pop("pattern")), str(values.pop("context", ""))
    said = translation.pgettext(context, pattern) if context else translation.gettext(pattern)
    return filled(said, **values) if values else said


#: What stands in the place of a name in braces is a text of its own, and read back by itself; of the others, those that
#: are numbers or a time.
_TEXTS = ("what", "seats", "free", "why", "turn", "least")
_NUMBERS = {"n": r"[\d,]+", "table": r"\d+", "seat": r"\d+", "chips": r"[\d,]+", "time": r"[-+]?[\d:]+"}


def read_back(words: str, patterns: Sequence[str]) -> str:
    """What was written in English by the first of these patterns that fits, in the current language; as it is where
    none does, and in English. For what is kept as it was written, and has no `Said` any more."""
    if not words or is_english():
        return words
    for pattern in patterns:
        if found := _reader(pattern).fullmatch(words):
            values = found.groupdict()
            texts = {name: read_back(values[name], patterns) for name in _TEXTS if name in values}
            counts = {name: renumbered(values[name]) for name in ("n", "chips") if name in values}
            return translation.gettext(pattern).format(**values | texts | counts)
    return words


@cache
def _reader(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", pattern)
    made = [f"(?P<{part}>{_NUMBERS.get(part, '.+')})" if at % 2 else re.escape(part) for at, part in enumerate(parts)]
    return re.compile("".join(made), re.DOTALL)


#: What msgspec finds wrong with a message; each stands before those that it would be taken for.
_FAULTS = (
    gettext_noop("Object missing required field {name}"),
    gettext_noop("Object contains unknown field {name}"),
    gettext_noop("Expected {kind} matching regex {pattern}"),
    gettext_noop("Expected {kind} of length >= {length}"),
    gettext_noop("Expected {kind} of length <= {length}"),
    gettext_noop("Expected {kind} >= {limit}"),
    gettext_noop("Expected {kind} <= {limit}"),
    gettext_noop("Expected {kind}, got {given}"),
    gettext_noop("Expected {kind}"),
    gettext_noop("Invalid value {value}"),
    gettext_noop("Integer value out of range"),
    gettext_noop("Number out of range"),
)
#: Where it is wrong stands at the end; what was sent is quoted before.
_FAULT_AT = re.compile(r"(.*) - at (`[^`]*`(?: in `[^`]*`)?)", re.DOTALL)


def fault_of(error: msgspec.ValidationError) -> str:
    """What is wrong with the shape of a message, and with which of its fields, as part of a sentence."""
    found = _FAULT_AT.fullmatch(str(error))
    words = read_back(found[1] if found else str(error), _FAULTS)
    return gettext("{fault}, at {where}").format(fault=words, where=found[2].replace("`$.", "`")) if found else words


def joined(parts: Iterable[str]) -> str:
    """These parts of a text with a semicolon between them, "" for none: in French a space stands before it."""
    given = [str(part) for part in parts]
    pattern = gettext("{one}; {other}")
    return reduce(lambda one, other: pattern.format(one=one, other=other), given) if given else ""


def inside(words: str) -> str:
    """These words as they stand inside a sentence, with a small letter first; in German, where nouns have a capital one
    everywhere, as they are."""
    words = str(words)
    return words if translation.get_language() == "de" else f"{words[:1].lower()}{words[1:]}"


class LanguageMiddleware:
    """Makes the reader's language the current one while their request is answered: what they chose, else what their
    browser asks for, which is kept for what is sent to them. Whose request it is costs a query: it is asked for only
    where a session is sent along."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = translation.get_language_from_request(request)
        try:
            chosen = chosen_by(request.user) or asked
        except Error:  # who asks next is told so, in a language
            chosen = asked
        with translation.override(chosen):
            answer = self.get_response(request)
        answer.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(answer, ["Accept-Language", "Cookie"])
        if answer.status_code == HTTPStatus.OK and answer.headers.get("Content-Type", "").startswith("text/html"):
            _note_read(request.user, chosen)
        return answer


def _note_read(user: Any, language: str) -> None:
    """Keep the language of a page for who chose none: what is sent to them is in it. A page is not lost over it."""
    is_kept = language == (_read_by(user) or settings.LANGUAGE_CODE)
    if is_kept or not user.is_authenticated or chosen_by(user) or connection.needs_rollback:
        return
    with suppress(Error):  # which may be read alone at the moment
        get_user_model().objects.filter(pk=user.pk, language="").update(last_language=language)


def of_page(request: HttpRequest) -> dict[str, Any]:
    """`languages`: each that one can choose, by its own name; `words_address`: the words of scripts in the current one,
    "" for English, which scripts hold themselves."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    is_own = language == settings.LANGUAGE_CODE
    return {
        "languages": settings.LANGUAGES,
        "language": language,
        "words_address": "" if is_own else reverse("words", args=[language, version(language)]),
    }


class Words(JavaScriptCatalog):
    """The words of scripts in one language, for browsers to keep for ever."""

    domain = "djangojs"

    def get(self, request: HttpRequest, language: str, version: str) -> HttpResponse:  # type: ignore[override]
        known = _known(language) or settings.LANGUAGE_CODE
        with translation.override(known):
            answer: HttpResponse = super().get(request)
        answer["Content-Language"] = known
        return answer

    def get_paths(self, packages: Any) -> list[Any]:
        """The room's own words alone."""
        return list(settings.LOCALE_PATHS)


@cache
def version(language: str) -> str:
    """Another one whenever the words of scripts in this language are others: those that this process says, whatever has
    been laid out beside it since."""
    words = Words()
    words.translation = _catalogue(words.domain, language, tuple(settings.LOCALE_PATHS))
    return sha256(json.dumps(words.get_catalog(), sort_keys=True).encode()).hexdigest()[:12]


def of_the_api(text: str) -> str:
    """A text of the API's documents in the current language, "" where it is none of theirs."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    said = _catalogue("api", language, tuple(settings.LOCALE_PATHS)).gettext(text)
    return "" if said == text else said


def of_the_api_or_room(text: str) -> str:
    """The same, else as pages say it; for what stands in both."""
    return of_the_api(text) or translation.gettext(text)


@cache
def _catalogue(domain: str, language: str, paths: tuple[Any, ...]) -> DjangoTranslation:
    return DjangoTranslation(language, domain=domain, localedirs=list(paths))


urlpatterns = [
    path("language/", set_language, name="set_language"),  # of a browser that nobody is logged in to
    path(
        "words/<slug:language>/<slug:version>.js",
        cache_control(max_age=_YEAR, immutable=True, public=True)(Words.as_view()),
        name="words",
    ),
]
