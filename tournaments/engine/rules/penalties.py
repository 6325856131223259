"""Penalties."""

from __future__ import annotations

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine import labels
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.event import Event, Opened

PENALTY = "TDA 71"


def _penalty_name(command: c.Penalise) -> EventSentence:
    if command.kind == "hands":
        return labels.counted(command.count, labels.HAND_TO_MISS, labels.HANDS_TO_MISS)
    if command.kind == "rounds":
        return labels.counted(command.count, labels.ROUND_TO_MISS, labels.ROUNDS_TO_MISS)
    return labels.DISQUALIFIED() if command.kind == "disqualified" else labels.WARNING()


def penalise(event: Event, command: c.Penalise) -> Opened | None:
    """A warning, hands or rounds to miss, or disqualification. A round is as many hands as players sit at the table
    now. The chips of a disqualified player leave play."""
    entrant = event.playing(command.entrant)
    if command.kind not in c.PENALTIES:
        raise IllegalCommand(
            "unknown-penalty",
            "There is no penalty {kind!r}: {choices}.",
            PENALTY,
            kind=command.kind,
            choices=", ".join(c.PENALTIES),
        )
    if entrant.number in event.held:
        raise IllegalCommand("is-out", "{name} is out when this hand is over.", PENALTY, name=entrant.name)
    is_to_miss = command.kind in ("hands", "rounds")
    if is_to_miss and (command.count < 1 or not entrant.table):
        raise IllegalCommand(
            "penalty-count",
            EventSentence("Say how many hands {name} misses, at a table.", name=entrant.name)
            if command.kind == "hands"
            else EventSentence("Say how many rounds {name} misses, at a table.", name=entrant.name),
            PENALTY,
        )
    players = len(event.tables[entrant.table].seats) if entrant.table else 0
    hands = command.count * (players if command.kind == "rounds" else 1) if is_to_miss else 0
    if command.kind == "disqualified" and event.left - len(event.held) < 2:
        raise IllegalCommand("nobody-left", "The last player left cannot be disqualified.", PENALTY)
    event.emit(
        f.Penalised(
            entrant.number,
            command.kind,
            command.count,
            hands,
            command.reason,
            at=event.now,
            label=labels.PENALTY(name=entrant.name, what=_penalty_name(command)),
        )
    )
    if command.kind == "disqualified":
        opened = [(entrant.table, entrant.seat)] if entrant.table else []
        chips = min(entrant.stack, event.chips)  # counts in the room may be old
        event.emit(f.Disqualified(entrant.number, event.left, event.entries - event.left, chips, at=event.now))
        return opened
    return None
