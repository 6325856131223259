"""What events are made from: templates, and structures ready for use or made to measure."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from django.http import HttpRequest
from rest_framework import serializers

from cardroom.core.models import User
from cardroom.core.web import operations as of
from cardroom.core.web.api.fields import Chips, Order, Text, WholeNumber
from cardroom.core.web.api.typed import object_of
from cardroom.core.web.operations import Context, Form, Operation, Page, Read, Told
from tournaments import structures
from tournaments.engine import plain, wizard
from tournaments.engine.errors import IllegalAction
from tournaments.engine.structure import Structure
from tournaments.engine.wizard import Preview
from tournaments.events import playing, staff, terms
from tournaments.events import queries as event_queries
from tournaments.events.models import Template
from tournaments.pages.serializers import DIRECTORS, Config, Price, TermsOrder, some_id
from tournaments.pages.views import EVENT
from tournaments.structures import Preset

# -- what is sent and told ---------------------------------------------------------------------------------------------


class TemplateRow(serializers.ModelSerializer[Template]):
    """A template: the terms of events to be made."""

    price = Price()
    config = Config()

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
            raise serializers.ValidationError({more[0]: ["The terms come from the event: leave this out."]})
        return attrs


class SaveTemplateForm(Order):
    """On the page of an event, whose terms it has."""

    name = Text(max_length=80)


class TemplateChange(TermsOrder):
    """What is to be different."""


class StructureOrder(Order):
    """For whom, with which chips, and how long."""

    players = WholeNumber(min_value=2, max_value=100_000)
    stack = Chips(max_value=10**9, help_text="To start with.")
    half_hours = WholeNumber(min_value=1, max_value=48, help_text="How long it may last: 16 for eight hours.")
    chips = serializers.ListField(
        child=Chips(max_value=10**9), min_length=1, max_length=20, help_text="The denominations there are."
    )
    minutes = WholeNumber(min_value=1, max_value=24 * 60, help_text="Of a level.")
    games = serializers.ListField(child=Text(max_length=40), min_length=1, max_length=20)


@dataclass(frozen=True)
class Suggested:
    """A structure, how many minutes it is likely to last, and level, players and average stack by the hour."""

    structure: Structure
    lasts: int
    preview: tuple[Preview, ...]


# -- pages -------------------------------------------------------------------------------------------------------------


def template_list(request: HttpRequest) -> Context:
    return {"templates": _listed()}


def save_template(request: HttpRequest, *, tournament_id: int) -> Context:
    """An event's terms under a name of their own."""
    row = event_queries.event(tournament_id, with_drafts=True)
    return {"tournament": row, "name": request.POST.get("name", row.name)}


# -- what is done ------------------------------------------------------------------------------------------------------


def _listed() -> Any:
    return Template.objects.filter(is_archived=False).order_by("name")


def _make(*, tournament_id: int | None = None, **fields: Any) -> Template:
    if tournament_id is None:
        return terms.create(**fields)
    return terms.save_as(tournament_id=tournament_id, **fields)


def _suggested(
    *, by: User, players: int, stack: int, half_hours: int, chips: list[int], minutes: int, games: list[str]
) -> Suggested:
    try:
        made = wizard.suggest(players, stack, Fraction(half_hours, 2), chips, minutes, games)
        return Suggested(made, wizard.lasts(made, players, stack), wizard.preview(made, players, stack))
    except IllegalAction as error:
        raise playing.refusal(error) from None


_DRAWN = "tournaments/events/before/"
TEMPLATES = Page(
    "tournaments/templates/", "tournament_templates", template_list, staff.DIRECTORS,
    template=f"{_DRAWN}templates.html",
)  # fmt: skip
SAVE = Page(
    f"{EVENT}template/", "tournament_save_template", save_template, staff.DIRECTORS,
    template=f"{_DRAWN}save_template.html",
)  # fmt: skip

_read = partial(Read, tag="templates", scope="direct", roles=staff.DIRECTORS, description=DIRECTORS, out=TemplateRow)
_verb = partial(Operation, tag="templates", scope="direct", roles=staff.DIRECTORS, description=DIRECTORS)

PAGES = [TEMPLATES, SAVE]
DECLARED = [
    _read(name="templates", summary="Templates", address="templates", many=True, finds=lambda by: _listed()),
    _verb(
        name="make_template", summary="Create a template, from an event or from your own terms", address="templates",
        description=f"{DIRECTORS} A name that exists is refused, under another key.", does=_make,
        order=TemplateOrder, keyed=True, status=201, out=TemplateRow, refuses=(404, 409, 422),
        form=Form(SAVE.address, SAVE.name, SAVE, TEMPLATES.said("{0.name} is saved as a "
        "template."), order=SaveTemplateForm),
    ),
    _read(
        name="template", summary="A template", address="templates/<id:template_id>",
        finds=lambda by, template_id: terms.find(template_id),
    ),
    _verb(
        name="edit_template", summary="Change a template", address="templates/<id:template_id>", method="PATCH",
        description=f"{DIRECTORS} Events created from it do not change.", does=terms.edit, order=TemplateChange,
        out=TemplateRow, refuses=(409, 422),
    ),
    _verb(
        name="archive_template", summary="Archive a template", address="templates/<id:template_id>", method="DELETE",
        does=terms.archive, status=204,
        form=Form("tournaments/templates/<id:template_id>/put-away/", "tournament_template_archive", TEMPLATES,
                  "{0.name} is archived.", of.refused),
    ),
    Read(
        name="structures", summary="List preset structures", address="structures", tag="templates", is_public=True,
        out=Told({"type": "array", "items": object_of(Preset)}, plain.to_plain),
        finds=lambda by: [structures.load(slug) for slug in structures.slugs()],
    ),
    Operation(
        name="suggest_structure", summary="Generate a structure", address="structures", tag="templates",
        description="Levels for given players, chips and hours, with the expected course. Nothing is saved.",
        does=_suggested, order=StructureOrder, out=Told(object_of(Suggested), plain.to_plain), refuses=(422,),
    ),
]  # fmt: skip
