"""Rulebooks: the published ones side by side and one by one, the house's own version by version, and which book a table
plays. See `cardroom.core.web.operations`.
"""

from collections.abc import Mapping
from functools import partial
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework import serializers

from cardroom.core import access
from cardroom.core.errors import Illegal, NotFound, Refusal
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Order, Text, WholeNumber
from cardroom.core.web.operations import Form, Operation, Page, Read, refused
from games import rulebooks
from games.engine.rulebook import Point as BookPoint
from games.engine.rulebook import Rulebook
from games.play.pages.tables import BookName
from games.rulebooks import house, plain
from games.rulebooks import queries as rulebook_queries
from games.rulebooks import services as rulebook_services
from games.rulebooks.house import choices
from games.rulebooks.house.choices import Part, Question, questions
from games.rulebooks.models import RulebookVersion
from games.rulebooks.queries import load
from games.tables import offers
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries
from games.training.pages import rulebook_layout as layout
from games.training.pages.rulebook_layout import Draft, asked_in

_FORM = ["GET", "HEAD", "POST"]


# -- reading ---------------------------------------------------------------------------------------------------------


@require_safe
def rulebooks_page(request: HttpRequest) -> HttpResponse:
    """The published books side by side. `?only=differences` leaves out what they agree on, `?texts=on` adds the
    sentences."""
    published = [load(slug) for slug in rulebooks.slugs()]
    only_different, has_texts = request.GET.get("only") == "differences", request.GET.get("texts") == "on"
    context = {
        "books": published,
        "house": rulebook_queries.house_books(),
        "sections": layout.abreast(published, only_different=only_different),
        "only_different": only_different,
        "has_texts": has_texts,
    }
    return render(request, "games/training/rulebooks.html", context)


@require_safe
def rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """Every point of a published rulebook: what it is, its sentence, where the book has it."""
    if slug not in rulebooks.slugs():
        raise Http404
    book = load(slug)
    return render(request, "games/training/rulebook.html", {"book": book, "sections": layout.sections(book)})


@require_safe
def house_books(request: HttpRequest) -> HttpResponse:
    """The house's own books, and which book each table plays."""
    context = {"house": rulebook_queries.house_books(), "tables": offers.tables(), "is_manager": _is_manager(request)}
    return render(request, "games/training/house_rulebooks.html", context)


@require_safe
def house_book(request: HttpRequest, slug: str, version: str = "") -> HttpResponse:
    """A version of a house book, the newest where none is named: both texts where the house changed a point."""
    saved = rulebook_queries.house_book(slug, version)
    newest = rulebook_queries.house_book(slug)
    book = rulebook_queries.book_of(saved)
    base = load(saved.book.base)
    was = house.was_of(base, saved.changes)
    context = {
        "book": book,
        "saved": saved,
        "newest": newest,
        "base": base,
        "sections": layout.sections(book, was),
        "changed": [row for section in layout.sections(book, was) for row in section.rows if row.was],
        "notes": house.notes_of(book, saved.changes),
        "tables": [table for table in offers.tables_playing(saved.book) if table.rulebook == saved.reference],
        "is_manager": _is_manager(request),
    }
    return render(request, "games/training/house_rulebook.html", context)


@require_safe
def house_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Every version of a house book, newest first, with what it changed."""
    steps = [
        (step.version, [(layout.point_row(before), layout.point_row(after)) for _, before, after in step.differences])
        for step in rulebook_queries.history(slug)
    ]
    newest = steps[0][0]
    context = {"book": newest.book, "base": load(newest.book.base), "steps": steps}
    return render(request, "games/training/house_history.html", context)


# -- writing ---------------------------------------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(_FORM)
def house_new(request: HttpRequest) -> HttpResponse:
    """A new house book: first the published one to start from, then its points."""
    access.require_role(request.user, "manager")
    base = request.POST.get("base") or request.GET.get("base") or ""
    if base not in rulebooks.slugs():
        published = [load(slug) for slug in rulebooks.slugs()]
        return render(request, "games/training/house_start.html", {"books": published})
    draft = Draft(load(base), "House rules", asked_in(request.POST))
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebook_services.found(
                name=request.POST.get("name", ""), base=base, changes=draft.asked, **_asked(request)
            )
        except Refusal as refusal:
            return _form(request, draft, refusal=refusal, base=base)
        return _saved(
            request,
            gettext("{title} is saved. To use it, choose it at a table.").format(title=saved.title),
            slug=saved.book.slug,
        )
    return _form(request, draft, base=base)


@login_required
@never_cache
@require_http_methods(_FORM)
def house_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """A new version of a house book, starting from its newest."""
    access.require_role(request.user, "manager")
    newest = rulebook_queries.house_book(slug)
    asked = asked_in(request.POST) if request.method == "POST" else newest.changes
    draft = Draft(load(newest.book.base), newest.title, asked)
    after = request.POST.get("after", newest.version)
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebook_services.revise(slug=slug, changes=draft.asked, after=after, **_asked(request))
        except Refusal as refusal:
            return _form(request, draft, refusal=refusal, newest=newest, after=after)
        words = gettext("{title} is saved. To use it, choose it at a table; it applies from the next hand.").format(
            title=saved.title
        )
        return _saved(request, words.format(book=saved.title), slug=slug)
    return _form(request, draft, newest=newest, after=after)


def table_rulebook_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Which book a table plays from its next hand on."""
    table = table_queries.table(table_id)
    book, offered = load(table.rulebook), rulebook_queries.choices()
    if table.rulebook not in dict(offered):
        offered.append((table.rulebook, book.title))
    context = {
        "table": table,
        "book": book,
        "in_play": load(table.hand.rulebook) if table.hand and table.hand.rulebook else None,
        "choices": offered,
        "chosen": request.GET.get("rulebook", table.rulebook),
    }
    return render(request, "games/training/table_rulebook.html", context)


