"""What an event's log calls the orders that were carried out, as facts keep it."""

from __future__ import annotations

from tournaments.engine.errors import EventSentence, Phrase

# Entries

ANNOUNCED = Phrase("announced", "Announced")
TERMS_CHANGED = Phrase("terms-changed", "Terms changed")
ENTRY_KEPT = {
    True: Phrase("entry-kept-open", "Entry kept open"),
    False: Phrase("entry-closed", "Entry closed"),
    None: Phrase("entry-by-terms", "Entry by the terms again"),
}
ENTRY = Phrase("entry", "Entry of {name}")
RE_ENTRY = Phrase("re-entry", "Re-entry of {name}")
WAITS = Phrase("waits", "{name} waits")
IDENTIFIED = Phrase("identified", "{name} is known")
NO_SHOW = Phrase("no-show", "{name} is a no-show")
WITHDRAWS = Phrase("withdraws", "{name} withdraws")
REBUY = Phrase("rebuy", "Rebuy of {name}")
ADD_ON = Phrase("add-on", "Add-on of {name}")

# Seats

SEAT = Phrase("seat", "table {table}, seat {seat}")
ANYWHERE = Phrase("may-sit-anywhere", "{name} may sit anywhere")
RESERVED = Phrase("reserved", "{what} reserved for {name}")
SEATS_DRAWN = Phrase("seats-drawn", "Seats drawn: {n} players at {what}")
SITS_DOWN = Phrase("sits-down", "{name} sits down at {what}")
SITS_DOWN_AT_A_NEW_TABLE = Phrase("sits-down-at-a-new-table", "{name} sits down at {what}, a new one")
MOVES = Phrase("moves", "{name} moves to {what}")
SWAP = Phrase("swap", "{name} and {other} swap seats")
BALANCE = Phrase("balance", "Balance: {n} players move")
BALANCE_OF_ONE = Phrase("balance-of-one", "Balance: {name} moves")
TABLE_OPENED = Phrase("table-opened", "Table {n} opened")
TABLE_CLOSED = Phrase("table-closed", "Table {n} closed")
TABLE_BREAKS = Phrase("table-breaks", "Table {n} breaks")
FINAL_TABLE = Phrase("final-table", "Final table: {n} players at table {table}")
ROUND = Phrase("round", "Round {n} drawn: {what}")

# The clock

STARTED = Phrase("started", "Cards in the air")
CLOCK_STOPPED = Phrase("clock-stopped", "Clock stopped")
CLOCK_RUNS = Phrase("clock-runs", "Clock runs")
CLOCK_SET = Phrase("clock-set", "Clock set to {time}")
CLOCK_CHANGED = Phrase("clock-changed", "Clock {time}")
ROOM_AWAY = Phrase("room-away", "Clock +{time}: the room was away")
CLOCK_ON = Phrase("clock-on", "Clock on {name}")
CLOCK_OFF = Phrase("clock-off", "Clock off {name}")
LEVEL_BEGINS = Phrase("level-begins", "{what} begins")
LEVELS_EDITED = Phrase("levels-edited", "Levels edited from {what}")
AT_THE_END = Phrase("at-the-end", "the end")
HANDS_PLAYED = Phrase("hands-played", "{n} hands played")
HAND_PLAYED = Phrase("hand-played", "1 hand played")

# Hands

BUST = Phrase("bust", "Bust of {name}")
BUST_AFTER_HAND = Phrase("bust-after-hand", "Bust of {name}, when the hand is over")
HAND = Phrase("hand", "Hand at table {table}")
HAND_WITH_BUST = Phrase("hand-with-bust", "Hand at table {table}: bust of {name}")
HAND_FOR_HAND = Phrase("hand-for-hand", "Hand-for-hand")
HAND_FOR_HAND_OFF = Phrase("hand-for-hand-off", "Hand-for-hand off")
BACK = Phrase("back", "{name} is back")
PENALTY = Phrase("penalty", "{name}: {what}")
WARNING = Phrase("warning", "warning")
DISQUALIFIED = Phrase("disqualified", "disqualified")
HAND_TO_MISS = Phrase("hand-to-miss", "1 hand to miss")
HANDS_TO_MISS = Phrase("hands-to-miss", "{n} hands to miss")
ROUND_TO_MISS = Phrase("round-to-miss", "1 round to miss")
ROUNDS_TO_MISS = Phrase("rounds-to-miss", "{n} rounds to miss")

