"""The shapes of games on offer, drop schedules, sections, and of what is done with tables."""

from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Flag, Number, Order, Query, Text, WholeNumber
from games.models import DropSchedule, Offer, Table
from games.services import offer_terms, schedules
from games.services.offer_terms import MOST_CHIPS

_FIELDS = (*offer_terms.USUAL,)
_EXTRA = "Online, for the first, second, ... turn of a player who lost the connection; empty: none."
_EXTRA_CAP = "The most extra time that a player gets in a visit to the table, in seconds."


class OfferView(serializers.ModelSerializer[Offer]):
    """A game on offer."""

    stakes = serializers.CharField(help_text="As players say them: small and big bet.")
    drop_id = serializers.IntegerField(
        allow_null=True, help_text="Of the drop schedule; null: the house takes nothing."
    )
    extra_seconds = serializers.ListField(child=serializers.IntegerField(), help_text=_EXTRA)

    class Meta:
        model = Offer
        fields = ("id", "stakes", *_FIELDS, "is_listed", "place", "version", "made_at")
        read_only_fields = fields


def _chips(**options: Any) -> WholeNumber:
    return WholeNumber(**{"required": False, "min_value": 0, "max_value": MOST_CHIPS, **options})


def _small(**options: Any) -> WholeNumber:
    return WholeNumber(**{"required": False, "min_value": 0, "max_value": 10**6, **options})


def _section() -> WholeNumber:
    return WholeNumber(required=False, source="section_id", allow_null=True, min_value=1)


def _main(**options: Any) -> WholeNumber:
    return WholeNumber(required=False, source="must_move_to_id", allow_null=True, min_value=1, **options)


def _seconds(said: str) -> serializers.ListField:
    return serializers.ListField(child=WholeNumber(min_value=0, max_value=10**6), required=False, help_text=said)


class OfferOrder(Order):
    """What a game on offer is; what is not said is as it was, or as usual."""

    name = Text(required=False, max_length=60)
    game = Text(required=False, max_length=40)
    structure = Text(required=False, max_length=20)
    rulebook = Text(required=False, max_length=80)
    ante = _chips()
    bring_in = _chips()
    small_bet = _chips(help_text="Beside fixed limit: the least bet.")
    big_bet = _chips(help_text="Of a spread: its most.")
    smallest_chip = _chips(help_text="In play, in which pots are split; 0: as each hand's stacks and stakes tell.")
    seat_count = _small()
    min_buy_in = _chips()
    max_buy_in = _chips()
    drop_id = WholeNumber(required=False, allow_null=True, min_value=1, help_text="Null: the house takes nothing.")
    dealt_by = serializers.ChoiceField(Table.DealtBy.choices, required=False)
    deck = serializers.ChoiceField(Table.Deck.choices, required=False)
    is_physical = Flag(required=False, help_text="In the room: seats, stacks and times, and no deck.")
    is_spoken = Flag(required=False)
    has_spectators = Flag(required=False)
    act_seconds = _small()
    time_bank_seconds = _small()
    bank_refill_seconds = _small(help_text="Of the time bank, won back with each hand.")
    missed_clocks_allowed = _small(help_text="Clocks missed in a row until a player sits out; 1 at least.")
    extra_seconds = _seconds(_EXTRA)
    extra_cap_seconds = _small(help_text=_EXTRA_CAP)
    pause_seconds = _small(help_text="Between two hands.")
    keep_seat_minutes = _small()
    rathole_minutes = _small(help_text="For so long who comes back buys in with what they left with; 0: never asked.")
    call_minutes = _small()
    more_time_minutes = _small()
    hold_minutes = _small()
    calls_itself = Flag(
        required=False, allow_null=True, help_text="Whether the next on its list is called by itself; null: online yes."
    )
    missed_calls_allowed = _small(help_text="After so many missed calls at the bottom of the list; then off it.")
    opens_with = _small(help_text="So many names open a table by themselves, or in the room ask the floor; 0: not.")
    comp_per_hour = _small()
    tables_per_player = _small()


class OfferEdit(OfferOrder):
    version = WholeNumber(
        required=False, min_value=0, help_text="The one you had before you; 409 when somebody changed it since."
    )


class OfferQuery(Query):
    is_listed = serializers.BooleanField(required=False, help_text="Only those on offer, or only withdrawn ones.")
    is_physical = serializers.BooleanField(required=False)


class OrderOfThings(Order):
    """Numbers in the order in which they are shown."""

    ids = serializers.ListField(child=WholeNumber(min_value=1), max_length=500)


class StepForm(Order):
    """On a page one of them goes a step further up, or down."""

    up = Flag()


