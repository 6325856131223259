"""What tests ask for from the models of every room."""

# ruff: noqa: F401

from cardroom.accounts.models import (
    ApiToken,
    Ban,
    Blocked,
    ChatLine,
    ChatSilence,
    Member,
    PlayerCard,
    RoomSession,
    SealedLook,
    SealedView,
    Visit,
)
from cardroom.cage.models import CageLimit, Drawer, DrawerSession, Slip
from cardroom.core.models import Alarm, Approval, Heartbeat, Notice, Outage, Repeat, StaffAction, User
from cardroom.ledger.models import Account, BlindCount, Entry, LimitChange, Transfer
from games.dealers.models import Down, Duty, Shift
from games.rake.models import BoxCount, HandDrop, Jackpot
from games.reports.models import DayIncome, DaySum
from games.rulebooks.models import HouseRulebook, RulebookVersion
from games.tables.models.offers import (
    ChipCount,
    DropSchedule,
    FloorCall,
    FloorOrder,
    Invitation,
    KioskTry,
    ListEntry,
    ListMove,
    Offer,
    SeatHold,
    Section,
)
from games.tables.models.tables import Hand, Seat, SeatMove, Table
from games.tables.models.times import CompAccrual, HandResult, Stay, TimeCharge, TimePause
from games.training.models import PracticeAnswer
from tournaments.events.models import Payment, Tournament, TournamentEntry
from tournaments.prizes.models import DealProposal, DealVote, Payout
