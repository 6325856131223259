"""Why chips of tables moved, as the ledger stores it."""

from cardroom.core.sentences import Wording

BUY_IN = Wording("tables.buy-in", "buy-in at {at}")
CHIPS_ADDED = Wording("tables.chips-added", "chips added at {at}")
CASHED_OUT = Wording("tables.cashed-out", "cashed out at {at}")
MOVED = Wording("tables.moved", "moved to {at}")
HAND = Wording("tables.hand", "a hand at {at}")
TIME = Wording("tables.time", "time at {at}")
PLAY = Wording("tables.play", "play at {at}")
DROP_BOX = Wording("tables.drop-box", "drop box of {at}")
OVER = Wording("tables.over", "over at {at}")
SHORT = Wording("tables.short", "short at {at}")

# At tables of events
SEATED = Wording("tables.seated", "seated with chips of the event")
OUT_OF_PLAY = Wording("tables.out-of-play", "chips that leave play")
MORE_CHIPS = Wording("tables.more-chips", "more chips of the event")
CHIPS_BACK = Wording("tables.chips-back", "chips taken back")
MOVED_SEAT = Wording("tables.moved-seat", "moved to another seat")