class StaffReason(Order):
    reason = Text(required=False, allow_blank=True, max_length=300)


class SectionView(serializers.Serializer[Any]):
    """A section of the room."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField()


class SectionOrder(Order):
    name = Text(max_length=40)


class PlaceOrder(Order):
    section = WholeNumber(source="section_id", allow_null=True, min_value=1, help_text="Null: in none.")


class OpenTableOrder(Order):
    """A table for a game on offer: what it has otherwise than its offer, or besides it."""

    name = Text(required=False, allow_blank=True, max_length=60, help_text="Empty: the next number of the game.")
    table = WholeNumber(
        required=False, source="table_id", allow_null=True, min_value=1,
        help_text="The free table of the room to open at.",
    )  # fmt: skip
    section = _section()
    seat_count = _small()
    bots = _small(help_text="House bots to keep, online.")
    is_spoken = Flag(required=False)
    has_spectators = Flag(required=False)
    act_seconds = _small()
    time_bank_seconds = _small()
    keep_seat_minutes = _small()
    extra_seconds = _seconds(_EXTRA)
    extra_cap_seconds = _small(help_text=_EXTRA_CAP)
    pause_seconds = _small()
    is_private = Flag(required=False)
    password = Text(required=False, allow_blank=True, max_length=60)
    must_move_to = _main(help_text="The main game it feeds.")


class AddOrder(Order):
    name = Text(max_length=60)
    section = _section()


class RoomTable(serializers.Serializer[Any]):
    """A table as the staff lists it."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    state = serializers.ChoiceField(Table.State.choices)
    phase = serializers.CharField(help_text="free, open, going, paused, breaking or closed.")
    offer = serializers.IntegerField(source="offer_id", allow_null=True)
    offer_version = serializers.IntegerField(help_text="Of its offer: the settings it plays by.")
    is_behind = serializers.BooleanField(help_text="Whether its offer was edited since.")
    section = serializers.IntegerField(source="section_id", allow_null=True)
    stakes = serializers.CharField()
    seat_count = serializers.IntegerField()
    seated = serializers.IntegerField()
    is_physical = serializers.BooleanField()
    is_private = serializers.BooleanField()
    has_spectators = serializers.BooleanField()
    paused_at = serializers.DateTimeField(allow_null=True)
    pause_reason = serializers.CharField()
    notice = serializers.CharField()
    must_move_to = serializers.IntegerField(source="must_move_to_id", allow_null=True)
    version = serializers.IntegerField()


class RoomTableQuery(Query):
    offer = Number(required=False)
    section = Number(required=False)
    is_closed = serializers.BooleanField(default=False, help_text="Those that are closed as well.")


class TableEdit(Order):
    """What can be changed at a table as it stands; its stakes are its offer's."""

    name = Text(required=False, max_length=60)
    has_spectators = Flag(required=False)
    bots = _small()
    must_move_to = _main()


class TableEditForm(TableEdit):
    """On the page of the table its section is chosen with the rest."""

    section = _section()


class TableLineOrder(Order):
    text = Text(allow_blank=True, max_length=200, help_text="Empty: take the line away.")


class TableLineForm(Order):
    text = Text(default="", max_length=200)


class PrivacyOrder(Order):
    is_private = Flag()
    password = Text(required=False, allow_blank=True, max_length=60, help_text="Empty: the invited alone.")
    reason = Text(required=False, allow_blank=True, max_length=300)


class InviteOrder(Order):
    player = Text(source="name", max_length=150, help_text="The player's name.")
    reason = Text(required=False, allow_blank=True, max_length=300)


class InvitationView(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.username")
    by = serializers.IntegerField(source="by_id", allow_null=True, help_text="Null: by the password.")
    at = serializers.DateTimeField()


class PasswordOrder(Order):
    password = Text(max_length=60)


class TableCountOrder(Order):
    counted = WholeNumber(min_value=0, max_value=10**12)
    reason = Text(required=False, allow_blank=True, max_length=300, help_text="Needed where it differs from the books.")


class CountView(serializers.Serializer[Any]):
    """The chips of a table of the room, counted."""

    id = serializers.IntegerField()
    table = serializers.IntegerField(source="table_id")
    expected = serializers.IntegerField(help_text="By the books.")
    counted = serializers.IntegerField()
    difference = serializers.IntegerField()
    reason = serializers.CharField()
    by = serializers.IntegerField(source="by_id")
    at = serializers.DateTimeField()


# -- drop schedules ----------------------------------------------------------------------------------------------------


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
    pair = serializers.ListField(child=WholeNumber(min_value=0, max_value=MOST_CHIPS), min_length=2, max_length=2)
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
        max_value=MOST_CHIPS,
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
