"""One command in an event, from the engine to the journal, the rows and the alarm. Every service goes through here.

Within `holding`, or `event`, `play` any number of commands; at its end the rows that repeat facts (an event's counts
and clock, the columns of its entries) are written once, by a constant number of statements.

An order of a director is a verb that holds its event by `event`. It raises `NotFound`, `Forbidden` (no role for it),
`Stale` (another director did something meanwhile; it says what), and `Illegal` in the engine's words, with the rule. It
is done once by the key of the verb; command ids in the log are of what the log itself records once, such as the outcome
of a hand online.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from cardroom.core.errors import Illegal, Stale
from cardroom.core.models import User
from cardroom.core.sentences import translated
from cardroom.core.verb import current_time
from tournaments.engine.commands import Command
from tournaments.engine.errors import IllegalCommand
from tournaments.engine.facts import OF_HANDS, EventEnded
from tournaments.engine.plain import listed
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import signals as event_signals
from tournaments.events.due import next_wake
from tournaments.events.entry_rows import note_clock, note_facts, write_rows
from tournaments.events.journal import Locked, Receipt
from tournaments.events.models import Tournament
from tournaments.events.tables import tables_of

State = Tournament.State


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
            write_rows(locked, now=now)
            _tell(locked, now=now)
            event_journal.save(locked, wake_at=next_wake(locked, now=now))
    finally:
        _held.reset(token)


def follow_clock(locked: Locked, *, now: datetime) -> None:
    """Have the online tables follow the clock, whether it was changed or simply went on. Part of the end of `holding`,
    so that every command is followed by it."""
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
    event = opened_event(locked)
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
    note_facts(locked, event.engine.facts[receipt.facts_from - 1 :])
    return receipt


def opened_event(locked: Locked) -> event_journal.OpenEvent:
    """The event folded from its facts; `Illegal` where registration has not opened yet."""
    if locked.event is None:
        raise Illegal("not-open-yet", "Registration for this tournament has not opened yet.")
    return locked.event


def earlier_receipt(locked: Locked, key: str) -> Receipt | None:
    """What the command of this name was answered, if it was given before."""
    return locked.event.receipts.get(key) if key and locked.event is not None else None


def check_seq(locked: Locked, expected_seq: int | None) -> None:
    """`Stale` where somebody acts on a view of the event that is no longer true, with what was done meanwhile. Hands
    that were played online meanwhile are no news."""
    if expected_seq is None or expected_seq == locked.row.seq:
        return
    since = locked.state.facts[expected_seq:] if locked.event is not None else []
    labels_since = [translated(fact.label) for fact in since if fact.label and fact.kind not in OF_HANDS]
    if locked.row.conduct == Tournament.Conduct.ONLINE and since and not labels_since:
        return
    what = f" ({translated(listed(labels_since[-_MOST_TOLD:]))})" if labels_since else ""
    raise Stale(
        "stale",
        "The tournament has changed since you loaded it{what}: reload and decide again.",
        what=what,
        seq=locked.row.seq,
        done=labels_since[-_MOST_DONE:],
    )


def refusal(error: IllegalCommand) -> Illegal:
    """The engine's refusal as an error of the house: `Illegal`, or `Stale`."""
    return Illegal(error.code, error.message, rule=error.rule)


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
        opened_event(locked)
        check_seq(locked, expected_seq)
        yield HeldEvent(locked, by, locked.now or current_time())
