"""Forms of the cage's pages."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from django import forms

from cardroom.models import CashierRequest, User
from cardroom.services.cage import asking, books
from cardroom.services.cage.counting import Counted
from cardroom.services.errors import Invalid, NotFound

Form = TypeVar("Form", bound=forms.Form)
_PIECE = re.compile(r"pieces-([1-9][0-9]{0,11})")
_KEY = re.compile("[A-Za-z0-9_.:-]{0,60}")
_REASON = {"required": False, "max_length": 300}


class SlipForm(forms.Form):
    """What to do for a player."""

    kind = forms.ChoiceField(choices=[(verb, verb) for verb in asking.AT_THE_WINDOW])
    player = forms.IntegerField(min_value=1, max_value=2**62)
    amount = forms.IntegerField(min_value=1, max_value=books.MOST)
    to = forms.CharField(required=False, max_length=60)
    in_money = forms.BooleanField(required=False)
    in_chips = forms.BooleanField(required=False)
    reason = forms.CharField(**_REASON)

    def asked(self) -> tuple[str, dict[str, Any]]:
        """The verb, and what it takes."""
        told = self.cleaned_data
        kind = told["kind"]
        asked = {"player": player_of(told["player"]), "amount": told["amount"], "reason": told["reason"]}
        if kind == "transfer":
            asked["to"] = by_name(told["to"])
        if kind == "repayment":
            asked["in_money"] = told["in_money"]
        if kind == "comp":
            asked["in_chips"] = told["in_chips"]
        if kind in asking.PAYS_OUT:
            asked["settles"] = settles(self.data)
        return kind, asked


class ReasonForm(forms.Form):
    reason = forms.CharField(**_REASON)


class AmountForm(ReasonForm):
    amount = forms.IntegerField(min_value=1, max_value=books.MOST)


class OpenForm(ReasonForm):
    drawer_id = forms.IntegerField(min_value=1, max_value=2**62)
    from_vault = forms.IntegerField(min_value=0, max_value=books.MOST, required=False)


class CloseForm(ReasonForm):
    session_id = forms.IntegerField(min_value=1, max_value=2**62, required=False)
    left_in = forms.IntegerField(min_value=0, max_value=books.MOST, required=False)


class VaultForm(ReasonForm):
    amount = forms.IntegerField(min_value=1, max_value=books.MOST)
    way = forms.ChoiceField(choices=[("in", "in"), ("out", "out")])


class DrawerForm(forms.Form):
    name = forms.CharField(max_length=40)


class LimitForm(forms.Form):
    """Empty: no limit."""

    role = forms.CharField(max_length=10)
    verb = forms.CharField(max_length=12)
    slip = forms.IntegerField(min_value=0, max_value=books.MOST, required=False)
    day = forms.IntegerField(min_value=0, max_value=books.MOST, required=False)


class LineForm(ReasonForm):
    most = forms.IntegerField(min_value=0, max_value=books.MOST)


class DecisionForm(ReasonForm):
    approve = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])


class AskForm(forms.Form):
    kind = forms.ChoiceField(choices=CashierRequest.Kind.choices)
    amount = forms.IntegerField(min_value=1, max_value=books.MOST)
    note = forms.CharField(required=False, max_length=200)


def read(form: type[Form], data: Mapping[str, Any]) -> Form:
    """The form as it was sent; `Invalid` with what is wrong first."""
    filled = form(data)
    if not filled.is_valid():
        field, errors = next(iter(filled.errors.items()))
        name = "" if field == "__all__" else f"{field.replace('_', ' ').capitalize()}: "
        raise Invalid(f"{name}{errors[0]}", "bad-form")
    return filled


def key_in(data: Mapping[str, Any]) -> str:
    """The key the page was made with; `Invalid` for what is none."""
    key = str(data.get("key", ""))
    if not _KEY.fullmatch(key):
        raise Invalid("This page was changed on its way: load it again.", "bad-key")
    return key


def count_in(data: Mapping[str, Any]) -> Counted:
    """A sum, or how many there are of each piece. `Invalid` where neither was counted."""
    pieces: dict[int, int] = {}
    for name, value in data.items():
        if (found := _PIECE.fullmatch(name)) and value:
            pieces[int(found[1])] = _whole(value)
    if pieces:
        return pieces
    return _whole(data.get("counted", ""))


def settles(data: Mapping[str, Any]) -> bool | None:
    """Whether a debt is paid back out of what is paid out; None where nothing is said."""
    return {"yes": True, "no": False}.get(str(data.get("settles", "")))


def player_of(pk: int) -> User:
    """A person who may stand at the window."""
    found = User.objects.filter(pk=pk, is_bot=False).first()
    if found is None:
        raise NotFound("There is no such player.", "no-such-player")
    return found


def by_name(name: str) -> User:
    """A player by their screen name, as it is said to the cashier."""
    found = User.objects.filter(username__iexact=name.strip(), is_bot=False).first()
    if found is None:
        raise NotFound(
            f"Nobody plays under the name {name!r}." if name else "Say who gets the chips.", "no-such-player"
        )
    return found


def _whole(value: Any) -> int:
    said = str(value).strip().replace(",", "")
    if not (said.isascii() and said.isdigit() and len(said) <= 12):
        raise Invalid("Count what is there: whole numbers, nothing left out.", "bad-count")
    return int(said)
