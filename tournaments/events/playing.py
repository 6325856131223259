"""One command in an event, from the engine to the journal, the rows and the alarm. Every service goes through here.

Within `holding`, or `event`, `play` any number of commands; at its end the rows that repeat facts (an event's counts
and clock, the columns of its entries) are written once, by a constant number of statements.

An order of a director is a verb that holds its event by `event`. It raises `NotFound`, `Forbidden` (no role for it),
`Stale` (another director did something meanwhile; it says what), and `Illegal` in the engine's words, with the rule. It
is done once by the key of the verb; command ids in the log are of what the log itself records once, such as the outcome
of a hand online.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from cardroom.core.errors import Illegal, Stale
from cardroom.core.models import User
from cardroom.core.sentences import translated
from cardroom.core.verb import current_time
from games.engine.facts.play import HandStarted
from games.notation.events import EventDetails
from games.play import event_tables, opening
from games.play.event_tables import TableLine
from games.tables.models.tables import Table
from tournaments.engine import clock, plain
from tournaments.engine import clock as clocks
from tournaments.engine.commands import Command
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.facts import (
    OF_HANDS,
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
from tournaments.engine.plain import listed
from tournaments.engine.prizes import payouts
from tournaments.engine.state import Entrant
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import queries as event_queries
from tournaments.events import signals as event_signals
from tournaments.events import terms
from tournaments.events.journal import Locked, Receipt
from tournaments.events.models import Payment, Template, Tournament, TournamentEntry
from tournaments.events.tables import tables_of

# When something is due in an event by itself. All of it is computed from stored moments; nothing here writes.


_LOOK_AGAIN = timedelta(seconds=30)


def next_wake(locked: Locked, *, now: datetime) -> datetime | None:
    """When the event's alarm has to ring next; None: it waits for people."""
    row = locked.row
    if row.state == State.ANNOUNCED:
        return row.registration_opens_at
    if is_next_event_due(row):
        return now
    if row.state == State.OPEN:
        return now if bots_wanted(row) else _start(row, now=now)
    if are_to_go_home(locked, now=now):
        return now
    if not row.is_live:
        return None
    state = locked.state
    wanted = [moment for moment in state.called.values() if moment > event_journal.ms(now)]
    if (ends_at := clock.next_change(state.clock, state.structure, event_journal.ms(now))) is not None:
        wanted.append(ends_at)
    return event_journal.moment(min(wanted)) if wanted else None


def are_to_go_home(locked: Locked, *, now: datetime) -> bool:
    """Whether alternates can get no seat any more: entry has closed, or the event is over."""
    is_played = locked.row.is_live or locked.row.state == State.FINISHED
    return is_played and bool(locked.state.alternates) and not locked.state.is_entry_open(event_journal.ms(now))


def start_due_at(row: Tournament, *, now: datetime) -> datetime | None:
    """When an event that takes entries starts, or is cancelled, by itself: when it is full, or at its time.

    One that waits for more entrants is due, past its time, as soon as there are enough, or flights that bring them.
    """
    if not starts_by_itself(row):
        return None
    config = terms.config_of(row)
    if row.starts_when_full and row.players_left >= config.max_entrants:
        return now
    waits = row.when_short == row.WhenShort.WAIT and row.players_left < config.min_entrants
    if row.starts_at is not None and row.starts_at <= now and waits and not event_queries.are_to_come(row):
        return None
    return row.starts_at


def _start(row: Tournament, *, now: datetime) -> datetime | None:
    """When to look whether it starts; a final past its time looks again and again, until its flights have come."""
    starts_at = start_due_at(row, now=now)
    is_late = starts_at is not None and starts_at <= now
    return now + _LOOK_AGAIN if is_late and event_queries.are_to_come(row) else starts_at


def starts_by_itself(row: Tournament) -> bool:
    """In the room a director starts it, unless that is left to the clock."""
    return row.conduct == Tournament.Conduct.ONLINE or bool(row.options.get("starts_by_itself"))


def is_next_event_due(row: Tournament) -> bool:
    """Whether the next event should be made: this one is full, has started, or was called off."""
    if not row.recurs_times or not (row.recurs_minutes or row.recurs_when_full):
        return False
    if row.is_live or row.is_over:
        return True
    is_full = row.state == State.OPEN and row.players_left >= terms.config_of(row).max_entrants
    return row.recurs_when_full and is_full


