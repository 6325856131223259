"""Pages of the rules: the published books side by side and one by one, the house's own, and which a table plays."""

from secrets import token_urlsafe

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from cardroom.services import access
from cardroom.services.errors import CardroomError, Illegal
from games import rulebooks as books
from games import selectors
from games.rulebooks import house
from games.selectors import rulebooks as shelf
from games.services import rulebooks
from games.web import points
from games.web.rulebook_draft import Draft, asked_in

_FORM = ["GET", "HEAD", "POST"]


# -- reading ---------------------------------------------------------------------------------------------------------


@require_safe
def rulebooks_page(request: HttpRequest) -> HttpResponse:
    """The published books side by side. `?only=differences` leaves out what they agree on, `?texts=on` adds the
    sentences."""
    published = [books.load(slug) for slug in books.slugs()]
    only_different, has_texts = request.GET.get("only") == "differences", request.GET.get("texts") == "on"
    context = {
        "books": published,
        "house": shelf.house_books(),
        "sections": points.abreast(published, only_different=only_different),
        "only_different": only_different,
        "has_texts": has_texts,
    }
    return render(request, "games/rulebooks.html", context)


@require_safe
def rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """Every point of a published rulebook: what it is, its sentence, where the book has it."""
    if slug not in books.slugs():
        raise Http404
    book = books.load(slug)
    return render(request, "games/rulebook.html", {"book": book, "sections": points.sections(book)})


@require_safe
def house_books(request: HttpRequest) -> HttpResponse:
    """The house's own books, and which book each table plays."""
    context = {"house": shelf.house_books(), "tables": shelf.tables(), "is_manager": _is_manager(request)}
    return render(request, "games/house_rulebooks.html", context)


@require_safe
def house_book(request: HttpRequest, slug: str, version: str = "") -> HttpResponse:
    """A version of a house book, the newest where none is named: both texts where the house changed a point."""
    saved = shelf.house_book(slug, version)
    newest = shelf.house_book(slug)
    book = shelf.book_of(saved)
    base = books.load(saved.book.base)
    was = house.was_of(base, saved.changes)
    context = {
        "book": book,
        "saved": saved,
        "newest": newest,
        "base": base,
        "sections": points.sections(book, was),
        "changed": [row for section in points.sections(book, was) for row in section.rows if row.was],
        "notes": house.notes_of(book, saved.changes),
        "tables": [table for table in shelf.tables_playing(saved.book) if table.rulebook == saved.reference],
        "is_manager": _is_manager(request),
    }
    return render(request, "games/house_rulebook.html", context)


@require_safe
def house_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Every version of a house book, newest first, with what it changed."""
    steps = [
        (step.version, [(points.point_row(before), points.point_row(after)) for _, before, after in step.differences])
        for step in shelf.history(slug)
    ]
    newest = steps[0][0]
    context = {"book": newest.book, "base": books.load(newest.book.base), "steps": steps}
    return render(request, "games/house_history.html", context)


# -- writing ---------------------------------------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(_FORM)
def house_new(request: HttpRequest) -> HttpResponse:
    """A new house book: first the published one to start from, then its points."""
    access.require_role(request.user, "manager")
    base = request.POST.get("base") or request.GET.get("base") or ""
    if base not in books.slugs():
        published = [books.load(slug) for slug in books.slugs()]
        return render(request, "games/house_start.html", {"books": published})
    draft = Draft(books.load(base), "House rules", asked_in(request.POST))
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebooks.found(
                name=request.POST.get("name", ""), base=base, changes=draft.asked, **_asked(request)
            )
        except CardroomError as refusal:
            return _form(request, draft, refusal=refusal, base=base)
        return _saved(request, f"{saved.title} is saved. Tables play it once they are told to.", slug=saved.book.slug)
    return _form(request, draft, base=base)


@login_required
@never_cache
@require_http_methods(_FORM)
def house_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """A new version of a house book, starting from its newest."""
    access.require_role(request.user, "manager")
    newest = shelf.house_book(slug)
    asked = asked_in(request.POST) if request.method == "POST" else newest.changes
    draft = Draft(books.load(newest.book.base), newest.title, asked)
    after = request.POST.get("after", newest.version)
    if request.method == "POST" and "save" in request.POST:
        try:
            saved = rulebooks.revise(slug=slug, changes=draft.asked, after=after, **_asked(request))
        except CardroomError as refusal:
            return _form(request, draft, refusal=refusal, newest=newest, after=after)
        words = f"{saved.title} is saved. Tables play it from their next hand on, once they are told to."
        return _saved(request, words, slug=slug)
    return _form(request, draft, newest=newest, after=after)


@login_required
@never_cache
@require_http_methods(_FORM)
def table_rulebook(request: HttpRequest, table_id: int) -> HttpResponse:
    """Which book a table plays from its next hand on."""
    access.require_role(request.user, "manager")
    table = selectors.table(table_id)
    if request.method == "POST":
        reference = request.POST.get("rulebook", "")
        rulebooks.play_by(table_id=table_id, reference=reference, by=request.user)
        words = f"{table.name} plays by {books.load(reference).title} from its next hand on."
        messages.success(request, words)
        return redirect("table_rulebook", table_id)
    book, offered = books.load(table.rulebook), shelf.choices()
    if table.rulebook not in dict(offered):
        offered.append((table.rulebook, book.title))
    context = {
        "table": table,
        "book": book,
        "in_play": books.load(table.hand.rulebook) if table.hand and table.hand.rulebook else None,
        "choices": offered,
        "chosen": request.GET.get("rulebook", table.rulebook),
    }
    return render(request, "games/table_rulebook.html", context)


def _asked(request: HttpRequest) -> dict:
    post = request.POST
    said = {"note": post.get("note", ""), "key": post.get("key", "")}
    return {**said, "by": request.user}


def _form(request: HttpRequest, draft: Draft, *, refusal: CardroomError | None = None, **more: object) -> HttpResponse:
    """The page to write on, as far as it was filled in; what a refusal says that no point does stands on its top."""
    if refusal is not None and not isinstance(refusal, Illegal):
        draft.reasons.append(refusal.message)
    context = {
        "draft": draft,
        "is_refused": refusal is not None,
        "name": request.POST.get("name", ""),
        "note": request.POST.get("note", ""),
        "key": request.POST.get("key") or token_urlsafe(12),
        "longest_name": rulebooks.LONGEST_NAME,
        "longest_note": rulebooks.LONGEST_NOTE,
        "longest_text": house.LONGEST_TEXT,
        **more,
    }
    return render(request, "games/house_edit.html", context, status=refusal.status if refusal else 200)


def _saved(request: HttpRequest, words: str, *, slug: str) -> HttpResponse:
    messages.success(request, words)
    return redirect("house_rulebook", slug)


def _is_manager(request: HttpRequest) -> bool:
    return access.has_role(request.user, "manager")
