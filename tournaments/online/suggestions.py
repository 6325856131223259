"""What the floor should do now, by which rule: the director confirms or dismisses it (`directing.confirming`).

Everything is worked out from the event as it is; only what was dismissed is kept, in the event's options. With the
option `auto_arrange` moves, breaks, the final table and late seats are carried out as they come up.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cardroom.core.sentences import translated
from tournaments.engine import balancing, chip_race
from tournaments.engine.commands import (
    BreakTable,
    Bust,
    ClockOff,
    Command,
    DrawFinalTable,
    DrawRound,
    Finish,
    HandForHand,
    LockPayouts,
    Move,
    SeatLate,
)
from tournaments.engine.errors import EventSentence, counted
from tournaments.engine.finishing import HAND_FOR_HAND
from tournaments.engine.plain import listed
from tournaments.engine.rules import timing
from tournaments.engine.seating import Consolidation, PlannedMove
from tournaments.engine.tournament import EventEngine
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.prizes import payouts
from tournaments.prizes.payouts import DuePayout

AUTO_ARRANGE = "auto_arrange"
DISMISSED = "dismissed"
#: What is carried out by itself where the event lets it.
ARRANGED = frozenset({"move", "break-table", "final-table", "seat"})
#: What a director is told of an online event, whose tables are run by the house.
_ONLINE = frozenset({"halted", "entry-closes", "lock-payouts", "pay"})

_MINUTE = 60_000
_ENTRY_CLOSES_SOON = 10 * _MINUTE
_TIME_UP_TOLD = 2 * _MINUTE
_MOST_MOVES = 20
_COUNTED_LATELY = 30 * _MINUTE


@dataclass(frozen=True, slots=True)
class EventSuggestion:
    """`key` names it as long as nothing that it rests on changes. `kind`: move, break-table, final-table, seat,
    draw-round, hand-for-hand, hand-for-hand-off, time-up, halted, entry-closes, lock-payouts, colour-up, count,
    count-difference, bust, finish, close-flight or pay.
    `at`: the moment it is about, in milliseconds since the epoch, 0 for now; `data`: JSON-safe, what it is about by
    number. What `is_confirmable` can be confirmed; the rest is only told."""

    key: str
    kind: str
    title: str
    why: str = ""
    rule: str = ""
    is_confirmable: bool = True
    at: int = 0
    data: dict[str, Any] = field(default_factory=dict)


def read_suggestions(*, tournament: Tournament, now: datetime) -> list[EventSuggestion]:
    """What the director of this event should do at `now`, the most urgent first. One query at most, and as a rule
    none."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return suggestions_of(
            state, now_ms=event_journal.ms(now), dismissed=dismissed(tournament), owed=owed(tournament, state)
        )


def spoken_of(suggestion: EventSuggestion) -> EventSuggestion:
    """The suggestion in the current language, for showing alone: what is done of it is written down in English."""
    return replace(suggestion, title=translated(suggestion.title), why=translated(suggestion.why))


def dismissed(tournament: Tournament) -> frozenset[str]:
    """The keys of what the director let be, in this event and none that it was copied from."""
    stored = tournament.options.get(DISMISSED)
    if not isinstance(stored, dict) or stored.get("event") != tournament.pk:
        return frozenset()
    return frozenset(stored.get("keys", ()))


def owed(tournament: Tournament, state: EventEngine) -> list[DuePayout]:
    """What the event, being over, has still to pay: whether some of it was paid says nothing of the rest. One query,
    none once all is paid."""
    if state.phase != "finished" or state.is_flight or tournament.paid_at is not None:
        return []
    return payouts.due(tournament, state)


def suggestions_of(
    state: EventEngine,
    *,
    now_ms: int,
    busy: Iterable[int] = (),
    dismissed: frozenset[str] = frozenset(),
    owed: Sequence[DuePayout] = (),
) -> list[EventSuggestion]:
    """What the director of an event should do, by its replayed state. `busy`: tables in the middle of a hand; `owed`:
    what it has still to pay."""
    if state.phase == "finished":
        suggestions = list(_after(owed))
    elif state.phase == "running":
        suggestions = [*_players(state, now_ms), *_tables(state, now_ms, busy), *_money(state, now_ms)]
        suggestions += [*_chips(state, now_ms), *_counts(state, now_ms), *_entry(state, now_ms)]
    else:
        suggestions = []
    if state.config.conduct == "online":
        suggestions = [suggestion for suggestion in suggestions if suggestion.kind in _ONLINE]
    return [suggestion for suggestion in suggestions if suggestion.key not in dismissed]


