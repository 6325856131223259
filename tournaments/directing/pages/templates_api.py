"""The API of templates."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.core.models import User
from cardroom.core.web.api.fields import Text, Together
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments.directing.pages.templates import make_template, templates_in_use
from tournaments.events import staff, terms
from tournaments.events.models import Template
from tournaments.events.pages.fields import DIRECTORS, ConfigField, PriceField, some_id
from tournaments.events.pages.serializers import EventTermsOrder, TermsChange


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


class TemplateOrder(EventTermsOrder):
    """A new template; with a `tournament` it has that event's terms, and nothing else is to be said but its name."""

    name = Text(max_length=80)
    tournament = some_id(required=False, source="tournament_id")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "tournament_id" in attrs and (more := sorted(set(attrs) - {"tournament_id", "name"})):
            raise Together({more[0]: [gettext("The terms come from the tournament: leave this out.")]})
        return attrs


class TemplateChange(TermsChange):
    """What is to be different."""


def templates(*, by: User) -> Any:
    """The templates that are in use."""
    return templates_in_use()


def template(*, template_id: int, by: User) -> Template:
    """A template."""
    return terms.find(template_id)


class EventTemplateResource(Resource):
    """What directors do with templates."""

    tags, scope = ("templates",), "direct"


class TemplatesResource(EventTemplateResource):
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


class TemplateResource(EventTemplateResource):
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


api = addresses([TemplatesResource, TemplateResource])
