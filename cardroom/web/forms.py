"""Forms of the house's pages."""

from django import forms

from cardroom.services import tokens

_SCOPES = {
    "read": "See what I see",
    "play": "Sit down, enter events, act and leave in my name",
    "direct": "Deal, rule, run events, lists and tables, as far as my roles go",
    "cage": "Move players' chips and keep their cards, as far as my roles go",
    "manage": "Put games on offer, set limits, ban, as far as my roles go",
}


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
