"""What points of a rulebook and verdicts are called at the table, on every page and in its scripts, in the language of
the reader."""

import re
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext_lazy

from cardroom.core import sentences
from games.engine.rulebook import BY_ANALOGY, Point
from games.rulebooks import RulebookError
from games.rulebooks.house.choices import questions
from games.rulebooks.queries import load

VERDICTS = {
    "third-card-down": gettext_lazy("third card down"),
    "misdeal": gettext_lazy("misdeal"),
    "dead-hand": gettext_lazy("hand dead, ante back"),
    "left-opens": gettext_lazy("the left opens"),
    "corrected": gettext_lazy("corrected"),
    "stands": gettext_lazy("it stands"),
    "exposed": gettext_lazy("counts as exposed"),
    "kept": pgettext_lazy("ruling", "kept"),
    "eliminated": gettext_lazy("out of play"),
    "no-burn": gettext_lazy("no second burn"),
    "remixed": gettext_lazy("mixed again"),
    "common-card": gettext_lazy("one common card"),
    "all-in-option": gettext_lazy("may declare all-in"),
    "second-up": gettext_lazy("second card up too"),
    "all-up": gettext_lazy("all last cards up"),
    "dead": gettext_lazy("hand dead"),
    "live": gettext_lazy("hand live"),
    "folded": gettext_lazy("folded"),
    "warning": gettext_lazy("warning"),
    "penalty": gettext_lazy("penalty"),
    "killed": gettext_lazy("hand killed"),
    "back-in-time": gettext_lazy("back in time"),
    "receiving": gettext_lazy("still dealt to"),
    "void": gettext_lazy("hand void"),
    "capped": gettext_lazy("no more raises"),
    "no-raise": gettext_lazy("no raise"),
    "either-limit": gettext_lazy("either limit"),
}
#: Points of a hand that goes as it should: written down, not called out.
ROUTINE = (
    *("completion", "raise_cap", "open_pair_fourth", "fold_keeps_receiving", "beaten_call_stands", "short_bring_in"),
)
#: What the floor ordered, in a list of orders.
ORDERS = {
    "rules-live": gettext_lazy("Hand ruled live"),
    "orders-low": gettext_lazy("Low card corrected"),
    "misdeal": gettext_lazy("Misdeal"),
    "void": gettext_lazy("Hand void"),
    "kills": gettext_lazy("Hand killed"),
    "penalises": gettext_lazy("Penalty"),
    "undo": gettext_lazy("Entry taken back"),
}


def name_of_key(key: str) -> str:
    """ "burn_error" -> "Burned wrong"."""
    point = questions().get(key)
    return str(point.name) if point else _plain(key).capitalize()


def name_of_verdict(verdict: str) -> str:
    """ "third-card-down" -> "third card down"."""
    return str(VERDICTS.get(verdict) or _plain(verdict))


def words(*references: str) -> dict[str, Any]:
    """The words for the scripts of a page: the names of `points` and `verdicts`, the `routine` points, and in `said`
    the sentences of the books at these references with their translations."""
    names = {key: point.name for key, point in questions().items()}
    translations = {
        words: translation
        for reference in set(references)
        for words, translation in _translations_of(reference).items()
    }
    return {"points": names, "verdicts": VERDICTS, "routine": ROUTINE, "said": translations}


def translated(words: str) -> str:
    """The sentence of a book or a ruling in the current language; "" where there is no translation."""
    translation = gettext(words) if words else ""
    return "" if translation == words else translation


def translated_rule(words: str, point: Point) -> str:
    """The sentence for a point in the current language. Where it is not translated, as a house's own sentence, this is
    a short description of what is played; "" where neither is needed."""
    translation = translated(words)
    if translation or words != point.words or sentences.is_english():
        return translation
    return f"{capfirst(played(point))}."


def played(point: Point) -> str:
    """What is played on a point, in a few words of the current language."""
    cash_words = questions()[point.key].in_words(point.value)
    if point.tournament is None:
        return cash_words
    tournament_words = questions()[point.key].in_words(point.tournament)
    return gettext("{said}; in a tournament: {other}").format(said=cash_words, other=tournament_words)


#: What stands in a citation beside names and numbers (games/play/rulings.js has the same).
CITED = (
    gettext_noop("By analogy with {what}"),
    gettext_noop("{book} (changed from {what})"),
    gettext_noop("{book}, as {what}"),
    gettext_noop("{what}; House practice"),
    gettext_noop("{book} (silent; played as {what})"),
    gettext_noop("house practice"),
    gettext_noop("House practice"),
)
_CITED = {pattern: re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(pattern))) for pattern in CITED}


def cited(citation: str) -> str:
    """A citation, which facts of hands and house books hold in English, with its own words, such as "silent; played
    as", in the current language."""
    for pattern, form in _CITED.items():
        if match := form.fullmatch(citation):
            parts = match.groupdict()
            return gettext(pattern).format(**parts | {"what": cited(parts.get("what", ""))})
    return citation


def _translations_of(reference: str) -> dict[str, str]:
    if sentences.is_english() or not reference:
        return {}
    try:
        book = load(reference)
    except RulebookError:
        return {}
    translations = {point.words: translated_rule(point.words, point) for point in book.points.values()}
    translations |= {words: translated(words) for _like, words in BY_ANALOGY.values()}
    return {words: translation for words, translation in translations.items() if translation}


def title(key: str, verdict: str) -> str:
    """ "Downcard turned up: third card down"."""
    name, verdict_name = name_of_key(key), name_of_verdict(verdict)
    if name.lower() == verdict_name.lower():
        return name
    return gettext("{name}: {words}").format(name=name, words=verdict_name)


def _plain(slug: str) -> str:
    return slug.replace("-", " ").replace("_", " ")
