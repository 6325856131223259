"""What is suggested, as a command; and what an event that lets it has carried out by itself."""

import secrets
from datetime import datetime

from tournaments import moments
from tournaments.engine.commands import (
    BreakTable,
    ClockOff,
    Command,
    DrawFinalTable,
    DrawRound,
    Finish,
    HandForHand,
    LockPayouts,
    Move,
    SeatLate,
)
from tournaments.services import playing, suggestions
from tournaments.services.locking import Locked
from tournaments.services.suggestions import Suggestion

#: More than any floor needs at once; what is left over is suggested.
_MOST_STEPS = 200


def command_of(suggestion: Suggestion) -> Command | None:
    """What carries it out; None for what is done elsewhere (`colour-up`, `pay`)."""
    data, seed = suggestion.data, secrets.randbits(64)
    commands: dict[str, Command] = {
        "final-table": DrawFinalTable(seed),
        "draw-round": DrawRound(seed),
        "hand-for-hand": HandForHand(True),
        "hand-for-hand-off": HandForHand(False),
        "lock-payouts": LockPayouts(),
        "finish": Finish(),
    }
    if suggestion.kind == "move":
        return Move(data["entrant"], data["table"], data["seat"], suggestion.why, suggestion.rule)
    if suggestion.kind == "break-table":
        return BreakTable(data["table"], seed)
    if suggestion.kind == "seat":
        return SeatLate(data["entrant"], seed)
    if suggestion.kind == "time-up":
        return ClockOff(data["entrant"])
    return commands.get(suggestion.kind)


def arrange(locked: Locked, *, now: datetime) -> None:
    """In an event that lets it, do what is due at the tables, one after the other. Call with the event held."""
    if not locked.row.options.get(suggestions.AUTO_ARRANGE) or locked.event is None:
        return
    for _ in range(_MOST_STEPS):
        kept = suggestions.dismissed(locked.row)
        found = suggestions.of(locked.state, now_ms=moments.ms(now), dismissed=kept)
        due = next((each for each in found if each.kind in suggestions.ARRANGED), None)
        if due is None:
            return
        playing.play(locked, command_of(due) or _nothing(due), now=now)


def _nothing(suggestion: Suggestion) -> Command:
    raise RuntimeError(f"what is suggested cannot be done: {suggestion.kind}")
