"""Fields of the bodies and answers of events: the engine's own JSON, moments, and members by name.

Terms and facts of events are the engine's JSON: the engine reads them, and they are described off its classes, so that
what is added there is described here at once.
"""

from typing import Any

from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from cardroom.core.errors import Invalid, NotFound
from cardroom.core.models import User
from cardroom.core.sentences import translated
from cardroom.core.web.api.fields import MOST_CHIPS, Text, WholeNumber
from tournaments.engine import plain
from tournaments.engine.config import EventConfig
from tournaments.engine.errors import EventSentence
from tournaments.events import terms


class PlainField(serializers.Field[Any, Any, Any, Any]):
    """A dataclass of the engine as JSON; a field that is left out has its default."""

    kind: type = EventConfig

    def __init__(self, *, kind: type | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.kind = kind or self.kind

    def to_internal_value(self, data: Any) -> Any:
        try:
            _check_numbers(data, self.field_name or "")
            return plain.from_plain(self.kind, data, self.field_name or "")
        except ValueError as error:
            raise ValidationError(translated(error.args[0])) from None

    def to_representation(self, value: Any) -> Any:
        return value if isinstance(value, dict) else plain.to_plain(value)


class ConfigField(PlainField):
    """An `EventConfig`, stored as its JSON."""

    def to_internal_value(self, data: Any) -> Any:
        return plain.to_plain(super().to_internal_value(data))


class PriceField(serializers.Field[Any, Any, Any, Any]):
    """What each kind of payment costs, in its parts."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return terms.to_json(terms.read(data))
        except Invalid as error:
            raise ValidationError(translated(error.message)) from None

    def to_representation(self, value: Any) -> Any:
        return value


class PartField(serializers.DictField):
    """Those parts of something that are to be different; the others stay as they are."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            _check_numbers(data, self.field_name or "")
        except ValueError as error:
            raise ValidationError(translated(error.args[0])) from None
        return terms.PartialChange(super().to_internal_value(data))


class ConfigPartField(PartField):
    """Fields of an `EventConfig`, each whole; null: its default."""


class PricePartField(PartField):
    """Prices by what they are for; null: none."""


_DAY, _HOUR, _SIXTY = "[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "([01][0-9]|2[0-3])", "[0-5][0-9]"


class MomentField(Text):
    """A moment with its time zone."""

    pattern = rf"^{_DAY}T{_HOUR}:{_SIXTY}(:{_SIXTY}(\.[0-9]{{1,6}})?)?(Z|[+-]{_HOUR}:{_SIXTY})$"
    #: What the schema calls it.
    format = "date-time"
    words = gettext_lazy("A moment is such as 2030-01-05T20:00:00Z.")
    read: type = serializers.DateTimeField

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"validators": [RegexValidator(self.pattern, self.words)], **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        text = super().run_validation(data)
        return self.read().to_internal_value(text) if isinstance(text, str) else text


class DayField(MomentField):
    """A date."""

    pattern = f"^{_DAY}$"
    format = "date"
    words = gettext_lazy("A day is such as 2030-01-05.")
    read = serializers.DateField


def _check_numbers(data: Any, where: str) -> None:
    """Numbers that no event ever has are refused before anything counts with them."""
    if type(data) is int and not 0 <= data <= MOST_CHIPS:
        raise ValueError(
            EventSentence(
                "{where}: a whole number from 0 to {most:,} is wanted, not {data}",
                where=where,
                most=MOST_CHIPS,
                data=data,
            )
        )
    inner = data.items() if isinstance(data, dict) else enumerate(data, 1) if isinstance(data, list) else ()
    for name, value in inner:
        _check_numbers(value, f"{where}.{name}")


DIRECTORS = "For directors."
TABLES = "For directors, and for the floor and the dealers at the tables."
MOST_SEQ = 2**31 - 1
MOST_ID = 2**62


def seq() -> WholeNumber:
    return WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_SEQ,
        help_text="The event's `seq` as you saw it; 409, and what was done meanwhile, when it has moved on.",
    )


def some_id(**options: Any) -> WholeNumber:
    return WholeNumber(min_value=1, max_value=MOST_ID, **options)


class MemberField(Text):
    """Somebody with an account, by their screen name: the account. Refuses (`NotFound`) where there is none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 150, **options})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        return member_called(super().run_validation(data))


def member_called(name: str) -> User:
    player = User.objects.filter(username__iexact=name, is_bot=False, is_active=True).first()
    if player is None:
        raise NotFound("no-such-player", "There is no member called {name}.", name=name)
    return player
