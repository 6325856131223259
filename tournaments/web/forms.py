"""What the small moves around an entry are sent as."""

from typing import Any

from django import forms
from django.http import QueryDict

from cardroom.services.errors import Invalid


class KeyForm(forms.Form):
    """`key`: the page's own word for this one request, so that sending it twice is doing it once."""

    key = forms.CharField(max_length=40, required=False)


class AutomaticForm(forms.Form):
    on = forms.BooleanField(required=False)


class ReEnterForm(KeyForm):
    ticket_id = forms.IntegerField(min_value=1, max_value=2**62, required=False)


class RegisterForm(ReEnterForm):
    entry_code = forms.CharField(max_length=40, required=False)


class DeskEntryForm(ReEnterForm):
    """One of `player_id`, a member, and `guest`, a name."""

    player_id = forms.IntegerField(min_value=1, max_value=2**62, required=False)
    guest = forms.CharField(max_length=60, required=False)
    method = forms.CharField(max_length=10, required=False)


class DeskBuyForm(KeyForm):
    """`stack`: what the player has in front of them now."""

    method = forms.CharField(max_length=10, required=False)
    stack = forms.IntegerField(min_value=0, max_value=10**12, required=False)


class MemberForm(forms.Form):
    member = forms.CharField(max_length=150)


class ReasonForm(forms.Form):
    reason = forms.CharField(max_length=200, required=False)


class NoShowsForm(forms.Form):
    """`seq`: the event's, as the desk saw it."""

    entrants = forms.TypedMultipleChoiceField(coerce=int, required=True)
    seq = forms.IntegerField(min_value=0, max_value=2**31, required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        numbers = [each for each in data.getlist("entrants") if each.isascii() and each.isdigit() and len(each) < 10]
        self.fields["entrants"].choices = [(each, each) for each in numbers]  # type: ignore[attr-defined]
        self.fields["entrants"].error_messages["required"] = "tick who did not come."


def sent(form: type[forms.Form], data: QueryDict) -> dict[str, Any]:
    """What the form says; `Invalid`, naming the field at fault, where it makes no sense."""
    bound = form(data)
    if not bound.is_valid():
        field, complaints = next(iter(bound.errors.items()))
        raise Invalid(f"{field.replace('_', ' ').capitalize()}: {complaints[0]}", "bad-form")
    return bound.cleaned_data
