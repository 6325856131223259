"""What the small moves at a table are sent as."""

from typing import Any

from django import forms
from django.http import HttpRequest

from cardroom.services.errors import Invalid

_MOST = 10**12


class SitForm(forms.Form):
    number = forms.IntegerField(min_value=1, max_value=8, required=False)
    buy_in = forms.IntegerField(min_value=1, max_value=_MOST)
    key = forms.CharField(max_length=40, required=False)


class TopUpForm(forms.Form):
    amount = forms.IntegerField(min_value=1, max_value=_MOST)
    key = forms.CharField(max_length=40, required=False)


class MoveForm(forms.Form):
    key = forms.CharField(max_length=40, required=False)


class PracticeForm(forms.Form):
    rulebook = forms.CharField(max_length=80)
    game = forms.CharField(max_length=40)
    setting = forms.CharField(max_length=20)
    rate = forms.IntegerField(min_value=0, max_value=100)
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    key = forms.CharField(max_length=40, required=False)


class _Several(forms.CharField):
    """A field that may come several times: the list of what it said."""

    widget = forms.SelectMultiple

    def clean(self, value: list[str]) -> list[str]:
        return [super(_Several, self).clean(each) for each in value or [""]]


class PracticeAnswerForm(forms.Form):
    number = forms.IntegerField(min_value=1, max_value=10**6)
    choice = _Several(max_length=100)


def sent(form: type[forms.Form], request: HttpRequest) -> dict[str, Any]:
    """What the form says; `Invalid`, naming the field at fault, where it makes no sense."""
    bound = form(request.POST)
    if not bound.is_valid():
        field, complaints = next(iter(bound.errors.items()))
        raise Invalid(f"{field.replace('_', '-').capitalize()}: {complaints[0]}", "bad-form")
    return bound.cleaned_data
