"""`manage.py languages`: write the languages' files anew from the words in the code, and count what is missing."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract, extract_javascript, extract_python
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation.template import templatize

from cardroom.core import languages

KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop", "stored_text", "marked", "_")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
    # The engines know no gettext: what they say is translated where it leaves them.
    **dict.fromkeys(("IllegalAction", "IllegalCommand", "refusal"), (2,)),
    # Refusals: their code, then their sentence.
    **dict.fromkeys(
        (
            *(
                "Refusal",
                "Invalid",
                "Forbidden",
                "NotFound",
                "Conflict",
                "Stale",
                "Illegal",
                "NotEnoughChips",
                "TooMany",
                "TooManySockets",
            ),
            *("Unavailable", "Busy", "NeedsApproval", "NoKey", "NotOpened", "NotLoggedIn", "TooFast", "Malformed"),
        ),
        (2,),
    ),
    **dict.fromkeys(("Said", "EventSentence"), (1,)),
    # Sentences that are stored by a code.
    **dict.fromkeys(("Wording", "Phrase"), (2,)),
    "CountedWording": (2, 3),
    "counted": (2, 3),
}
#: Told to translators: a comment above the words that begins so.
NOTE = ["Translators:"]
_ROOMS = ("cardroom", "games", "tournaments")
_NO_WORDS = {"migrations"}
_BORROWED = "borrowed.toml"
_HEAD = "# Cardroom in another language: write the words under each text, then try them with `make run`."
_NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)

Found = Iterable[tuple[int, Any, Any, Any]]

#: A line of a lesson's script that the coach says: `! text`, `+ text`, or `- choice: text`.
_SPOKEN = re.compile(r"(?:[!+]|-[^:]*:)(.*)")


#: A call of gettext as Django writes it for what a template says: `gettext(u"..")`, `ngettext(u"..", u"..", count)`.
_CALL = re.compile(r"""\b(?:\w*gettext|_)\((?:u?"(?:[^"\\]|\\.)*"|u?'(?:[^'\\]|\\.)*'|, |\w+)+\)""")


def from_template(file: Any, keywords: Any, comments: Any, options: Any) -> Found:
    """Words in a template. Django makes lines for gettext's own tool of it, which are not quite Python."""
    calls = "\n".join(_CALL.findall(templatize(file.read().decode(), origin=None)))
    return extract_python(BytesIO(calls.encode()), keywords, comments, options)


def sources(domain: str) -> Iterator[tuple[Path, Any]]:
    """The files that have marked words of this domain, and what finds them there."""
    base = Path(settings.BASE_DIR)
    if domain == "djangojs":
        for room in _ROOMS:
            yield from ((path, extract_javascript) for path in sorted((base / room).rglob("static/**/*.js")))
        return
    for room in _ROOMS:
        paths = (path for path in sorted((base / room).rglob("*.py")) if not _NO_WORDS & set(path.parts))
        yield from ((path, extract_python) for path in paths)
    for ending in ("html", "txt", "js"):
        yield from ((path, from_template) for path in sorted((base / "templates").rglob(f"*.{ending}")))


@cache
def extract_catalog(domain: str) -> Catalog:
    """All words of this domain, as the code has them."""
    catalog = Catalog(charset="utf-8")
    base = Path(settings.BASE_DIR)
    for path, method in sources(domain):
        with path.open("rb") as file:
            for _line, message, notes, context in extract(method, file, KEYWORDS, NOTE, {"encoding": "utf-8"}):
                place = (str(path.relative_to(base)), 1)
                catalog.add(message, locations=[place], auto_comments=notes, context=context)
    for place, texts in words_in_data().items() if domain == "django" else ():
        for text in texts:
            catalog.add(text, locations=[(place, 1)])
    for texts in library_texts().values() if domain == "django" else ():
        for text in texts:
            catalog.add(text, locations=[(f"cardroom/locale/{_BORROWED}", 1)])
    return catalog


def library_texts() -> dict[str, list[str | tuple[str, ...]]]:
    """Texts of libraries that are translated here: by library, those with a plural as a pair."""
    content = tomllib.loads((languages.WORDS / _BORROWED).read_text("utf-8"))
    return {of: [text if isinstance(text, str) else tuple(text) for text in texts] for of, texts in content.items()}


