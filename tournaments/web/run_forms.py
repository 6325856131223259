"""What a hand, a count and a chip race are sent as by the pages of the floor and the tablets."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import QueryDict

from cardroom.services.errors import Invalid

_MOST = 10**15
_LARGEST_ID = 2**31
_MOST_NAMED = 12


class Count(forms.IntegerField):
    """A whole number as people write it: `12,500` and `12 500` too."""

    def __init__(self, *, required: bool = True, least: int = 0, most: int = _MOST) -> None:
        super().__init__(required=required, min_value=least, max_value=most)

    def to_python(self, value: Any) -> int | None:
        return super().to_python(re.sub(r"[,\s\u00a0\u202f]", "", str(value)) if value else value)


class Number(forms.IntegerField):
    """The number of an entry, a table or a seat."""

    def __init__(self, *, required: bool = True, least: int = 1) -> None:
        super().__init__(required=required, min_value=least, max_value=_LARGEST_ID)


class OrderForm(forms.Form):
    """`expected_seq`: the event's, as the director saw it; `command_id`: the page's own word for this order."""

    expected_seq = forms.IntegerField(required=False, min_value=0, max_value=_LARGEST_ID)
    command_id = forms.CharField(required=False, max_length=40)


def sent(form: type[forms.Form], data: QueryDict) -> dict[str, Any]:
    """What the form says; `Invalid`, naming the field at fault, where it makes no sense."""
    bound = form(data)
    if not bound.is_valid():
        field, complaints = next(iter(bound.errors.items()))
        raise Invalid(f"{field.replace('_', ' ').capitalize()}: {complaints[0]}", "bad-form")
    return bound.cleaned_data


def hand(data: QueryDict) -> tuple[list[tuple[int, int | None]], list[int]]:
    """Who is out in a hand, `out` with `had-<entry>` for what each had, and `by`, who won their chips."""
    out, by = _numbers(data, "out"), _numbers(data, "by")
    return [(number, count(data.get(f"had-{number}", ""), f"What entry {number} had")) for number in out], by


def stacks(data: QueryDict) -> list[tuple[int, int]]:
    """(entry, chips) of the stacks that were counted, from the fields `chips-<entry>`; those left empty were not.
    `Invalid` without any."""
    named = [name.removeprefix("chips-") for name in data if name.startswith("chips-")][:_MOST_NAMED]
    told = [(number, count(data.get(f"chips-{number}", ""), f"Chips of entry {number}")) for number in _whole(named)]
    counted = [(number, chips) for number, chips in told if chips is not None]
    if not counted:
        raise Invalid("Write down what was counted.", "nothing-counted")
    return counted


def count(text: str, what: str) -> int | None:
    """A number of chips that may be left out; `Invalid`, naming it, for what is no number."""
    field = Count(required=False)
    try:
        return field.clean(text)  # type: ignore[no-any-return]
    except forms.ValidationError as error:
        raise Invalid(f"{what}: {error.messages[0]}", "bad-form") from None


def _numbers(data: QueryDict, name: str) -> list[int]:
    return _whole(data.getlist(name)[:_MOST_NAMED])


def _whole(said: list[str]) -> list[int]:
    if not all(each.isascii() and each.isdigit() and len(each) < 10 for each in said):
        raise Invalid("An entry is named by its number.", "bad-form")
    return [int(each) for each in said]
