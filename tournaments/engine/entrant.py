"""One entry: who made it, what they have and how far they got."""

from __future__ import annotations

from dataclasses import dataclass

from .config import Paid
from .table import Totals


@dataclass(frozen=True, slots=True)
class Penalty:
    """``kind``: warning, hands, rounds or disqualified."""

    kind: str
    count: int
    reason: str
    at: int


@dataclass(eq=False)
class Entrant:
    """``status``: in, alternate, out or withdrawn. ``paid``: all that this entry paid so far, rebuys too.

    ``below``: how many entries finished below this one, -1 while it is in; ``tied``: how many share its place.
    ``bounty`` is on the player's head, ``bounties_won`` in their pocket. ``missing``: hands they have yet to miss by a
    penalty.
    """

    number: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    entered_at: int
    bounty: int
    re_entry_of: int
    totals: Totals
    status: str = "in"
    table: int = 0
    seat: int = 0
    below: int = -1
    tied: int = 0
    prize: int = 0
    rebuys: int = 0
    add_ons: int = 0
    bounties_won: int = 0
    missing: int = 0
    #: When the stack was last counted, or known after a hand; 0: never.
    counted_at: int = 0
    out_at: int = 0
    by: tuple[int, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    reserved: tuple[int, int] | None = None
    is_disqualified: bool = False
    #: Table, seat and chips before this one was out, for a bust that was a mistake.
    last: tuple[int, int, int] = (0, 0, 0)

    @property
    def is_in(self) -> bool:
        return self.status == "in"

    @property
    def place(self) -> int:
        """1 for the winner; 0 while this one is in. It goes down with every later entry."""
        return self.totals.entries - self.below - self.tied + 1 if self.below >= 0 else 0

    def copy(self, totals: Totals) -> Entrant:
        """An independent twin that counts with ``totals``."""
        twin = Entrant.__new__(Entrant)
        twin.__dict__.update(self.__dict__)
        twin.totals = totals
        return twin