def words_in_data() -> dict[str, list[str]]:
    """Words that players read and that lie in data: by file. Of a lesson they are its titles, and in its scripts what
    the coach says."""
    base = Path(settings.BASE_DIR)
    words_by_file = {}
    for path in sorted((base / "games/training/lesson_files").glob("*.toml")):
        lesson = tomllib.loads(path.read_text("utf-8"))
        hands = lesson["hands"]
        lines = [line.strip() for hand in hands for line in hand["script"].splitlines()]
        spoken = [match[1].strip() for line in lines if (match := _SPOKEN.fullmatch(line))]
        titles = [lesson["title"], lesson["about"], *(hand.get("title", "") for hand in hands)]
        learners = [hand["names"][0] for hand in hands]  # the others are names
        texts = dict.fromkeys((*titles, *learners, *spoken))
        words_by_file[str(path.relative_to(base))] = [text for text in texts if text]
    rulebooks = base / "games/rulebooks"
    words_by_file |= {str(path.relative_to(base)): _sentences(path) for path in sorted(rulebooks.glob("*.toml"))}
    return words_by_file | _structures(base / "tournaments/structures") | _points(rulebooks / "house/choices.toml")


def _points(path: Path) -> dict[str, list[str]]:
    """What the points of a house rulebook and their values are called."""

    def names(part: Any) -> Iterator[str]:
        for key, value in part.items() if isinstance(part, dict) else ():
            if key in ("name", "plays", "none"):
                yield value
            for inner in value if isinstance(value, list) else (value,):
                yield from names(inner)

    return {
        str(path.relative_to(settings.BASE_DIR)): list(dict.fromkeys(names(tomllib.loads(path.read_text("utf-8")))))
    }


def _sentences(path: Path) -> list[str]:
    """What a rulebook says, point by point: its translation stands beside it."""
    return [point["text"] for point in tomllib.loads(path.read_text("utf-8"))["points"].values()]


def _structures(folder: Path) -> dict[str, list[str]]:
    """The titles of preset structures: each game at each speed, as they are joined where they are read."""
    content = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.toml"))}
    games = [game["title"] for game in content.pop("games").values()]
    texts = [f"{game}, {speed['title'].lower()}" for game in games for speed in content.values()]
    return {str((folder / "games.toml").relative_to(settings.BASE_DIR)): texts}


def updated_catalog(language: str, domain: str) -> tuple[Path, Catalog]:
    """The file of this language with the words of today: what is no more said is gone, what is new is empty."""
    locale = translation.to_locale(language)
    path = languages.WORDS / locale / "LC_MESSAGES" / f"{domain}.po"
    earlier: dict[Any, Message] = {}
    if path.is_file():
        with path.open("rb") as file:
            earlier = {_key(entry): entry for entry in read_po(file) if entry.id}
    catalog = Catalog(locale=locale, project="Cardroom", charset="utf-8", fuzzy=False, header_comment=_HEAD)
    catalog.creation_date = catalog.revision_date = _NO_DATE  # the history of the file is kept elsewhere
    for message in sorted((entry for entry in extract_catalog(domain) if entry.id), key=lambda entry: str(_key(entry))):
        old = earlier.get(_key(message))
        string: Any = old.string if old and type(old.id) is type(message.id) else ""
        places = sorted({(name, 1) for name, _line in message.locations})
        catalog.add(message.id, string, locations=places, auto_comments=message.auto_comments, context=message.context)
    return path, catalog


def is_translated(message: Message) -> bool:
    """Whether it, and each of its plural forms, has words."""
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


class Command(BaseCommand):
    help = "Write cardroom/locale anew from the words in the code, and tell how many are still to be translated."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--count", action="store_true", help="only tell what is missing: write nothing")

    def handle(self, *args: Any, count: bool = False, **options: Any) -> None:
        for language, name in settings.LANGUAGES:
            if language == settings.LANGUAGE_CODE:
                continue
            for domain in languages.DOMAINS:
                path, catalog = updated_catalog(language, domain)
                if not count:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with path.open("wb") as file:
                        write_po(file, catalog, width=120, include_lineno=False)
                missing = [message for message in catalog if message.id and not is_translated(message)]
                self.stdout.write(f"{name}, {domain}: {len(catalog)} texts, {len(missing)} to be translated")
                for message in missing:
                    self.stdout.write(f"    {_key(message)[0]}")
        if not count:
            languages.lay_out()


def _key(message: Message) -> tuple[str, str]:
    return (message.id if isinstance(message.id, str) else message.id[0], message.context or "")
