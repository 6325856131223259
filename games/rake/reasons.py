"""Why chips of jackpots moved, as the ledger stores it."""

from cardroom.core.sentences import Wording

ADDED = Wording("jackpots.added", "added to {name}")
CLOSED = Wording("jackpots.closed", "{name} closed")
GROWS = Wording("jackpots.grows", "{name} grows")
STARTS = Wording("jackpots.starts", "{name} starts")
HIT = Wording("jackpots.hit", "{name} hit")
