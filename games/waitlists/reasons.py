"""Why something happened to a name on a list, and why a name was passed over.

Moves, choices and the audit log store these sentences by their codes, so that readers read them in their own language.
What a member of staff wrote is stored as it is.
"""

from collections.abc import Iterable

from django.utils.translation import gettext_noop

from cardroom.core.sentences import StoredText, Wording, to_text
from games.waitlists.models import ListEntry

_Kind, _Source = ListEntry.Kind, ListEntry.Source


class _PassedOver(Wording):
    """With `others`: pairs of a name and why it was passed over."""

    def fill(self, values: dict[str, StoredText]) -> str:
        pairs = values["others"]
        assert isinstance(pairs, list)
        others = ", ".join(f"{name} ({to_text(why)})" for name, why in pairs)
        return super().fill(values | {"others": others})


SOURCES = {
    _Source.DESK: Wording("lists.at-the-desk", "at the desk"),
    _Source.PHONE: Wording("lists.by-phone", "by phone"),
    _Source.KIOSK: Wording("lists.at-the-kiosk", "at the kiosk"),
    _Source.WEB: Wording("lists.online", "online"),
    _Source.TRANSFER: Wording("lists.from-another-list", "from another list or table"),
}
JOINED = {
    _Kind.LIST: Wording("lists.joined-list", "Waiting list of {game}, {what}."),
    _Kind.INTEREST: Wording("lists.joined-interest-list", "Interest list of {game}, {what}."),
    _Kind.SEAT_CHANGE: Wording("lists.joined-seat-change", "Seat change of {game}, {what}."),
    _Kind.TABLE_CHANGE: Wording("lists.joined-table-change", "Table change of {game}, {what}."),
}
LEFT_LIST = Wording("lists.left", "Left the list.")
LEFT_TABLE = Wording("lists.left-table", "Left {at}.")
TRANSFERRED = Wording("lists.transferred", "Moved to the list of {game}.")
BARRED = Wording("lists.barred", "May not play at the moment.")
GAME_BROKE = Wording("lists.game-broke", "The game broke.")
TABLE_OPEN = Wording("lists.table-open", "A table of the game is open.")
NO_TABLE_OPEN = Wording("lists.no-table-open", "No table of the game is open any more.")

COMING = Wording("lists.coming", "Is coming; the seat is held until {time}.")
COMING_AFTER_HAND = Wording(
    "lists.coming-after-hand", "Is coming; the seat is held until {n} minutes after the hand they are in."
)
MORE_TIME = Wording("lists.more-time", "Asked for more time; the seat is held until {time}.")
MORE_TIME_AFTER_HAND = Wording(
    "lists.more-time-after-hand", "Asked for more time: {n} minutes more from the end of the hand they are in."
)
HAND_OVER = Wording("lists.hand-over", "The hand they were in is over; the seat is held until {time}.")
ROOM_AWAY_MINUTES = Wording(
    "lists.room-away-minutes", "The room could not be reached for {n} min; the seat is held until {time}."
)
ROOM_AWAY_SECONDS = Wording(
    "lists.room-away-seconds", "The room could not be reached for {n} s; the seat is held until {time}."
)
NOT_COMING = Wording("lists.not-coming", "Not coming.")
NOT_COME = Wording("lists.not-come", "Did not come in time to {at}, seat {seat}: {what}.")
OFF_THE_LIST = Wording("lists.off-the-list", "off the list")
AT_THE_BOTTOM = Wording("lists.at-the-bottom", "at the bottom of the list")
TABLE_CLOSED = Wording("lists.table-closed", "{at} takes no more players; the name keeps its place.")

