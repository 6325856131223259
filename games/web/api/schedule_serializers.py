"""The shapes of drop schedules."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Flag, Order, Query, Text, WholeNumber
from games.models import DropSchedule
from games.services import schedules

_MOST = schedules.MOST_CHIPS


def _chips() -> WholeNumber:
    return WholeNumber(required=False, min_value=0, max_value=_MOST)


def _small() -> WholeNumber:
    return WholeNumber(required=False, min_value=0, max_value=10**6)


class ScheduleView(serializers.ModelSerializer[DropSchedule]):
    """What the house takes. It never changes: an edit is another schedule."""

    caps = serializers.JSONField(help_text="Pairs: players dealt in, most chips.")
    time_charges = serializers.JSONField(help_text="Pairs: players at the table, chips each.")

    class Meta:
        model = DropSchedule
        fields = (
            *("id", "name", "kind", "rake_permille", "caps", "rounding_unit", "rounding", "is_free_without_call"),
            *("promo", "jackpot", "promo_from", "jackpot_name", "period_minutes", "time_charges", "time_promo"),
            *("courtesy_hands", "made_at", "retired_at"),
        )
        read_only_fields = fields


def _pairs(said: str) -> serializers.ListField:
    pair = serializers.ListField(child=WholeNumber(min_value=0, max_value=_MOST), min_length=2, max_length=2)
    return serializers.ListField(child=pair, required=False, max_length=8, help_text=said)


class ScheduleTerms(Order):
    """What the house takes; what is not said is as in the schedule that it replaces, or as usual."""

    name = Text(required=False, max_length=60)
    kind = serializers.ChoiceField(DropSchedule.Kind.choices, required=False)
    rake_permille = _small()
    caps = _pairs("Pairs: players dealt in, most chips; none: no cap.")
    rounding_unit = _chips()
    rounding = serializers.ChoiceField(DropSchedule.Rounding.choices, required=False)
    is_free_without_call = Flag(required=False)
    promo = _chips()
    jackpot = _chips()
    promo_from = _chips()
    jackpot_name = Text(required=False, allow_blank=True, max_length=60)
    period_minutes = _small()
    time_charges = _pairs("Pairs: players at the table, chips each pays a period.")
    time_of_table = WholeNumber(
        required=False,
        min_value=1,
        max_value=_MOST,
        help_text="In place of `time_charges`: what a table pays a period, shared by its players and rounded up.",
    )
    time_promo = _chips()
    courtesy_hands = _small()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (chips := attrs.pop("time_of_table", None)) is not None:
            if "time_charges" in attrs:
                raise serializers.ValidationError(
                    {"time_of_table": ["Say what each pays, or what the table pays: not both."]}
                )
            attrs["time_charges"] = schedules.shared(chips)
        return attrs


class ScheduleOrder(ScheduleTerms):
    replaces = WholeNumber(
        required=False, allow_null=True, min_value=1, help_text="Whose games take this one from now."
    )


class PreviewRow(serializers.Serializer[Any]):
    pot = serializers.IntegerField()
    rakes = serializers.ListField(child=serializers.IntegerField(), help_text="With 2, 3 ... 8 players dealt in.")
    promo = serializers.IntegerField()
    jackpot = serializers.IntegerField()


class HourRow(serializers.Serializer[Any]):
    players = serializers.IntegerField()
    each = serializers.IntegerField(help_text="Chips of each, a period.")
    an_hour = serializers.IntegerField(help_text="Chips of all together, an hour.")


class SchedulePreview(serializers.Serializer[Any]):
    rows = PreviewRow(many=True)
    hours = HourRow(many=True)


class ScheduleQuery(Query):
    is_retired = serializers.BooleanField(required=False)
