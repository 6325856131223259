"""What the small forms at seats are sent as."""

from django import forms

MOST = 10**12


class TableForm(forms.Form):
    """Something about a whole table in the room."""

    amount = forms.IntegerField(min_value=1, max_value=MOST, required=False)
    promo = forms.IntegerField(min_value=0, max_value=MOST, required=False)
    jackpot = forms.IntegerField(min_value=0, max_value=MOST, required=False)
    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=40, required=False)


class PlaceForm(forms.Form):
    """Seat somebody: by screen name, member number or card."""

    who = forms.CharField(max_length=80, error_messages={"required": "Say who."})
    number = forms.IntegerField(min_value=1, max_value=8, required=False)
    buy_in = forms.IntegerField(min_value=1, max_value=MOST, error_messages={"required": "Say with how much."})
    key = forms.CharField(max_length=40, required=False)


class HoldForm(forms.Form):
    """Hold a seat for somebody; no minutes: it is reserved until it is given up."""

    who = forms.CharField(max_length=80, error_messages={"required": "Say who."})
    number = forms.IntegerField(min_value=1, max_value=8, required=False)
    minutes = forms.IntegerField(min_value=1, max_value=24 * 60, required=False)


class SeatedForm(forms.Form):
    """Something about somebody who sits there."""

    player = forms.IntegerField(min_value=1)
    reason = forms.CharField(max_length=300, required=False)
    number = forms.IntegerField(min_value=1, max_value=8, required=False)
    to = forms.IntegerField(min_value=1, required=False)
    count = forms.IntegerField(min_value=0, max_value=MOST, required=False)
    amount = forms.IntegerField(min_value=1, max_value=MOST, required=False)
    key = forms.CharField(max_length=40, required=False)
