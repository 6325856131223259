"""Columns of an event and its entries that repeat facts: noted while commands are played, written once after them."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from tournaments.engine import clock as clocks
from tournaments.engine import plain
from tournaments.engine.facts import (
    ActionRedone,
    ActionUndone,
    Cancelled,
    EventEnded,
    EventFact,
    FlightClosed,
    Revived,
    RoundDrawn,
    Withdrew,
)
from tournaments.engine.prizes import payouts
from tournaments.engine.state import Entrant
from tournaments.events import journal as event_journal
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament

State = Tournament.State


#: After these any entry may stand otherwise.
_CONCERN_ALL = (ActionUndone, ActionRedone, Cancelled, EventEnded, FlightClosed, Revived, RoundDrawn)


#: Fields of facts that hold rows which begin with an entrant's number.
_ROWS_BY_ENTRANT = ("seats", "outs", "stacks", "bounties", "amounts")


_BIG, _TEXT, _MOMENT = "bigint", "text", "moment"


#: Columns of an entry that follow the facts, with their types; `_values` has them in this order.
_COLUMNS = (
    *(("state", _TEXT), ("table", _BIG), ("seat", _BIG), ("chips", _BIG), ("below", _BIG), ("tied", _BIG)),
    *(("place", _BIG), ("prize", _BIG), ("bounty", _BIG), ("bounties_won", _BIG), ("rebuys", _BIG), ("add_ons", _BIG)),
    ("out_at", _MOMENT),
)


def note_facts(locked: Locked, facts: Sequence[EventFact]) -> None:
    """Remember the entries whose rows these facts concern; `touched` None: all of them."""
    for fact in facts:
        # A no-show is taken off as if they had never entered, which changes the places of players who are out.
        is_taken_off = isinstance(fact, Withdrew) and locked.row.is_live
        if locked.touched is None or is_taken_off or isinstance(fact, _CONCERN_ALL):
            locked.touched = None
            return
        if number := getattr(fact, "entrant", 0):
            locked.touched.add(number)
        locked.touched.update(getattr(fact, "by", ()))  # they won a bounty
        for name in _ROWS_BY_ENTRANT:
            locked.touched.update(row[0] for row in getattr(fact, name, ()))


def write_rows(locked: Locked, *, now: datetime) -> None:
    """Bring the entries' rows, and the event's row in memory, to where the facts stand. `journal.save` follows."""
    if locked.event is None:
        return
    state, row = locked.state, locked.row
    if locked.touched is None:
        _write_entries(locked, state.entrants.values())
    elif locked.touched:
        _write_entries(locked, [state.entrants[number] for number in sorted(locked.touched)])
    locked.touched = set()
    row.state = _state_of(locked)
    row.entries_count = state.entries
    row.alternates_count = len(state.alternates)
    row.players_left = state.left
    row.tables_count = len(state.tables)
    row.pool = state.pool
    # While people register every entry changes the prizes; how many there will be is enough then.
    is_early = state.phase == "registering"
    row.places_paid = payouts.places_paid(state.entries, state.config.payout) if is_early else state.places_paid()
    note_clock(locked, now=now)
    row.is_entry_open = state.is_entry_open(event_journal.ms(now))
    row.is_hand_for_hand = state.is_hand_for_hand
    _note_moments(row, now=now)


def note_clock(locked: Locked, *, now: datetime) -> bool:
    """Bring the row's level and clock to where they are now; True where they were not."""
    row, before = locked.row, (locked.row.level, locked.row.clock)
    row.level, row.clock = locked.state.level(event_journal.ms(now)), clock_json(locked.state.clock)
    return (row.level, row.clock) != before


def clock_json(clock: clocks.Clock) -> dict[str, Any]:
    """A clock as JSON: its fields, and whether it is running."""
    values: dict[str, Any] = plain.to_plain(clock)
    return values | {"is_running": isinstance(clock, clocks.Running)}


def values_of(entrant: Entrant, *, is_over: bool) -> list[Any]:
    """What the columns of an entry's row say, in the order of `COLUMNS`; its moment in milliseconds."""
    return [
        entrant.status,
        entrant.table or None,
        entrant.seat or None,
        entrant.stack,
        entrant.below if entrant.is_placed else None,
        entrant.tied,
        entrant.place if is_over and entrant.is_placed else None,
        entrant.prize,
        entrant.bounty,
        entrant.bounties_won,
        entrant.rebuys,
        entrant.add_ons,
        entrant.out_at or None,
    ]


COLUMNS = tuple(name for name, _ in _COLUMNS)


def _state_of(locked: Locked) -> str:
    state = locked.state
    if state.phase == "running":
        return State.PAUSED if state.is_paused else State.RUNNING
    return {"registering": State.OPEN, "finished": State.FINISHED, "cancelled": State.CANCELLED}[state.phase]


def _note_moments(row: Tournament, *, now: datetime) -> None:
    """Note when the event started and ended; an end that was undone is cleared."""
    if row.is_live or row.is_over:
        row.started_at = row.started_at or (now if row.is_live else None)
    else:
        row.started_at = None
    row.ended_at = (row.ended_at or now) if row.is_over else None


def _write_entries(locked: Locked, entrants: Iterable[Entrant]) -> None:
    """One statement for any number of entries."""
    is_over = locked.state.phase == "finished"
    rows = []
    for entrant in entrants:
        values = values_of(entrant, is_over=is_over)
        if values[-1] is not None:
            values[-1] = str(connection.ops.adapt_datetimefield_value(event_journal.moment(values[-1])))
        rows.append([entrant.number, *values])
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_update(), [json.dumps(rows), locked.pk])


def _update() -> str:
    """The UPDATE of entries from a JSON list of rows, [number, *columns], in the words of the database at hand."""
    is_postgresql = connection.vendor == "postgresql"
    source = "jsonb_array_elements(%s::jsonb) AS each(value)" if is_postgresql else "json_each(%s)"
    types = {_MOMENT: "timestamptz" if is_postgresql else "text"}
    fields = ", ".join(
        f"CAST(value ->> {place} AS {types.get(kind, kind)}) AS told_{name}"
        for place, (name, kind) in enumerate((("number", _BIG), *_COLUMNS))
    )
    settings = ", ".join(f'"{name}" = told_{name}' for name in COLUMNS)
    return (
        f"UPDATE events_tournamententry SET {settings} FROM (SELECT {fields} FROM {source}) AS told "  # noqa: S608
        "WHERE tournament_id = %s AND number = told_number"
    )