def _tables(state: EventEngine, now_ms: int, busy: Iterable[int]) -> Iterator[EventSuggestion]:
    if state.config.format != "tables":
        yield from _round(state)
        return
    step = state.next_step(now_ms, busy)
    if isinstance(step, Consolidation):
        yield _consolidation(state, step)
    elif step is not None:
        terms = state.config
        plan = balancing.plan_balance(state.views(busy), at=terms.balance_at, break_order=terms.break_order)
        for move in plan[:_MOST_MOVES]:
            yield _move(state, move)
    if state.is_hand_for_hand_due(now_ms) and not state.is_hand_for_hand:
        why = EventSentence(
            "{players} are left and {paid} are paid.", players=_players_left(state), paid=state.places_paid()
        )
        yield EventSuggestion(
            f"hand-for-hand:{state.left}", "hand-for-hand", EventSentence("Start hand-for-hand"), why, HAND_FOR_HAND
        )
    if state.is_hand_for_hand and not state.held and state.left <= state.places_paid():
        why = EventSentence("{players} are left, and all of them are paid.", players=_players_left(state))
        yield EventSuggestion(
            f"hand-for-hand-off:{state.left}",
            "hand-for-hand-off",
            EventSentence("End hand-for-hand"),
            why,
            HAND_FOR_HAND,
        )
    for number in sorted(state.halted()):
        why = EventSentence("It is {n} players or more short of the fullest table.", n=state.config.halt_short)
        title = EventSentence("Table {table} waits for players", table=number)
        yield EventSuggestion(
            f"halted:{number}", "halted", title, why, "TDA 11D", is_confirmable=False, data={"table": number}
        )


def _players_left(state: EventEngine) -> EventSentence:
    return counted(state.left, "{n} player", "{n} players")


def _consolidation(state: EventEngine, due: Consolidation) -> EventSuggestion:
    if not due.table:
        key = f"final-table:{state.left}:{len(state.in_use())}"
        return EventSuggestion(key, "final-table", EventSentence("Draw the final table"), due.why, due.rule)
    key = f"break-table:{due.table}:{state.left}"
    title = EventSentence("Break table {table}", table=due.table)
    return EventSuggestion(key, "break-table", title, due.why, due.rule, data={"table": due.table})


def _move(state: EventEngine, move: PlannedMove) -> EventSuggestion:
    name = state.entrants[move.entrant].name
    from_, to = (move.from_table, move.from_seat), (move.to_table, move.to_seat)
    title = EventSentence(
        "Move {name} from table {from_table}, seat {from_seat} to table {table}, seat {seat}",
        name=name,
        from_table=from_[0],
        from_seat=from_[1],
        table=to[0],
        seat=to[1],
    )
    sizes = "-".join(map(str, move.numbers))
    key = f"move:{move.entrant}:{from_[0]}.{from_[1]}:{to[0]}.{to[1]}:{sizes}"
    data = {"entrant": move.entrant, "from_table": from_[0], "from_seat": from_[1], "table": to[0], "seat": to[1]}
    return EventSuggestion(key, "move", title, move.why, move.rule, data=data)


def _round(state: EventEngine) -> Iterator[EventSuggestion]:
    if state.left > 1 and all(len(table.seats) < 2 for table in state.in_use()):
        why = EventSentence("Every table has its winner: {players} are left.", players=_players_left(state))
        title = EventSentence("Draw the next round")
        yield EventSuggestion(f"draw-round:{state.round + 1}", "draw-round", title, why, "TDA 7")


def _players(state: EventEngine, now_ms: int) -> Iterator[EventSuggestion]:
    for number, ends_at in state.called.items():
        if ends_at <= now_ms < ends_at + _TIME_UP_TOLD:
            title = EventSentence("Time is up for {name}", name=state.entrants[number].name)
            why = EventSentence("The 25 seconds and the countdown are over: the hand is dead if it faces a bet.")
            yield EventSuggestion(
                f"time-up:{number}:{ends_at}", "time-up", title, why, timing.CLOCK_ON_PLAYER, at=ends_at,
                data={"entrant": number},
            )  # fmt: skip
    yield from _without_chips(state)
    if state.config.format == "tables":
        for entrant in state.in_play():
            if not entrant.table:
                title = EventSentence("Draw a seat for {name}", name=entrant.name)
                why = EventSentence("A late player is seated at once at the smallest table.")
                number = entrant.number
                yield EventSuggestion(f"seat:{number}", "seat", title, why, "TDA 8", data={"entrant": number})


