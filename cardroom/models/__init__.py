"""What the house stores: people, tokens, chips and their movements, alarms, acts of staff, looks at sealed cards."""

from .alarms import Alarm
from .audit import SealedLook, SealedView
from .ledger import Account, Entry, Transfer
from .notices import Notice
from .people import User
from .tokens import ApiToken
from .trail import StaffAction

__all__ = [
    "Account",
    "Alarm",
    "ApiToken",
    "Entry",
    "Notice",
    "SealedLook",
    "SealedView",
    "StaffAction",
    "Transfer",
    "User",
]
