"""The shapes of templates, structures, series and what is told to oneself."""

from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Chips, Flag, Order, Text, WholeNumber
from tournaments.engine.structure import Structure
from tournaments.engine.wizard import Preview
from tournaments.models import Series, Template
from tournaments.web.api.serializers import TermsOrder, some_id
from tournaments.web.api.terms_fields import Config, Day, Price


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
    tournament = some_id(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "tournament" in attrs and (more := sorted(set(attrs) - {"tournament", "name"})):
            raise serializers.ValidationError({more[0]: ["The terms come from the event: leave this out."]})
        return attrs


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


class SeriesRow(serializers.ModelSerializer[Series]):
    """Events that belong together."""

    class Meta:
        model = Series
        fields = ("id", "name", "description", "starts_on", "ends_on", "is_archived")


class SeriesChange(Order):
    """What is to be different."""

    name = Text(max_length=80, required=False)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)
    is_archived = Flag(required=False)


class SeriesOrder(Order):
    """A new series."""

    name = Text(max_length=80)
    description = Text(max_length=10_000, required=False, allow_blank=True)
    starts_on = Day(required=False, allow_null=True)
    ends_on = Day(required=False, allow_null=True)
