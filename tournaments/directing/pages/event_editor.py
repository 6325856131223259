"""Pages where directors make an event, and change its terms or those of a template.

Each button of the form draws it anew: what was typed, what it makes, how it will go, and what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from cardroom.core.errors import Illegal, Invalid, Refusal, Stale
from cardroom.core.web import parts
from cardroom.core.web.forms import key_in
from tournaments import structures
from tournaments.directing import tournaments
from tournaments.directing.pages import levels
from tournaments.directing.pages.event_draft import Data, EventDraft, Row
from tournaments.directing.pages.event_form import EventTermsForm, parts_of
from tournaments.directing.pages.event_form_values import KINDS, data_of, fingerprint, fresh
from tournaments.engine import wizard
from tournaments.engine.clock import Structure
from tournaments.engine.errors import IllegalCommand
from tournaments.events import playing, terms
from tournaments.events import queries as event_queries
from tournaments.events.models import Tournament
from tournaments.registration.pages.views import for_directors

#: What the wizard makes levels of.
_WISHES = ("players", "starting_stack", "hours", "chips", "minutes", "games")


@for_directors
def new(request: HttpRequest) -> HttpResponse:
    """`?template=`, `?from=` and `?kind=`: what the form begins with, a template, another event or a kind of event."""
    template_id, event_id = (parts.whole_number_or_none(request.GET.get(name, "")) for name in ("template", "from"))
    before, data = _first_data(template_id, event_id, request.GET.get("kind", "event"))
    extra: Data = {"title": gettext("New tournament"), "key": request.POST.get("key", "") or token_urlsafe(12)}
    if request.method != "POST" and not template_id:
        extra["kinds"] = [(kind, title) for kind, (title, _) in KINDS.items()]

    def save(fields: Data) -> HttpResponse:
        tournament = tournaments.create(by=request.user, template_id=template_id, key=key_in(request.POST), **fields)
        messages.success(
            request,
            gettext("{name} is a draft: only directors see it until you announce it.").format(name=tournament.name),
        )
        return redirect("tournament", tournament.pk)

    return _form_page(request, before, save, data, **extra)


@for_directors
def edit(request: HttpRequest, tournament_id: int) -> HttpResponse:
    row = event_queries.event(tournament_id, with_drafts=True)
    if row.is_live or row.is_over:
        raise Illegal(
            "too-late-to-edit",
            "{name} is {state}: it can be edited until it starts.",
            name=row.name,
            state=row.get_state_display(),
        )
    seen = fingerprint(row)

    def save(fields: Data) -> HttpResponse:
        if request.POST.get("seen") not in (None, seen):
            raise Stale(
                "stale",
                "This tournament has changed since you opened it. Your input is kept below: saving it "
                "replaces the other change.",
            )
        # Entries go on meanwhile, and each makes another version of the event.
        tournaments.edit(tournament_id=row.pk, by=request.user, **fields)
        messages.success(request, gettext("Saved."))
        return redirect("tournament", row.pk)

    return _form_page(request, row, save, title=gettext("Edit {name}").format(name=row.name), tournament=row, seen=seen)


@for_directors
def edit_template(request: HttpRequest, template_id: int) -> HttpResponse:
    row = terms.find(template_id)

    def save(fields: Data) -> HttpResponse:
        terms.edit(template_id=row.pk, by=request.user, **fields)
        messages.success(request, gettext("Saved. Tournaments created from it do not change."))
        return redirect("tournament_templates")

    return _form_page(request, row, save, title=gettext("Edit the template {name}").format(name=row.name), template=row)


def _first_data(template_id: int | None, event_id: int | None, kind: str) -> tuple[Tournament, Data]:
    blank = fresh(kind)
    source: Row = blank
    if template_id:
        source = terms.find(template_id)
    elif event_id:
        source = event_queries.event(event_id, with_drafts=True)
    data = data_of(source)
    for name in ("starts_at", "registration_opens_at", "parent_id", "flight"):
        data.pop(name, None)
    if source is not blank:
        # What the form does not ask about comes along too.
        blank.config, blank.options = source.config, dict(source.options)
    return blank, data


def _form_page(
    request: HttpRequest, before: Row, save: Callable[[Data], HttpResponse], data: Data | None = None, **extra: Any
) -> HttpResponse:
    """The form as it begins; sent, it is saved, or comes again as it was typed with what is wrong. A check asked for by
    the page itself is answered with 200, whatever it found."""
    draft, status = (
        draft_after_button(request.POST, before) if request.method == "POST" else (EventDraft(before, data), 200)
    )
    if "save" in request.POST:
        status = status if status != 200 else 422
        if draft.is_right:
            try:
                return save(draft.fields)
            except Refusal as refusal:
                draft.faults.append(refusal.message)
                status = refusal.status
    context = {
        "draft": draft,
        "form": draft.form,
        "levels": draft.levels,
        "parts": parts_of(draft.form),
        "entry_price": draft.form.price_rows()[0][2],
        "wrong": [draft.form[name] for name in draft.form.errors if name in draft.form.fields],
        "is_sent": request.method == "POST",
        "shows_levels": bool(draft.levels.faults) or request.POST.get("do", "check") != "check",
        "game_choices": event_queries.SHORT_GAMES.items(),
        "betting_choices": event_queries.SHORT_BETTING.items(),
        "presets": [structures.load(slug) for slug in structures.slugs()],
        **extra,
    }
    return render(request, "tournaments/events/before/form.html", context, status=200 if request.htmx else status)


def draft_after_button(post: QueryDict, before: Row) -> tuple[EventDraft, int]:
    """The form as sent, after the button that was pressed has changed its levels; and the status of the answer."""
    data: Data = {**post.dict(), "games": post.getlist("games")}
    try:
        return EventDraft(before, _data_after_button(data, post, before)), 200
    except Refusal as refusal:
        draft = EventDraft(before, data)
        draft.faults.insert(0, refusal.message)
        return draft, 422


def _data_after_button(data: Data, post: QueryDict, before: Row) -> Data:
    press = post.get("do", "")
    if press == "suggest":
        return _with_suggested_levels(data, before)
    if press != "preset":
        return levels.press_button(data, press)
    if (slug := post.get("preset", "")) not in structures.slugs():
        raise Invalid("no-such-structure", "There is no such structure.")
    preset = structures.load(slug)
    chips = {"starting_stack": str(preset.stack), "chips": ", ".join(str(chip) for chip in preset.structure.chip_set)}
    return (
        levels.replace_levels(data, levels.fields_of_levels(preset.structure.levels))
        | chips
        | _ends(data, preset.structure, preset.stack)
    )


def _ends(data: Data, structure: Structure, stack: int) -> Data:
    """Late entry, rebuys and the add-on, as far as the form has them: they end at breaks of the new levels."""
    values = asdict(wizard.ends(structure, stack))
    return {name: str(value or "") for name, value in values.items() if data.get(name)}


def _with_suggested_levels(data: Data, before: Row) -> Data:
    """The fields with levels made for the players, hours and chips they name."""
    form = EventTermsForm(data, data_of(before))
    form.is_valid()
    if wrong := [str(form.fields[name].label) for name in _WISHES if name in form.errors]:
        raise Invalid("bad-form", "Correct these fields: {choices}.", choices=", ".join(wrong))
    values = form.cleaned_data | {"hours": Fraction(form.cleaned_data["hours"])}
    try:
        structure = wizard.suggest(*(values[name] for name in _WISHES))
    except IllegalCommand as error:
        raise playing.refusal(error) from None
    return levels.replace_levels(data, levels.fields_of_levels(structure.levels)) | _ends(
        data, structure, values["starting_stack"]
    )
