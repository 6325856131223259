"""The API of rulebooks: the published ones, the house's own, and which book a table plays."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from cardroom.core.errors import NotFound
from cardroom.core.models import User
from cardroom.core.web.api.fields import RequestBody, Text, WholeNumber
from cardroom.core.web.resources import Resource, addresses, does, reads
from games import rulebooks
from games.engine.rulebook import Point as BookPoint
from games.engine.rulebook import Rulebook
from games.play.pages.tables import BookName
from games.rulebooks import house, plain
from games.rulebooks import queries as rulebook_queries
from games.rulebooks import services as rulebook_services
from games.rulebooks.house.choices import RulePart, RuleQuestion, questions
from games.rulebooks.models import RulebookVersion
from games.rulebooks.queries import load
from games.tables import offers
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries

_KIND = ("choice", "number", "set")


class Book(BookName):
    """A rulebook."""

    base = serializers.CharField(allow_null=True, help_text="Of a house rulebook: the published book it started from.")


class PointAsItWas(serializers.Serializer[Any]):
    """A point that the house changed, as its base book has it."""

    value = serializers.JSONField()
    tournament = serializers.JSONField(allow_null=True)
    text = serializers.CharField()
    citation = serializers.CharField()


class RulebookPoint(serializers.Serializer[Any]):
    """One point of a rulebook."""

    key = serializers.CharField()
    name = serializers.CharField(help_text="The point, for people.")
    value = serializers.JSONField(help_text="What is played in cash games.")
    tournament = serializers.JSONField(help_text="What is played in tournaments.")
    text = serializers.CharField(help_text="The rule in a sentence.")
    played = serializers.CharField(help_text="What is played, where the sentence is the house’s own.", allow_blank=True)
    cite = serializers.CharField(help_text="Where the book has it; `silent` where it does not.")
    citation = serializers.CharField(help_text="Book and rule, for people.")
    is_silent = serializers.BooleanField()
    follows = serializers.CharField(help_text="Whose rule is played where the book is silent.", allow_blank=True)
    changed_from = PointAsItWas(allow_null=True, help_text="Where the house changed it: as its base book has it.")


class BookWithPoints(Book):
    """A rulebook, point by point."""

    points = RulebookPoint(many=True)


class HouseBook(Book):
    """A house rulebook in its newest version. Its `slug` in addresses is `book`."""

    book = serializers.CharField()
    name = serializers.CharField()
    versions = serializers.IntegerField(help_text="How many there are.")
    changes = serializers.IntegerField(help_text="How many points the newest one changes.")


class HouseVersion(Book):
    """A version of a house rulebook. It never changes."""

    book = serializers.CharField()
    name = serializers.CharField()
    number = serializers.IntegerField(help_text="Counts from 1 in each book.")
    note = serializers.CharField(allow_blank=True)
    saved_by = serializers.CharField()
    saved_at = serializers.DateTimeField()


class PlayedPoint(serializers.Serializer[Any]):
    """A point without its book."""

    value = serializers.JSONField()
    tournament = serializers.JSONField(allow_null=True, help_text="Null: as in cash games.")
    text = serializers.CharField()


class Difference(serializers.Serializer[Any]):
    """A point on which a version differs from the one before, the first one from its base book."""

    key = serializers.CharField()
    before = PlayedPoint()
    after = PlayedPoint()


class HouseStep(HouseVersion):
    """A version, and what it changed."""

    differences = Difference(many=True)


class HouseVersionWithPoints(HouseVersion):
    """A version, point by point, and unexpected effects of its changes."""

    points = RulebookPoint(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class PointOrder(RequestBody):
    """What a point is changed to. What is left out stays as the base book has it."""

    value = serializers.JSONField(
        required=False, allow_null=True, help_text="A value of several parts: those to change."
    )
    tournament = serializers.JSONField(required=False, allow_null=True)
    text = Text(required=False, allow_blank=True, help_text="The house's own sentence; else one is made of the value.")


class ChangesOrder(RequestBody):
    changes = serializers.DictField(
        child=PointOrder(), help_text="By point, all that differs from the base book. See `rulebooks/choices`."
    )
    note = Text(required=False, allow_blank=True, max_length=300, help_text="Why, for the history.")


class HouseBookOrder(ChangesOrder):
    """A new house rulebook."""

    name = Text(max_length=40)
    base = Text(max_length=20, help_text="The published book to start from.")


class HouseVersionOrder(ChangesOrder):
    """A new version of a house rulebook."""

    after = Text(max_length=14, help_text="The version you had before you: a newer one makes this 409.")


class PointChoice(serializers.Serializer[Any]):
    """A value that may be chosen."""

    value = serializers.JSONField()
    name = serializers.CharField()


class PointPart(serializers.Serializer[Any]):
    """One question of a point. `key` is empty where the point's value is the answer, else a key of its value."""

    key = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    kind = serializers.ChoiceField(_KIND, help_text="One of `choices`, a number, or any of `choices` in their order.")
    choices = PointChoice(many=True)
    least = WholeNumber(allow_null=True)
    most = WholeNumber(allow_null=True)


