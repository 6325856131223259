"""The API shapes of games on offer, drop schedules and tables: bodies of requests, and answers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext
from rest_framework import serializers

from cardroom.core.web.api.fields import Change, FlagField, Query, RequestBody, Text, Together, WholeNumber
from cardroom.core.web.api.shapes import Shape
from games.engine.games import MOST_SEATS
from games.play.pages.tables import ExtraTime
from games.rake import drop_schedules
from games.tables import offers
from games.tables.models.offers import ChipCount, DropSchedule, Offer
from games.tables.models.tables import Table
from games.tables.offers import MOST_CHIPS


class OfferView(ExtraTime, serializers.ModelSerializer[Offer]):
    """A game on offer."""

    stakes = serializers.CharField(help_text="As players say them: small and big bet.")
    drop_id = serializers.IntegerField(
        allow_null=True, help_text="Of the drop schedule; null: the house takes nothing."
    )

    class Meta:
        model = Offer
        fields = ("id", "stakes", *offers.TERMS, "is_listed", "place", "version", "made_at")
        read_only_fields = fields


def _small(**options: Any) -> WholeNumber:
    return WholeNumber(required=False, min_value=0, max_value=10**6, **options)


def _section() -> WholeNumber:
    return WholeNumber(required=False, source="section_id", allow_null=True, min_value=1)


def _main(**options: Any) -> WholeNumber:
    return WholeNumber(required=False, source="must_move_to_id", allow_null=True, min_value=1, **options)


def _field(name: str, term: offers.Term, model: type[Offer | DropSchedule]) -> serializers.Field:
    """The API field of a term of a game or a schedule."""
    column: Any = model._meta.get_field(name)
    options: dict[str, Any] = {
        "required": False,
        "help_text": ". ".join(str(text) for text in (term.label, term.help_text) if text),
    }
    if column.choices:
        return serializers.ChoiceField(column.choices, required=False)
    if type(term.usual) is bool:
        return FlagField(**options)
    if type(term.usual) is list:
        return serializers.ListField(child=WholeNumber(min_value=0, max_value=10**6), **options)
    if type(term.usual) is int:
        return WholeNumber(min_value=0, max_value=term.most if term.is_chips else 10**6, **options)
    return Text(max_length=column.max_length, allow_blank=column.blank, **options)


class TermsBody(RequestBody):
    """A body of a request with fields by name (`asks`), in their order: `terms` of a `model`, or declared fields."""

    terms: ClassVar[Mapping[str, offers.Term]] = offers.TERMS
    model: ClassVar[type[Offer | DropSchedule]] = Offer
    asks: ClassVar[str]

    def get_fields(self) -> dict[str, Any]:
        declared = super().get_fields()
        names = self.asks.split()
        fields = {name: declared.pop(name, None) or _field(name, self.terms[name], self.model) for name in names}
        return fields | declared


class OfferOrder(TermsBody):
    """A game on offer; what is not given stays as it was, or is as usual."""

    asks = " ".join(offers.TERMS)
    drop_id = WholeNumber(required=False, allow_null=True, min_value=1, help_text="Null: the house takes nothing.")
    calls_itself = FlagField(
        required=False,
        allow_null=True,
        help_text="Whether names on its list are called automatically; null: online yes.",
    )


class OfferEdit(Change, OfferOrder):
    version = WholeNumber(
        required=False, min_value=0, help_text="The version you have seen; 409 if it has changed since."
    )


class StaffReason(RequestBody):
    reason = Text(required=False, allow_blank=True, max_length=300)


class OpenTableOrder(TermsBody):
    """A table for a game on offer: its settings that differ from the offer, or that an offer does not have."""

    asks = f"name table section bots {' '.join(offers.OWN)} is_private password must_move_to"
    name = Text(required=False, allow_blank=True, max_length=60, help_text="Empty: the next number of the game.")
    table = WholeNumber(
        required=False, source="table_id", allow_null=True, min_value=1,
        help_text="The free table of the room to open at.",
    )  # fmt: skip
    section = _section()
    bots = _small(help_text="House bots to keep, online.")
    is_private = FlagField(required=False)
    password = Text(required=False, allow_blank=True, max_length=60)
    must_move_to = _main(help_text="The main game it feeds.")


class RoomTable(Shape):
    """A table for the staff."""

    of = Table
    field_names = (
        "id=pk name state phase offer=offer_id offer_version is_behind section=section_id stakes seat_count seated"
        " is_physical is_private has_spectators paused_at pause_reason notice must_move_to=must_move_to_id version"
    )
    help_texts = {"offer_version": "Of its offer: the settings it plays by."}
    state = serializers.ChoiceField(Table.State.choices)
    phase = serializers.CharField(help_text="free, open, going, paused, breaking or closed.")
    is_behind = serializers.BooleanField(help_text="Whether its offer was edited since.")
    seated = serializers.IntegerField()


class CountView(Shape):
    """The chips of a table of the room, counted."""

    of = ChipCount
    field_names = "id table=table_id expected counted difference reason by=by_id at"
    help_texts = {"expected": "By the books."}


class ScheduleView(serializers.ModelSerializer[DropSchedule]):
    """What the house takes. It never changes: an edit is another schedule."""

    caps = serializers.JSONField(help_text="Pairs: players dealt in, most chips.")
    time_charges = serializers.JSONField(help_text="Pairs: players at the table, chips each.")

    class Meta:
        model = DropSchedule
        fields = ("id", *drop_schedules.USUAL, "made_at", "retired_at")
        read_only_fields = fields


def _pairs(help_text: str) -> serializers.ListField:
    pair = serializers.ListField(child=WholeNumber(min_value=0, max_value=MOST_CHIPS), min_length=2, max_length=2)
    return serializers.ListField(child=pair, required=False, max_length=MOST_SEATS, help_text=help_text)


class ScheduleTerms(TermsBody):
    """What the house takes; what is not given is as in the schedule that it replaces, or as usual."""

    terms = drop_schedules.TERMS
    model = DropSchedule
    asks = " ".join(drop_schedules.TERMS).replace("time_promo", "time_of_table time_promo")
    caps = _pairs("Pairs: players dealt in, most chips; none: no cap.")
    time_charges = _pairs("Pairs: players at the table, chips each pays a period.")
    time_of_table = WholeNumber(
        required=False, min_value=1, max_value=MOST_CHIPS,
        help_text="In place of `time_charges`: what a table pays a period, shared by its players and rounded up.",
    )  # fmt: skip

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (chips := attrs.pop("time_of_table", None)) is not None:
            if "time_charges" in attrs:
                raise Together(
                    {"time_of_table": [gettext("Enter what each player pays or what the table pays, not both.")]}
                )
            attrs["time_charges"] = drop_schedules.shared_charges(chips)
        return attrs


class ScheduleOrder(ScheduleTerms):
    replaces = WholeNumber(
        required=False,
        allow_null=True,
        min_value=1,
        help_text="The schedule that it replaces: its games take this one from now on.",
    )


class PreviewRow(Shape):
    of = drop_schedules.DropPreviewRow
    field_names = "pot rakes promo jackpot"
    help_texts = {"rakes": f"With 2, 3 ... {MOST_SEATS} players dealt in."}


class HourRow(serializers.Serializer[Any]):
    players = serializers.IntegerField()
    each = serializers.IntegerField(help_text="Chips of each, a period.")
    an_hour = serializers.IntegerField(help_text="Chips of all together, an hour.")


class SchedulePreview(serializers.Serializer[Any]):
    rows = PreviewRow(many=True)
    hours = HourRow(many=True)


class ScheduleQuery(Query):
    is_retired = serializers.BooleanField(required=False)
