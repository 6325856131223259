"""Waiting lists: by game, any number for a player, with every move explained.

`rules` says whose turn it is, `gathering` and `choosing` ask it of the database, `joining` gets names on and off,
`calling`, `answering` and `taking` bring them to their seats, `filling` is what happens by itself, `store` the locks.
"""

from games.services.lists.answering import REPLIES, answer, give_up, pass_over
from games.services.lists.calling import call, call_next
from games.services.lists.choosing import Choice, next_for
from games.services.lists.filling import calls_itself, hand_ended, look, settle, wake, wake_call
from games.services.lists.guests import at_kiosk, phone_in
from games.services.lists.joining import ROLES, join, leave, put_back, strike_off, transfer
from games.services.lists.store import CALL_ALARM, FILL_ALARM, look_again
from games.services.lists.suggesting import StaffList, Suggestion, for_staff
from games.services.lists.taking import seat, take_seat

__all__ = [
    "CALL_ALARM",
    "FILL_ALARM",
    "REPLIES",
    "ROLES",
    "Choice",
    "StaffList",
    "Suggestion",
    "answer",
    "at_kiosk",
    "call",
    "call_next",
    "calls_itself",
    "for_staff",
    "give_up",
    "hand_ended",
    "join",
    "leave",
    "look",
    "look_again",
    "next_for",
    "pass_over",
    "phone_in",
    "put_back",
    "seat",
    "settle",
    "strike_off",
    "take_seat",
    "transfer",
    "wake",
    "wake_call",
]
