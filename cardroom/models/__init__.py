"""What the house stores: people and their tokens, chips and their movements, alarms, looks at sealed cards."""

from .alarms import Alarm
from .audit import SealedLook, SealedView
from .ledger import Account, Entry, Transfer
from .people import User
from .tokens import ApiToken

__all__ = ["Account", "Alarm", "ApiToken", "Entry", "SealedLook", "SealedView", "Transfer", "User"]
