"""Levels in a table: on the form of an event, and while it runs those that are still to be played.

Row `n` of a form is in the fields `level-n-minutes` and so on; rows count from 0 without holes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from secrets import token_urlsafe
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from cardroom.core.errors import Invalid, Refusal, Verbatim
from cardroom.core.models import User
from cardroom.core.sentences import inside, spoken
from cardroom.core.web import operations as of
from cardroom.core.web import parts
from cardroom.core.web.api.fields import Chips, Order, Text, Together, WholeNumber
from cardroom.core.web.api.shapes import object_of
from cardroom.core.web.forms import PagePost
from cardroom.core.web.operations import Context, Page, Told, key_in
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments import structures
from tournaments.directing import hands
from tournaments.directing.pages.order_serializers import Directed
from tournaments.directing.pages.run import words_of
from tournaments.engine import customs, plain, preview, wizard
from tournaments.engine.clock import MOST_LEVELS, USUAL_BETTING, USUAL_GAME, Level, Structure, check
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalAction
from tournaments.engine.preview import Preview
from tournaments.engine.wizard import Ends
from tournaments.events import playing, staff, terms
from tournaments.events import queries as event_queries
from tournaments.events.customs import Warned, warnings
from tournaments.events.journal import ms
from tournaments.events.models import Template, Tournament
from tournaments.events.pages.fields import DIRECTORS, ConfigField, PlainField, PriceField, some_id
from tournaments.events.pages.serializers import TermsChange, TermsOrder
from tournaments.registration.pages.flyer import looking
from tournaments.registration.pages.views import EVENT, event_of, for_directors
from tournaments.structures import Preset

#: The whole numbers of a row, in the order in which they stand.
NUMBERS = {
    "minutes": gettext_lazy("Minutes"),
    "hands": gettext_lazy("Hands"),
    "ante": gettext_lazy("Ante"),
    "bring_in": gettext_lazy("Bring-in"),
    "small_bet": gettext_lazy("Small bet"),
    "big_bet": gettext_lazy("Big bet"),
}
_FIELDS = ("kind", *NUMBERS, "game", "betting", "colour_up")
_MOST = 10**12
#: Between two numbers; other spaces than these set thousands apart.
_BETWEEN = re.compile(r"[, \t\r\n]+")
_BREAK_MINUTES = "10"


@dataclass
class Row:
    """One level or break as it was typed. `fault`: what is wrong in it, for people."""

    number: int
    name: str
    kind: str
    said: Mapping[str, str]
    game: str
    betting: str
    colour_up: str
    fault: str = ""

    @property
    def is_break(self) -> bool:
        return self.kind == "break"

    def has(self, name: str) -> bool:
        """Of a break only its minutes are asked."""
        return name == "minutes" or not self.is_break

    @property
    def cells(self) -> list[tuple[str, str, str, bool]]:
        """(field, label, value, whether the row has it) of its numbers."""
        return [(f"level-{self.number}-{name}", NUMBERS[name], self.said[name], self.has(name)) for name in NUMBERS]

    def level(self) -> Level:
        """What it makes, without a `fault`."""
        sums = {name: _number(self.said[name]) or 0 for name in NUMBERS if self.has(name)}
        colour_up = tuple(sorted(numbers(self.colour_up) or ()))
        return Level(kind=self.kind, game=self.game, betting=self.betting, colour_up=colour_up, **sums)


@dataclass
class Levels:
    """The rows, and what is wrong with them."""

    rows: list[Row] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        return [f"{row.name}: {row.fault}" for row in self.rows if row.fault]

    def structure(self, chips: Iterable[int]) -> Structure:
        """What the rows make. Call it where there are no `faults`."""
        return Structure(tuple(row.level() for row in self.rows), tuple(sorted(chips)))


def read(data: Mapping[str, Any]) -> Levels:
    """The rows of the form, as far as they go; what is not to be understood is noted at its row."""
    rows: list[Row] = []
    counted = Counter[str]()
    for number, said in enumerate(_raw(data)):
        kind = "break" if said["kind"] == "break" else "level"
        counted[kind] += 1
        game, betting = said["game"] or USUAL_GAME, said["betting"] or USUAL_BETTING
        name = gettext("Break {n}") if kind == "break" else gettext("Level {n}")
        rows.append(Row(number, name.format(n=counted[kind]), kind, said, game, betting, said["colour_up"]))
        rows[-1].fault = _fault(rows[-1])
    return Levels(rows)


def told(levels: Iterable[Level]) -> dict[str, str]:
    """The fields of the form for these levels."""
    rows = []
    for level in levels:
        row = {name: str(getattr(level, name) or "") for name in _FIELDS}
        rows.append(row | {"colour_up": ", ".join(str(chip) for chip in level.colour_up)})
    return _numbered(rows)


def replaced(data: Mapping[str, Any], levels: Mapping[str, str]) -> dict[str, Any]:
    """The form with these levels in place of its own."""
    return {name: value for name, value in data.items() if not name.startswith("level-")} | dict(levels)


def changed(data: Mapping[str, Any], press: str) -> dict[str, Any]:
    """The form after one of its buttons: `add-level` goes on from the last one, `add-break`, `remove-<row>`."""
    rows = _raw(data)
    if press in ("add-level", "add-break") and len(rows) < MOST_LEVELS:
        last = next((row for row in reversed(rows) if row["kind"] != "break"), {"minutes": "20"})
        a_break = {"kind": "break", "minutes": _BREAK_MINUTES}
        rows.append(a_break if press == "add-break" else {**last, "kind": "level", "colour_up": ""})
    elif press.startswith("remove-"):
        number = parts.whole_or_none(press.removeprefix("remove-"))
        rows = [row for at, row in enumerate(rows) if at != number]
    return replaced(data, _numbered(rows))


def _raw(data: Mapping[str, Any]) -> list[dict[str, str]]:
    rows: list[dict[str, str]] = []
    while f"level-{len(rows)}-kind" in data and len(rows) <= MOST_LEVELS:
        rows.append({name: str(data.get(f"level-{len(rows)}-{name}", "")).strip() for name in _FIELDS})
    return rows


def _numbered(rows: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {f"level-{number}-{name}": value for number, row in enumerate(rows) for name, value in row.items()}


def _number(said: str) -> int | None:
    number = parts.whole_or_none(said)
    return number if number is not None and number < _MOST else None


def numbers(said: str) -> list[int] | None:
    """Whole numbers with commas or blanks between them; None where anything else is said, such as "1,000", which is
    not a one and a nought."""
    told = [each for each in _BETWEEN.split(said) if each]
    found = [n for each in told if (n := _number(each)) is not None and (each == "0" or each[0] != "0")]
    return found if len(found) == len(told) else None


def _fault(row: Row) -> str:
    for name, label in NUMBERS.items():
        if (value := row.said[name]) and _number(value) is None:
            return gettext("{what} is a whole number, not “{value}”.").format(what=inside(label), value=value)
    if numbers(row.colour_up) is None:
        return gettext("the chips that are coloured up are whole numbers, separated by commas.")
    if row.game not in event_queries.GAMES:
        return gettext("there is no game called “{game}”.").format(game=row.game)
    return (
        ""
        if row.betting in event_queries.BETTING
        else gettext("nothing is bet by “{betting}”.").format(betting=row.betting)
    )


# -- while the event runs ----------------------------------------------------------------------------------------------


class LevelsForm(Directed):
    """`first`: the index of the first row, as the page was drawn."""

    first = WholeNumber(min_value=0, max_value=MOST_LEVELS)


@for_directors
def to_come(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The levels still to be played; what was played stays as it was. `do`: save, or a button of the table, which
    changes nothing but the form."""
    row = event_of(request, tournament_id)
    known, current = _structure(row)
    if request.method != "POST":
        return _page(request, row, told(known.levels[current:]), first=current)
    said, first = request.POST.dict(), current
    try:
        sent = LevelsForm.typed(request.POST)
        first, seen = sent["first"], sent.get("expected_seq")
        if (press := said.get("do", "save")) != "save":
            return _page(request, row, changed(said, press), first=first, seq=seen)
        signed = {"by": request.user, "expected_seq": seen}
        key = key_in(said, "command_id")
        start, levels = _typed(said, first, known, current)
        saved = hands.edit_levels.once(key, tournament_id=row.pk, from_level=start, levels=levels, **signed)
    except Refusal as refusal:
        return _page(request, row, said, first=first, refusal=refusal)
    messages.success(request, words_of(row, saved))
    return redirect("tournament_run", tournament_id)


