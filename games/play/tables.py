"""The life of tables: opened for a game on offer (`open_for`) or by hand (`open_table`), paused and resumed, broken up,
and closed; tables of the room are free after that.

A verb during a hand takes effect when the hand is over. Each is one transaction that locks the table; for the floor and
managers (`by` None: a management command); a second call changes nothing.
"""

from datetime import datetime
from typing import Annotated, Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from cardroom.core import audit_log, topics
from cardroom.core.arguments import UNCHANGED, Limits, OptionalReason, RowId, Unchanged, changed_values
from cardroom.core.errors import Conflict, Illegal
from cardroom.core.models import User
from cardroom.core.verb import current_time, lock, verb
from games.dealers import downs
from games.play import opening, settling
from games.play.opening import OVERRIDES, ROLES, check_name, insert, open_for, open_table
from games.rake import time_clocks
from games.tables import locking, stacks
from games.tables.models.tables import Table
from games.tables.words import phase_of

__all__ = [
    "OVERRIDES",
    "ROLES",
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

Name = Annotated[str, Limits(max_length=60)]
NewName = Annotated[str | None, Limits(max_length=60)]
SectionNumber = Annotated[int | None, Limits(allow_null=True, min_value=1)]
Bots = Annotated[int | None, Limits(min_value=0, max_value=10**6)]
MainGame = Annotated[int | Unchanged | None, Limits(allow_null=True, min_value=1)]
Message = Annotated[str, Limits(allow_blank=True, max_length=_LONGEST_LINE, help_text="Empty: remove the message.")]


@verb("tables.add", about="table:{result.pk}", roles=ROLES)
def add(*, name: Name, section_id: SectionNumber = None, by: User) -> Table:
    """Add a free table of the room: games are opened at it, and it is free again when they close.

    Refuses: `NotFound` (the section), `Invalid` (the name), `Conflict` (it is taken).
    """
    name = " ".join(name.split())
    check_name(name)
    opening.check_section(section_id)
    # A free table has no stakes yet; a buy-in may not be 0.
    settings = {"ante": 0, "bring_in": 0, "small_bet": 0, "big_bet": 0, "min_buy_in": 1, "max_buy_in": 1}
    table = Table(name=name, section_id=section_id, is_physical=True, opened_at=current_time(), **settings)
    table.state = Table.State.FREE
    insert(table)
    topics.tell("floor")
    return table


@verb("tables.pause", roles=ROLES)
def pause(*, table_id: RowId, reason: OptionalReason = "", by: User | None) -> Table:
    """Deal no new hand, and charge no time; players read the reason. They keep their seats and may leave."""
    reason = opening.checked_text(reason, "reason", most=_LONGEST_LINE)
    table, now = lock(_of_the_room, table_id)
    _check_is_open(table)
    if table.paused_at is None or table.pause_reason != reason:
        locking.write(table, paused_at=table.paused_at or now, pause_reason=reason)
        _store("pause", table, by=by, reason=reason, now=now)
    return table


@verb("tables.resume", roles=ROLES)
def resume(*, table_id: RowId, reason: OptionalReason = "", by: User | None) -> Table:
    """End the pause of a table: hands are dealt again."""
    table, now = lock(_of_the_room, table_id)
    _check_is_open(table)
    if table.paused_at is not None:
        locking.write(table, paused_at=None, pause_reason="")
        _store("resume", table, by=by, reason=reason, now=now)
    return table


@verb("tables.take_up", roles=ROLES)
def take_up(*, table_id: RowId, reason: OptionalReason = "", by: User | None) -> Table:
    """Apply the newest settings of its game on offer, from the next hand on. `Illegal` where it has no offer;
    `NeedsApproval` where its bots then buy in for more than `by` may answer for."""
    table, now = lock(_of_the_room, table_id)
    _check_is_open(table)
    if table.offer is None:
        raise Illegal("no-offer", "This table was opened by hand and belongs to no game on offer.")
    if table.is_taking_up or table.offer_version == table.offer.version:
        return table
    more = table.offer.max_buy_in - table.max_buy_in
    answered = opening.answer_for_bots(table.bots * more, by=by, now=now)
    locking.write(table, is_taking_up=True)
    if table.hand_id is None:
        opening.apply_offer_settings(table, now=now)
    _store("take_up", table, by=by, reason=reason, now=now, **answered)
    return table


@verb("tables.edit", roles=ROLES)
def edit(
    *,
    table_id: RowId,
    name: NewName = None,
    has_spectators: bool | None = None,
    bots: Bots = None,
    must_move_to_id: MainGame = UNCHANGED,
    by: User | None,
) -> Table:
    """Change the settings that a table does not share with its game. None leaves a setting as it is, but for
    `must_move_to_id` (None: no main game).

    Refuses: `Invalid`, `Conflict` (the name is taken), `NeedsApproval` (the chips of more bots).
    """
    wanted = {"name": name, "has_spectators": has_spectators, "bots": bots}
    wanted = {field: value for field, value in wanted.items() if value is not None}
    wanted |= changed_values(must_move_to_id=must_move_to_id)
    table, now = lock(_of_the_room, table_id)
    changes = {field: value for field, value in wanted.items() if getattr(table, field) != value}
    opening.check_edit(table, changes)
    more = changes.get("bots", table.bots) - table.bots
    answered = opening.answer_for_bots(more * table.max_buy_in, by=by, now=now)
    if changes:
        try:
            with transaction.atomic():
                locking.write(table, **changes)
        except IntegrityError as error:
            raise Conflict("name-taken", "There is a table called {changes} already.", changes=name) from error
        details = {field: str(value) for field, value in sorted(wanted.items())}
        _store("edit", table, by=by, now=now, **details, **answered)
    return table


@verb("tables.tell", roles=ROLES)
def tell(*, table_id: RowId, text: Message, by: User | None) -> Table:
    """Set the message to spectators at this table; an empty text removes it."""
    text = opening.checked_text(text, "message", most=_LONGEST_LINE)
    table, now = lock(_of_the_room, table_id)
    if table.notice != text:
        locking.write(table, notice=text, notice_at=now if text else None)
        _store("tell", table, by=by, reason=text, now=now)
    return table


@verb("tables.break_up", roles=ROLES)
def break_up(*, table_id: RowId, reason: OptionalReason = "", by: User | None) -> Table:
    """End this game: nobody sits down any more, and when the hand is over its players are moved elsewhere, see
    `opening.move_players_and_close`.

    Refuses: `Illegal` (not open), `Invalid` (somebody sits there, and no reason is given). Locks the open tables of the
    same game as well, in the order of their ids.
    """
    (table, others), now = lock(_of_the_game, table_id)
    _check_reason(table, reason, by=by)
    if table.state == Table.State.BREAKING:
        return table
    _check_is_open(table)
    locking.write(table, state=Table.State.BREAKING, paused_at=None, pause_reason="")
    _store("break_up", table, by=by, reason=reason, now=now)
    if table.hand_id is None:
        opening.move_players_and_close(table, others, by=by, now=now)
    return table


@verb("tables.close", roles=ROLES)
def close(*, table_id: RowId, reason: OptionalReason = "", by: User | None = None) -> Table:
    """Close a table: when the hand being played is over, everybody is cashed out. A table of the room is free after
    that; closing a free one takes it out of use.

    Refuses: `Illegal` (players sit at a table of the room: their chips have to be counted first), `Conflict` (the
    chips of a table of the room are not accounted for), `Invalid` (somebody sits there, and no reason is given).
    """
    table, now = lock(_of_the_room, table_id)
    _check_reason(table, reason, by=by)
    if table.state in (Table.State.CLOSED, Table.State.CLOSING):
        return table
    if table.hand_id is not None:
        locking.write(table, state=Table.State.CLOSING)
    elif table.is_physical:
        settling.check_accounted_for(table)
        is_free = table.state == Table.State.FREE
        locking.write(table, state=Table.State.CLOSED if is_free else Table.State.FREE)
        downs.end_at(table, now=now)
    else:
        settling.close_up(table, stacks.seats_of(table), now=now)
    opening.clear(table)
    _store("close", table, by=by, reason=reason, now=now)
    return table


@verb("tables.reopen", roles=ROLES)
def reopen(*, table_id: RowId, reason: OptionalReason = "", by: User | None = None) -> Table:
    """Open a closed table again, as it was, with nobody at it; a table that is closing goes on. A table of the room
    that is out of use is free again. `NeedsApproval` where its bots, who left when it closed, buy in for more than `by`
    may answer for."""
    table, now = lock(_of_the_room, table_id)
    if table.state in (Table.State.OPEN, Table.State.FREE):
        return table
    if table.state == Table.State.BREAKING:
        raise Conflict("table-breaking", "This game is breaking up: open another table of it.")
    is_furniture = table.is_physical and table.state == Table.State.CLOSED
    answered = {}
    if table.state == Table.State.CLOSED:
        answered = opening.answer_for_bots(table.bots * table.max_buy_in, by=by, now=now)
    state = Table.State.FREE if is_furniture else Table.State.OPEN
    locking.write(table, state=state, paused_at=None, pause_reason="")
    table.deal_at = None
    _store("reopen", table, by=by, reason=reason, now=now, **answered)
    return table


def _of_the_room(table_id: int) -> Table:
    """A table of no event, locked."""
    table = locking.table(table_id)
    _check_is_of_the_room(table)
    return table


def _of_the_game(table_id: int) -> tuple[Table, list[Table]]:
    """A table of the room and the other open tables of its game: locked together, in the order of their ids."""
    others = locking.tables({table_id, *opening.tables_of_the_game(table_id)})
    table = others.pop(table_id)
    _check_is_of_the_room(table)
    return table, list(others.values())


def _check_reason(table: Table, reason: str, *, by: User | None) -> None:
    if by is not None and table.seats.exists():
        audit_log.reason_given(reason, what=gettext("ending a game that people play"))


def _store(action: str, table: Table, *, by: User | None, now: datetime, reason: str = "", **details: Any) -> None:
    """Note in the audit log what was done to a locked table, store and signal it, and update its charges of time."""
    subject = f"table:{table.pk}"
    audit_log.note(verb=f"tables.{action}", subject=subject, by=by, now=now, reason=reason, **details)
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
    time_clocks.follow_table(table, now=now, by=by)


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
