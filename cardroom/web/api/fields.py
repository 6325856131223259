"""Serializers that take what they ask for and nothing that looks like it: "12" is no number, and true is not 1."""

from typing import Any

from django.core.validators import RegexValidator
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from cardroom.web.api import queries

MOST_CHIPS = 10**12


class WholeNumber(serializers.IntegerField):
    """A JSON number without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is float and data.is_integer():
            data = int(data)
        if type(data) is not int:
            self.fail("invalid")
        return data


class Chips(WholeNumber):
    """At least one chip, and no more than the house could ever have."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": MOST_CHIPS, **options})


class Text(serializers.CharField):
    """A JSON string."""

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """A JSON true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class Order(serializers.Serializer[Any]):
    """The body of a request that changes something. A field it does not know is a mistake the sender wants to hear of.

    `read(request)` gives the fields, or raises the 400 that names each one at fault.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise ValidationError({name: ["There is no such field."] for name in unknown})
        return super().to_internal_value(data)

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        order = cls(data=request.data)
        order.is_valid(raise_exception=True)
        return order.validated_data


class Number(serializers.IntegerField):
    """A whole number in an address, from 0."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": MOST_CHIPS, **options})


class Word(serializers.CharField):
    """A word in an address."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"validators": [RegexValidator(r"^[A-Za-z0-9-]{1,40}$")], **options})


class Query(serializers.Serializer[Any]):
    """What may stand after the `?` of an address."""

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        query = cls(data=request.query_params.dict())
        queries.know(request, *query.fields)
        query.is_valid(raise_exception=True)
        return query.validated_data