def _typed(said: Mapping[str, Any], first: int, known: Structure, current: int) -> tuple[int, tuple[Level, ...]]:
    """The levels as typed, and the index of the first of them."""
    table = read(said)
    if table.faults:
        raise Invalid("bad-levels", Verbatim(" ".join(table.faults)))
    made, over = table.structure(()).levels, current - first
    if 0 < over <= len(made) and made[:over] == known.levels[first:current]:
        # The clock has gone on while they were being typed, over levels that nobody touched.
        return current, made[over:]
    return first, made


def _structure(row: Tournament) -> tuple[Structure, int]:
    """The levels, and the index of the one being played."""
    now = timezone.now()
    with looking(row, now=now) as state:
        return state.structure, state.level(ms(now)) if state.phase == "running" else 0


def _page(
    request: HttpRequest,
    row: Tournament,
    data: Mapping[str, Any],
    *,
    first: int,
    seq: int | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """`seq`: the event's as the form was first drawn, None where it was looked at anew."""
    known, current = _structure(row)
    table, played = read(data), known.levels[:first]
    names = Structure((*played, *(Level(kind=each.kind) for each in table.rows)))
    for each in table.rows:
        each.name = spoken(names.name(len(played) + each.number))
    context = {
        "tournament": row,
        "played": [(spoken(known.name(index)), level) for index, level in enumerate(played)],
        "levels": table,
        "first": first,
        "is_current": row.is_live and first == current,
        "seq": row.seq if seq is None else seq,
        "key": token_urlsafe(9),
        "refusal": refusal,
        "game_choices": event_queries.SHORT_GAMES.items(),
        "betting_choices": event_queries.SHORT_BETTING.items(),
        "warnings": _unusual(known, first, table, terms.config_of(row).starting_stack),
    }
    return render(request, "tournaments/directing/levels.html", context, status=refusal.status if refusal else 200)


def _unusual(known: Structure, first: int, table: Levels, stack: int) -> list[Warned]:
    """Where the levels to come differ from the customs of structure sheets, as far as they can be read."""
    if table.faults:
        return []
    typed = table.structure(known.chip_set)
    whole = replace(typed, levels=(*known.levels[:first], *typed.levels))
    try:
        check(whole, stack)
    except IllegalAction:
        return []
    return warnings(whole, [breach for breach in customs.breaches(whole) if breach.index >= first])


# What events are made from: templates, and structures ready for use or made to measure.


# -- what is sent and told ---------------------------------------------------------------------------------------------


class TemplateRow(serializers.ModelSerializer[Template]):
    """A template: the terms of events to be made."""

    price = PriceField()
    config = ConfigField()

    class Meta:
        model = Template
        fields = (
            *("id", "name", "conduct", "description", "config", "price", "options", "starts_when_full", "when_short"),
            *("entry_code", "bots", "recurs_minutes", "recurs_times", "recurs_when_full", "created_at", "updated_at"),
        )


class TemplateOrder(TermsOrder):
    """A new template; with a `tournament` it has that event's terms, and nothing else is to be said but its name."""

    name = Text(max_length=80)
    tournament = some_id(required=False, source="tournament_id")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "tournament_id" in attrs and (more := sorted(set(attrs) - {"tournament_id", "name"})):
            raise Together({more[0]: [gettext("The terms come from the tournament: leave this out.")]})
        return attrs


class SaveTemplateForm(Order):
    """On the page of an event, whose terms it has."""

    name = Text(max_length=80)


class TemplateChange(TermsChange):
    """What is to be different."""


class StructureOrder(Order):
    """For whom, with which chips, and how long."""

    players = WholeNumber(min_value=2, max_value=100_000)
    stack = Chips(max_value=10**9, help_text="Chips to start with.")
    half_hours = WholeNumber(
        min_value=1, max_value=48, help_text="How long it may last, in half hours: 16 for eight hours."
    )
    chips = serializers.ListField(
        child=Chips(max_value=10**9), min_length=1, max_length=20, help_text="The denominations there are."
    )
    minutes = WholeNumber(min_value=1, max_value=24 * 60, help_text="How long a level lasts.")
    games = serializers.ListField(child=Text(max_length=40), min_length=1, max_length=20)


class CustomsOrder(Order):
    """The terms of an event, which need not be one of the room's."""

    config = PlainField()


@dataclass(frozen=True)
class Suggested:
    """A structure, where entry and rebuys of it end, how many minutes it is likely to last, and level, players and
    average stack by the hour."""

    structure: Structure
    ends: Ends
    lasts: int
    preview: tuple[Preview, ...]


# -- pages -------------------------------------------------------------------------------------------------------------


def template_list(request: HttpRequest) -> Context:
    return {"templates": _listed()}


def save_template(request: HttpRequest, *, tournament_id: int) -> Context:
    """An event's terms under a name of their own."""
    row = event_queries.event(tournament_id, with_drafts=True)
    return {"tournament": row, "name": request.POST.get("name", row.name)}


_DRAWN = "tournaments/events/before/"
TEMPLATES = Page(
    "tournaments/templates/", "tournament_templates", template_list, staff.DIRECTORS, template=f"{_DRAWN}templates.html"
)
SAVE = Page(
    f"{EVENT}template/",
    "tournament_save_template",
    save_template,
    staff.DIRECTORS,
    template=f"{_DRAWN}save_template.html",
)


# -- what is done ------------------------------------------------------------------------------------------------------


def _listed() -> Any:
    return Template.objects.filter(is_archived=False).order_by("name")


def make_template(*, tournament_id: int | None = None, key: str, by: User, **fields: Any) -> Template:
    """A template with these terms, or with those of an event."""
    if tournament_id is None:
        return terms.create.once(key, by=by, **fields)
    return terms.save_as.once(key, tournament_id=tournament_id, by=by, **fields)


class SaveForm(PagePost):
    page, does, body = SAVE, make_template, SaveTemplateForm

    def done(self, request: HttpRequest, result: Template) -> HttpResponse:
        return TEMPLATES.said(gettext_lazy("{0.name} is saved as a template."))(request, result)


class ArchiveForm(PagePost):
    page, does = TEMPLATES, terms.archive
    path, name = "tournaments/templates/<id:template_id>/put-away/", "tournament_template_archive"
    then = gettext_lazy("{0.name} is archived.")

    def refused(self, request: HttpRequest, refusal: Refusal, **address: Any) -> HttpResponse:
        raise refusal


# -- what programs ask -------------------------------------------------------------------------------------------------


def templates(*, by: User) -> Any:
    """The templates that are in use."""
    return _listed()


def template(*, template_id: int, by: User) -> Template:
    """A template."""
    return terms.find(template_id)


def presets(*, by: Any) -> list[Preset]:
    """The structures that are ready for use."""
    return [structures.load(slug) for slug in structures.slugs()]


def suggest(
    *, by: User, players: int, stack: int, half_hours: int, chips: list[int], minutes: int, games: list[str]
) -> Suggested:
    """A structure made to measure."""
    try:
        made = wizard.suggest(players, stack, Fraction(half_hours, 2), chips, minutes, games)
        lasts, rows = preview.lasts(made, players, stack), preview.preview(made, players, stack)
        return Suggested(made, wizard.ends(made, stack), lasts, rows)
    except IllegalAction as error:
        raise playing.refusal(error) from None


def compare(*, by: User, config: EventConfig) -> list[Warned]:
    """Each custom that the structure breaks."""
    checked = terms.read_config(config)
    return warnings(checked.structure, customs.breaches_of(checked))


class OfTemplates(Resource):
    """What directors do with templates."""

    tags, scope = ("templates",), "direct"


class TemplatesResource(OfTemplates):
    path = "templates"
    get = reads(
        templates,
        name="templates",
        summary="Templates",
        description=DIRECTORS,
        roles=staff.DIRECTORS,
        answers=TemplateRow,
        many=True,
    )
    post = does(
        make_template,
        name="make_template",
        summary="Create a template, from an event or from your own terms",
        description=f"{DIRECTORS} A name that exists is refused, under another key.",
        roles=staff.DIRECTORS,
        body=TemplateOrder,
        answers=TemplateRow,
        status=201,
        refuses=(404, 409, 422),
    )


class TemplateResource(OfTemplates):
    path = "templates/<id:template_id>"
    get = reads(
        template,
        name="template",
        summary="A template",
        description=DIRECTORS,
        roles=staff.DIRECTORS,
        answers=TemplateRow,
    )
    patch = does(
        terms.edit,
        name="edit_template",
        summary="Change a template",
        description=f"{DIRECTORS} Events created from it do not change.",
        body=TemplateChange,
        answers=TemplateRow,
        refuses=(409, 422),
    )
    delete = does(
        terms.archive, name="archive_template", summary="Archive a template", description=DIRECTORS, status=204
    )


class StructuresResource(Resource):
    path, tags = "structures", ("templates",)
    get = reads(
        presets,
        name="structures",
        summary="List preset structures",
        is_public=True,
        answers=Told({"type": "array", "items": object_of(Preset)}, plain.to_plain),
    )
    post = does(
        suggest,
        name="suggest_structure",
        summary="Generate a structure",
        description="Levels for given players, chips and hours, with the expected course. Nothing is saved.",
        body=StructureOrder,
        answers=Told(object_of(Suggested), plain.to_plain),
        refuses=(422,),
    )


class CompareResource(Resource):
    path, tags = "structures/check", ("templates",)
    post = does(
        compare,
        name="check_structure",
        summary="Compare a structure with the customs of structure sheets",
        description="Each custom that it breaks, with where and by which numbers. All can be played. Nothing is saved.",
        body=CustomsOrder,
        answers=Told({"type": "array", "items": object_of(Warned)}, plain.to_plain),
        refuses=(422,),
    )


api = addresses([TemplatesResource, TemplateResource, StructuresResource, CompareResource])
urlpatterns = of.pages([TEMPLATES, SAVE], posts=[SaveForm, ArchiveForm])
