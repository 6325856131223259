"""The shapes of receipts: what was paid for entries, and what was won."""

from rest_framework import serializers

from tournaments.models import Payment, Payout


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
