"""The shapes of what is won in an event."""

from rest_framework import serializers

from tournaments.prizes.models import Payout


class PayoutRow(serializers.ModelSerializer[Payout]):
    """A receipt for what was won."""

    entry = serializers.IntegerField(source="entry.number")
    name = serializers.CharField(source="entry.name")

    class Meta:
        model = Payout
        fields = ("number", "entry", "name", "what", "place", "amount", "state", "method", "made_at", "paid_at")
