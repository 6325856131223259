"""The shapes of the house's resources."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers

from cardroom.services import sealed_views, tokens
from cardroom.web.api.fields import Flag, Order, Text, WholeNumber

_NAME = r"^\w[\w .:()'-]{0,59}$"


class Wallet(serializers.Serializer[Any]):
    unit = serializers.CharField(help_text="What the chips are; `cash` for those of the cash tables.")
    balance = serializers.IntegerField()


class Me(serializers.Serializer[Any]):
    """The one who asks."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The screen name, as the table sees it.")
    four_colour = serializers.BooleanField(help_text="Whether the four-colour deck is preferred.")
    wants_mail = serializers.BooleanField(help_text="Whether the room may write e-mail: of tournaments, and of calls.")
    time_zone = serializers.CharField(allow_blank=True, help_text="Of the pages you read; empty: the room's.")
    roles = serializers.ListField(child=serializers.CharField(), help_text="Roles of the room; a player has none.")
    wallet = Wallet()


class MeOrder(Order):
    """What you like: at least one of these."""

    four_colour = Flag(required=False, help_text="Whether to draw cards in four colours.")
    wants_mail = Flag(required=False, help_text="Whether to get e-mail about your tournaments, and calls.")
    time_zone = Text(required=False, max_length=60, allow_blank=True, help_text="Such as Europe/Berlin, for pages.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError(dict.fromkeys(self.fields, "Say at least one of these."))
        return attrs


class StatementLine(serializers.Serializer[Any]):
    """One movement on the wallet."""

    id = serializers.IntegerField(source="entry")
    at = serializers.DateTimeField()
    reference = serializers.CharField(help_text="What it belongs to, such as buy-in:7.")
    reason = serializers.CharField()
    amount = serializers.IntegerField(help_text="Chips into the wallet; negative: out of it.")
    balance = serializers.IntegerField(help_text="What the wallet held after it.")


class Token(serializers.Serializer[Any]):
    """A key of a program, without its secret."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(source="scope_names", child=serializers.ChoiceField(tokens.SCOPES))
    begins_with = serializers.CharField(source="token_key", help_text="The first letters of the secret.")
    created = serializers.DateTimeField()
    expires = serializers.DateTimeField(source="expiry")


class NewToken(Token):
    """A key that was just made."""

    token = serializers.CharField(
        allow_null=True, help_text="The secret, shown this once; null when the request is a repeat."
    )


class TokenOrder(Order):
    """What the new key is for."""

    name = Text(
        validators=[RegexValidator(_NAME, "A name is 1 to 60 letters, digits, spaces and . : ( ) ' - after a letter.")],
        help_text="For yourself: which program has it.",
    )
    scopes = serializers.ListField(
        child=serializers.ChoiceField(tokens.SCOPES),
        min_length=1,
        max_length=len(tokens.SCOPES),
        help_text="`read`: see what you see. `play`: sit down, enter events, act and leave in your name. "
        "`direct`: what your roles let you do for others.",
    )
    days = WholeNumber(default=tokens.DAYS, min_value=1, max_value=tokens.MOST_DAYS, help_text="How long it is good.")


class SealedView(serializers.Serializer[Any]):
    """A view of sealed cards."""

    id = serializers.IntegerField()
    reason = serializers.CharField()
    opened_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="When it ends by itself.")


class SealedViewOrder(Order):
    reason = Text(min_length=5, max_length=300, help_text="Why sealed cards have to be seen.")
    minutes = WholeNumber(
        default=sealed_views.MINUTES, min_value=1, max_value=sealed_views.MOST_MINUTES, help_text="How long it is open."
    )
