"""Pages where directors make an event, and change its terms or those of a template: what was typed, what it makes, how
it will go, and what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from cardroom.core.errors import Illegal, Invalid, Refusal, Stale
from cardroom.core.sentences import spoken
from cardroom.core.web import parts
from cardroom.core.web.operations import key_in
from tournaments import structures
from tournaments.directing import tournaments
from tournaments.directing.pages import levels
from tournaments.directing.pages.before_form import (
    KINDS,
    EventForm,
    TermsForm,
    data_of,
    fields_of,
    fingerprint,
    fresh,
    parts_of,
)
from tournaments.engine import customs, preview, wizard
from tournaments.engine.clock import Structure
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalAction
from tournaments.engine.prizes import payouts
from tournaments.events import playing, terms
from tournaments.events import queries as event_queries
from tournaments.events.customs import Warned, warnings
from tournaments.events.models import Template, Tournament
from tournaments.registration.pages.views import for_directors

Data = dict[str, Any]
Row = Tournament | Template
_ENTRIES_SHOWN = (1, 2, 4)
#: What the wizard makes levels of.
_WISHES = ("players", "starting_stack", "hours", "chips", "minutes", "games")


# -- the pages ---------------------------------------------------------------------------------------------------------


@for_directors
def new(request: HttpRequest) -> HttpResponse:
    """`?template=`, `?from=` and `?kind=`: what the form begins with, a template, another event or a kind of event."""
    template_id, event_id = (parts.whole_or_none(request.GET.get(name, "")) for name in ("template", "from"))
    before, data = _beginning(template_id, event_id, request.GET.get("kind", "event"))
    extra: Data = {"title": gettext("New tournament"), "key": request.POST.get("key", "") or token_urlsafe(12)}
    if request.method != "POST" and not template_id:
        extra["kinds"] = [(kind, title) for kind, (title, _) in KINDS.items()]

    def save(fields: Data) -> HttpResponse:
        made = tournaments.create(by=request.user, template_id=template_id, key=key_in(request.POST), **fields)
        messages.success(
            request, gettext("{name} is a draft: only directors see it until you announce it.").format(name=made.name)
        )
        return redirect("tournament", made.pk)

    return _answer(request, before, save, data, **extra)


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

    return _answer(request, row, save, title=gettext("Edit {name}").format(name=row.name), tournament=row, seen=seen)


@for_directors
def edit_template(request: HttpRequest, template_id: int) -> HttpResponse:
    row = terms.find(template_id)

    def save(fields: Data) -> HttpResponse:
        terms.edit(template_id=row.pk, by=request.user, **fields)
        messages.success(request, gettext("Saved. Tournaments created from it do not change."))
        return redirect("tournament_templates")

    return _answer(request, row, save, title=gettext("Edit the template {name}").format(name=row.name), template=row)


def _beginning(template_id: int | None, event_id: int | None, kind: str) -> tuple[Tournament, Data]:
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


def _answer(
    request: HttpRequest, before: Row, save: Callable[[Data], HttpResponse], data: Data | None = None, **extra: Any
) -> HttpResponse:
    """The form as it begins; sent, it is saved, or comes again as it was typed with what is wrong. A check asked for by
    the page itself is answered with 200, whatever it found."""
    draft, status = worked(request.POST, before) if request.method == "POST" else (Draft(before, data), 200)
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


def worked(post: QueryDict, before: Row) -> tuple[Draft, int]:
    """The form as sent, after the button that was pressed has changed its levels; and the status of the answer."""
    data: Data = {**post.dict(), "games": post.getlist("games")}
    try:
        return Draft(before, _pressed(data, post, before)), 200
    except Refusal as refusal:
        draft = Draft(before, data)
        draft.faults.insert(0, refusal.message)
        return draft, 422


def _pressed(data: Data, post: QueryDict, before: Row) -> Data:
    press = post.get("do", "")
    if press == "suggest":
        return _suggested(data, before)
    if press != "preset":
        return levels.changed(data, press)
    if (slug := post.get("preset", "")) not in structures.slugs():
        raise Invalid("no-such-structure", "There is no such structure.")
    made = structures.load(slug)
    chips = {"starting_stack": str(made.stack), "chips": ", ".join(str(chip) for chip in made.structure.chip_set)}
    return levels.replaced(data, levels.told(made.structure.levels)) | chips | _ends(data, made.structure, made.stack)


def _ends(data: Data, structure: Structure, stack: int) -> Data:
    """Late entry, rebuys and the add-on, as far as the form has them: they end at breaks of the new levels."""
    told = asdict(wizard.ends(structure, stack))
    return {name: str(value or "") for name, value in told.items() if data.get(name)}


def _suggested(data: Data, before: Row) -> Data:
    """The fields with levels made for the players, hours and chips they name."""
    form = TermsForm(data, data_of(before))
    form.is_valid()
    if wrong := [str(form.fields[name].label) for name in _WISHES if name in form.errors]:
        raise Invalid("bad-form", "Correct these fields: {choices}.", choices=", ".join(wrong))
    said = form.cleaned_data | {"hours": Fraction(form.cleaned_data["hours"])}
    try:
        made = wizard.suggest(*(said[name] for name in _WISHES))
    except IllegalAction as error:
        raise playing.refusal(error) from None
    return levels.replaced(data, levels.told(made.levels)) | _ends(data, made, said["starting_stack"])


# -- what was typed ----------------------------------------------------------------------------------------------------


class Draft:
    """`faults`: what is wrong with the whole, for people; what is wrong with a field stands at the field, and at a
    level in its row. `fields`: what services take, where everything can be read."""

    def __init__(self, before: Row, data: Mapping[str, Any] | None = None) -> None:
        kept = data_of(before)
        self.before = before
        self.data = dict(kept if data is None else data)
        self.form: TermsForm = (TermsForm if isinstance(before, Template) else EventForm)(self.data, kept)
        self.levels = levels.read(self.data)
        self.config: EventConfig | None = None
        self.fields: Data = {}
        self.faults: list[str] = []
        self.form.is_valid()
        self._read()

    @property
    def is_right(self) -> bool:
        return self.config is not None

    def _read(self) -> None:
        wrong = [str(self.form.fields[name].label) for name in self.form.errors if name in self.form.fields]
        if wrong:
            self.faults.append(gettext("Correct these fields: {fields}.").format(fields=", ".join(wrong)))
        self.faults += self.levels.faults
        if self.faults:
            return
        said = self.form.cleaned_data
        self.fields = fields_of(said, self.levels.structure(said["chips"]), before=self.before)
        try:
            checked = terms.checked({name: value for name, value in self.fields.items() if name in terms.FIELDS})
            config = terms.read_config(checked["config"])
            payouts.check(config.payout)
            self.config = config
        except (Refusal, IllegalAction) as error:
            self.faults.append(spoken(error.message))

    # -- how it will go: for a draft that is right -----------------------------------------------------------------

    @property
    def warnings(self) -> list[Warned]:
        """Where it differs from the customs of structure sheets."""
        return warnings(self._config.structure, customs.breaches_of(self._config))

    @property
    def hours(self) -> list[preview.Preview]:
        """Level, players left and average stack by the hour."""
        return list(preview.preview(*self._asked))

    @property
    def lasts(self) -> int:
        """Minutes until it is likely to be over."""
        return preview.lasts(*self._asked)

    @property
    def prizes(self) -> list[Data]:
        """The payouts for as many entries as are expected, for twice and for four times as many where they may be."""
        config = self._config
        pool = terms.read(self.fields["price"])["entry"].pool
        found: list[Data] = []
        most = 0 if config.re_entries else config.max_entrants
        for entries in [self._players * times for times in _ENTRIES_SHOWN]:
            if found and most and entries > most:
                break
            paid_in = entries * pool
            try:
                told = payouts.work_out(paid_in, entries, config.payout)
            except IllegalAction as error:
                found.append({"entries": entries, "notes": (spoken(error.message),)})
                continue
            found.append({"entries": entries, "pool": paid_in + told.overlay, "overlay": told.overlay, "told": told})
        return found

    @property
    def _config(self) -> EventConfig:
        assert self.config is not None, "a draft that is wrong does not go at all"
        return self.config

    @property
    def _asked(self) -> tuple[Any, int, int]:
        return self._config.structure, self._players, self._config.starting_stack

    @property
    def _players(self) -> int:
        return int(self.form.cleaned_data["players"])