def _plays(table: Table) -> str:
    return gettext("{table} uses {title} from the next hand.").format(
        table=table.name, title=load(table.rulebook).title
    )


def _asked(request: HttpRequest) -> dict:
    post = request.POST
    said = {"note": post.get("note", ""), "key": post.get("key", "")}
    return {**said, "by": request.user}


def _form(request: HttpRequest, draft: Draft, *, refusal: Refusal | None = None, **more: object) -> HttpResponse:
    """The page to write on, as far as it was filled in; what a refusal says that no point does stands on its top."""
    if refusal is not None and not isinstance(refusal, Illegal):
        draft.reasons.append(refusal.message)
    context = {
        "draft": draft,
        "is_refused": refusal is not None,
        "name": request.POST.get("name", ""),
        "note": request.POST.get("note", ""),
        "key": request.POST.get("key") or token_urlsafe(12),
        "longest_name": rulebook_services.LONGEST_NAME,
        "longest_note": rulebook_services.LONGEST_NOTE,
        "longest_text": choices.LONGEST_TEXT,
        **more,
    }
    return render(request, "games/training/house_edit.html", context, status=refusal.status if refusal else 200)


def _saved(request: HttpRequest, words: str, *, slug: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("house_rulebook", slug)


def _is_manager(request: HttpRequest) -> bool:
    return access.has_role(request.user, "manager")


# -- what is done, and what can be looked at ---------------------------------------------------------------------------

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


class Point(serializers.Serializer[Any]):
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

    points = Point(many=True)


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
    """A version, point by point, and what comes with its changes that one may not expect."""

    points = Point(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class PointOrder(Order):
    """What a point is changed to. What is left out stays as the base book has it."""

    value = serializers.JSONField(
        required=False, allow_null=True, help_text="A value of several parts: those to change."
    )
    tournament = serializers.JSONField(required=False, allow_null=True)
    text = Text(required=False, allow_blank=True, help_text="The house's own sentence; else one is made of the value.")


class _ChangesOrder(Order):
    changes = serializers.DictField(
        child=PointOrder(), help_text="By point, all that differs from the base book. See `rulebooks/choices`."
    )
    note = Text(required=False, allow_blank=True, max_length=300, help_text="Why, for the history.")


class HouseBookOrder(_ChangesOrder):
    """A new house rulebook."""

    name = Text(max_length=40)
    base = Text(max_length=20, help_text="The published book to start from.")


class HouseVersionOrder(_ChangesOrder):
    """A new version of a house rulebook."""

    after = Text(max_length=14, help_text="The version you had before you: a newer one makes this 409.")


class TableRulebookOrder(Order):
    """Which book a table plays from its next hand on."""

    rulebook = Text(
        source="reference", max_length=80, help_text="A reference: `roberts-v4`, or `house:riverside@2026-11-20`."
    )


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


def _named(book: Rulebook, *, base: str | None) -> dict[str, Any]:
    """A book in the shape of `Book`."""
    names = {"slug": book.slug, "version": book.version, "reference": rulebooks.reference(book), "title": book.title}
    return names | {"base": base}


def _points(book: Rulebook, was: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Every point in the shape of `Point`. `was`: the points that the house changed, as its base book has them."""
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


def _choosable(question: Question) -> dict[str, Any]:
    return {
        "key": question.key,
        "name": str(question.name),
        "has_tournament": question.has_tournament,
        "parts": [_part(part) for part in question.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    is_number = part.kind == "number"
    return {
        "key": part.key,
        "name": str(part.name),
        "kind": part.kind,
        "choices": [{"value": plain(choice.value), "name": str(choice.name)} for choice in part.choices],
        "least": part.least if is_number else None,
        "most": part.most if is_number else None,
    }


def _told(version: RulebookVersion) -> dict[str, Any]:
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
    return _told(version) | {"points": _points(book, was), "notes": notes}


def _point(point: BookPoint) -> dict[str, Any]:
    return {"value": plain(point.value), "tournament": plain(point.tournament), "text": point.text}


def _all(by: Any) -> list[dict[str, Any]]:
    versions = rulebook_queries.house_books()
    house_books = [_named(rulebook_queries.book_of(version), base=version.book.base) for version in versions]
    return [_named(load(slug), base=None) for slug in rulebooks.slugs()] + house_books


def _published(by: Any, slug: str) -> dict[str, Any]:
    if slug not in rulebooks.slugs():
        raise NotFound("no-such-rulebook", "There is no rulebook called {slug}.", slug=slug)
    return _named(load(slug), base=None) | {"points": _points(load(slug), {})}


def _house_books(by: Any) -> list[dict[str, Any]]:
    newest = rulebook_queries.house_books()
    return [_told(version) | {"versions": version.number, "changes": len(version.changes)} for version in newest]


def _steps(by: Any, book: str) -> list[dict[str, Any]]:
    return [
        _told(step.version)
        | {"differences": [{"key": k, "before": _point(b), "after": _point(a)} for k, b, a in step.differences]}
        for step in rulebook_queries.history(book)
    ]


def _played(table: Table, by: Any) -> dict[str, Any]:
    return _named(load(table.rulebook), base=None)


TABLE = Page("tables/<int:table_id>/rulebook/", "table_rulebook", table_rulebook_page, ("manager",))
_read = partial(Read, tag="rulebooks", is_public=True)
_verb = partial(
    Operation, tag="rulebooks", scope="direct", keyed=True, status=201, out=HouseVersion,
    description="For managers. A book that cannot be played is refused with 422 and `faults`: `points` and the "
    "`reason`.", shows=lambda made, by: _told(made), refuses=(409, 422),
)  # fmt: skip

DECLARED = [
    _read(
        name="table_rulebook", summary="The book of a table's next hand", address="tables/<id:table_id>/rulebook",
        out=BookName, finds=lambda by, table_id: _played(table_queries.seen(table_id, by), by),
    ),
    Operation(
        name="choose_table_rulebook", summary="Change the rulebook of a table from its next hand", method="PUT",
        description="For managers. The hand being played keeps its own.", address="tables/<id:table_id>/rulebook",
        tag="rulebooks", scope="direct", does=offers.play_by, order=TableRulebookOrder, out=BookName,
        shows=_played,
        form=Form(TABLE.address, TABLE.name, TABLE, of.said(_plays, "table_rulebook", "table_id"), refused),
    ),
    _read(
        name="rulebooks", summary="The rulebooks", address="rulebooks", out=Book, many=True, finds=_all,
        description="Those published, then the newest version of each of the house's own.",
    ),
    _read(
        name="rulebook_choices", summary="What a house rulebook may change", address="rulebooks/choices",
        out=ChoosablePoint, many=True, finds=lambda by: [_choosable(question) for question in questions().values()],
    ),
    _read(
        name="house_rulebooks", summary="The house's rulebooks", address="rulebooks/house", out=HouseBook, many=True,
        finds=_house_books,
    ),
    _verb(
        name="found_house_rulebook", summary="Start a house rulebook", address="rulebooks/house",
        does=rulebook_services.found,
        order=HouseBookOrder,
    ),
    _read(
        name="house_rulebook", summary="A house rulebook, the newest version", address="rulebooks/house/<slug:book>",
        out=HouseVersionWithPoints, finds=lambda by, book: _with_points(rulebook_queries.house_book(book)),
    ),
    _read(
        name="house_rulebook_versions", summary="The versions of a house rulebook, and what each changed",
        address="rulebooks/house/<slug:book>/versions", out=HouseStep, many=True, finds=_steps,
    ),
    _verb(
        name="revise_house_rulebook", summary="Save a new version of a house rulebook", order=HouseVersionOrder,
        address="rulebooks/house/<slug:book>/versions",
        does=lambda *, book, **asked: rulebook_services.revise(slug=book, **asked),
    ),
    _read(
        name="house_rulebook_version", summary="A version of a house rulebook", out=HouseVersionWithPoints,
        address="rulebooks/house/<slug:book>/versions/<slug:version>",
        finds=lambda by, book, version: _with_points(rulebook_queries.house_book(book, version)),
    ),
    _read(
        name="rulebook", summary="A published rulebook", address="rulebooks/<slug:slug>", out=BookWithPoints,
        description="Point by point: what is played, in a sentence, and where the book says so.", finds=_published,
    ),
]  # fmt: skip

api = of.resources(DECLARED)
urlpatterns = [
    *of.pages([TABLE], DECLARED),
    path("rules/", rulebooks_page, name="rulebooks"),
    path("rules/house/", house_books, name="house_rulebooks"),
    path("rules/house/new/", house_new, name="house_new"),
    path("rules/house/<slug:slug>/", house_book, name="house_rulebook"),
    path("rules/house/<slug:slug>/edit/", house_edit, name="house_edit"),
    path("rules/house/<slug:slug>/history/", house_history, name="house_history"),
    path("rules/house/<slug:slug>/<slug:version>/", house_book, name="house_version"),
    path("rules/<slug:slug>/", rulebook, name="rulebook"),
]
