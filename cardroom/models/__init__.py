"""What the house stores: people, tokens, chips and their movements, alarms, acts of staff, looks at sealed cards."""

from .alarms import Alarm
from .audit import SealedLook, SealedView
from .ledger import Account, Entry, Transfer
from .people import User
from .tokens import ApiToken
from .trail import StaffAction

__all__ = ["Account", "Alarm", "ApiToken", "Entry", "SealedLook", "SealedView", "StaffAction", "Transfer", "User"]
