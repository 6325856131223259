"""Whether a table of an online event deals its next hand, and what it waits for."""

from datetime import datetime, timedelta

import structlog

from games.play import event_seats, event_tables
from tournaments.engine.state import TableState
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events.hall import Hall, stakes_of
from tournaments.events.journal import Locked

log = structlog.get_logger(__name__)


#: Tables that are released together begin one after the other, so far apart, and all within the second time: the room
#: need not deal everywhere at once, and bots have time to find out how busy it is.
_APART, _SPREAD = timedelta(milliseconds=150), timedelta(seconds=20)
#: A table at which no hand could be dealt asks again after this time.
_SOON = timedelta(seconds=2)


def deal_next_hand(locked: Locked, hall: Hall, table_id: int, *, until: datetime | None, now: datetime) -> None:
    """Deal the next hand at a table that asked for it, or have it wait: `until` that time, or until it is released."""
    number = hall.number(table_id)
    if until is not None:
        event_seats.release(table_ids=[table_id], at=until, now=now)
        return
    if why_held(locked.state, number, now_ms=event_journal.ms(now)):
        event_seats.hold(table_ids=[table_id], now=now)
        return
    line, (stakes, game, betting) = hall.lines[table_id], stakes_of(locked.state, now=now)
    if (line.stakes, line.game, line.betting) != (stakes, game, betting):
        event_tables.set_stakes(table_ids=[table_id], stakes=stakes, game=game, betting=betting, now=now)
    dealt = event_seats.deal(table_id=table_id, players_left=locked.state.left, now=now)
    if dealt.hand is None and dealt.code == "not-enough-players":
        event_seats.hold(table_ids=[table_id], now=now)
    elif dealt.hand is None:
        event_seats.release(table_ids=[table_id], at=now + _SOON, now=now)
        if dealt.code != "too-early":
            log.error("no hand was dealt", tournament=locked.pk, table=table_id, why=dealt.code)


def release_tables(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Have every table that was held and need not wait any more ask for its next hand, one after the other."""
    now_ms = event_journal.ms(now)
    ready = [
        pk
        for number, pk in hall.ids.items()
        if hall.lines[pk].hand is None
        and hall.lines[pk].due_at is None
        and not why_held(locked.state, number, now_ms=now_ms)
    ]
    if ready:
        event_seats.release(table_ids=ready, at=now, over=min(_SPREAD, _APART * (len(ready) - 1)), now=now)


def why_held(state: EventEngine, number: int, *, now_ms: int) -> str:
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


def have_chips(state: EventEngine, table: TableState) -> bool:
    """Whether at least two have chips to play a hand."""
    return sum(state.entrants[entrant].stack > 0 for entrant in table.seats.values()) > 1
