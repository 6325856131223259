"""What happened in a tournament, in the past tense: frozen and JSON-safe.

Money and chips are ints, entrants are numbered from 1 in the order of entry, tables and seats from 1, and ``at`` is in
milliseconds since the epoch. Nothing here is secret.
"""

from .base import KINDS, Fact, from_json, to_json
from .busting import (
    BountyWon,
    Bust,
    Busted,
    BustsHeld,
    ChipsRaced,
    Counted,
    Disqualified,
    HandFinished,
    HandForHandSet,
    HandOver,
    Out,
    Penalised,
    Revived,
    StacksSet,
    TableCounted,
)
from .ending import (
    Cancelled,
    DealMade,
    Ended,
    FlightClosed,
    PayoutChanged,
    PayoutsLocked,
    PrizesPaid,
)
from .entering import (
    AddedOn,
    AlternateAdmitted,
    Announced,
    Entered,
    EnteredAsAlternate,
    EntryKept,
    Identified,
    Rebought,
    TermsChanged,
    Withdrew,
)
from .seats import (
    FinalTableDrawn,
    Moved,
    RoundDrawn,
    Seat,
    Seated,
    SeatReserved,
    SeatsDrawn,
    TableBroken,
    TableClosed,
    TableOpened,
)
from .timing import (
    Began,
    ClockCalled,
    ClockLifted,
    ClockSet,
    LevelsEdited,
)
from .undoing import (
    ActionRedone,
    ActionUndone,
)

#: The kinds that tell of hands, which follow each other all the time online: no director did them.
OF_HANDS = frozenset({StacksSet.kind, HandFinished.kind})

__all__ = [
    "KINDS",
    "OF_HANDS",
    "ActionRedone",
    "ActionUndone",
    "AddedOn",
    "AlternateAdmitted",
    "Announced",
    "Began",
    "BountyWon",
    "Bust",
    "Busted",
    "BustsHeld",
    "Cancelled",
    "ChipsRaced",
    "ClockCalled",
    "ClockLifted",
    "ClockSet",
    "Counted",
    "DealMade",
    "Disqualified",
    "Ended",
    "Entered",
    "EnteredAsAlternate",
    "EntryKept",
    "Fact",
    "FinalTableDrawn",
    "FlightClosed",
    "HandFinished",
    "HandForHandSet",
    "HandOver",
    "Identified",
    "LevelsEdited",
    "Moved",
    "Out",
    "PayoutChanged",
    "PayoutsLocked",
    "Penalised",
    "PrizesPaid",
    "Rebought",
    "Revived",
    "RoundDrawn",
    "Seat",
    "SeatReserved",
    "Seated",
    "SeatsDrawn",
    "StacksSet",
    "TableBroken",
    "TableClosed",
    "TableCounted",
    "TableOpened",
    "TermsChanged",
    "Withdrew",
    "from_json",
    "to_json",
]
