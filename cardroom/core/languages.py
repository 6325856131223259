"""The languages that the room speaks: which there are, where their words lie, and which one a reader has.

What people read is written in English in the code and marked for gettext. `cardroom/locale` holds each language's words
beside it (`.po`, written anew by `manage.py languages`); Django reads a form of them made for machines, which is laid
out in `.run/locale` whenever words have changed since.
"""

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import DjangoTranslation
from django.views.decorators.cache import cache_control
from django.views.i18n import JavaScriptCatalog, set_language

from cardroom.core.errors import Invalid

#: Where translators write.
WORDS = Path(__file__).resolve().parent.parent / "locale"
#: Words of pages and answers, and of scripts.
DOMAINS = ("django", "djangojs")
_YEAR = 365 * 24 * 3600


def lay_out(words: Path = WORDS, target: Path | None = None) -> list[Path]:
    """Compile the catalogues that are newer than what Django reads; returns the files written. Two processes at once do
    no harm."""
    target = target or Path(settings.LOCALE_PATHS[0])
    written = []
    for source in sorted(words.glob("*/LC_MESSAGES/*.po")):
        path = target / source.relative_to(words).with_suffix(".mo")
        if path.is_file() and path.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file, source.open("rb") as words_of:
            write_mo(file, read_po(words_of))
        os.replace(draft, path)
        written.append(path)
    return written


def check(language: str) -> None:
    """`Invalid` for a language that the room does not speak; "" is the browser's."""
    if language and language not in dict(settings.LANGUAGES):
        raise Invalid(
            "no-such-language", "There is no language {language!r} here: choose one from the list.", language=language
        )


def kept_in(request: HttpRequest) -> str:
    """The language that was chosen in this browser while nobody was logged in, "" for none."""
    return _known_language(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))


def spoken_to(user: Any) -> AbstractContextManager[Any]:
    """Within it all words are in the language that this person chose, else in that of the pages they read last, else in
    English: for what is sent to them."""
    return translation.override(chosen_by(user) or _read_by(user) or settings.LANGUAGE_CODE)


def chosen_by(user: Any) -> str:
    """The language that a user chose; "" where they chose none or are not logged in."""
    return _known_language(getattr(user, "language", ""))


def _read_by(user: Any) -> str:
    return _known_language(getattr(user, "last_language", ""))


def _known_language(language: str) -> str:
    return language if language in dict(settings.LANGUAGES) else ""


def of_the_house() -> AbstractContextManager[Any]:
    """Within it all words are in English: for what is kept, and read by staff of whatever language."""
    return translation.override(settings.LANGUAGE_CODE)


class LanguageMiddleware:
    """Makes the reader's language the current one while their request is answered: what they chose, else what their
    browser asks for, which is kept for what is sent to them. The user is read, by a query, only where the request has a
    session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        of_browser = translation.get_language_from_request(request)
        try:
            chosen = chosen_by(request.user) or of_browser
        except Error:  # the view answers that the database is away, in some language
            chosen = of_browser
        with translation.override(chosen):
            answer = self.get_response(request)
        answer.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(answer, ["Accept-Language", "Cookie"])
        if answer.status_code == HTTPStatus.OK and answer.headers.get("Content-Type", "").startswith("text/html"):
            _note_read(request.user, chosen)
        return answer


def _note_read(user: Any, language: str) -> None:
    """Store the language of a page for a reader who chose none: messages to them are in it. Where that fails the page
    is shown all the same."""
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
        known = _known_language(language) or settings.LANGUAGE_CODE
        with translation.override(known):
            answer: HttpResponse = super().get(request)
        answer["Content-Language"] = known
        return answer

    def get_paths(self, packages: Any) -> list[Any]:
        """The room's own words alone."""
        return list(settings.LOCALE_PATHS)


@cache
def version(language: str) -> str:
    """A digest of the words of scripts in this language, as this process has loaded them."""
    words = Words()
    words.translation = _catalogue(words.domain, language, tuple(settings.LOCALE_PATHS))
    return sha256(json.dumps(words.get_catalog(), sort_keys=True).encode()).hexdigest()[:12]


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
