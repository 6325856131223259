"""What a name on a list may ask for: seats or tables, a seat that is easy to reach; a note, a phone number."""

from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any

from cardroom.core import texting
from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from games.engine.games import MOST_SEATS

LONGEST_NOTE = 120
LONGEST_PHONE = 30
MOST_TABLES = 20
_HIGHEST = 10**12

SeatNumber = Annotated[int, Limits(min_value=1, max_value=MOST_SEATS)]


@dataclass(frozen=True)
class Wishes:
    """What a waiting player wishes for."""

    seats: Annotated[list[SeatNumber], Limits(max_length=MOST_SEATS, required=False)] = field(default_factory=list)
    tables: Annotated[list[RowId], Limits(max_length=MOST_TABLES, required=False)] = field(default_factory=list)
    accessible: Annotated[bool, Limits(required=False)] = False
    note: Annotated[str, Limits(max_length=LONGEST_NOTE, required=False, allow_blank=False)] = ""
    phone: Annotated[str, Limits(max_length=LONGEST_PHONE, required=False, allow_blank=False)] = ""


def check_wishes(wishes: Wishes) -> dict[str, Any]:
    """The wishes as stored; `Invalid` for impossible ones."""
    seats, tables = _numbers(wishes.seats), _numbers(wishes.tables)
    if any(not 1 <= number <= MOST_SEATS for number in seats):
        raise Invalid("no-such-seat", "Seats are numbered 1 to 8.")
    note, phone = (" ".join(str(text or "").split()) for text in (wishes.note, wishes.phone))
    if len(note) > LONGEST_NOTE or not note.isprintable():
        raise Invalid("bad-note", "A note has at most {longest_note} characters.", longest_note=LONGEST_NOTE)
    if phone and not texting.plain(phone):
        raise Invalid("bad-phone", "That is no telephone number: digits, and + at the front.")
    clean = replace(wishes, seats=seats, tables=tables, note=note, phone=texting.plain(phone))
    return {name: wish for name, wish in asdict(clean).items() if wish}


def _numbers(numbers: Any) -> list[int]:
    numbers = [] if numbers is None else numbers
    if not isinstance(numbers, list | tuple) or len(numbers) > MOST_TABLES:
        raise Invalid("bad-wish", "Seats and tables are lists of numbers.")
    if any(type(number) is not int or not 1 <= number <= _HIGHEST for number in numbers):
        raise Invalid("bad-wish", "Seats and tables are lists of numbers.")
    return sorted(set(numbers))
