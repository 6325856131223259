"""Payouts and tickets, as pages and programs send and get them."""

from rest_framework import serializers

from cardroom.core.web.api.fields import RequestBody, Sentence, Text
from tournaments.events.pages.fields import MemberField, some_id
from tournaments.prizes.models import Payout, Ticket


class PayoutRow(serializers.ModelSerializer[Payout]):
    """A receipt for what was won."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")

    class Meta:
        model = Payout
        fields = ("number", "entry", "name", "what", "place", "amount", "state", "method", "made_at", "paid_at")


class TicketRow(serializers.ModelSerializer[Ticket]):
    """A ticket: an entry won or given."""

    player = serializers.CharField(source="player.username")
    tournament = serializers.IntegerField(
        source="tournament_id", allow_null=True, help_text="The event it is valid for."
    )
    series = serializers.IntegerField(source="series_id", allow_null=True)
    won_in = serializers.IntegerField(source="won_in_id", allow_null=True)
    reason = Sentence(required=False, allow_blank=True, max_length=200)

    class Meta:
        model = Ticket
        fields = (
            *("id", "code", "player", "tournament", "series", "value", "state", "won_in", "reason", "issued_at"),
            *("expires_at", "ended_at"),
        )


class GiveTicketOrder(RequestBody):
    player = MemberField(help_text="The player's screen name.")
    tournament = some_id(source="tournament_id", help_text="The event it is valid for.")
    reason = Text(max_length=200)
