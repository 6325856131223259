"""What the forms of lists are sent as."""

from typing import Any

from django import forms
from django.http import HttpRequest

from games.web.forms import sent

_MOST = 10**12
SEATS = [(str(number), str(number)) for number in range(1, 9)]


class Numbers(forms.MultipleChoiceField):
    """Some numbers; which there are, whoever is asked knows."""

    def valid_value(self, value: str) -> bool:
        return value.isascii() and value.isdigit() and int(value) <= _MOST


class MoveKey(forms.Form):
    """Nothing but the caller's own word for their request."""

    key = forms.CharField(max_length=40, required=False)


class JoinForm(MoveKey):
    """A player's own name on a list."""

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in ("list", "seat-change", "table-change")], required=False)
    table = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    seats = forms.MultipleChoiceField(choices=SEATS, required=False)
    tables = Numbers(required=False)
    accessible = forms.BooleanField(required=False)
    note = forms.CharField(max_length=120, required=False)

    def wishes(self) -> dict[str, Any]:
        said = self.cleaned_data
        return {
            "seats": [int(number) for number in said["seats"]],
            "tables": [int(number) for number in said["tables"]],
            "accessible": said["accessible"],
            "note": said["note"],
        }


class AddForm(JoinForm):
    """A name that staff puts on a list: of somebody who was found, or that was said on the telephone."""

    offer = forms.IntegerField(min_value=1, max_value=_MOST)
    player = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    name = forms.CharField(max_length=60, required=False)
    phone = forms.CharField(max_length=30, required=False)

    def wishes(self) -> dict[str, Any]:
        return super().wishes() | {"phone": self.cleaned_data["phone"]}


class SeatForm(MoveKey):
    """A seat for somebody on a list."""

    table = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    number = forms.IntegerField(min_value=1, max_value=8, required=False)
    buy_in = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    count = forms.IntegerField(min_value=0, max_value=_MOST, required=False)
    reason = forms.CharField(max_length=300, required=False)


class ReasonForm(MoveKey):
    """An act of the floor that is kept with its reason."""

    reason = forms.CharField(max_length=300, required=False)
    to = forms.ChoiceField(choices=[(way, way) for way in ("bottom", "stay", "off")], required=False)
    offer = forms.IntegerField(min_value=1, max_value=_MOST, required=False)


class NextForm(MoveKey):
    """The next one at a table, as staff saw them there."""

    player = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    number = forms.IntegerField(min_value=1, max_value=8, required=False)


class TakeForm(MoveKey):
    buy_in = forms.IntegerField(min_value=1, max_value=_MOST)


class KioskForm(MoveKey):
    """A name at the kiosk: a member number or a barcode, or the name of somebody who is no member. No `offer`: they
    check in and no more."""

    offer = forms.IntegerField(min_value=1, max_value=_MOST, required=False)
    who = forms.CharField(max_length=60, error_messages={"required": "Scan your card, or give your name."})
    phone = forms.CharField(max_length=30, required=False)
    seats = forms.MultipleChoiceField(choices=SEATS, required=False)


def join_order(request: HttpRequest, form: type[JoinForm] = JoinForm) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was said, and the wishes in it."""
    said = sent(form, request)
    bound = form(request.POST)
    bound.is_valid()
    return said, bound.wishes()
