"""What is said in a director's order, looked at before the engine sees it."""

from django.utils.translation import gettext_lazy

from cardroom.core.errors import Illegal, Invalid
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament

_REASON = range(3, 201)
#: What is counted, as people call it.
_WHOLE = {
    "stack": gettext_lazy("stack"),
    "count": gettext_lazy("count"),
    "number": gettext_lazy("number"),
    "time": gettext_lazy("time"),
    "level": gettext_lazy("level"),
    "part to play for": gettext_lazy("part to play for"),
}


def reason_of(text: str, *, of: str) -> str:
    """Why it was done, where the rules want it said. `Invalid` without."""
    text = " ".join(text.split())
    if len(text) not in _REASON or not text.isprintable():
        raise Invalid(
            "reason-required",
            "Enter a reason of {least} to {longest} characters ({what}).",
            least=_REASON[0],
            longest=_REASON[-1],
            what=of,
        )
    return text


def whole(value: int, what: str, *, least: int = 0, most: int = 10**15) -> int:
    """A whole number in its range, or `Invalid` naming it."""
    if type(value) is not int or not least <= value <= most:
        raise Invalid(
            f"bad-{what.replace(' ', '-')}",
            "The {what} is a whole number from {least:,} to {most:,}.",
            what=_WHOLE.get(what, what),
            least=least,
            most=most,
        )
    return value


def check_in_the_room(locked: Locked, what: str) -> None:
    """Refuse, as `Illegal`, what the online tables of an event do by themselves. `what`: how it goes online, for the
    message ("seats are drawn by the tournament")."""
    if locked.row.conduct == Tournament.Conduct.ONLINE:
        raise Illegal("online-tables", "Online {what}: nobody enters it by hand.", what=what)
