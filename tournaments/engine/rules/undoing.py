"""Which action can be taken back, which done again, and why another cannot.

Facts stay; an undone action just no longer stands. Money that changed hands is never undone but given back, and what
was played online has been played.
"""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.engine import commands as c
from tournaments.engine import facts as f
from tournaments.engine.errors import IllegalAction
from tournaments.engine.event import Event
from tournaments.engine.state import Action, TournamentState

_PAID_FOR = "An entry that was paid is not undone: take it off, and the money goes back."
#: Kinds that stand for good, and why.
_FOR_GOOD = {
    "announced": "There is nothing before the announcement.",
    "entered": _PAID_FOR,
    "entered-as-alternate": _PAID_FOR,
    "rebought": "A rebuy that was paid is not undone.",
    "added-on": "An add-on that was paid is not undone.",
    "withdrew": "The money of an entry that was taken off is back with its owner: let them enter again.",
    "identified": "Who somebody is does not depend on the event: say who it is instead.",
    "cancelled": "The event was cancelled, and the money went back.",
    "prizes-paid": "The prizes were paid.",
}
#: What the director does online beside the hands; all else there follows from hands that were played.
_BESIDE_HANDS = frozenset(
    {
        *("terms-changed", "entry-kept", "seat-reserved", "clock-set", "levels-edited", "clock-called"),
        *("clock-lifted", "payout-changed", "payouts-locked", "deal-made", "penalised"),
    }
)


def candidate(event: TournamentState) -> Action | None:
    """The last action that may be undone; None where there is none."""
    known_until, found = event.undoable
    for action in reversed(event.log.actions):
        if action.first <= known_until:
            break
        if "prizes-paid" in action.kinds:
            found = None
            break
        if not why_not(event, action):
            found = action
            break
    event.undoable = (len(event.facts), found)
    return found


def why_not(event: TournamentState, action: Action) -> str:
    """Why this action stands for good; '' where it does not."""
    for kind in action.kinds:
        if kind in _FOR_GOOD:
            return _FOR_GOOD[kind]
    if event.config.conduct == "online":
        if not _BESIDE_HANDS.issuperset(action.kinds):
            return "Hands were played on it online: it is not undone."
        fact = event.facts[action.first - 1]
        if isinstance(fact, f.ClockSet) and fact.why == "hands":
            return "Played hands online are not undone."
    return ""


def undo(event: Event, command: c.Undo) -> None:
    """Undo the last action, unless what came after stands on it."""
    action = candidate(event)
    if action is None:
        last = event.log.actions[-1]
        raise IllegalAction("nothing-to-undo", why_not(event, last) or "There is nothing to undo.")
    _try(event, f.ActionUndone(action.first, action.last, at=event.now, label=f"Undone: {action.label}"))


def redo(event: Event, command: c.Redo) -> None:
    """What was undone last stands again."""
    if not event.log.undone:
        raise IllegalAction("nothing-to-redo", "There is nothing to do again.")
    action = event.log.undone[-1]
    _try(event, f.ActionRedone(action.first, action.last, at=event.now, label=f"Redone: {action.label}"))


def _try(event: Event, fact: f.ActionUndone | f.ActionRedone) -> None:
    """Later facts that were not undone stand on what was before them. If they cannot, all stays."""
    trial = event.copy()
    try:
        trial.emit(fact)
        fault = next(faults(trial), "")
    except (KeyError, AttributeError):
        fault = "what was done since stands on it"
    if fault:
        raise IllegalAction("undo-blocked", f"It cannot be taken back: {fault}.")
    event.become(trial)


def faults(event: TournamentState) -> Iterator[str]:
    """What cannot be in any state: each a half-sentence for people."""
    for entrant in event.entrants.values():
        is_live = entrant.status in ("in", "alternate")
        if is_live and event.players.get(entrant.player) != entrant.number:
            yield f"{entrant.name} has entered again since"
        if entrant.status != "in" and (entrant.table or (entrant.stack and entrant.status != "alternate")):
            yield f"{entrant.name} has had chips or a seat since"
        if entrant.status == "alternate" and (entrant.rebuys or entrant.add_ons):
            yield f"{entrant.name} has bought chips since"
        if entrant.status == "withdrawn" and entrant.bounties_won:
            yield f"{entrant.name} has been taken off since"
        if entrant.table and event.tables[entrant.table].seats.get(entrant.seat) != entrant.number:
            yield f"{entrant.name}'s seat has been taken since"
    for table in event.tables.values():
        for seat, number in table.seats.items():
            entrant = event.entrants[number]
            if (entrant.table, entrant.seat) != (table.number, seat):
                yield f"{entrant.name} has moved since"
    if event.phase == "running" and event.left < 1:
        yield "nobody would be left"
    if event.clock.level >= len(event.structure.levels):
        yield "the level that is played would not be there"
