"""What the house stores: people, chips and their movements, alarms, and who looked at sealed cards."""

from .alarms import Alarm
from .audit import SealedLook, SealedView
from .ledger import Account, Entry, Transfer
from .people import User

__all__ = ["Account", "Alarm", "Entry", "SealedLook", "SealedView", "Transfer", "User"]
