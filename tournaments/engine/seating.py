"""Who sits where: the draw of a whole event, a late seat, tables that break, tables that are kept even.

Tables and seats are numbered from 1. Nothing here is kept: values go in, values come out, and the same seed draws the
same seats again. Knows nothing of hands or clocks.

A table breaks when the rest can seat everybody, and always before anybody balances. Its players draw twice (TDA 10B):
for the order, then each for a seat. An open table where nobody sits is no table yet: it neither breaks nor offers its
seats while others have room.

Balancing in stud (TDA 11A): the fullest table between hands gives; the seat filled is the one that opened last at the
shortest table, and the player moved is the giving table's in that same seat number, else the next one clockwise. Which
table gives is the room's to say (TDA 11C); ours is in ``plan_balance``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.engine.config import MOST_STUD_SEATS

#: (table, seat), both from 1.
Place = tuple[int, int]


DRAWN_AT_RANDOM = "TDA 7"


LATE_AT_RANDOM = "TDA 8A"


TWO_RANDOM_STEPS = "TDA 10B"


#: Its nine cannot be dealt in stud; how many seats the table has is for the event to say, and eight is usual.
FINAL_TABLE = "TDA RP-9"


BY_POSITION = "TDA 11A"


@dataclass(frozen=True, slots=True)
class TableView:
    """One open table as the floor sees it.

    ``seats``: seat -> entrant; ``opened``: its empty seats, the one that opened last first (an empty seat that is not
    in it has been empty from the start); ``size``: its seats; ``fixed``: entrants who may not be moved; ``reserved``:
    seats kept for somebody, empty or not.
    """

    number: int
    seats: Mapping[int, int]
    opened: tuple[int, ...] = ()
    size: int = MOST_STUD_SEATS
    is_between_hands: bool = True
    fixed: frozenset[int] = frozenset()
    reserved: frozenset[int] = frozenset()

    @property
    def players(self) -> int:
        return len(self.seats)

    def is_free(self, seat: int) -> bool:
        return 1 <= seat <= self.size and seat not in self.seats and seat not in self.reserved

    def free(self) -> tuple[int, ...]:
        """The seats that anybody may take: the one that opened last first, then those that never opened, from 1 on."""
        once_taken = [seat for seat in dict.fromkeys(self.opened) if self.is_free(seat)]
        known = frozenset(once_taken)
        return (*once_taken, *[seat for seat in range(1, self.size + 1) if seat not in known and self.is_free(seat)])


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A move that somebody may yet refuse. ``rule``: its citation (``"TDA 11A"``); ``why``: a sentence for people.

    ``numbers``: players at the table that is left and at the table that is joined, both before this move.
    """

    entrant: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    rule: str
    why: str
    numbers: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Tables that are due to become fewer. ``table``: the one that breaks; 0: all go to the final table."""

    table: int
    rule: str
    why: str