def bots_wanted(row: Tournament) -> int:
    """How many house bots are to enter yet, beside the people."""
    if not row.bots or row.state != State.OPEN:
        return 0
    room = row.bots - row.entries.filter(how=TournamentEntry.How.HOUSE).count()
    most = terms.config_of(row).max_entrants
    return max(0, min(room, most - row.players_left) if most else room)


# One command in an event, from the engine to the journal, the rows and the alarm. Every service goes through here.


# Columns that repeat facts


State = Tournament.State

#: After these any entry may stand otherwise.
_CONCERN_ALL = (ActionUndone, ActionRedone, Cancelled, EventEnded, FlightClosed, Revived, RoundDrawn)
#: Fields of facts that hold rows which begin with an entrant's number.
_ROWS = ("seats", "outs", "stacks", "bounties", "amounts")

_BIG, _TEXT, _MOMENT = "bigint", "text", "moment"
#: Columns of an entry that follow the facts, with their types; `_values` has them in this order.
_COLUMNS = (
    *(("state", _TEXT), ("table", _BIG), ("seat", _BIG), ("chips", _BIG), ("below", _BIG), ("tied", _BIG)),
    *(("place", _BIG), ("prize", _BIG), ("bounty", _BIG), ("bounties_won", _BIG), ("rebuys", _BIG), ("add_ons", _BIG)),
    ("out_at", _MOMENT),
)


def note(locked: Locked, facts: Sequence[EventFact]) -> None:
    """Remember whose rows these facts concern."""
    for fact in facts:
        # Who never came is taken off as if never entered: the places of those who are out are other ones.
        is_taken_off = isinstance(fact, Withdrew) and locked.row.is_live
        if locked.touched is None or is_taken_off or isinstance(fact, _CONCERN_ALL):
            locked.touched = None
            return
        if number := getattr(fact, "entrant", 0):
            locked.touched.add(number)
        locked.touched.update(getattr(fact, "by", ()))  # who knocked somebody out won their bounty
        for name in _ROWS:
            locked.touched.update(row[0] for row in getattr(fact, name, ()))


def write(locked: Locked, *, now: datetime) -> None:
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
        entrant.below if entrant.below >= 0 else None,
        entrant.tied,
        entrant.place if is_over and entrant.below >= 0 else None,
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
    """When it started and ended; an end that was undone has not happened."""
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


_MOST_TOLD, _MOST_DONE = 3, 20

_held: ContextVar[frozenset[int]] = ContextVar("events held", default=frozenset())


@contextmanager
def holding(tournament_id: int, *, now: datetime | None = None) -> Iterator[Locked]:
    """The event locked, in a transaction (the caller's, if there is one); stored when the block ends well.

    `NotFound` where there is no such event. `now` None: it is read once the lock is had (`Locked.now`). What is made of
    the event, such as the columns of an entry, is read after the block, which writes them at its end. Within the
    block nobody may hold the same event again: the row would be read as it was, and one of the two would be written
    over.
    """
    if tournament_id in _held.get():
        raise RuntimeError(f"event {tournament_id} is held already: hand its `Locked` on")
    token = _held.set(_held.get() | {tournament_id})
    try:
        with transaction.atomic():
            locked = event_journal.lock(tournament_id)
            locked.now = now = now or current_time()
            yield locked
            follow_clock(locked, now=now)
            follow_seats(locked, now=now)
            write(locked, now=now)
            _tell(locked, now=now)
            event_journal.save(locked, wake_at=next_wake(locked, now=now))
    finally:
        _held.reset(token)


def follow_clock(locked: Locked, *, now: datetime) -> None:
    """Have the tables online follow the clock, whether it was changed or simply went on; `holding` ends with it."""
    level = locked.row.level
    if locked.event is not None and locked.state.phase == "running" and note_clock(locked, now=now):
        if locked.row.level > level:
            tables_of(locked).level_began(locked, now=now)
        tables_of(locked).clock_moved(locked, now=now)


def follow_seats(locked: Locked, *, now: datetime) -> None:
    """Have the tables online follow what was played and nobody has brought to them yet; `holding` ends with it."""
    if locked.event is not None and locked.row.is_live and len(locked.state.facts) > locked.followed:
        tables_of(locked).catch_up(locked, now=now)


def _tell(locked: Locked, *, now: datetime) -> None:
    """Tell those above what is new; `holding` ends with it."""
    if locked.event is None:
        return
    facts = locked.state.facts[locked.event.seq :]
    if facts:
        event_signals.facts_written.send(sender=Tournament, locked=locked, facts=facts, now=now)
    if any(isinstance(fact, EventEnded) for fact in facts):
        event_signals.event_ended.send(sender=Tournament, locked=locked, now=now)