SEATED = Wording("lists.seated", "Seat {seat} at {at}.")
FROM_LIST = Wording("lists.from-list", "called from the list")
HAS_A_SEAT = Wording("lists.has-a-seat", "Has a seat.")
MOVES_AFTER_HAND = Wording("lists.moves-after-hand", "Moves after the hand being played.")
MOVE_CANCELLED = Wording("lists.move-cancelled", "The move is cancelled; the player stays.")
NOT_COUNTED = Wording("lists.not-counted", "The chips were not counted in time; the player stays.")
REFUSED_MOVE = Wording("lists.refused-move", "Refused to move.")
REFUSED_MOVE_TO = Wording("lists.refused-move-to", "Refused to move to {at}.")
REFUSED_LOSES_SEAT = Wording("lists.refused-loses-seat", "Refused to move. Loses the seat.")
REFUSED_TO_LOSES_SEAT = Wording("lists.refused-to-loses-seat", "Refused to move to {at}. Loses the seat.")

#: Why a free seat goes to this name.
NOBODY_ELSE = Wording("lists.nobody-else", "No other name waits for this seat.")
CHOSEN = Wording("lists.chosen", "{name}: {what}.")
CHOSEN_BEFORE_OTHERS = Wording("lists.chosen-before-others", "{name}: {what}")
OTHERS_PASSED_OVER = _PassedOver("lists.others-passed-over", gettext_noop("{what}; passed over: {others}."))
FIRST_ON_LIST = Wording("lists.first-on-list", "on the list since {time}, the first who waits")
PUT_BACK = Wording("lists.put-back", "put back at {time} when their game broke, before the list")
SEAT_CHANGE = Wording("lists.seat-change", "asked for another seat at {time}, before any other player at the table")
TABLE_CHANGE = Wording("lists.table-change", "asked at {time} to move here from {at}")
MUST_MOVE = Wording("lists.must-move", "in the must-move game {at} since {time}, longest of those there")

#: Why a name cannot have the seat.
SKIPPED_FOR_SEATS = Wording("lists.skipped-for-seats", "was skipped for {seats} by the floor")
SKIPPED = Wording("lists.skipped", "was recently skipped by the floor")
WANTS_OTHER_SEATS = Wording("lists.wants-other-seats", "wants {seats}, and free {free}")
WANTS_OTHER_TABLE = Wording("lists.wants-other-table", "wants another table")
NOT_INVITED = Wording("lists.not-invited", "has no invitation to {at}")
HAS_LEFT_TABLE = Wording("lists.has-left-table", "has left the table they were to move from")
LEAVES = Wording("lists.leaves", "leaves after this hand")
SITS_THERE = Wording("lists.sits-there", "sits at {at} already")
LEAVES_TOO_FEW = Wording("lists.leaves-too-few", "would leave {n} where they play, and {more} play here ({rule})")
NO_LOGIN = Wording("lists.no-login", "has no login, and this table is online")
#: No more than that: what bars a player is known to them and to the staff.
MAY_NOT_PLAY = Wording("lists.may-not-play", "may not play at the moment")
AWAY = Wording("lists.away", "is away from the table")
FLOOR_DECIDED = Wording("lists.floor-decided", "the floor decided")

_SEAT = Wording("lists.seat", "seat {n}")
_SEATS = Wording("lists.seats", "seat {most} or {n}")
_SEAT_IS_FREE = Wording("lists.seat-is-free", "is seat {n}")
_SEATS_ARE_FREE = Wording("lists.seats-are-free", "are seats {most} and {n}")


def seats(numbers: Iterable[int]) -> StoredText:
    """ "seat 3", "seat 3 or 5"."""
    return _of_seats(_SEAT, _SEATS, numbers)


def free_seats(numbers: Iterable[int]) -> StoredText:
    """ "is seat 3", "are seats 3 and 5"."""
    return _of_seats(_SEAT_IS_FREE, _SEATS_ARE_FREE, numbers)


def _of_seats(single: Wording, several: Wording, numbers: Iterable[int]) -> StoredText:
    *most, last = sorted(numbers)
    return several(most=", ".join(map(str, most)), n=last) if most else single(n=last)


def without_others(why: StoredText) -> StoredText:
    """The reason as the player may read it: without the names that were passed over."""
    if not isinstance(why, dict) or why.get("code") != OTHERS_PASSED_OVER.code:
        return why
    values = why["values"]
    assert isinstance(values, dict)
    return values["what"]
