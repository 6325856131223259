"""Players at the tables of an online event, seated, moved and taken out as its facts say; balancing; the next hand.

What differs from the event is changed, in bulk; done twice it does nothing the second time. Tables are made fewer
before they are balanced; a table breaks, and a player moves, only where no hand is in progress. While a hand of
hand-for-hand is on nobody moves.
"""

import secrets
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

import structlog

from cardroom.core import outages
from cardroom.core.errors import Conflict
from games.play import event_seats, event_tables
from games.play.event_tables import Outcome
from games.tables.stacks import places_in
from tournaments.engine import facts as f
from tournaments.engine.commands import (
    Balance,
    BreakTable,
    Bust,
    Chips,
    CloseFlight,
    CloseTable,
    Command,
    DrawFinalTable,
    DrawRound,
    Finish,
    HandDone,
    HandForHand,
    HandsPlayed,
    LockPayouts,
    SeatLate,
)
from tournaments.engine.errors import IllegalAction
from tournaments.engine.facts import AlternateAdmitted
from tournaments.engine.seating import Consolidation
from tournaments.engine.state import Entrant, TableState
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.journal import Locked
from tournaments.events.models import TournamentEntry
from tournaments.events.playing import Hall, key_of, stakes_of
from tournaments.registration import buying

_SECOND = 1000