# Stacks

TABLE_COUNTED = Phrase("table-counted", "Count of table {table}: {chips} in {what}")
COUNTED = Phrase("counted", "Count of {name}: {chips}")
CHIPS_CORRECTED = Phrase("chips-corrected", "Chips in play corrected to {chips}: {reason}")
CHIP_RACE = Phrase("chip-race", "Chip race at table {table}")
STACKS = Phrase("stacks-after-hand", "Stacks after a hand")
STACKS_BAGGED = Phrase("stacks-bagged", "Stacks bagged")

# The end

PAYOUT_CHANGED = Phrase("payout-changed", "Payout changed")
PAYOUTS_LOCKED = Phrase("payouts-locked", "Payouts locked")
PAYOUTS_LOCKED_AGAIN = Phrase("payouts-locked-again", "Payouts locked again")
DEAL = Phrase("deal", "Deal of {what}")
FLIGHT_CLOSED = Phrase("flight-closed", "Flight closed with {what}")
ENDED = Phrase("ended", "The end")
CANCELLED = Phrase("cancelled", "Cancelled")
PRIZES_WAIT = Phrase("prizes-wait", "Prizes wait at the desk")
PRIZE_PAID = Phrase("prize-paid", "Prize of {name}: {money} paid")
PRIZES_PAID = Phrase("prizes-paid", "Prizes paid: {money}")
UNDONE = Phrase("undone", "Undone: {what}")
REDONE = Phrase("redone", "Redone: {what}")

# Why

TOO_FEW = Phrase("too-few", "{n} of at least {least} entrants had come by the start")
BY_CHOICE = Phrase("by-choice", "By the floor's decision")

# How many

_PLAYER = Phrase("1-player", "1 player")
_PLAYERS = Phrase("players", "{n} players")
_TABLE = Phrase("1-table", "1 table")
_TABLES = Phrase("tables", "{n} tables")
_STACK = Phrase("1-stack", "1 stack")
_STACKS = Phrase("stacks", "{n} stacks")
_SEAT = Phrase("1-free-seat", "1 free seat")
_SEATS = Phrase("free-seats", "{n} free seats")

# These read alike in every language.
_GROUPED = "{n:,}"
_IN_PLACE, _AND_PLACE = "{name} ({place})", "{name}, {place}"
_NUMBER = Phrase("number", _GROUPED)
IN_PLACE = Phrase("in-place", _IN_PLACE)
AND_PLACE = Phrase("and-place", _AND_PLACE)


def number(n: int) -> EventSentence:
    """``1,000``."""
    return _NUMBER(n=n)


def counted(n: int, singular: Phrase, plural: Phrase) -> EventSentence:
    """``one`` for 1, else ``many``."""
    return singular() if n == 1 else plural(n=n)


def players(n: int) -> EventSentence:
    """``1 player``, ``6 players``."""
    return counted(n, _PLAYER, _PLAYERS)


def tables(n: int) -> EventSentence:
    """``1 table``, ``3 tables``."""
    return counted(n, _TABLE, _TABLES)


def stacks(n: int) -> EventSentence:
    """``1 stack``, ``6 stacks``."""
    return counted(n, _STACK, _STACKS)


def free_seats(n: int) -> EventSentence:
    """``1 free seat``, ``4 free seats``."""
    return counted(n, _SEAT, _SEATS)
