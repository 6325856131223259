"""Why chips of jackpots moved, as the ledger stores it; and why time was charged or not."""

from cardroom.core.sentences import Wording

ADDED = Wording("jackpots.added", "added to {name}")
CLOSED = Wording("jackpots.closed", "{name} closed")
GROWS = Wording("jackpots.grows", "{name} grows")
STARTS = Wording("jackpots.starts", "{name} starts")
HIT = Wording("jackpots.hit", "{name} hit")

ABSENT = Wording("time.absent", "absent with permission")
WILL_NOT_PAY = Wording("time.will-not-pay", "will not pay")
CAME_BACK = Wording("time.came-back", "Away when the period began, and back in it.")
TABLE_PAUSED = Wording("time.table-paused", "The table was paused.")
BREAKING_UP = Wording("time.breaking-up", "The game was breaking up, and nobody dealt.")
ROOM_AWAY = Wording("time.room-away", "The room was away, and no hand was dealt.")
COURTESY = Wording("time.courtesy", "Will not pay, and nobody waits.")
REFUSED = Wording("time.refused", "Will not pay.")
REFUSED_AND_AWAITED = Wording("time.refused-and-awaited", "Will not pay, and somebody waits.")
LAST_CHIPS = Wording("time.last-chips", "The time took the last chips.")
COURTESY_OVER = Wording("time.courtesy-over", "The courtesy hand is over and the time is not paid.")
NOT_PAYING = Wording("time.not-paying", "Will not pay the time.")