class ChoosablePoint(serializers.Serializer[Any]):
    """What a house rulebook may say on a point. No `parts`: it is played one way only."""

    key = serializers.CharField()
    name = serializers.CharField()
    has_tournament = serializers.BooleanField(help_text="Whether tournaments may play another value.")
    parts = PointPart(many=True)


def _book_data(book: Rulebook, *, base: str | None) -> dict[str, Any]:
    """A book as `Book` describes it."""
    names = {"slug": book.slug, "version": book.version, "reference": rulebooks.reference(book), "title": book.title}
    return names | {"base": base}


def _points(book: Rulebook, was: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every point as `RulebookPoint` describes it. `was`: the points that the house changed, as its base book has
    them."""
    return [
        {
            "key": point.key,
            "name": str(questions()[point.key].name),
            "value": plain(point.value),
            "tournament": plain(book.value(point.key, "tournament")),
            "text": point.text,
            "played": point.played,
            "cite": point.cite,
            "citation": book.citation(point.key),
            "is_silent": point.is_silent,
            "follows": point.follows,
            "changed_from": was.get(point.key),
        }
        for point in book.points.values()
    ]


def _choosable(question: RuleQuestion) -> dict[str, Any]:
    return {
        "key": question.key,
        "name": str(question.name),
        "has_tournament": question.has_tournament,
        "parts": [_part(part) for part in question.parts],
    }


def _part(part: RulePart) -> dict[str, Any]:
    is_number = part.kind == "number"
    return {
        "key": part.key,
        "name": str(part.name),
        "kind": part.kind,
        "choices": [{"value": plain(choice.value), "name": str(choice.name)} for choice in part.choices],
        "least": part.least if is_number else None,
        "most": part.most if is_number else None,
    }


def _version(version: RulebookVersion) -> dict[str, Any]:
    return {
        "slug": version.slug,
        "version": version.version,
        "reference": version.reference,
        "title": version.title,
        "base": version.book.base,
        "book": version.book.slug,
        "name": version.book.name,
        "number": version.number,
        "note": version.note,
        "saved_by": version.saved_by.username,
        "saved_at": version.saved_at,
    }


def _with_points(version: RulebookVersion) -> dict[str, Any]:
    book = rulebook_queries.book_of(version)
    notes = [note.reason for note in house.notes_of(book, version.changes)]
    was = house.was_of(load(version.book.base), version.changes)
    return _version(version) | {"points": _points(book, was), "notes": notes}


def _point(point: BookPoint) -> dict[str, Any]:
    return {"value": plain(point.value), "tournament": plain(point.tournament), "text": point.text}


def every_book(*, by: Any) -> list[dict[str, Any]]:
    """The published books, then the newest version of each of the house's own."""
    versions = rulebook_queries.house_books()
    house_books = [_book_data(rulebook_queries.book_of(version), base=version.book.base) for version in versions]
    return [_book_data(load(slug), base=None) for slug in rulebooks.slugs()] + house_books


def published_book(*, slug: str, by: Any) -> dict[str, Any]:
    """A published book, point by point."""
    if slug not in rulebooks.slugs():
        raise NotFound("no-such-rulebook", "There is no rulebook called {slug}.", slug=slug)
    return _book_data(load(slug), base=None) | {"points": _points(load(slug), {})}


def choosable_points(*, by: Any) -> list[dict[str, Any]]:
    """What a house book may change."""
    return [_choosable(question) for question in questions().values()]


def house_books(*, by: Any) -> list[dict[str, Any]]:
    """The newest version of each of the house's own books."""
    newest = rulebook_queries.house_books()
    return [_version(version) | {"versions": version.number, "changes": len(version.changes)} for version in newest]


def newest_version(*, book: str, by: Any) -> dict[str, Any]:
    """A house book in its newest version, point by point."""
    return _with_points(rulebook_queries.house_book(book))


def one_version(*, book: str, version: str, by: Any) -> dict[str, Any]:
    """A version of a house book, point by point."""
    return _with_points(rulebook_queries.house_book(book, version))


def history(*, book: str, by: Any) -> list[dict[str, Any]]:
    """The versions of a house book, and what each changed."""
    return [
        _version(step.version)
        | {
            "differences": [
                {"key": key, "before": _point(before), "after": _point(after)}
                for key, before, after in step.differences
            ]
        }
        for step in rulebook_queries.history(book)
    ]


def book_of_table(*, table_id: int, by: Any) -> dict[str, Any]:
    """The book of a table's next hand."""
    return _book_at_table(table_queries.visible_table(table_id, by), by)


def revise(
    *, book: str, changes: Mapping[str, Any], after: str, note: str = "", by: User, key: str = ""
) -> RulebookVersion:
    """A new version of the house book of this slug."""
    return rulebook_services.revise.once(key, slug=book, changes=changes, after=after, note=note, by=by)


def _book_at_table(table: Table, by: Any) -> dict[str, Any]:
    return _book_data(load(table.rulebook), base=None)


BAD_BOOK = "For managers. A book that cannot be played is refused with 422 and `faults`: `points` and the `reason`."


class OfRulebooks(Resource):
    tags, scope = ("rulebooks",), "direct"


class RulebookOfTable(OfRulebooks):
    path = "tables/<id:table_id>/rulebook"
    get = reads(
        book_of_table,
        name="table_rulebook",
        summary="The book of a table's next hand",
        answers=BookName,
        is_public=True,
    )
    put = does(
        offers.play_by,
        name="choose_table_rulebook",
        summary="Change the rulebook of a table from its next hand",
        description="For managers. The hand being played keeps its own.",
        answers=BookName,
        shown=_book_at_table,
    )


class Rulebooks(OfRulebooks):
    path = "rulebooks"
    get = reads(
        every_book,
        name="rulebooks",
        summary="The rulebooks",
        description="Those published, then the newest version of each of the house's own.",
        answers=Book,
        many=True,
        is_public=True,
    )


class RulebookChoices(OfRulebooks):
    path = "rulebooks/choices"
    get = reads(
        choosable_points,
        name="rulebook_choices",
        summary="What a house rulebook may change",
        answers=ChoosablePoint,
        many=True,
        is_public=True,
    )


class HouseRulebooks(OfRulebooks):
    path = "rulebooks/house"
    get = reads(
        house_books,
        name="house_rulebooks",
        summary="The house's rulebooks",
        answers=HouseBook,
        many=True,
        is_public=True,
    )
    post = does(
        rulebook_services.create_book,
        name="found_house_rulebook",
        summary="Start a house rulebook",
        description=BAD_BOOK,
        body=HouseBookOrder,
        answers=HouseVersion,
        shown=lambda version, by: _version(version),
        status=201,
        refuses=(409, 422),
    )


class HouseRulebookResource(OfRulebooks):
    path = "rulebooks/house/<slug:book>"
    get = reads(
        newest_version,
        name="house_rulebook",
        summary="A house rulebook, the newest version",
        answers=HouseVersionWithPoints,
        is_public=True,
    )


class HouseVersions(OfRulebooks):
    path = "rulebooks/house/<slug:book>/versions"
    get = reads(
        history,
        name="house_rulebook_versions",
        summary="The versions of a house rulebook, and what each changed",
        answers=HouseStep,
        many=True,
        is_public=True,
    )
    post = does(
        revise,
        name="revise_house_rulebook",
        summary="Save a new version of a house rulebook",
        description=BAD_BOOK,
        body=HouseVersionOrder,
        answers=HouseVersion,
        shown=lambda version, by: _version(version),
        status=201,
        refuses=(409, 422),
    )


class HouseVersionResource(OfRulebooks):
    path = "rulebooks/house/<slug:book>/versions/<slug:version>"
    get = reads(
        one_version,
        name="house_rulebook_version",
        summary="A version of a house rulebook",
        answers=HouseVersionWithPoints,
        is_public=True,
    )


class PublishedRulebook(OfRulebooks):
    path = "rulebooks/<slug:slug>"
    get = reads(
        published_book,
        name="rulebook",
        summary="A published rulebook",
        description="Point by point: what is played, in a sentence, and where the book says so.",
        answers=BookWithPoints,
        is_public=True,
    )


api = addresses(
    [
        RulebookOfTable,
        Rulebooks,
        RulebookChoices,
        HouseRulebooks,
        HouseRulebookResource,
        HouseVersions,
        HouseVersionResource,
        PublishedRulebook,
    ]
)
