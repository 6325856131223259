"""One table of an event, and what all tables and entries count together."""

from __future__ import annotations


class Totals:
    """What changes for everybody at once: how many ``entries`` there are, and how full the tables are."""

    def __init__(self) -> None:
        self.entries = 0
        self.halt_short = 0
        #: players -> how many tables have so many
        self.sizes: dict[int, int] = {}

    def copy(self) -> Totals:
        """An independent twin."""
        twin = Totals()
        twin.entries, twin.halt_short, twin.sizes = self.entries, self.halt_short, self.sizes.copy()
        return twin

    @property
    def fullest(self) -> int:
        """Players at the fullest table."""
        return max(self.sizes, default=0)

    def resize(self, before: int, after: int) -> None:
        """A table that had ``before`` players has ``after``; 0 is no table."""
        if before:
            self.sizes[before] -= 1
            if not self.sizes[before]:
                del self.sizes[before]
        if after:
            self.sizes[after] = self.sizes.get(after, 0) + 1


class TableState:
    """``seats``: seat -> entrant. ``opened``: seats that somebody left, the one that opened last first. ``hands`` it
    has played; ``hand_done``: it is done with the hand of hand-for-hand."""

    __slots__ = ("hand_done", "hands", "number", "opened", "seats", "size", "totals")

    def __init__(self, number: int, size: int, totals: Totals) -> None:
        self.number = number
        self.size = size
        self.totals = totals
        self.seats: dict[int, int] = {}
        self.opened: tuple[int, ...] = ()
        self.hands = 0
        self.hand_done = False

    def copy(self, totals: Totals) -> TableState:
        """An independent twin that counts with ``totals``."""
        twin = TableState(self.number, self.size, totals)
        twin.seats = self.seats.copy()
        twin.opened, twin.hands, twin.hand_done = self.opened, self.hands, self.hand_done
        return twin

    @property
    def is_halted(self) -> bool:
        """So short of the fullest table that it stops dealing (TDA 11D)."""
        short = self.totals.halt_short
        return bool(short and self.seats) and self.totals.fullest - len(self.seats) >= short

    @property
    def deals(self) -> bool:
        """Whether a hand can be played here."""
        return len(self.seats) > 1 and not self.is_halted

    def sit(self, entrant: int, seat: int) -> None:
        """Fill ``seat``."""
        self.totals.resize(len(self.seats), len(self.seats) + (seat not in self.seats))
        self.seats[seat] = entrant
        if seat in self.opened:
            self.opened = tuple([other for other in self.opened if other != seat])

    def leave(self, seat: int) -> None:
        """``seat`` opens, and is the last that did."""
        self.totals.resize(len(self.seats), len(self.seats) - 1)
        del self.seats[seat]
        self.opened = (seat, *self.opened)
