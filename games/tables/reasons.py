"""Reasons why chips and players of tables moved, as the ledger and the moves of seats store them."""

from cardroom.core.sentences import StoredText, Wording

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

# Why players moved, or lost their seats

BROKE = Wording("tables.broke", "{at} broke")
BROKE_WITHOUT_A_SEAT = Wording(
    "tables.broke-without-a-seat", "{at} broke, and no seat at another table of the game was free."
)
BANNED = Wording("tables.banned", "banned")
OWN_LIMIT = Wording("tables.own-limit", "their own limit of time")
#: What the floor may tap when somebody is to move, by what its page calls it.
OF_THE_FLOOR = {
    "request": Wording("tables.request", "Player's request"),
    "balancing": Wording("tables.balancing", "Balancing tables"),
    "must-move": Wording("tables.must-move", "Must-move"),
    "decision": Wording("tables.decision", "Floor decision"),
    "breaks": Wording("tables.breaks", "Table breaks"),
}


def of_the_floor(why: StoredText) -> StoredText:
    """The reason for a move: the wording of a code of the floor's page, or the text itself."""
    return OF_THE_FLOOR[why]() if isinstance(why, str) and why in OF_THE_FLOOR else why
