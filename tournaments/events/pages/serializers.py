"""The shapes of events, their terms, entries and payments."""

from typing import Any

from rest_framework import serializers

from cardroom.core import access
from cardroom.core.web.api.fields import Change, FlagField, RequestBody, Sentence, Text, WholeNumber
from tournaments.events import staff
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.events.pages.fields import (
    MOST_ID,
    ConfigField,
    ConfigPartField,
    MomentField,
    PartField,
    PriceField,
    PricePartField,
    some_id,
)
from tournaments.events.terms import LONGEST, MOST

#: How the person who enters can pay for it; a ticket is named by its number.
PAYING = [choice for choice in Payment.Method.choices if choice[0] in ("wallet", "desk", "house")]
_OWN = "Told to directors; null for everybody else."


class TournamentRow(serializers.ModelSerializer[Tournament]):
    """An event in a list."""

    series = serializers.IntegerField(source="series_id", allow_null=True)
    season = serializers.IntegerField(source="season_id", allow_null=True)
    final = serializers.IntegerField(source="parent_id", allow_null=True, help_text="Of a flight.")
    satellite_to = serializers.IntegerField(
        source="satellite_to_id", allow_null=True, help_text="The event that it wins entries to."
    )
    entries = serializers.IntegerField(source="entries_count", help_text="Entries that stand, re-entries among them.")
    alternates = serializers.IntegerField(source="alternates_count")
    left = serializers.IntegerField(source="players_left")
    tables = serializers.IntegerField(source="tables_count")
    pool = serializers.IntegerField(help_text="What was paid for prizes.")
    level = serializers.IntegerField(help_text="The entry of the structure last noted, from 0.")
    version = serializers.IntegerField(help_text="Grows with every change of the event.")
    seq = serializers.IntegerField(help_text="Its last fact so far: what `expected_seq` has to be.")

    class Meta:
        model = Tournament
        fields = (
            *("id", "name", "conduct", "state", "starts_at", "registration_opens_at", "is_entry_open"),
            *("entries", "alternates", "left", "tables", "pool", "places_paid", "level", "is_hand_for_hand"),
            *("series", "season", "final", "flight", "satellite_to", "seq", "version"),
        )


class TournamentView(TournamentRow):
    """An event."""

    end_reason = Sentence(required=False, allow_blank=True, max_length=200, help_text="Why it was cancelled.")
    price = PriceField()
    config = ConfigField(help_text="The terms it is played under; those of the start, where levels were edited since.")
    asks_code = serializers.SerializerMethodField(help_text="Whether players who enter by themselves need a code.")
    entry_code = serializers.SerializerMethodField(help_text=_OWN)
    options = serializers.SerializerMethodField(help_text=_OWN)

    class Meta:
        model = Tournament
        fields = (
            *TournamentRow.Meta.fields,
            *("description", "config", "price", "asks_code", "entry_code", "options", "starts_when_full"),
            *("when_short", "bots", "recurs_minutes", "recurs_times", "recurs_when_full", "announced_at"),
            *("opened_at", "started_at", "ended_at", "end_reason", "paid_at"),
        )

    def get_asks_code(self, row: Tournament) -> bool:
        return bool(row.entry_code)

    def get_entry_code(self, row: Tournament) -> str | None:
        return row.entry_code if self._is_for_director() else None

    def get_options(self, row: Tournament) -> dict[str, Any] | None:
        return row.options if self._is_for_director() else None

    def _is_for_director(self) -> bool:
        return access.has_role(self.context["viewer"], *staff.DIRECTORS)


