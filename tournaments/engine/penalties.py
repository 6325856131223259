"""Penalties (TDA 71): a warning, hands or rounds to miss, disqualification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .errors import IllegalAction
from .seating import counted

if TYPE_CHECKING:
    from .tournament import Tournament

RULE = "TDA 71"


def penalise(event: Tournament, command: c.Penalise) -> None:
    """A round is as many hands as players sit at the table now. The chips of who is disqualified leave play."""
    entrant = event.playing(command.entrant)
    if command.kind not in c.PENALTIES:
        raise IllegalAction("unknown-penalty", f"There is no penalty {command.kind!r}: {', '.join(c.PENALTIES)}.", RULE)
    if entrant.number in event.held:
        raise IllegalAction("is-out", f"{entrant.name} is out when this hand is over.", RULE)
    is_to_miss = command.kind in ("hands", "rounds")
    if is_to_miss and (command.count < 1 or not entrant.table):
        raise IllegalAction("penalty-count", f"Say how many {command.kind} {entrant.name} misses, at a table.", RULE)
    players = len(event.tables[entrant.table].seats) if entrant.table else 0
    hands = command.count * (players if command.kind == "rounds" else 1) if is_to_miss else 0
    if command.kind == "disqualified" and event.left - len(event.held) < 2:
        raise IllegalAction("nobody-left", "The last player left cannot be disqualified.", RULE)
    how = f"{counted(command.count, command.kind[:-1])} to miss" if is_to_miss else command.kind
    event.emit(
        f.Penalised(
            entrant.number,
            command.kind,
            command.count,
            hands,
            command.reason,
            at=event.now,
            label=f"{entrant.name}: {how}",
        )
    )
    if command.kind == "disqualified":
        opened = [(entrant.table, entrant.seat)] if entrant.table else []
        chips = min(entrant.stack, event.chips)  # counts in the room may be old
        event.emit(f.Disqualified(entrant.number, event.left, event.entries - event.left, chips, at=event.now))
        event.settle(opened)