def _without_chips(state: EventEngine) -> Iterator[EventSuggestion]:
    """A suggestion for each player who was counted at 0. Where places or bounties depend on it, the director has to say
    which of them lost their chips in one hand, and who won them."""
    busted = [
        entrant
        for entrant in state.in_play()
        if entrant.counted_at and not entrant.stack and entrant.number not in state.held
    ]
    at_table = Counter(entrant.table for entrant in busted)
    for entrant in busted:
        is_alone = at_table[entrant.table] == 1 and state.config.bounty.kind == "none"
        why = EventSentence("Their count is 0.")
        if at_table[entrant.table] > 1:
            why = EventSentence(
                "Several at table {table} have no chips: report one hand together.", table=entrant.table
            )
        elif not is_alone:
            why = EventSentence("Their count is 0. Say who won the chips, and the bounty with them.")
        yield EventSuggestion(
            f"bust:{entrant.number}:{entrant.counted_at}", "bust",
            EventSentence("{name} has no chips left", name=entrant.name),
            why,
            data={"entrant": entrant.number, "table": entrant.table, "is_alone": is_alone},
        )  # fmt: skip


def _entry(state: EventEngine, now_ms: int) -> Iterator[EventSuggestion]:
    closes_at = state.entry_closes_at(now_ms)
    if closes_at is not None and closes_at - now_ms <= _ENTRY_CLOSES_SOON:
        last = state.last_entry_level()
        why = EventSentence("Soon entry closes.")
        if last is not None:
            why = EventSentence("With the end of {level} entry closes.", level=state.structure.name(last))
        yield EventSuggestion(
            f"entry-closes:{closes_at}", "entry-closes", EventSentence("Late registration ends soon"), why, "TDA 8",
            is_confirmable=False, at=closes_at,
        )  # fmt: skip


def _chips(state: EventEngine, now_ms: int) -> Iterator[EventSuggestion]:
    index = state.level(now_ms)
    for leaving in state.structure.levels[index].colour_up:
        following = next_denomination(state, index, leaving)
        why = EventSentence("They are changed up, table by table: nobody is raced out.")
        if following:
            why = EventSentence(
                "Whole ones change up to {chip}, odd ones are raced, table by table: nobody is raced out.",
                chip=following,
            )
        title = EventSentence("Colour up the chips of {chip:,}", chip=leaving)
        yield EventSuggestion(
            f"colour-up:{index}:{leaving}", "colour-up", title, why, chip_race.RACE,
            data={"level": index, "leaving": leaving, "next_denomination": following},
        )  # fmt: skip


def _counts(state: EventEngine, now_ms: int) -> Iterator[EventSuggestion]:
    """What all stacks come to, where it is not what is in play. In a break there is time to count, and nothing moves a
    chip."""
    if wrong := state.count_difference():
        pattern = (
            EventSentence(
                "All stacks come to {counted:,}, {wrong:,} more than the {chips:,} in play: count again or correct it."
            )
            if wrong > 0
            else EventSentence(
                "All stacks come to {counted:,}, {wrong:,} fewer than the {chips:,} in play: count again or correct it."
            )
        )
        why = EventSentence(pattern, counted=state.chips + wrong, wrong=abs(wrong), chips=state.chips)
        yield EventSuggestion(
            f"count-difference:{state.chips}:{wrong}", "count-difference", EventSentence("The counts do not add up"),
            why,
            is_confirmable=False, data={"counted": state.chips + wrong, "in_play": state.chips},
        )  # fmt: skip
    level = state.level(now_ms)
    if not state.structure.levels[level].is_break or state.is_flight_over(now_ms):
        return  # of a flight that is over every stack is bagged anyway
    missing = state.not_counted(now_ms - _COUNTED_LATELY)
    if tables := [number for number in missing if number]:
        pattern = (
            EventSentence("At table {tables} not every stack was counted in the last half hour.")
            if len(tables) == 1
            else EventSentence("At tables {tables} not every stack was counted in the last half hour.")
        )
        why = EventSentence(pattern, tables=listed(map(str, tables)))
        yield EventSuggestion(
            f"count:{level}:{'-'.join(map(str, tables))}", "count", EventSentence("Count the stacks"), why,
            is_confirmable=False,
            data={"tables": tables},
        )  # fmt: skip