class EventTermsOrder(RequestBody):
    """The terms of an event or a template; what is left out stays as it is."""

    name = Text(max_length=LONGEST["name"], required=False)
    conduct = serializers.ChoiceField(Tournament.Conduct.choices, required=False)
    description = Text(max_length=LONGEST["description"], required=False, allow_blank=True)
    config = ConfigField(required=False)
    price = PriceField(required=False)
    options = serializers.DictField(
        required=False,
        help_text="By name: starts_by_itself, seats_late_by_hand, auto_arrange, pays_by_itself, "
        "pause_seconds, rebuy_seconds, bots_rebuy.",
    )
    starts_when_full = FlagField(required=False)
    when_short = serializers.ChoiceField(Tournament.WhenShort.choices, required=False)
    entry_code = Text(max_length=LONGEST["entry_code"], required=False, allow_blank=True)
    bots = WholeNumber(required=False, min_value=0, max_value=MOST["bots"])
    recurs_minutes = WholeNumber(required=False, min_value=0, max_value=MOST["recurs_minutes"])
    recurs_times = WholeNumber(required=False, min_value=0, max_value=MOST["recurs_times"])
    recurs_when_full = FlagField(required=False)


class PlacedOrder(EventTermsOrder):
    """With when it is, and what it belongs to."""

    starts_at = MomentField(required=False, allow_null=True)
    registration_opens_at = MomentField(required=False, allow_null=True)
    series = some_id(source="series_id", required=False, allow_null=True)
    season = some_id(source="season_id", required=False, allow_null=True)
    final = some_id(
        source="parent_id",
        required=False,
        allow_null=True,
        help_text="Makes it a flight to this event; name the `flight`.",
    )
    flight = Text(required=False, allow_blank=True, max_length=10)
    satellite_to = some_id(source="satellite_to_id", required=False, allow_null=True)


class TournamentOrder(PlacedOrder):
    """A new event; with a `template`, what is left out comes from it."""

    template = some_id(source="template_id", required=False, allow_null=True)


class TermsChange(Change, EventTermsOrder):
    """Terms that are to be different; of the parts of `config`, `price` and `options` those that are named."""

    config = ConfigPartField(required=False, help_text="The fields that change, each whole; null: its default.")
    price = PricePartField(required=False, help_text="The prices that change, each whole; null: none.")
    options = PartField(required=False, help_text="The options that change, by name; null: as usual.")


class TournamentChange(TermsChange, PlacedOrder):
    """What is to be different; of the parts of `config`, `price` and `options` those that are named."""

    version = WholeNumber(
        required=False, min_value=0, max_value=MOST_ID, help_text="The event's as you saw it; 409 when it is another."
    )


#: What `BoardView` tells, beside `you`.
BOARD = ("seq", "now", "you", "event", "clock", "levels", "counts", "payouts", "tables", "moves", "deal")


class ToldCount(serializers.Serializer[Any]):
    told = serializers.IntegerField(help_text="How many were told.")


class EntryRow(serializers.ModelSerializer[TournamentEntry]):
    """An entry. `place` is there once the event is over; `pending` are chips that wait for the end of a hand."""

    place = serializers.IntegerField(allow_null=True)
    pending = serializers.SerializerMethodField()

    class Meta:
        model = TournamentEntry
        fields = (
            *("number", "name", "state", "how", "at", "re_entry_of", "table", "seat", "chips", "place", "tied"),
            *("prize", "bounty", "bounties_won", "rebuys", "add_ons", "out_at", "arrived_at", "pending"),
        )

    def get_pending(self, row: TournamentEntry) -> int:
        return sum(int(purchase["chips"]) for purchase in row.pending)


class OwnReEnterOrder(RequestBody):
    """What a player may say who buys for themselves on a page: it comes out of their wallet, or is a ticket."""

    ticket = some_id(source="ticket_id", required=False, allow_null=True)


class OwnEnterOrder(OwnReEnterOrder):
    entry_code = Text(required=False, allow_blank=True, max_length=40)


class AutomaticRebuys(serializers.Serializer[Any]):
    on = serializers.BooleanField()


class PaymentRow(serializers.ModelSerializer[Payment]):
    """A receipt for what was paid."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    total = serializers.IntegerField()
    refund_reason = Sentence(required=False, allow_blank=True, max_length=200)

    class Meta:
        model = Payment
        fields = (
            *("number", "entry", "name", "what", "method", "total", "pool", "fee", "bounty", "staff", "chips", "at"),
            *("refunded_at", "refund_reason"),
        )
