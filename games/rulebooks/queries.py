"""What can be asked about rulebooks: the published ones, and the house's own, version by version."""

from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import Max, QuerySet

from cardroom.core.errors import NotFound
from games import rulebooks
from games.engine.rulebook import Point, Rulebook
from games.rulebooks import house
from games.rulebooks.models import HouseRulebook, RulebookVersion

#: Versions whose row is known to be committed, by reference. A version never changes.
_kept: dict[str, Rulebook] = {}


@dataclass(frozen=True)
class Step:
    """A version, and what it changed: (point's key, as it was, as it is now), for the first one against its base."""

    version: RulebookVersion
    differences: list[tuple[str, Point, Point]]


def find(slug: str, version: str) -> Rulebook | None:
    """A version of a house book, for `games.rulebooks` to find it with. One query, or none."""
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
    """Read every version anew when it is next asked for."""
    _kept.clear()


def book_of(version: RulebookVersion) -> Rulebook:
    """The book that was saved."""
    base = rulebooks.load(version.book.base)
    return house.read(version.points, base=base, slug=version.slug, version=version.version, title=version.title)


def choices() -> list[tuple[str, str]]:
    """The books that a table can be told to play, as (reference, title): those published, and of each book of the
    house the newest version."""
    published = [(slug, rulebooks.load(slug).title) for slug in rulebooks.slugs()]
    return published + [(version.reference, version.title) for version in house_books()]


def house_books() -> list[RulebookVersion]:
    """The newest version of each book of the house, by name. Two queries at most."""
    newest = HouseRulebook.objects.annotate(newest=Max("versions__pk")).values("newest")
    return list(_versions().filter(pk__in=newest).order_by("book__name"))


def house_book(slug: str, version: str = "") -> RulebookVersion:
    """A version of a house book, the newest one where none is named; `NotFound` where there is none."""
    found = _versions().filter(book__slug=slug)
    row = (found.filter(version=version) if version else found).order_by("-number").first()
    if row is None:
        raise NotFound("There is no such house rulebook.", "no-such-rulebook")
    return row


def versions(slug: str) -> list[RulebookVersion]:
    """Every version of a house book, the newest first; `NotFound` where there is no such book."""
    found = list(_versions().filter(book__slug=slug).order_by("-number"))
    if not found:
        raise NotFound("There is no such house rulebook.", "no-such-rulebook")
    return found


def history(slug: str) -> list[Step]:
    """Every version of a house book with what it changed, the newest first."""
    rows = versions(slug)
    books = [*map(book_of, rows), rulebooks.load(rows[0].book.base)]
    return [Step(row, house.differences(books[at + 1], books[at])) for at, row in enumerate(rows)]


def _versions() -> QuerySet[RulebookVersion]:
    return RulebookVersion.objects.select_related("book", "saved_by")
