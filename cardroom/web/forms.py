"""Forms of the house's pages."""

from django import forms

from cardroom.services import tokens

_SCOPES = {"read": "See what I see", "play": "Sit down, act and leave in my name"}


class TokenForm(forms.Form):
    """A new key for programs."""

    name = forms.CharField(max_length=tokens.LONGEST_NAME, help_text="What it is for, such as “my notebook”.")
    scopes = forms.MultipleChoiceField(
        choices=[(scope, _SCOPES[scope]) for scope in tokens.SCOPES],
        widget=forms.CheckboxSelectMultiple,
        initial=["read"],
        label="It may",
    )
    days = forms.IntegerField(min_value=1, max_value=tokens.MOST_DAYS, initial=tokens.DAYS, label="Days it is good for")
