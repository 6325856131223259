"""The tables of the room that an online event is played at, by the event's own numbers.

A table of the room carries its number in its name. It is looked for there, so that nothing has to be kept twice.
"""

import re
from datetime import datetime

from games.play import event_tables, opening
from games.play.event_tables import TableLine
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.locking import Locked
from tournaments.events.models import Template, Tournament

_NUMBER = re.compile(r"table (\d+)$")
_LONGEST_NAME = 60
#: Seconds between two hands, for the showdown to be looked at, where the event does not say (option `pause_seconds`).
PAUSE_SECONDS = 4


class Hall:
    """Every open table of an event, as one query found them; `look` again after some were opened or closed. `asking`:
    the one that asks between its hands."""

    def __init__(self, locked: Locked, *, asking: int = 0) -> None:
        self.locked = locked
        self.asking = asking
        self.lines: dict[int, TableLine] = {}
        self.ids: dict[int, int] = {}
        self.look()

    def look(self) -> None:
        self.lines = event_tables.listing(event=self.locked.row.unit)
        self.ids = {}
        for pk in self.lines:
            # Of two with one number the later is the one to play at: its size is the one wanted.
            self.ids[self.number(pk)] = pk

    def number(self, table_id: int) -> int:
        """The event's number of a table of the room."""
        return number_of(self.lines[table_id].name)

    def is_idle(self, table_id: int) -> bool:
        """Whether no hand is in progress there, and the last one is recorded in the event."""
        line = self.lines[table_id]
        if line.hand is not None:
            return False
        is_known = line.last_hand is None or playing.answered(self.locked, key_of(line.last_hand)) is not None
        return is_known or line.due_at is None or table_id == self.asking

    def busy(self) -> tuple[int, ...]:
        """The event's tables whose players cannot be moved now: a hand is on, or somebody may buy chips again."""
        return tuple([number for number, pk in self.ids.items() if not self.is_idle(pk) or self._has_to_wait(number)])

    def _has_to_wait(self, number: int) -> bool:
        state = self.locked.state
        sitting = state.tables[number].seats.values() if number in state.tables else ()
        return any(not state.entrants[one].stack and one not in state.held for one in sitting)

    def open(self, *, now: datetime) -> None:
        """Open a table of the room for every table of the event that has none of its size."""
        state = self.locked.state
        missing = [
            (self._name(number, is_second=number in self.ids), table.size)
            for number, table in state.tables.items()
            if number not in self.ids or self.lines[self.ids[number]].seat_count != table.size
        ]
        if missing:
            open_tables(self.locked, missing, now=now)
            self.look()

    def close(self, *, now: datetime) -> None:
        """Close the tables of the room that the event has no more; nobody sits there."""
        wanted = {self.ids[number] for number in self.locked.state.tables if number in self.ids}
        left = [pk for pk, line in self.lines.items() if pk not in wanted and line.hand is None]
        if left:
            event_tables.close_tables(table_ids=left, now=now)
            self.look()

    def _name(self, number: int, *, is_second: bool) -> str:
        row = self.locked.row
        end = f" #{row.pk}, {'final ' if is_second else ''}table {number}"
        return row.name[: _LONGEST_NAME - len(end)] + end


def number_of(name: str) -> int:
    """The event's number of the table of the room with this name; 0 for none."""
    found = _NUMBER.search(name)
    return int(found.group(1)) if found else 0


def key_of(hand: int) -> str:
    """The command id under which a hand's outcome is recorded, once."""
    return f"hand:{hand}"


def open_tables(locked: Locked, specs: list[tuple[str, int]], *, now: datetime) -> None:
    """Open tables of these names and sizes, with the event's clocks and the stakes of its level."""
    row, terms = locked.row, locked.state.config
    stakes, game, betting = stakes_of(locked.state, now=now)
    event_tables.open_tables(
        event=row.unit, unit=row.unit, specs=specs, stakes=stakes, game=game, betting=betting, now=now,
        rulebook=terms.rulebook, pause_seconds=option(row, "pause_seconds", PAUSE_SECONDS), **terms.table_times,
    )  # fmt: skip


def stakes_of(state: Engine, *, now: datetime) -> tuple[opening.Stakes, str, str]:
    """Stakes, game and betting structure of a hand that begins now."""
    now_ms = event_journal.ms(now)
    level = state.stakes(now_ms)
    big_bet = max(level.small_bet, level.big_bet)  # without limit a level has no big bet
    stakes = opening.Stakes(level.ante, level.bring_in, level.small_bet, big_bet, state.smallest_chip(now_ms))
    return stakes, level.game, level.betting


def option(row: Tournament | Template, name: str, default: int) -> int:
    """A whole number from the event's options, or `default` where there is none that makes sense."""
    value = row.options.get(name, default)
    return value if type(value) is int and 0 <= value <= 3600 else default
