"""The shapes of receipts: what was paid for entries, what was won, and tickets."""

from rest_framework import serializers

from tournaments.models import Payment, Payout, Ticket


class PaymentRow(serializers.ModelSerializer[Payment]):
    """A receipt for what was paid."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")
    total = serializers.IntegerField()

    class Meta:
        model = Payment
        fields = (
            *("number", "entry", "name", "what", "method", "total", "pool", "fee", "bounty", "staff", "chips", "at"),
            *("refunded_at", "refund_reason"),
        )


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
    tournament = serializers.IntegerField(source="tournament_id", allow_null=True, help_text="What it is good for.")
    series = serializers.IntegerField(source="series_id", allow_null=True)
    won_in = serializers.IntegerField(source="won_in_id", allow_null=True)

    class Meta:
        model = Ticket
        fields = (
            *("id", "code", "player", "tournament", "series", "value", "state", "won_in", "reason", "issued_at"),
            *("expires_at", "ended_at"),
        )
