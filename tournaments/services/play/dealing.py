"""Whether a table of an online event deals its next hand, and what it waits for otherwise."""

from datetime import datetime, timedelta

import structlog

from games.services import events
from tournaments import moments
from tournaments.engine.state import TableState
from tournaments.engine.tournament import Tournament as Engine
from tournaments.services.locking import Locked
from tournaments.services.play.hall import Hall, stakes_of

log = structlog.get_logger(__name__)

#: For each table that begins with others, and for all of them: the house need not deal everywhere at once, and bots
#: have time to find out how busy it is.
_EACH, _SPREAD = timedelta(milliseconds=150), timedelta(seconds=20)
_SOON = timedelta(seconds=2)


def deal(locked: Locked, hall: Hall, table_id: int, *, until: datetime | None, now: datetime) -> None:
    """Deal the next hand at a table that asked for it, or have it wait: `until` a moment, or to be released."""
    number = hall.number(table_id)
    if until is not None:
        events.release(table_ids=[table_id], at=until, now=now)
        return
    if held_for(locked.state, number, now_ms=moments.ms(now)):
        events.hold(table_ids=[table_id], now=now)
        return
    line, (stakes, game, betting) = hall.lines[table_id], stakes_of(locked.state, now=now)
    if (line.stakes, line.game, line.betting) != (stakes, game, betting):
        events.set_stakes(table_ids=[table_id], stakes=stakes, game=game, betting=betting, now=now)
    dealt = events.deal(table_id=table_id, players_left=locked.state.left, now=now)
    if dealt.hand is None and dealt.code == "not-enough-players":
        events.hold(table_ids=[table_id], now=now)
    elif dealt.hand is None:
        events.release(table_ids=[table_id], at=now + _SOON, now=now)
        if dealt.code != "too-early":
            log.error("no hand was dealt", tournament=locked.pk, table=table_id, why=dealt.code)


def release(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Have every table that was held, and need not be any more, ask for its next hand; many of them in turn."""
    now_ms = moments.ms(now)
    ready = [
        pk
        for number, pk in hall.ids.items()
        if hall.lines[pk].hand is None
        and hall.lines[pk].due_at is None
        and not held_for(locked.state, number, now_ms=now_ms)
    ]
    if ready:
        events.release(table_ids=ready, at=now, over=min(_SPREAD, _EACH * (len(ready) - 1)), now=now)


def held_for(state: Engine, number: int, *, now_ms: int) -> str:
    """What a table waits for: over, paused, flight-over, break, hand-for-hand, final-table or players; "" where
    it deals."""
    table = state.tables.get(number)
    if state.phase != "running" or table is None:
        return "over"
    if state.is_paused:
        return "paused"
    if state.is_flight_over(now_ms):
        return "flight-over"
    if state.reading(now_ms).is_break:
        return "break"
    if state.is_hand_for_hand and table.hand_done:
        return "hand-for-hand"
    if state.is_final_table_due(now_ms) and not state.is_hand_on:
        return "final-table"
    return "" if table.deals and have_chips(state, table) else "players"


def have_chips(state: Engine, table: TableState) -> bool:
    """Whether two at least can play a hand."""
    return sum(state.entrants[one].stack > 0 for one in table.seats.values()) > 1
