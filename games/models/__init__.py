"""Tables, seats, hands and the facts of hands, as they are stored.

A hand is its facts. Everything else about it here is a cache, written in the transaction that wrote the facts: while a
hand is being played its live columns are the table's (one row to lock, the same row to update), when it is over the
hand's own row says how it ended. `audit` proves that the two agree.
"""

from games.models.counts import BoxCount
from games.models.dealers import Down, Duty, Shift
from games.models.drops import HandDrop, Jackpot, JackpotHit, JackpotShare
from games.models.floor import FloorCall, FloorOrder
from games.models.hands import Hand, HandFact
from games.models.lists import KioskTry, ListEntry, ListMove
from games.models.offers import (
    ChipCount,
    DropSchedule,
    Invitation,
    Offer,
    PasswordGuess,
    SeatHold,
    Section,
    TableUse,
)
from games.models.practice import PracticeAnswer, PracticeSession
from games.models.reports import DayBook, DayIncome, DayPlayer, DaySum, ReportMail, ReportWish
from games.models.rulebooks import HouseRulebook, RulebookVersion
from games.models.tables import Seat, SeatMove, Table, Watch
from games.models.times import CompAccrual, HandResult, Stay, TimeCharge, TimeClock, TimePause, fence_of

__all__ = [
    "BoxCount",
    "ChipCount",
    "CompAccrual",
    "DayBook",
    "DayIncome",
    "DayPlayer",
    "DaySum",
    "Down",
    "DropSchedule",
    "Duty",
    "FloorCall",
    "FloorOrder",
    "Hand",
    "HandDrop",
    "HandFact",
    "HandResult",
    "HouseRulebook",
    "Invitation",
    "Jackpot",
    "JackpotHit",
    "JackpotShare",
    "KioskTry",
    "ListEntry",
    "ListMove",
    "Offer",
    "PasswordGuess",
    "PracticeAnswer",
    "PracticeSession",
    "ReportMail",
    "ReportWish",
    "RulebookVersion",
    "Seat",
    "SeatHold",
    "SeatMove",
    "Section",
    "Shift",
    "Stay",
    "Table",
    "TableUse",
    "TimeCharge",
    "TimeClock",
    "TimePause",
    "Watch",
    "fence_of",
]
