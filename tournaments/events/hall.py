"""The tables of the room that an online event is played at, by the event's own numbers."""

import re
from datetime import datetime

from games.engine.facts.play import HandStarted
from games.notation.events import EventDetails
from games.play import event_tables, opening
from games.play.event_tables import TableLine
from games.tables.models.tables import Table
from tournaments.engine import clock
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import terms
from tournaments.events.journal import Locked
from tournaments.events.models import Payment, Tournament
from tournaments.events.playing import earlier_receipt
from tournaments.events.terms import option

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
        is_known = line.last_hand is None or earlier_receipt(self.locked, key_of(line.last_hand)) is not None
        return is_known or line.due_at is None or table_id == self.asking

    def busy(self) -> tuple[int, ...]:
        """The event's tables whose players cannot be moved now: a hand is on, or somebody may buy chips again."""
        return tuple([number for number, pk in self.ids.items() if not self.is_idle(pk) or self._has_to_wait(number)])

    def _has_to_wait(self, number: int) -> bool:
        state = self.locked.state
        sitting = state.tables[number].seats.values() if number in state.tables else ()
        return any(not state.entrants[entrant].stack and entrant not in state.held for entrant in sitting)

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
    match = _NUMBER.search(name)
    return int(match.group(1)) if match else 0


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


def stakes_of(state: EventEngine, *, now: datetime) -> tuple[opening.TableStakes, str, str]:
    """Stakes, game and betting structure of a hand that begins now."""
    now_ms = event_journal.ms(now)
    level = state.stakes(now_ms)
    big_bet = max(level.small_bet, level.big_bet)  # without limit a level has no big bet
    stakes = opening.TableStakes(level.ante, level.bring_in, level.small_bet, big_bet, state.smallest_chip(now_ms))
    return stakes, level.game, level.betting


def of_hand(tournament_id: int, table: Table, started: HandStarted) -> EventDetails | None:
    """What an event says of a hand: its level is the one whose stakes the hand was played for."""
    row = Tournament.objects.filter(pk=tournament_id).first()
    if row is None:
        return None
    structure, price = terms.config_of(row).structure, terms.price_of(row, Payment.Kind.ENTRY)
    level = next((index for index, candidate in enumerate(structure.levels) if _is_played(candidate, started)), None)
    return EventDetails(
        number=row.pk, name=row.name, table=number_of(table.name),
        level=structure.number(level) if level is not None else 0,
        pool=price.pool, bounty=price.bounty, fee=price.fee + price.staff,
    )  # fmt: skip


def _is_played(level: clock.Level, started: HandStarted) -> bool:
    stakes = (level.game, level.betting, level.ante, level.bring_in)
    if level.is_break or stakes != (started.game, started.structure, started.ante, started.bring_in):
        return False
    return level.small_bet == (started.small_bet or started.min_bet)
