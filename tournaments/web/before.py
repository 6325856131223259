"""Pages where directors make an event, and change its terms."""

from collections.abc import Callable
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from cardroom.services import access
from cardroom.services.errors import CardroomError, Illegal, Stale
from tournaments import structures, words
from tournaments.models import Template, Tournament
from tournaments.selectors import tournaments as listing
from tournaments.services import staff, templates, tournaments
from tournaments.web import before_draft, before_levels
from tournaments.web.before_draft import Draft
from tournaments.web.before_terms import KINDS, data_of, fingerprint, fresh

FORM = ["GET", "HEAD", "POST"]
State = Tournament.State


# -- the form --------------------------------------------------------------------------------------------------------


@login_required
@never_cache
@require_http_methods(FORM)
def new(request: HttpRequest) -> HttpResponse:
    """`?template=`, `?from=` and `?kind=`: what the form begins with, a template, another event or a kind of event."""
    access.require_role(request.user, *staff.DIRECTORS)
    template_id = _number(request.GET.get("template"))
    before, data = _beginning(template_id, _number(request.GET.get("from")), request.GET.get("kind", "event"))
    if request.method != "POST":
        kinds = [] if template_id else [(kind, title) for kind, (title, _) in KINDS.items()]
        return form_page(request, Draft(before, data), title="New event", key=token_urlsafe(12), kinds=kinds)
    key = request.POST.get("key", "")[:40]

    def save(fields: dict[str, Any]) -> HttpResponse:
        made = tournaments.create(by=request.user, template_id=template_id, key=key, **fields)
        messages.success(request, f"{made.name} is a draft: nobody sees it until you announce it.")
        return redirect("tournament", made.pk)

    return sent_form(request, before, save, title="New event", key=key)


@login_required
@never_cache
@require_http_methods(FORM)
def edit(request: HttpRequest, tournament_id: int) -> HttpResponse:
    access.require_role(request.user, *staff.DIRECTORS)
    row = listing.event(tournament_id, with_drafts=True)
    if row.is_live or row.is_over:
        raise Illegal(f"{row.name} is {row.get_state_display()}: it is edited until it starts.", "too-late-to-edit")
    extra = {"title": f"Edit {row.name}", "tournament": row, "seen": fingerprint(row)}
    if request.method != "POST":
        return form_page(request, Draft(row), **extra)

    def save(fields: dict[str, Any]) -> HttpResponse:
        if request.POST.get("seen") not in (None, extra["seen"]):
            raise Stale(
                "Somebody has changed this event since you looked. What you typed is here still: to save it now is to "
                "save it over that.",
                "stale",
            )
        # Entries go on meanwhile, and each makes another version of the event.
        tournaments.edit(tournament_id=row.pk, by=request.user, **fields)
        messages.success(request, "Saved.")
        return redirect("tournament", row.pk)

    return sent_form(request, row, save, **extra)


def form_page(request: HttpRequest, draft: Draft, *, status: int = 200, **extra: Any) -> HttpResponse:
    """The form as it stands. A check asked for by the page itself is answered with 200, whatever it found."""
    context = {
        "draft": draft,
        "form": draft.form,
        "levels": draft.levels,
        "game_choices": words.SHORT_GAMES.items(),
        "betting_choices": words.SHORT_BETTING.items(),
        "presets": [structures.load(slug) for slug in structures.slugs()],
        **extra,
    }
    return render(request, "tournaments/before/form.html", context, status=200 if request.htmx else status)


def sent_form(
    request: HttpRequest, before: Tournament | Template, save: Callable[[dict[str, Any]], HttpResponse], **extra: Any
) -> HttpResponse:
    """The answer to the form: saved and elsewhere, or the form again with what is wrong, as it was typed."""
    draft, status = worked(request.POST, before)
    if "save" in request.POST:
        if draft.is_right:
            try:
                return save(draft.fields)
            except CardroomError as refusal:
                draft.faults.append(refusal.message)
                status = refusal.status
        status = status if status != 200 else 422
    return form_page(request, draft, status=status, **extra)


def worked(post: QueryDict, before: Tournament | Template) -> tuple[Draft, int]:
    """The form as sent, after the button that was pressed has changed its levels; and the status of the answer."""
    data: dict[str, Any] = {name: post[name] for name in post}
    data["games"] = post.getlist("games")
    press, refusal = post.get("do", ""), ""
    if press == "suggest":
        data, refusal = before_draft.suggested(data, before)
    elif press == "preset":
        data, refusal = before_draft.preset(data, post.get("preset", ""))
    elif press in ("add-level", "add-break"):
        data = before_levels.with_one_more(data, press.removeprefix("add-"))
    elif press.startswith("remove-"):
        data = before_levels.without(data, _number(press.removeprefix("remove-")) or 0)
    draft = Draft(before, data)
    if refusal:
        draft.faults.insert(0, refusal)
    return draft, 422 if refusal else 200


def _beginning(template_id: int | None, event_id: int | None, kind: str) -> tuple[Tournament, dict[str, Any]]:
    blank = fresh(kind)
    source: Tournament | Template = blank
    if template_id:
        source = templates.find(template_id)
    elif event_id:
        source = listing.event(event_id, with_drafts=True)
    data = data_of(source)
    for name in ("starts_at", "registration_opens_at", "parent_id", "flight"):
        data.pop(name, None)
    if source is not blank:
        # What the form does not ask about comes along too.
        blank.config, blank.options = source.config, dict(source.options)
    return blank, data


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
