"""The director's door while an event is played: hands, players, seats, what is suggested, and what is taken back.

Every verb takes an `Order` (`directing`): the event, who gives it, when, on what view and under which name; it answers
with the journal's receipt. In the room the director enters what happens at the tables; online the tables tell
themselves, and the verbs that move or punish somebody act at the tables of the room between their hands.
"""

from tournaments.services.floor.deciding import auto_arrange, confirm, dismiss
from tournaments.services.floor.hands import bust, count, count_table, hand_done, hand_for_hand, revive
from tournaments.services.floor.players import (
    all_here,
    arrived,
    clock_off,
    clock_on,
    disqualify,
    keep_entry_open,
    penalise,
)
from tournaments.services.floor.races import race, try_race
from tournaments.services.floor.seats import (
    balance,
    break_table,
    close_table,
    draw_final_table,
    draw_round,
    draw_seats,
    move,
    open_table,
    reserve_seat,
    seat,
)
from tournaments.services.floor.undoing import close_flight, finish, redo, undo

__all__ = [
    "all_here",
    "arrived",
    "auto_arrange",
    "balance",
    "break_table",
    "bust",
    "clock_off",
    "clock_on",
    "close_flight",
    "close_table",
    "confirm",
    "count",
    "count_table",
    "dismiss",
    "disqualify",
    "draw_final_table",
    "draw_round",
    "draw_seats",
    "finish",
    "hand_done",
    "hand_for_hand",
    "keep_entry_open",
    "move",
    "open_table",
    "penalise",
    "race",
    "redo",
    "reserve_seat",
    "revive",
    "seat",
    "try_race",
    "undo",
]
