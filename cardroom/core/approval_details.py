"""The details of an approval request: values by name, stored with it and shown in the reader's language.

A name stands here, or is a field of a form (`titles`). Numbers are chips or money, except where `_PLAIN` says so.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from cardroom.core import access, sentences, titles

#: Values that are hidden from a person who counts blind.
FIGURES = ("counted", "expected", "difference", "left_in")

_NAMES = {
    "act": gettext_lazy("Act"),
    "cashier": gettext_lazy("Cashier"),
    "counted": gettext_lazy("Counted"),
    "day": gettext_lazy("In a day"),
    "day_before": gettext_lazy("In a day until now"),
    "day_total": gettext_lazy("Their total of the day until now"),
    "difference": gettext_lazy("Difference"),
    "drawer": gettext_lazy("Drawer"),
    "ends": gettext_lazy("This jackpot ends"),
    "expected": gettext_lazy("Expected"),
    "from_vault": gettext_lazy("Brought from the vault"),
    "has_roles": gettext_lazy("Roles until now"),
    "guarantee": gettext_lazy("Guarantees and house bots of a tournament"),
    "hand": pgettext_lazy("a hand of cards", "Hand"),
    "jackpot": gettext_lazy("Jackpot"),
    "left_in": gettext_lazy("Left in the drawer"),
    "limit": gettext_lazy("Limit passed"),
    "minutes": gettext_lazy("Minutes"),
    "number": gettext_lazy("Counts made"),
    "player": gettext_lazy("Player"),
    "promo": gettext_lazy("For promotions"),
    "role": gettext_lazy("Role"),
    "shares": gettext_lazy("Paid to"),
    "slip": gettext_lazy("At once"),
    "slip_before": gettext_lazy("At once until now"),
    "slip_id": gettext_lazy("Slip"),
    "slip_kind": gettext_lazy("Kind of slip"),
    "table": gettext_lazy("Table"),
    "to": pgettext_lazy("who gets it", "To"),
    "verb": gettext_lazy("Act"),
    "wallet": gettext_lazy("In the wallet"),
}
#: What pages show first, in this order; the database keeps none.
_FIRST = (
    "slip_id",
    "slip_kind",
    "player",
    "to",
    "user",
    "role",
    "has_roles",
    "tournament",
    "jackpot",
    "table",
    "drawer",
    "cashier",
    "amount",
    "price",
    "guarantee",
    "counted",
    "expected",
    "difference",
    "number",
    "left_in",
    "from_vault",
    "promo",
    "verb",
    "slip",
    "slip_before",
    "day",
    "day_before",
    "wallet",
)
_LAST = ("limit", "day_total")
#: Numbers without a separator of thousands.
_PLAIN = ("slip_id",)
#: Names whose missing value says that there is no limit.
_LIMITS = ("slip", "day", "slip_before", "day_before")


@dataclass(frozen=True)
class Detail:
    """One value as a page shows it."""

    name: str
    title: str
    text: str
    url: str = ""


def read(details: Mapping[str, Any]) -> list[Detail]:
    """The values in the current language, those that are not known left out."""
    shown = []
    for name, value in sorted(details.items(), key=lambda detail: _place(detail[0])):
        text = _text(name, value)
        if text:
            shown.append(Detail(name, _title(name), text, _url(name, value)))
    return shown


def _place(name: str) -> tuple[int, str]:
    if name in _FIRST:
        return _FIRST.index(name), ""
    return (len(_FIRST) + 1 + _LAST.index(name), "") if name in _LAST else (len(_FIRST), name)


def is_known(name: str) -> bool:
    """Whether pages know what to call a value of this name."""
    return name in _NAMES or titles.is_known(name)


def _title(name: str) -> str:
    return str(_NAMES[name]) if name in _NAMES else titles.title(name)


def _text(name: str, value: Any) -> str:
    if value is None:
        return gettext("none") if name in _LIMITS else ""
    if name == "role":
        return access.role_name(value)
    if name == "has_roles":
        return ", ".join(map(access.role_name, value)) or gettext("none")
    if name == "slip_id":
        return f"{value:06}"
    if name == "difference":
        return sentences.signed(value) or "0"
    return _plain(value)


def _plain(value: Any) -> str:
    """A value of any name: a person or a thing by its name, a stored text in the current language."""
    if isinstance(value, bool):
        return gettext("yes") if value else ""
    if isinstance(value, int):
        return sentences.number(value)
    if isinstance(value, Mapping):
        if "pattern" in value:
            return sentences.to_text(dict(value))
        chips = f": {sentences.number(value['chips'])}" if "chips" in value else ""
        return f"{value.get('name', '')}{chips}"
    if isinstance(value, list | tuple):
        return sentences.joined(map(_plain, value))
    return str(value)


def _url(name: str, value: Any) -> str:
    if name != "slip_id":
        return ""
    try:
        return reverse("cage_slip", args=[value])
    except NoReverseMatch:  # a room without a cage
        return ""
