"""What directors do with the clock: stop it, let it run, change levels, and keep entry open or closed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from cardroom.core.arguments import Limits, RowId
from cardroom.core.errors import Invalid
from cardroom.core.models import User
from cardroom.core.sentences import translated
from cardroom.core.verb import verb
from tournaments.directing.carrying_out import event_and_tables
from tournaments.engine import plain
from tournaments.engine.clock import MOST_LEVELS, Level, Structure
from tournaments.engine.commands import (
    AddTime,
    EditLevels,
    GoTo,
    KeepEntryOpen,
    NextLevel,
    Pause,
    PreviousLevel,
    Resume,
    SetRemaining,
)
from tournaments.events import playing, staff, terms
from tournaments.events.arguments import ExpectedSeq
from tournaments.events.checks import whole
from tournaments.events.playing import OrderReceipt


@verb("events.keep_entry_open", roles=staff.DIRECTORS)
def keep_entry_open(
    *,
    tournament_id: RowId,
    on: Annotated[bool | None, Limits(allow_null=True, help_text="null: by the terms of the event.")],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """Hold entry open or closed whatever the level; None: by the terms of the event again."""
    with event_and_tables(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(KeepEntryOpen(on))
    return event.receipt


_MOST_MS = 24 * 3600 * 1000


@verb("events.pause", roles=staff.DIRECTORS)
def pause(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Stop the clock; `Illegal` where it is stopped."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Pause())
    return event.receipt


@verb("events.resume", roles=staff.DIRECTORS)
def resume(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Let the clock run on."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(Resume())
    return event.receipt


#: The clock of an event that does not start it by itself.
start = resume


@verb("events.add_time", roles=staff.DIRECTORS)
def add_time(*, tournament_id: RowId, ms: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """`ms` more of this level, or fewer below 0: when none is left, the next one begins."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(AddTime(whole(ms, "time", least=-_MOST_MS, most=_MOST_MS)))
    return event.receipt


@verb("events.set_remaining", roles=staff.DIRECTORS)
def set_remaining(*, tournament_id: RowId, ms: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Set what is left of this level, in milliseconds; 0 begins the next one."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(SetRemaining(whole(ms, "time", most=_MOST_MS)))
    return event.receipt


@verb("events.go_to", roles=staff.DIRECTORS)
def go_to(*, tournament_id: RowId, level: int, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the level or break at index `level` of the structure now."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(GoTo(whole(level, "level", most=MOST_LEVELS)))
    return event.receipt


@verb("events.next_level", roles=staff.DIRECTORS)
def next_level(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the next level or break now."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(NextLevel())
    return event.receipt


@verb("events.previous_level", roles=staff.DIRECTORS)
def previous_level(*, tournament_id: RowId, expected_seq: ExpectedSeq = None, by: User | None) -> OrderReceipt:
    """Begin the level or break before this one again."""
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        event.play(PreviousLevel())
    return event.receipt


@verb("events.edit_levels", roles=staff.DIRECTORS)
def edit_levels(
    *,
    tournament_id: RowId,
    from_level: int,
    levels: Sequence[Level | dict[str, Any]],
    expected_seq: ExpectedSeq = None,
    by: User | None,
) -> OrderReceipt:
    """`levels` from index `from_level` on, in place of those that were there; a level may come as the JSON of its
    fields. `Illegal` for a level that was played, or stakes with a hole or a fall; `Invalid` names a field it cannot
    read, or says what the event's rulebook cannot play online."""
    if len(levels) > MOST_LEVELS:
        raise Invalid("bad-levels", "A structure has at most {most} levels and breaks.", most=MOST_LEVELS)
    new_levels = tuple([level if isinstance(level, Level) else _level(level) for level in levels])
    start = whole(from_level, "level", most=MOST_LEVELS)
    with playing.event(tournament_id, by=by, expected_seq=expected_seq) as event:
        terms.check_book(replace(event.state.config, structure=Structure(new_levels)))
        event.play(EditLevels(start, new_levels))
    return event.receipt


def _level(data: dict[str, Any]) -> Level:
    try:
        return plain.from_plain(Level, data, "level")
    except ValueError as error:
        raise Invalid(
            "bad-levels", "A level of the structure cannot be read: {error}.", error=translated(error.args[0])
        ) from None