def next_denomination(state: EventEngine, level: int, leaving: int) -> int:
    """What chips of `leaving` are changed into at this level; 0 where the event's chip set is not known."""
    larger = [chip for chip in state.structure.chips(level) if chip > leaving and not chip % leaving]
    return min(larger, default=0)


def _money(state: EventEngine, now_ms: int) -> Iterator[EventSuggestion]:
    if state.deal is not None:
        if not state.deal.play_for:
            why = EventSentence("A deal was made, and nothing is left to play for.")
            yield EventSuggestion("finish", "finish", EventSentence("End the tournament"), why)
        return
    if state.config.flight_levels:
        if state.is_flight_over(now_ms):
            yield _flight_over(state)
        return
    if state.is_entry_open(now_ms) or (state.locked is not None and not state.is_payout_stale):
        return
    is_again = state.locked is not None
    title, why = EventSentence("Lock the payouts"), EventSentence("Entry is closed: the prizes are known now.")
    if is_again:
        title, why = (
            EventSentence("Lock the payouts again"),
            EventSentence("Entries have changed since they were locked."),
        )
    yield EventSuggestion(f"lock-payouts:{state.entries}:{state.pool}", "lock-payouts", title, why)


def _flight_over(state: EventEngine) -> EventSuggestion:
    level = state.structure.name(state.structure.index(state.config.flight_levels))
    stacks = [entrant.stack for entrant in state.in_play() if state.is_counted(entrant)]
    why = EventSentence(
        "{level} is over with {players} left: count and bag every stack, then end the flight. What was counted so far, "
        "{stacks}, comes to {counted:,} of {chips:,} chips.",
        level=level,
        players=_players_left(state),
        stacks=counted(len(stacks), "{n} stack", "{n} stacks"),
        counted=sum(stacks),
        chips=state.chips,
    )
    return EventSuggestion(
        f"close-flight:{state.left}", "close-flight", EventSentence("The flight is over"), why, is_confirmable=False
    )


def _after(owed: Sequence[DuePayout]) -> Iterator[EventSuggestion]:
    if owed:
        people = len({debt.entrant for debt in owed})
        why = counted(
            people,
            "{n} player has {total:,} to get. Payments cannot be undone.",
            "{n} players have {total:,} to get. Payments cannot be undone.",
            total=sum(debt.amount for debt in owed),
        )
        yield EventSuggestion("pay", "pay", EventSentence("Pay the prizes"), why)


# Suggestions as commands, and carried out by themselves


#: More than any floor needs at once; what is left over is suggested.
_MOST_STEPS = 200


def command_of(suggestion: EventSuggestion) -> Command | None:
    """What carries it out; None for what is done elsewhere (`colour-up`, `pay`, a `bust` of
    which more has to be said)."""
    data, seed = suggestion.data, secrets.randbits(64)
    commands: dict[str, Command] = {
        "final-table": DrawFinalTable(seed),
        "draw-round": DrawRound(seed),
        "hand-for-hand": HandForHand(True),
        "hand-for-hand-off": HandForHand(False),
        "lock-payouts": LockPayouts(),
        "finish": Finish(),
    }
    if suggestion.kind == "move":
        return Move(data["entrant"], data["table"], data["seat"], suggestion.why, suggestion.rule)
    if suggestion.kind == "break-table":
        return BreakTable(data["table"], seed)
    if suggestion.kind == "seat":
        return SeatLate(data["entrant"], seed)
    if suggestion.kind == "bust":
        return Bust(((data["entrant"], 0),), data["table"]) if data["is_alone"] else None
    if suggestion.kind == "time-up":
        return ClockOff(data["entrant"])
    return commands.get(suggestion.kind)


def arrange(locked: Locked, *, now: datetime) -> None:
    """In an event that lets it, do what is due at the tables, one after the other. Call with the event held."""
    if not locked.row.options.get(AUTO_ARRANGE) or locked.event is None:
        return
    for _ in range(_MOST_STEPS):
        dismissed_keys = dismissed(locked.row)
        suggestions = suggestions_of(locked.state, now_ms=event_journal.ms(now), dismissed=dismissed_keys)
        due = next((suggestion for suggestion in suggestions if suggestion.kind in ARRANGED), None)
        command = command_of(due) if due is not None else None
        if command is None:
            return
        playing.play(locked, command, now=now)
