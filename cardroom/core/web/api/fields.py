"""Strict serializers of request bodies: "12" is no number, and true is not 1."""

import re
from collections.abc import Mapping
from typing import Any

from django.core.validators import MaxValueValidator, RegexValidator
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.fields import empty

from cardroom.core import access
from cardroom.core.errors import Invalid
from cardroom.core.sentences import StoredText, filled, filled_lazy, to_text
from cardroom.core.titles import title
from cardroom.core.web.api import routes
from cardroom.core.web.parts import day_of, moment_of, whole_number_or_none
from cardroom.core.web.problems import TOGETHER

MOST_CHIPS = 10**12


class _Limited(serializers.IntegerField):
    """An integer field whose errors write limits as the reader writes numbers."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for validator in self.validators:
            if isinstance(validator, MaxValueValidator):
                words = gettext_lazy("Ensure this value is less than or equal to {max_value:,}.")
                validator.message = filled_lazy(words, max_value=validator.limit_value)


class WholeNumber(_Limited):
    """A JSON number without a fraction, and no greater than a database keeps."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_value": 2**63 - 1, **options})

    def to_internal_value(self, data: Any) -> int:
        if type(data) is float and data.is_integer():
            data = int(data)
        if type(data) is not int:
            self.fail("invalid")
        return data


class ChipsField(WholeNumber):
    """At least one chip, and no more than the house could ever have."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": MOST_CHIPS, **options})


class Keyed(serializers.DictField):
    """Values by numbers, which are words in JSON: `{"4": 900}`. `key`: what of them is one, as a regular expression;
    `words`: what is said of any other, with `{wrong}`."""

    def __init__(self, *, key: str, words: Any, **options: Any) -> None:
        super().__init__(**options)
        self.key, self.words = key, words

    def to_internal_value(self, data: Any) -> dict[int, Any]:
        if isinstance(data, dict) and (wrong := [name for name in data if not re.search(self.key, str(name))]):
            raise ValidationError(filled(str(self.words), wrong=str(wrong[0])[:20]))
        return {int(name): value for name, value in super().to_internal_value(data).items()}


class Together(ValidationError):
    """Raised where each field is well formed, but together they are not."""

    def __init__(self, detail: Any) -> None:
        super().__init__(detail, TOGETHER)


class PersonField(ChipsField):
    """The number of an account, read as the account. Refuses (`NotFound`) where there is none."""

    def run_validation(self, data: Any = empty) -> Any:
        number = super().run_validation(data)
        return None if number is None else access.get_user(number)


class Text(serializers.CharField):
    """A JSON string."""

    def to_internal_value(self, data: Any) -> str:
        if type(data) is not str:
            self.fail("invalid")
        return super().to_internal_value(data)


class Sentence(serializers.CharField):
    """A text of a person as it is, or a stored text of the house in the reader's language."""

    def to_representation(self, value: StoredText) -> str:
        return to_text(value)


class Reason(Text):
    """Why something is done, which is kept."""

    def __init__(self, **options: Any) -> None:
        words = dict.fromkeys(
            ("required", "blank", "min_length", "max_length"), gettext_lazy("Enter a reason of 3 to 300 characters.")
        )
        super().__init__(**{"min_length": 3, "max_length": 300, "error_messages": words, **options})


class FlagField(serializers.BooleanField):
    """A JSON true or false."""

    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class RequestBody(serializers.Serializer[Any]):
    """The body of a request that changes something. An unknown field is refused.

    `read(request)` gives the fields, or raises the 400 that names each one at fault.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(map(str, data)) - set(self.fields))):
            raise ValidationError({name: [gettext("There is no such field.")] for name in unknown})
        return super().to_internal_value(data)

    @classmethod
    def read(cls, request: Any) -> dict[str, Any]:
        order = cls(data=request.data)
        order.is_valid(raise_exception=True)
        return order.validated_data

    @classmethod
    def typed(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The fields from the form of a page, where every value is text and an empty one is left out unless the field
        may be blank. `Invalid` with the first error."""
        order = cls(data=cls.told_by(form))
        if not order.is_valid():
            name, errors = next(iter(order.errors.items()))
            called, fault = title(name), _first(errors)
            if isinstance(order.fields.get(name), serializers.IntegerField) and fault.code == "invalid":
                raise Invalid("bad-number", "{title} is a whole number.", title=called)
            raise Invalid("bad-form", "{name}: {words}", name=called, words=fault)
        return order.validated_data

    @classmethod
    def told_by(cls, form: Mapping[str, str]) -> dict[str, Any]:
        """The values of a form as a program would send them."""
        own_fields = cls().fields.items()
        words = {name: _said(field, name, form) for name, field in own_fields}
        is_said = {
            name
            for name, field in own_fields
            if words[name] is not None or (field.allow_null and (field.required or name in form))
        }
        return {name: words[name] for name in is_said}


def _said(field: serializers.Field, name: str, form: Mapping[str, str]) -> Any:
    """The value of a field in a form; None where it is missing. A field with a way of its own to read text has
    `said(words)`."""
    if hasattr(field, "said"):
        return field.said(form[name].strip()) if name in form else None
    if isinstance(field, serializers.Serializer):
        inner = {inner_name: _said(inner_field, inner_name, form) for inner_name, inner_field in field.fields.items()}
        return {inner_name: words for inner_name, words in inner.items() if words is not None} or None
    if isinstance(field, serializers.ListField):
        words = form.getlist(name) if isinstance(form, QueryDict) else []
        return [_number(word) if isinstance(field.child, serializers.IntegerField) else word for word in words] or None
    if isinstance(field, serializers.DictField):
        pairs = ((key.removeprefix(f"{name}-"), value) for key, value in form.items() if key.startswith(f"{name}-"))
        return {key: _number(value) for key, value in pairs if value} or None
    text = form.get(name, "")
    if getattr(field, "trim_whitespace", True):
        text = text.strip()
    if isinstance(field, serializers.BooleanField):
        return {"yes": True, "on": True, "1": True, "no": False, "0": False, "false": False}.get(text)
    if not text:
        return "" if name in form and getattr(field, "allow_blank", False) else None
    if isinstance(field, serializers.DateTimeField):
        return moment_of(text)
    if isinstance(field, serializers.DateField):
        return day_of(text)
    return _number(text) if isinstance(field, serializers.IntegerField) else text


def _number(text: str) -> int | str:
    """The number; with commas or spaces, as people write thousands. As it was typed, where it is none."""
    number = whole_number_or_none(text)
    return text if number is None else number


def _first(errors: Any) -> ErrorDetail:
    while not isinstance(errors, ErrorDetail):
        errors = next(iter(errors.values() if isinstance(errors, dict) else errors))
    return errors


class Change(RequestBody):
    """A patch: at least one of its fields is sent, and what is left out stays as it is. None of them is required, and
    none says anything by itself."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise ValidationError(dict.fromkeys(self.fields, gettext("Send at least one of these.")))
        return attrs


class NoBody(RequestBody):
    """Nothing needs to be said."""


class Number(_Limited):
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
        routes.note_parameters(request, *query.fields)
        query.is_valid(raise_exception=True)
        return query.validated_data
