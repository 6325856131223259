"""What can be asked about rulebooks: the published ones, and the house's own, version by version."""

import re
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Max, QuerySet

from cardroom.core.errors import NotFound
from games import rulebooks
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import RulebookError, house
from games.rulebooks.models import HouseRulebook, RulebookVersion

_HOUSE_REFERENCE = re.compile(rf"{rulebooks.HOUSE}[a-z0-9_-]{{1,30}}@[0-9-]{{10,14}}", re.ASCII)
#: Cache of versions whose row is committed, by reference. A version never changes.
_kept: dict[str, Rulebook] = {}


@dataclass(frozen=True)
class VersionStep:
    """A version, and what it changed: (point's key, as it was, as it is now), for the first one against its base."""

    version: RulebookVersion
    differences: list[tuple[str, Point, Point]]


def load(reference: str) -> Rulebook:
    """The book that ``reference`` names, published or of the house. Raises `RulebookError` when there is none."""
    if not reference.startswith(rulebooks.HOUSE):
        return rulebooks.published(reference)
    book = find(*reference.split("@")) if _HOUSE_REFERENCE.fullmatch(reference) else None
    if book is None:
        raise RulebookError(f"there is no rulebook called {reference!r}")
    return book


def of_hand(slug: str, version: str) -> Rulebook:
    """The book a hand is played by, as its first fact names it."""
    return load(rulebooks.reference_to(slug, version))


def find(slug: str, version: str) -> Rulebook | None:
    """A version of a house book; None where there is none. One query, or none."""
    reference = f"{slug}@{version}"
    if reference in _kept:
        return _kept[reference]
    row = _versions().filter(book__slug=slug.removeprefix(rulebooks.HOUSE), version=version).first()
    if row is None:
        return None
    book = book_of(row)
    transaction.on_commit(partial(_kept.__setitem__, reference, book), robust=True)
    return book


def forget() -> None:
    """Clear the cache of versions. For tests."""
    _kept.clear()


def book_of(version: RulebookVersion) -> Rulebook:
    """The book that was saved."""
    base = rulebooks.published(version.book.base)
    return house.read(version.points, base=base, slug=version.slug, version=version.version, title=version.title)


def choices() -> list[tuple[str, str]]:
    """The books that a table can be told to play, as (reference, title): those published, and of each book of the
    house the newest version."""
    published = [(slug, rulebooks.published(slug).title) for slug in rulebooks.slugs()]
    return published + [(version.reference, version.title) for version in house_books()]


def house_books() -> list[RulebookVersion]:
    """The newest version of each book of the house, by name. Two queries at most."""
    newest = HouseRulebook.objects.annotate(newest=Max("versions__pk")).values("newest")
    return list(_versions().filter(pk__in=newest).order_by("book__name"))


def house_book(slug: str, version: str = "") -> RulebookVersion:
    """A version of a house book, the newest one where none is named; `NotFound` where there is none."""
    rows = _versions().filter(book__slug=slug)
    row = (rows.filter(version=version) if version else rows).order_by("-number").first()
    if row is None:
        raise NotFound("no-such-rulebook", "There is no such house rulebook.")
    return row


def versions(slug: str) -> list[RulebookVersion]:
    """Every version of a house book, the newest first; `NotFound` where there is no such book."""
    rows = list(_versions().filter(book__slug=slug).order_by("-number"))
    if not rows:
        raise NotFound("no-such-rulebook", "There is no such house rulebook.")
    return rows


def history(slug: str) -> list[VersionStep]:
    """Every version of a house book with what it changed, the newest first."""
    rows = versions(slug)
    books = [*map(book_of, rows), rulebooks.published(rows[0].book.base)]
    return [VersionStep(row, house.differences(books[at + 1], books[at])) for at, row in enumerate(rows)]


def _versions() -> QuerySet[RulebookVersion]:
    return RulebookVersion.objects.select_related("book", "saved_by")
