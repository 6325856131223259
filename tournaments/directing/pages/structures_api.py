"""The API of structures: those ready for use, those made to measure, and how one differs from the customs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rest_framework import serializers

from cardroom.core.models import User
from cardroom.core.web.api.answers import PlainAnswer
from cardroom.core.web.api.fields import ChipsField, RequestBody, Text, WholeNumber
from cardroom.core.web.api.shapes import object_of
from cardroom.core.web.resources import Resource, addresses, does, reads
from tournaments import structures
from tournaments.engine import customs, plain, preview, wizard
from tournaments.engine.clock import Structure
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.preview import EventPreview
from tournaments.engine.wizard import Ends
from tournaments.events import playing, terms
from tournaments.events.customs import Warned, warnings
from tournaments.events.pages.fields import PlainField
from tournaments.structures import Preset


class StructureOrder(RequestBody):
    """For whom, with which chips, and how long."""

    players = WholeNumber(min_value=2, max_value=100_000)
    stack = ChipsField(max_value=10**9, help_text="Chips to start with.")
    half_hours = WholeNumber(
        min_value=1, max_value=48, help_text="How long it may last, in half hours: 16 for eight hours."
    )
    chips = serializers.ListField(
        child=ChipsField(max_value=10**9), min_length=1, max_length=20, help_text="The denominations there are."
    )
    minutes = WholeNumber(min_value=1, max_value=24 * 60, help_text="How long a level lasts.")
    games = serializers.ListField(child=Text(max_length=40), min_length=1, max_length=20)


class CustomsOrder(RequestBody):
    """The terms of an event, which need not be one of the room's."""

    config = PlainField()


@dataclass(frozen=True)
class SuggestedStructure:
    """A structure, where entry and rebuys of it end, how many minutes it is likely to last, and level, players and
    average stack by the hour."""

    structure: Structure
    ends: Ends
    lasts: int
    preview: tuple[EventPreview, ...]


def presets(*, by: Any) -> list[Preset]:
    """The structures that are ready for use."""
    return [structures.load(slug) for slug in structures.slugs()]


def suggest(
    *, by: User, players: int, stack: int, half_hours: int, chips: list[int], minutes: int, games: list[str]
) -> SuggestedStructure:
    """A structure made to measure."""
    try:
        structure = wizard.suggest(players, stack, Fraction(half_hours, 2), chips, minutes, games)
        lasts, rows = preview.lasts(structure, players, stack), preview.preview(structure, players, stack)
        return SuggestedStructure(structure, wizard.ends(structure, stack), lasts, rows)
    except IllegalCommand as error:
        raise playing.refusal(error) from None


def compare(*, by: User, config: EventConfig) -> list[Warned]:
    """Each custom that the structure breaks."""
    checked = terms.read_config(config)
    return warnings(checked.structure, customs.breaches_of(checked))


class StructuresResource(Resource):
    path, tags = "structures", ("templates",)
    get = reads(
        presets,
        name="structures",
        summary="List preset structures",
        is_public=True,
        answers=PlainAnswer({"type": "array", "items": object_of(Preset)}, plain.to_plain),
    )
    post = does(
        suggest,
        name="suggest_structure",
        summary="Generate a structure",
        description="Levels for given players, chips and hours, with the expected course. Nothing is saved.",
        body=StructureOrder,
        answers=PlainAnswer(object_of(SuggestedStructure), plain.to_plain),
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
        answers=PlainAnswer({"type": "array", "items": object_of(Warned)}, plain.to_plain),
        refuses=(422,),
    )


api = addresses([StructuresResource, CompareResource])