def play(locked: Locked, command: Command, *, now: datetime, by: User | None = None, key: str = "") -> Receipt:
    """Play a command in an event that `holding` holds. A refusal of the engine becomes `Illegal`; nothing has changed
    then."""
    event = opened(locked)
    try:
        receipt = event_journal.play(
            event,
            command,
            at=now,
            now_ms=event_journal.ms(now),
            command_id=key,
            by=by.pk if by is not None else None,
            follows=locked.has_order,
        )
    except IllegalCommand as error:
        raise refusal(error) from None
    locked.row.seq = event.length
    locked.has_order = locked.has_order or receipt.seq >= receipt.facts_from
    note(locked, event.engine.facts[receipt.facts_from - 1 :])
    return receipt


def opened(locked: Locked) -> event_journal.OpenEvent:
    """The event folded from its facts; `Illegal` where registration has not opened yet."""
    if locked.event is None:
        raise Illegal("not-open-yet", "Registration for this tournament has not opened yet.")
    return locked.event


def answered(locked: Locked, key: str) -> Receipt | None:
    """What the command of this name was answered, if it was given before."""
    return locked.event.receipts.get(key) if key and locked.event is not None else None


def check_seq(locked: Locked, expected_seq: int | None) -> None:
    """`Stale` where somebody acts on a view of the event that is no longer true, with what was done meanwhile. Hands
    that were played online meanwhile are no news."""
    if expected_seq is None or expected_seq == locked.row.seq:
        return
    since = locked.state.facts[expected_seq:] if locked.event is not None else []
    done = [translated(fact.label) for fact in since if fact.label and fact.kind not in OF_HANDS]
    if locked.row.conduct == Tournament.Conduct.ONLINE and since and not done:
        return
    what = f" ({translated(listed(done[-_MOST_TOLD:]))})" if done else ""
    raise Stale(
        "stale",
        "The tournament has changed since you loaded it{what}: reload and decide again.",
        what=what,
        seq=locked.row.seq,
        done=done[-_MOST_DONE:],
    )


def refusal(error: IllegalCommand) -> Illegal:
    """The engine's refusal as an error of the house: `Illegal`, or `Stale`."""
    return Illegal(error.code, error.message, rule=error.rule)


# Directors' orders


@dataclass(frozen=True, slots=True)
class OrderReceipt(Receipt):
    """The outcome of an order in an event."""

    tournament: int


@dataclass(slots=True)
class HeldEvent:
    """An event that an order may change. `busy`: its tables in the middle of a hand, as far as the house knows."""

    locked: Locked
    by: User | None
    now: datetime
    busy: tuple[int, ...] = ()
    _first: int = field(default=0)

    def play(self, command: Command) -> Receipt:
        """Play a command."""
        receipt = play(self.locked, command, now=self.now, by=self.by)
        self._first = self._first or receipt.facts_from
        return receipt

    @property
    def row(self) -> Tournament:
        return self.locked.row

    @property
    def state(self) -> EventEngine:
        return self.locked.state

    @property
    def receipt(self) -> OrderReceipt:
        """Everything that was done."""
        length = self.locked.row.seq
        return OrderReceipt(seq=length, facts_from=self._first or length + 1, tournament=self.locked.pk)


@contextmanager
def event(tournament_id: int, *, by: User | None, expected_seq: int | None = None) -> Iterator[HeldEvent]:
    """An event that has opened, held for an order of `by`. What the order came to, its `receipt`, is read after the
    block, which stores the event at its end. Refuses: `NotFound`, `Illegal` (not open yet), `Stale`."""
    with holding(tournament_id) as locked:
        opened(locked)
        check_seq(locked, expected_seq)
        yield HeldEvent(locked, by, locked.now or current_time())


# The tables of the room that an online event is played at, by the event's own numbers.


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
        is_known = line.last_hand is None or answered(self.locked, key_of(line.last_hand)) is not None
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
    structure, price = terms.config_of(row).structure, terms.of(row, Payment.Kind.ENTRY)
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


def option(row: Tournament | Template, name: str, default: int) -> int:
    """A whole number from the event's options, or `default` where there is none that makes sense."""
    value = row.options.get(name, default)
    return value if type(value) is int and 0 <= value <= 3600 else default
