"""Rulebooks: the published ones side by side and one by one, the house's own version by version, and which book a table
plays.
"""

from secrets import token_urlsafe

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from cardroom.core import access
from cardroom.core.errors import Illegal, Refusal
from cardroom.core.web.forms import PlainPost
from cardroom.core.web.page_urls import page_urls
from cardroom.core.web.pages import Page, went_to
from games import rulebooks
from games.rulebooks import house
from games.rulebooks import queries as rulebook_queries
from games.rulebooks import services as rulebook_services
from games.rulebooks.house import choices
from games.rulebooks.queries import load
from games.tables import offers
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries
from games.training.pages import rulebook_layout as layout
from games.training.pages.rulebook_draft import RulebookDraft, wanted_in_form

_FORM = ["GET", "HEAD", "POST"]


@require_safe
def rulebooks_page(request: HttpRequest) -> HttpResponse:
    """The published books side by side. `?only=differences` leaves out what they agree on, `?texts=on` adds the
    sentences."""
    published = [load(slug) for slug in rulebooks.slugs()]
    only_different, has_texts = request.GET.get("only") == "differences", request.GET.get("texts") == "on"
    context = {
        "books": published,
        "house": rulebook_queries.house_books(),
        "sections": layout.side_by_side(published, only_different=only_different),
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
    draft = RulebookDraft(load(base), "House rules", wanted_in_form(request.POST))
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebook_services.create_book(
                name=request.POST.get("name", ""), base=base, changes=draft.wanted, **_note_and_key(request)
            )
        except Refusal as refusal:
            return _form(request, draft, refusal=refusal, base=base)
        return _back_to_book(
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
    wanted = wanted_in_form(request.POST) if request.method == "POST" else newest.changes
    draft = RulebookDraft(load(newest.book.base), newest.title, wanted)
    after = request.POST.get("after", newest.version)
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebook_services.revise(slug=slug, changes=draft.wanted, after=after, **_note_and_key(request))
        except Refusal as refusal:
            return _form(request, draft, refusal=refusal, newest=newest, after=after)
        words = gettext("{title} is saved. To use it, choose it at a table; it applies from the next hand.").format(
            title=saved.title
        )
        return _back_to_book(request, words.format(book=saved.title), slug=slug)
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


def _note_and_key(request: HttpRequest) -> dict:
    post = request.POST
    typed = {"note": post.get("note", ""), "key": post.get("key", "")}
    return {**typed, "by": request.user}


def _form(
    request: HttpRequest, draft: RulebookDraft, *, refusal: Refusal | None = None, **more: object
) -> HttpResponse:
    """The form with what was typed so far; a refusal that concerns no point is shown at the top."""
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


def _back_to_book(request: HttpRequest, words: str, *, slug: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("house_rulebook", slug)


def _is_manager(request: HttpRequest) -> bool:
    return access.has_role(request.user, "manager")


TABLE = Page("tables/<int:table_id>/rulebook/", "table_rulebook", table_rulebook_page, ("manager",))


class TableForm(PlainPost):
    page, does = TABLE, offers.play_by

    def done(self, request: HttpRequest, result: Table) -> HttpResponse:
        return went_to(request, _plays(result), "table_rulebook", result.pk)


urlpatterns = [
    *page_urls([TABLE], forms=[TableForm]),
    path("rules/", rulebooks_page, name="rulebooks"),
    path("rules/house/", house_books, name="house_rulebooks"),
    path("rules/house/new/", house_new, name="house_new"),
    path("rules/house/<slug:slug>/", house_book, name="house_rulebook"),
    path("rules/house/<slug:slug>/edit/", house_edit, name="house_edit"),
    path("rules/house/<slug:slug>/history/", house_history, name="house_history"),
    path("rules/house/<slug:slug>/<slug:version>/", house_book, name="house_version"),
    path("rules/<slug:slug>/", rulebook, name="rulebook"),
]
