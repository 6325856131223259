"""What the house stores: people, tokens, chips and their movements, alarms, acts of staff, looks at sealed cards."""

from .alarms import Alarm
from .approvals import Approval
from .audit import SealedLook, SealedView
from .cage import CageLimit, CashierRequest, CreditLine, Drawer, DrawerCount, DrawerSession, Slip, SlipPrint
from .chat import ChatLine, ChatSilence
from .clockwork import Clockwork
from .counts import BlindCount
from .faults import Fault
from .ledger import Account, Entry, Transfer
from .limits import LimitChange
from .notices import Notice
from .outages import Heartbeat, Outage
from .people import User
from .players import Ban, Blocked, Member, PlayerCard, PlayerNote, Visit, Where
from .repeats import Repeat
from .sessions import RoomSession
from .tokens import ApiToken
from .trail import StaffAction

__all__ = [
    "Account",
    "Alarm",
    "ApiToken",
    "Approval",
    "Ban",
    "BlindCount",
    "Blocked",
    "CageLimit",
    "CashierRequest",
    "ChatLine",
    "ChatSilence",
    "Clockwork",
    "CreditLine",
    "Drawer",
    "DrawerCount",
    "DrawerSession",
    "Entry",
    "Fault",
    "Heartbeat",
    "LimitChange",
    "Member",
    "Notice",
    "Outage",
    "PlayerCard",
    "PlayerNote",
    "Repeat",
    "RoomSession",
    "SealedLook",
    "SealedView",
    "Slip",
    "SlipPrint",
    "StaffAction",
    "Transfer",
    "User",
    "Visit",
    "Where",
]
