"""What somebody on a list wishes for: seats or tables, a seat that is easy to reach; a note, a telephone number."""

from collections.abc import Mapping
from typing import Any

from cardroom.services import texting
from cardroom.services.errors import Invalid

LONGEST_NOTE = 120
_HIGHEST = 10**12
_WISHES = {"seats", "tables", "accessible", "note", "phone"}


def checked(wishes: Mapping[str, Any]) -> dict[str, Any]:
    """The wishes that were said, as they are kept; `Invalid` for what makes no sense."""
    if unknown := set(wishes) - _WISHES:
        raise Invalid(f"There is no such wish: {', '.join(sorted(map(str, unknown)))}.", "bad-wish")
    seats, tables = (_numbers(wishes.get(name)) for name in ("seats", "tables"))
    if any(not 1 <= number <= 8 for number in seats):
        raise Invalid("Seats are numbered 1 to 8.", "no-such-seat")
    note, phone = (" ".join(str(wishes.get(name) or "").split()) for name in ("note", "phone"))
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise Invalid(f"A note has at most {LONGEST_NOTE} characters.", "bad-note")
    if phone and not texting.plain(phone):
        raise Invalid("That is no telephone number: digits, and + at the front.", "bad-phone")
    is_accessible = wishes.get("accessible") is True
    said = {"seats": seats, "tables": tables, "accessible": is_accessible, "note": note, "phone": texting.plain(phone)}
    return {name: wish for name, wish in said.items() if wish}


def _numbers(given: Any) -> list[int]:
    given = [] if given is None else given
    if not isinstance(given, list | tuple) or len(given) > 20:
        raise Invalid("Seats and tables are lists of numbers.", "bad-wish")
    if any(type(each) is not int or not 1 <= each <= _HIGHEST for each in given):
        raise Invalid("Seats and tables are lists of numbers.", "bad-wish")
    return sorted(set(given))
