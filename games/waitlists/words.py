"""What happened to a name on a list, and why, in the current language. Lists keep it in English, as it was written:
what it says is read out of the sentence again."""

import re

from django.utils.translation import gettext_lazy, gettext_noop

from cardroom.core.sentences import read_back

#: Each stands before those that it would be taken for.
_PATTERNS = (
    gettext_noop("{what}; passed over: {others}."),
    gettext_noop("Did not come in time to {at}, seat {seat}: {what}."),
    gettext_noop("Is coming; the seat is held until {time}."),
    gettext_noop("Is coming; the seat is held until {n} minutes after the hand they are in."),
    gettext_noop("Asked for more time; the seat is held until {time}."),
    gettext_noop("Asked for more time: {n} minutes more from the end of the hand they are in."),
    gettext_noop("The hand they were in is over; the seat is held until {time}."),
    gettext_noop("The room could not be reached for {n} min; the seat is held until {time}."),
    gettext_noop("The room could not be reached for {n} s; the seat is held until {time}."),
    gettext_noop("{at} takes no more players; the name keeps its place."),
    gettext_noop("Refused to move to {at}. Loses the seat."),
    gettext_noop("Refused to move. Loses the seat."),
    gettext_noop("A table of the game is open."),
    gettext_noop("No table of the game is open any more."),
    gettext_noop("The chips were not counted in time; the player stays."),
    gettext_noop("The move is cancelled; the player stays."),
    gettext_noop("Moves after the hand being played."),
    gettext_noop("Moved to the list of {game}."),
    gettext_noop("May not play at the moment."),
    gettext_noop("No other name waits for this seat."),
    gettext_noop("The game broke."),
    gettext_noop("Left the list."),
    gettext_noop("Left {at}."),
    gettext_noop("Seat {seat} at {at}."),
    gettext_noop("Has a seat."),
    gettext_noop("Waiting list of {game}, {what}."),
    gettext_noop("Interest list of {game}, {what}."),
    gettext_noop("Seat change of {game}, {what}."),
    gettext_noop("Table change of {game}, {what}."),
    gettext_noop("off the list"),
    gettext_noop("at the bottom of the list"),
    gettext_noop("at the desk"),
    gettext_noop("by phone"),
    gettext_noop("at the kiosk"),
    gettext_noop("online"),
    gettext_noop("from another list or table"),
    gettext_noop("on the list since {time}, the first who waits"),
    gettext_noop("put back at {time} when their game broke, before the list"),
    gettext_noop("asked for another seat at {time}, before any other player at the table"),
    gettext_noop("asked at {time} to move here from {at}"),
    gettext_noop("in the must-move game {at} since {time}, longest of those there"),
    gettext_noop("was skipped for {seats} by the floor"),
    gettext_noop("wants {seats}, and free {free}"),
    gettext_noop("wants another table"),
    gettext_noop("has no invitation to {at}"),
    gettext_noop("has left the table they were to move from"),
    gettext_noop("leaves after this hand"),
    gettext_noop("sits at {at} already"),
    gettext_noop("would leave {n} where they play, and {more} play here ({rule})"),
    gettext_noop("has no login, and this table is online"),
    gettext_noop("may not play at the moment"),
    gettext_noop("is away from the table"),
    gettext_noop("was recently skipped by the floor"),
    gettext_noop("is seat {n}"),
    gettext_noop("are seats {most} and {n}"),
    gettext_noop("seat {n}"),
    gettext_noop("seat {most} or {n}"),
    gettext_noop("{name}: {what}."),
    gettext_noop("{name}: {what}"),
)
#: What happened to a name on a list, by its `verb`.
_VERBS = {
    "called": gettext_lazy("called"),
    "called-off": gettext_lazy("called off"),
    "clock": gettext_lazy("clock"),
    "coming": gettext_lazy("coming"),
    "expired": gettext_lazy("expired"),
    "held-back": gettext_lazy("held back"),
    "joined": gettext_lazy("joined"),
    "left": gettext_lazy("left"),
    "more-time": gettext_lazy("more time"),
    "moving": gettext_lazy("moving"),
    "passed-over": gettext_lazy("passed over"),
    "put-back": gettext_lazy("put back"),
    "refused": gettext_lazy("refused"),
    "seated": gettext_lazy("seated"),
    "stayed": gettext_lazy("stayed"),
    "taken-off": gettext_lazy("taken off"),
    "transferred": gettext_lazy("transferred"),
}
_PASSED = re.compile(r"(?<= \()(?:[^()]|\([^()]*\))*(?=\))")


def reason(words: str) -> str:
    """These words of a list in the current language; as they are where nothing is known like them, which is so of what
    somebody of the staff wrote."""
    said, mark, others = words.partition("; passed over: ")
    if not mark:
        return read_back(words, _PATTERNS)
    passed = _PASSED.sub(lambda found: read_back(found[0], _PATTERNS), others.removesuffix("."))
    return read_back(f"{said}{mark}{passed}.", _PATTERNS)


def verb_name(verb: str) -> str:
    """What happened to a name on a list, in a word."""
    return str(_VERBS.get(verb, verb.replace("-", " ")))
