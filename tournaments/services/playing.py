"""One command in an event, from the engine to the journal, the rows and the alarm. Every service goes through here.

`act` is for a service that gives one command. One that does more takes `holding`: within it `play` any number of
commands, and on the way out the rows that are cached are written, once, by a constant number of statements.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from django.db import transaction

from cardroom.models import User
from cardroom.services.errors import Illegal, Invalid, Stale
from cardroom.services.operations import read
from tournaments import journal, moments
from tournaments.engine.commands import Command
from tournaments.engine.errors import IllegalAction
from tournaments.engine.facts import OF_HANDS
from tournaments.engine.words import listed
from tournaments.journal import Receipt
from tournaments.models import Tournament
from tournaments.services import cached, due, following, locking, online
from tournaments.services.locking import Locked

_LONGEST_ID = 64
_MOST_TOLD, _MOST_DONE = 3, 20

_held: ContextVar[frozenset[int]] = ContextVar("events held", default=frozenset())


@contextmanager
def holding(tournament_id: int, *, now: datetime | None) -> Iterator[Locked]:
    """The event locked, in a transaction (the caller's, if there is one); stored when the block ends well.

    `NotFound` where there is no such event. `now` None: it is read once the lock is had (`Locked.now`). Within the
    block nobody may hold the same event again: the row would be read as it was, and one of the two would be written
    over.
    """
    if tournament_id in _held.get():
        raise RuntimeError(f"event {tournament_id} is held already: hand its `Locked` on")
    token = _held.set(_held.get() | {tournament_id})
    try:
        with transaction.atomic():
            locked = locking.tournament(tournament_id)
            locked.now = now = read(now)
            yield locked
            follow_clock(locked, now=now)
            follow_seats(locked, now=now)
            cached.write(locked, now=now)
            following.follow(locked, now=now)
            locking.store(locked, wake_at=due.next_wake(locked, now=now))
    finally:
        _held.reset(token)


def follow_clock(locked: Locked, *, now: datetime) -> None:
    """Have the tables online follow the clock, whether it was changed or simply went on; `holding` ends with it."""
    level = locked.row.level
    if locked.event is not None and locked.state.phase == "running" and cached.note_clock(locked, now=now):
        if locked.row.level > level:
            online.tables_of(locked.row).new_level(locked, now=now)
        online.tables_of(locked.row).moved_on(locked, now=now)


def follow_seats(locked: Locked, *, now: datetime) -> None:
    """Have the tables online follow what was played and nobody has brought to them yet; `holding` ends with it."""
    if locked.event is not None and locked.row.is_live and len(locked.state.facts) > locked.followed:
        online.tables_of(locked.row).played(locked, now=now)


def act(
    *,
    tournament_id: int,
    command: Command,
    now: datetime | None = None,
    by: User | None = None,
    expected_seq: int | None = None,
    command_id: str = "",
    then: Callable[[Locked], None] | None = None,
) -> Receipt:
    """Give one command. The same `command_id` of the same person again is answered as it first was, and does nothing.

    `then` is called with what follows from it outside the engine, in the same transaction. Refuses: `NotFound`,
    `Stale` (the event has moved on from `expected_seq`), `Illegal` (by the engine's rules, or before registration).
    """
    key = key_of(by, command_id)
    with holding(tournament_id, now=now) as locked:
        if (earlier := answered(locked, key)) is not None:
            return earlier
        check_seq(locked, expected_seq)
        receipt = play(locked, command, now=locked.now, by=by, key=key)
        if then is not None:
            then(locked)
        return receipt


def play(locked: Locked, command: Command, *, now: datetime, by: User | None = None, key: str = "") -> Receipt:
    """Play a command in an event that `holding` holds. A refusal of the engine becomes `Illegal`; nothing has changed
    then."""
    event = opened(locked)
    try:
        receipt = journal.play(
            event, command, at=now, now_ms=moments.ms(now), command_id=key, by=by.pk if by is not None else None
        )
    except IllegalAction as error:
        raise refusal(error) from None
    locked.row.seq = event.length
    cached.note(locked, event.engine.facts[receipt.facts_from - 1 :])
    return receipt


def opened(locked: Locked) -> journal.OpenEvent:
    """The event folded from its facts; `Illegal` where registration has not opened yet."""
    if locked.event is None:
        raise Illegal("Registration for this event has not opened yet.", "not-open-yet")
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
    done = [fact.label for fact in since if fact.label and fact.kind not in OF_HANDS]
    if locked.row.conduct == Tournament.Conduct.ONLINE and since and not done:
        return
    what = f" ({listed(done[-_MOST_TOLD:])})" if done else ""
    raise Stale(
        f"The event has moved on since you looked{what}: look again and decide again.",
        "stale",
        seq=locked.row.seq,
        done=done[-_MOST_DONE:],
    )


def key_of(by: User | None, command_id: str) -> str:
    """The name of a command that `by` gave an id: nobody's can stand in the way of another's."""
    if not command_id:
        return ""
    if len(command_id) > _LONGEST_ID:
        raise Invalid(f"A command id has at most {_LONGEST_ID} characters.", "bad-command-id")
    return f"by{by.pk}:{command_id}" if by is not None else f"house:{command_id}"


def refusal(error: IllegalAction) -> Illegal:
    """The engine's refusal as the house answers it."""
    return Illegal(error.message, error.code, error.rule)
