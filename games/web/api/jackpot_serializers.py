"""The shapes of jackpots."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from cardroom.web.api.fields import Chips, Flag, Order, Text, WholeNumber
from games.services.jackpot_changes import WHOLE


class Share(serializers.Serializer[Any]):
    player = serializers.CharField(source="player.username")
    seat = serializers.IntegerField()
    part = serializers.CharField(help_text="loser, winner or table.")
    chips = serializers.IntegerField()


class Hit(serializers.Serializer[Any]):
    """A jackpot that was hit. Nothing is paid before a second person has approved it."""

    id = serializers.IntegerField()
    jackpot = serializers.IntegerField(source="jackpot_id")
    table = serializers.IntegerField(source="table_id")
    hand = serializers.IntegerField(source="hand_id", allow_null=True, help_text="null at a table in the room.")
    losing = serializers.CharField(source="losing_words")
    winning = serializers.CharField(source="winning_words")
    amount = serializers.IntegerField()
    state = serializers.CharField(help_text="waiting, paid or refused.")
    approval = serializers.IntegerField(source="approval_id", allow_null=True)
    at = serializers.DateTimeField()
    shares = Share(many=True)


class JackpotOut(serializers.Serializer[Any]):
    """A jackpot, and what a hit now would pay."""

    id = serializers.IntegerField(source="jackpot.pk")
    name = serializers.CharField(source="jackpot.name")
    state = serializers.CharField(source="jackpot.state")
    chips = serializers.IntegerField(help_text="What a hit now would pay.")
    claimed = serializers.IntegerField(help_text="What hits that are being checked have a claim to.")
    backup = serializers.IntegerField(source="in_backup", help_text="What it starts again with.")
    least_hand = serializers.CharField(source="jackpot.least_hand")
    least_hand_words = serializers.CharField(source="least")
    least_downcards = serializers.IntegerField(source="jackpot.least_downcards")
    least_players = serializers.IntegerField(source="jackpot.least_players")
    seed = serializers.IntegerField(source="jackpot.seed")
    backup_percent = serializers.IntegerField(source="jackpot.backup_percent")
    loser_percent = serializers.IntegerField(source="jackpot.loser_percent")
    winner_percent = serializers.IntegerField(source="jackpot.winner_percent")
    table_percent = serializers.IntegerField()
    loser_bonus = serializers.IntegerField(source="jackpot.loser_bonus")
    winner_bonus = serializers.IntegerField(source="jackpot.winner_bonus")
    table_bonus = serializers.IntegerField(source="jackpot.table_bonus")
    growth = serializers.IntegerField(source="jackpot.growth")
    growth_minutes = serializers.IntegerField(source="jackpot.growth_minutes")


class Asked(serializers.Serializer[Any]):
    """What a second person has to decide: see `approvals`."""

    id = serializers.IntegerField()
    words = serializers.CharField()
    verdict = serializers.CharField(help_text="Empty while it waits.")


class ChangeOrder(Order):
    """What is to become of a jackpot; what is left out stays as it is, and for a new one has the usual value."""

    name = Text(required=False, max_length=60)
    least_hand = Text(required=False, max_length=10, help_text="Five cards, as in JsJhJdJc2s.")
    least_downcards = WholeNumber(required=False, min_value=WHOLE["least_downcards"][0], max_value=3)
    least_players = WholeNumber(required=False, min_value=WHOLE["least_players"][0], max_value=8)
    seed = Chips(required=False, min_value=0)
    backup_percent = WholeNumber(required=False, min_value=0, max_value=100)
    loser_percent = WholeNumber(required=False, min_value=0, max_value=100)
    winner_percent = WholeNumber(required=False, min_value=0, max_value=100)
    loser_bonus = Chips(required=False, min_value=0)
    winner_bonus = Chips(required=False, min_value=0)
    table_bonus = Chips(required=False, min_value=0)
    growth = Chips(required=False, min_value=0)
    growth_minutes = WholeNumber(required=False, min_value=0, max_value=WHOLE["growth_minutes"][1])
    add = Chips(required=False, min_value=0, default=0, help_text="Chips that the house adds.")
    is_closed = Flag(required=False, default=False)
    reason = Text(max_length=300)


class HitOrder(Order):
    """A hit at a table in the room, as the floor saw it."""

    table = WholeNumber(source="table_id", min_value=1)
    loser = WholeNumber(min_value=1, max_value=8, help_text="The seat of the losing hand.")
    winner = WholeNumber(min_value=1, max_value=8)
    losing = Text(max_length=14, help_text="Its cards, five to seven.")
    winning = Text(max_length=14)
    players = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=8), required=False, default=list, max_length=8,
        help_text="Seats dealt in; none: everybody seated.",
    )  # fmt: skip

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """Cards may be typed apart, as people write them."""
        apart = form.copy()  # type: ignore[attr-defined]
        for name in ("losing", "winning"):
            apart[name] = "".join(form.get(name, "").split())
        return super().typed(apart)