def follow(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do in the room what the facts say of seats and tables that it has not followed yet, whoever played them."""
    facts = locked.state.facts[locked.followed :]
    locked.followed += len(facts)
    entrants = concerned(locked, facts)
    if any(isinstance(fact, f.RoundDrawn) for fact in facts):
        clear(locked, list(hall.lines), now=now)
    if entrants or set(hall.ids) != set(locked.state.tables):
        place(locked, hall, entrants, now=now)


def concerned(locked: Locked, facts: Iterable[f.Fact]) -> set[int]:
    """The entrants whose seats these facts change."""
    found: set[int] = set()
    for fact in facts:
        if isinstance(fact, f.Moved | f.Seated | f.Withdrew | f.Disqualified):
            found.add(fact.entrant)
        elif isinstance(fact, f.Busted):
            found.update(number for number, _ in fact.busts)
        elif isinstance(fact, f.FinalTableDrawn | f.SeatsDrawn | f.RoundDrawn):
            found.update(number for number, _, _ in fact.seats)
        elif isinstance(fact, f.ActionUndone | f.ActionRedone):
            found |= concerned(locked, locked.state.facts[fact.first - 1 : fact.last])
    return found


def place(locked: Locked, hall: Hall, entrants: Collection[int], *, now: datetime) -> None:
    """Have these entrants sit where the event says, at tables that are open; tables it has no more are closed."""
    hall.open(now=now)
    state = locked.state
    latest: dict[int, Entrant] = {}
    for number in entrants:
        player = state.entrants[number].player
        latest[player] = state.entrants[state.players.get(player, number)]
    sits = places_in(event=locked.row.unit, players=list(latest))
    leaving, moving, coming = [], [], []
    for player, entrant in latest.items():
        at, has_seat = sits.get(player), entrant.is_in and entrant.table
        to = (hall.ids[entrant.table], entrant.seat) if has_seat else None
        if at is not None and to is None:
            leaving.append((at[0], player))
        elif at is not None and to is not None and at != to:
            moving.append((player, at[0], *to))
        elif at is None and to is not None:
            coming.append((*to, entrant))
    _check_counted(hall, {at for at, _ in leaving} | {at for _, at, *_ in moving})
    name = f"{locked.row.unit}:{{}}:{locked.row.seq}".format
    event_seats.remove_players(players=leaving, reference=name("left"), now=now)
    event_seats.move_players(moves=moving, reference=name("moved"), now=now)
    _seat(locked, coming, reference=name("seated"), now=now)
    hall.close(now=now)


def _check_counted(hall: Hall, table_ids: Collection[int]) -> None:
    """Nobody gets up before the event knows what the hand that has just ended has left them. `Conflict` until then."""
    for pk in table_ids:
        line = hall.lines[pk]
        if line.hand is None and not hall.is_idle(pk):
            raise Conflict(
                "hand-being-counted",
                "The hand that has just ended at {name} is being counted: say it again in a moment.",
                name=line.name,
            )


def clear(locked: Locked, table_ids: Collection[int], *, now: datetime) -> None:
    """Everybody out of these tables, at which no hand is played; their chips leave play."""
    if not table_ids:
        return
    standing = event_tables.states(event=locked.row.unit, table_ids=list(table_ids))
    players = [(pk, seat.player) for pk, table in standing.items() for seat in table.seats.values()]
    reference = f"{locked.row.unit}:cleared:{locked.row.seq}:{min(table_ids)}"
    event_seats.remove_players(players=players, reference=reference, now=now)


def _seat(locked: Locked, coming: Sequence[tuple[int, int, Entrant]], *, reference: str, now: datetime) -> None:
    if not coming:
        return
    waiting = pending(locked, [entrant.number for *_, entrant in coming])
    # A very few chips may be on their way still: who has none in front of them sits down with them.
    seats = [
        (table, seat, entrant.player, entrant.stack - waiting.get(entrant.number, 0)) for table, seat, entrant in coming
    ]
    bank = locked.state.config.time_bank_seconds * _SECOND
    event_seats.seat_players(unit=locked.row.unit, seats=seats, time_bank_ms=bank, reference=reference, now=now)


def pending(locked: Locked, entrants: Collection[int]) -> dict[int, int]:
    """Chips that these have bought and not got yet, by entrant; no query where the event sells none."""
    terms = locked.state.config
    if terms.rebuy is None and terms.add_on is None:
        return {}
    rows = TournamentEntry.objects.filter(tournament=locked.pk, number__in=entrants).exclude(pending=[])
    return {number: sum(each["chips"] for each in waits) for number, waits in rows.values_list("number", "pending")}


# Balancing, by the same rules as are suggested in the room


_MOST_STEPS = 100


def arrange(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Do what is due, and have the tables of the room follow all that was played."""
    state, busy = locked.state, hall.busy()
    for _ in range(_MOST_STEPS):
        command = _unseated(state, locked.seen) or due(state, busy, event_journal.ms(now))
        if command is None:
            break
        playing.play(locked, command, now=now)
    follow(locked, hall, now=now)


def due(state: Engine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    """What the house does next in an event, whose tables `busy` are left alone; None where it waits. One command at a
    time, for after it all looks different."""
    if state.phase != "running":
        return None
    if state.is_hand_for_hand and (number := _unplayable(state, busy)):
        return HandDone(number)
    if state.is_hand_on:
        return None
    if state.deal is not None and not state.deal.play_for:
        return None if busy else Finish()
    if state.is_flight_over(now_ms):
        return None if busy else CloseFlight()
    return _for_money(state, now_ms) or _for_tables(state, busy, now_ms)


def _for_money(state: Engine, now_ms: int) -> Command | None:
    if state.config.flight_levels:
        return None
    is_to_lock = state.deal is None and (state.locked is None or state.is_payout_stale)
    if is_to_lock and not state.is_field_open(now_ms) and _has_prizes(state):
        return LockPayouts()
    if not state.is_hand_for_hand and not state.is_paused and state.is_hand_for_hand_due(now_ms):
        return HandForHand(True)
    if state.is_hand_for_hand and (state.left <= state.places_paid() or state.is_final_table_due(now_ms)):
        return HandForHand(False)
    return None


def _unplayable(state: Engine, busy: tuple[int, ...]) -> int:
    """A table that all others wait for and where nobody has chips to play against: it has done its hand."""
    for number, table in state.tables.items():
        if table.deals and not table.hand_done and number not in busy and not have_chips(state, table):
            return number
    return 0


def _has_prizes(state: Engine) -> bool:
    """Amounts that somebody wrote down may not be what there is: that is for a director to mend."""
    try:
        return bool(state.prizes())
    except IllegalAction:
        return False


def _for_tables(state: Engine, busy: tuple[int, ...], now_ms: int) -> Command | None:
    if state.config.format != "tables":
        is_over = not busy and state.left > 1 and all(len(table.seats) < 2 for table in state.in_use())
        return DrawRound(secrets.randbits(64)) if is_over else None
    if not state.is_entry_open(now_ms):
        empty = next((number for number, table in state.tables.items() if not table.seats), 0)
        if empty and empty not in busy:
            return CloseTable(empty)
    if _are_even(state):
        return None
    found = state.next_step(now_ms, busy)
    if isinstance(found, Consolidation):
        if not found.table:
            return None if busy else DrawFinalTable(secrets.randbits(64))
        return None if found.table in busy else BreakTable(found.table, secrets.randbits(64), busy)
    return Balance(busy) if found is not None else None


def _are_even(state: Engine) -> bool:
    """What a glance at the sizes of the tables says: none is too short, and the rest has no room for any of them."""
    sizes, terms = state.totals.sizes, state.config
    tables = sum(sizes.values())
    players = sum(size * many for size, many in sizes.items())
    has_room = players <= (tables - 1) * terms.seats or players <= terms.final_seats
    return tables < 2 or (max(sizes) - min(sizes) < terms.balance_at and not has_room)


def _unseated(state: Engine, since: int) -> Command | None:
    """An alternate who came in after the first `since` facts has a seat drawn for them."""
    if state.phase == "running":
        for fact in state.facts[since:]:
            if isinstance(fact, AlternateAdmitted):
                entrant = state.entrants[fact.entrant]
                if entrant.is_in and not entrant.table:
                    return SeatLate(entrant.number, secrets.randbits(64))
    return None


# Whether a table deals its next hand, and what it waits for


log = structlog.get_logger(__name__)

#: For each table that begins with others, and for all of them: the house need not deal everywhere at once, and bots
#: have time to find out how busy it is.
_EACH, _SPREAD = timedelta(milliseconds=150), timedelta(seconds=20)
_SOON = timedelta(seconds=2)


def deal(locked: Locked, hall: Hall, table_id: int, *, until: datetime | None, now: datetime) -> None:
    """Deal the next hand at a table that asked for it, or have it wait: `until` a moment, or to be released."""
    number = hall.number(table_id)
    if until is not None:
        event_seats.release(table_ids=[table_id], at=until, now=now)
        return
    if held_for(locked.state, number, now_ms=event_journal.ms(now)):
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


def release(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """Have every table that was held, and need not be any more, ask for its next hand; many of them in turn."""
    now_ms = event_journal.ms(now)
    ready = [
        pk
        for number, pk in hall.ids.items()
        if hall.lines[pk].hand is None
        and hall.lines[pk].due_at is None
        and not held_for(locked.state, number, now_ms=now_ms)
    ]
    if ready:
        event_seats.release(table_ids=ready, at=now, over=min(_SPREAD, _EACH * (len(ready) - 1)), now=now)


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


# An online event directs its own tables: results of hands taken over, tables filled, balanced, broken and dealt.


#: (entrant, chips when the hand began)
Lost = list[tuple[int, int]]
#: Who is out together, and who took their last chips.
Group = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


def take(locked: Locked, hall: Hall, table_id: int, *, now: datetime) -> datetime | None:
    """Take in the last hand of a table that is between hands; until when the table waits for somebody to buy again,
    None where it does not. Taken in once: later it is only looked whether somebody still has to decide."""
    line, state, number = hall.lines[table_id], locked.state, hall.number(table_id)
    if line.last_hand is None or number not in state.tables:
        return None
    is_taken = playing.answered(locked, key_of(line.last_hand)) is not None
    if is_taken and not _without_chips(locked, number):
        return None
    outcome = event_tables.outcome(table_id=table_id)
    if outcome is None or outcome.is_void:
        _deliver(locked, number, now=now)
        return None
    if not is_taken:
        _note(locked, number, outcome, now=now)
        _deliver(locked, number, now=now)
    until = _see_out(locked, number, outcome, now=now)
    if not is_taken:
        _count(locked, number, now=now)  # who lost their chips in the last hand of a level may buy again by its terms
    return until


def _note(locked: Locked, number: int, outcome: Outcome, *, now: datetime) -> None:
    """The stacks; and who is out, where nobody may buy again."""
    state = locked.state
    who = {seat: state.players[player] for seat, player in outcome.players.items()}
    waiting = pending(locked, who.values())
    after = {who[seat]: chips + waiting.get(who[seat], 0) for seat, chips in outcome.after.items()}
    lost = [(who[seat], chips) for seat, chips in outcome.before.items() if not after[who[seat]]]
    is_sold = bool(lost) and state.sells_rebuys(event_journal.ms(now))
    may_buy_again = is_sold and buying.may_any(locked, [number for number, _ in lost], now=now)
    groups = [] if may_buy_again else _by_winners(locked, outcome, lost)
    stacks, key = tuple(after.items()), key_of(outcome.hand)
    if len(groups) > 1:
        # By several winners: each group in turn, the fewest chips first; the hand is done with the last of them.
        playing.play(locked, Chips(stacks), now=now)
        for busts, by in groups:
            playing.play(locked, Bust(busts, number, outcome.number, by), now=now)
        if state.phase == "running" and number in state.tables and len(state.tables[number].seats) > 1:
            playing.play(locked, HandDone(number), now=now, key=key)
    else:
        busts, by = groups[0] if groups else ((), ())
        playing.play(locked, HandDone(number, busts, by, stacks), now=now, key=key)


def _see_out(locked: Locked, number: int, outcome: Outcome, *, now: datetime) -> datetime | None:
    """Those who still sit there without chips buy again by themselves, are waited for, or are out."""
    if locked.state.phase != "running" or not (waiting := _without_chips(locked, number)):
        return None
    waiting = buying.buy_for(locked, waiting, now=now)
    until = outcome.ended_at + timedelta(seconds=buying.seconds(locked))
    until = outages.lengthened(outcome.ended_at, until)
    if now < until and buying.may_decide(locked, waiting, now=now):
        return until
    before = {locked.state.players[player]: outcome.before[seat] for seat, player in outcome.players.items()}
    lost = [(entrant, before.get(entrant, 0)) for entrant in waiting]
    for busts, by in _by_winners(locked, outcome, lost) if lost else ():
        playing.play(locked, Bust(busts, number, outcome.number, by), now=now)
    return None


def _without_chips(locked: Locked, number: int) -> list[int]:
    """Who sits at this table of the event without chips and is not out yet."""
    state = locked.state
    return [
        one for one in state.tables[number].seats.values() if not state.entrants[one].stack and one not in state.held
    ]


def _by_winners(locked: Locked, outcome: Outcome, lost: Lost) -> list[Group]:
    """Who is out, with who took their last chips, the fewest chips first. One group where there are no bounties, and
    for those with as many chips, who share their place."""
    seats = {locked.state.players[player]: seat for seat, player in outcome.players.items()}

    def winners(numbers: Iterable[int]) -> tuple[int, ...]:
        found = {outcome.players[seat] for number in numbers for seat in outcome.winners.get(seats.get(number, 0), ())}
        entrants = {locked.state.players[player] for player in found}
        return tuple(sorted(entrant for entrant in entrants if locked.state.entrants[entrant].is_in))

    if not lost:
        return []
    ordered = sorted(lost, key=lambda pair: pair[1])
    if locked.state.config.bounty.kind == "none":
        return [(tuple(ordered), winners(number for number, _ in ordered))]
    groups: list[Lost] = []
    for number, chips in ordered:
        last = groups[-1] if groups else []
        if last and (last[-1][1] == chips or winners([number]) == winners(one for one, _ in last)):
            last.append((number, chips))
        else:
            groups.append([(number, chips)])
    return [(tuple(group), winners(number for number, _ in group)) for group in groups]


def _count(locked: Locked, number: int, *, now: datetime) -> None:
    """A level by hands lasts as many as the table plays that is ahead of the others."""
    state = locked.state
    if state.phase != "running" or number not in state.tables:
        return
    if not state.structure.levels[state.level(event_journal.ms(now))].is_by_hands:
        return
    hands = state.tables[number].hands
    if all(table.hands < hands for table in state.tables.values() if table.number != number):
        playing.play(locked, HandsPlayed(), now=now)


def _deliver(locked: Locked, number: int, *, now: datetime) -> None:
    """Chips that were bought during the hand."""
    state = locked.state
    if state.phase != "running" or number not in state.tables:
        return
    sitting: Sequence[int] = list(state.tables[number].seats.values())
    if pending(locked, sitting):
        buying.deliver(locked, sitting, now=now)


# What follows at the tables


def go_on(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """After something has happened, do what follows at the tables."""
    arrange(locked, hall, now=now)
    if locked.state.phase == "running":
        release(locked, hall, now=now)
    else:
        close(locked, hall, now=now)


def close(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """The event is over: everybody gets up, and the tables close; where a hand is still being played, after it."""
    idle = [pk for pk, line in hall.lines.items() if line.hand is None]
    if idle:
        clear(locked, idle, now=now)
        event_tables.close_tables(table_ids=idle, now=now)
        hall.look()


# -- what happened to the event ----------------------------------------------------------------------------------------


def begin(locked: Locked, *, now: datetime) -> None:
    """Open the tables, seat everybody with their chips, and have the first hands dealt."""
    hall = Hall(locked)
    place(locked, hall, [entrant.number for entrant in locked.state.in_play()], now=now)
    locked.followed = len(locked.state.facts)
    go_on(locked, hall, now=now)


def take_chips(locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> None:
    """Take chips that were bought away from the entrant again, before another hand. `Conflict` once they are played
    with."""
    player = locked.state.entrants[entrant].player
    place = places_in(event=locked.row.unit, players=[player]).get(player)
    if place is not None:
        event_seats.take_chips(table_id=place[0], player_id=player, chips=chips, reference=reference, now=now)


def moved_on(locked: Locked, *, now: datetime) -> None:
    """Tables that were held for a break or a pause go on; those that are to be held are when they ask. New stakes come
    with each table's next hand."""
    go_on(locked, Hall(locked), now=now)


def cancelled(locked: Locked, *, now: datetime) -> None:
    """Off, or over by a deal."""
    close(locked, Hall(locked), now=now)


def wake(locked: Locked, *, now: datetime) -> None:
    """Nothing is due, and what could be done is."""
    if locked.state.phase == "running":
        moved_on(locked, now=now)
