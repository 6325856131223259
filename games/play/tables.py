"""Tables: their life from free to closed. A table is opened for a game on offer (`open_for`) or by hand (`open_table`),
paused and resumed, broken up, closed, and of the room free again.

A verb that comes while a hand is being played counts when it is over. Each is one transaction that locks the table; for
the floor and managers, `by` None where a command does it; asked again it changes nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from cardroom.core import access, audit_log, topics
from cardroom.core.errors import Conflict, Illegal
from cardroom.core.models import User
from cardroom.core.operation import operation, row_once
from games.dealers import downs
from games.play import opening, settling
from games.play.opening import OVERRIDES, ROLES, Stakes, check_name, made, open_for, open_table, write
from games.rake import time_charges
from games.tables import locking, stacks
from games.tables.models.tables import Table
from games.tables.words import phase_of

__all__ = [
    "OVERRIDES",
    "ROLES",
    "Stakes",
    "add",
    "break_up",
    "close",
    "edit",
    "open_for",
    "open_table",
    "pause",
    "phase_of",
    "reopen",
    "resume",
    "take_up",
    "tell",
]

_LONGEST_LINE = 200


@operation(verb="tables.add", about="table:{made.pk}", roles=ROLES)
def add(*, name: str, by: User, now: datetime, section_id: int | None = None) -> Table:
    """A table of the room, free: games are opened at it, and closing them leaves it free again.

    Refuses: `NotFound` (the section), `Invalid` (the name), `Conflict` (it is taken).
    """
    name = " ".join(name.split())
    check_name(name)
    opening.check_section(section_id)
    # A free table is played at for nothing yet; a buy-in is never nothing.
    settings = {"ante": 0, "bring_in": 0, "small_bet": 0, "big_bet": 0, "min_buy_in": 1, "max_buy_in": 1}
    table = Table(name=name, section_id=section_id, is_physical=True, opened_at=now, **settings)
    table.state = Table.State.FREE
    made(table)
    topics.tell("floor")
    return table


@operation(locking.of_table)
def pause(*, table_id: int, by: User | None, reason: str = "", now: datetime, key: str = "") -> Table:
    """Deal no new hand, and charge no time; players read the reason. Who sits keeps their seat and may leave."""
    reason = opening.plain(reason, "reason", most=_LONGEST_LINE)

    def do(table: Table) -> bool:
        _check_is_open(table)
        if table.paused_at is not None and table.pause_reason == reason:
            return False
        write(table, paused_at=table.paused_at or now, pause_reason=reason)
        return True

    return _do("pause", table_id, do, by=by, reason=reason, now=now, key=key)


@operation(locking.of_table)
def resume(*, table_id: int, by: User | None, reason: str = "", now: datetime, key: str = "") -> Table:
    """Deal again where it was paused."""

    def do(table: Table) -> bool:
        _check_is_open(table)
        if table.paused_at is None:
            return False
        write(table, paused_at=None, pause_reason="")
        return True

    return _do("resume", table_id, do, by=by, reason=reason, now=now, key=key)


@operation(locking.of_table)
def take_up(*, table_id: int, by: User | None, reason: str = "", now: datetime, key: str = "") -> Table:
    """Apply the newest settings of its game on offer, from the next hand on. `Illegal` where it has no offer;
    `NeedsApproval` where its bots buy in for more by them than `by` may answer for."""
    answered: dict[str, Any] = {}

    def do(table: Table) -> bool:
        _check_is_open(table)
        if table.offer is None:
            raise Illegal("no-offer", "This table was opened by hand and belongs to no game on offer.")
        if table.is_taking_up or table.offer_version == table.offer.version:
            return False
        more = table.offer.max_buy_in - table.max_buy_in
        answered.update(opening.answer_for_bots(table.bots * more, by=by, now=now))
        write(table, is_taking_up=True)
        if table.hand_id is None:
            opening.take_on(table, now=now)
        return True

    return _do("take_up", table_id, do, by=by, reason=reason, now=now, key=key, answered=answered)


@operation(locking.of_table)
def edit(*, table_id: int, by: User | None, reason: str = "", now: datetime, key: str = "", **changes: Any) -> Table:
    """Change a table: its `name`, `has_spectators`, `bots`, `must_move_to_id`; nothing else is its own.

    Refuses: `Invalid`, `Conflict` (the name is taken), `NeedsApproval` (the chips of more bots).
    """
    answered: dict[str, Any] = {}

    def do(table: Table) -> bool:
        changed = {name: value for name, value in changes.items() if getattr(table, name, None) != value}
        opening.check_edit(table, changed)
        more = changed.get("bots", table.bots) - table.bots
        answered.update(opening.answer_for_bots(more * table.max_buy_in, by=by, now=now))
        if changed:
            try:
                with transaction.atomic():
                    write(table, **changed)
            except IntegrityError as error:
                raise Conflict(
                    "name-taken", "There is a table called {changes} already.", changes=changes["name"]
                ) from error
        return bool(changed)

    said = {name: str(value) for name, value in sorted(changes.items())}
    return _do("edit", table_id, do, by=by, reason=reason, now=now, key=key, details=said, answered=answered)


@operation(locking.of_table)
def tell(*, table_id: int, text: str, by: User | None, now: datetime, key: str = "") -> Table:
    """Message to spectators at this table, until another takes its place; an empty one takes it away."""
    text = opening.plain(text, "message", most=_LONGEST_LINE)

    def do(table: Table) -> bool:
        if table.notice == text:
            return False
        write(table, notice=text, notice_at=now if text else None)
        return True

    return _do("tell", table_id, do, by=by, reason=text, now=now, key=key)


def _lock_game(table_id: int, **about: Any) -> None:
    locking.hold({table_id, *opening.tables_of_the_game(table_id)})


@operation(_lock_game)
def break_up(*, table_id: int, by: User | None, reason: str = "", now: datetime, key: str = "") -> Table:
    """End this game: no newcomer sits down, and when the hand is over its players go elsewhere, see `breaking`.

    Refuses: `Illegal` (not open), `Invalid` (somebody sits there, and no reason is given). Locks the open tables of the
    same game as well, in the order of their ids.
    """

    def do(table: Table) -> bool:
        if table.state == Table.State.BREAKING:
            return False
        _check_is_open(table)
        table.state = Table.State.BREAKING
        write(table, paused_at=None, pause_reason="")
        return True

    def after(table: Table, others: list[Table]) -> None:
        if table.hand_id is None:
            opening.now_break(table, others, by=by, now=now)

    locked = opening.tables_of_the_game(table_id)
    return _do("break_up", table_id, do, by=by, reason=reason, now=now, key=key, lock=locked, after=after, why=True)


@operation(locking.of_table)
def close(*, table_id: int, by: User | None = None, reason: str = "", now: datetime, key: str = "") -> Table:
    """Close a table: when the hand being played is over, everybody is cashed out. A table of the room is free after it,
    and a free one goes out of use.

    Refuses: `Illegal` (players sit at a table of the room: their chips have to be counted first), `Conflict` (the
    chips of a table of the room are not accounted for), `Invalid` (somebody sits there, and no reason is given).
    """

    def do(table: Table) -> bool:
        if table.state in (Table.State.CLOSED, Table.State.CLOSING):
            return False
        if table.hand_id is not None:
            table.state = Table.State.CLOSING
            opening.clear(table)
        elif table.is_physical:
            settling.check_accounted_for(table)
            table.state = Table.State.CLOSED if table.state == Table.State.FREE else Table.State.FREE
            downs.end_at(table, now=now)
            opening.clear(table)
        else:
            settling.close_up(table, stacks.seats_of(table), now=now)
            opening.clear(table)
        return True

    return _do("close", table_id, do, by=by, reason=reason, now=now, key=key, why=True)


@operation(locking.of_table)
def reopen(*, table_id: int, by: User | None = None, reason: str = "", now: datetime, key: str = "") -> Table:
    """Open a closed table again, as it was, with nobody at it; of one that is closing, let it go on. A table of the
    room that is out of use is free again. `NeedsApproval` where its bots, who went home when it closed, buy in for more
    than `by` may answer for."""
    answered: dict[str, Any] = {}

    def do(table: Table) -> bool:
        if table.state in (Table.State.OPEN, Table.State.FREE):
            return False
        if table.state == Table.State.BREAKING:
            raise Conflict("table-breaking", "This game is breaking up: open another table of it.")
        is_furniture = table.is_physical and table.state == Table.State.CLOSED
        if table.state == Table.State.CLOSED:
            answered.update(opening.answer_for_bots(table.bots * table.max_buy_in, by=by, now=now))
        table.state = Table.State.FREE if is_furniture else Table.State.OPEN
        write(table, paused_at=None, pause_reason="")
        table.deal_at = None
        return True

    return _do("reopen", table_id, do, by=by, reason=reason, now=now, key=key, answered=answered)


def _do(
    verb: str,
    table_id: int,
    do: Callable[[Table], bool],
    *,
    by: User | None,
    reason: str,
    now: datetime,
    key: str,
    lock: Sequence[int] = (),
    after: Callable[[Table, list[Table]], None] = lambda table, others: None,
    why: bool = False,
    details: Mapping[str, Any] = MappingProxyType({}),
    answered: Mapping[str, Any] = MappingProxyType({}),
) -> Table:
    """Lock the table, do it, store it and tell; nothing is stored where `do` says that there was nothing to do.
    `answered`: filled by `do` with what `by` answers for, for the audit log; it is no part of what the `key` names."""
    if by is not None:
        access.require_role(by, *ROLES)

    def make() -> Table:
        others = locking.tables({table_id, *lock})
        table = others.pop(table_id)
        _check_is_of_the_room(table)
        if why and by is not None and table.seats.exists():
            audit_log.reason_given(reason, what=gettext("ending a game that people play"))
        if do(table):
            subject = f"table:{table.pk}"
            audit_log.note(verb=f"tables.{verb}", subject=subject, by=by, now=now, reason=reason, **details, **answered)
            _store(table, now=now)
            time_charges.follow(table, now=now, by=by)
            after(table, list(others.values()))
        return table

    content = {"table": table_id, "reason": reason, **details}
    return row_once(Table, make, by=by, key=key, verb=f"tables.{verb}", now=now, **content)


def _store(table: Table, *, now: datetime) -> None:
    if table.hand_id is None and table.state == Table.State.OPEN:
        wake_at = stacks.next_wake(table, stacks.seats_of(table), now=now)
    elif table.state in (Table.State.CLOSED, Table.State.FREE):
        wake_at = None
    elif table.hand_id is None and table.state == Table.State.BREAKING:
        wake_at = now
    else:
        wake_at = table.wake_at
    locking.store(table, wake_at=wake_at)
    locking.tell(table)
    topics.tell("lobby", "floor", "board", "lists")


def _check_is_of_the_room(table: Table) -> None:
    if table.event:
        raise Illegal("table-of-an-event", "A table of a tournament is opened and closed by its tournament.")


def _check_is_open(table: Table) -> None:
    if table.state != Table.State.OPEN:
        raise Illegal(
            "table-not-open",
            "{table} is {state}: that is for open tables.",
            table=table.name,
            state=table.get_state_display(),
        )
