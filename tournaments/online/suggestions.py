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
from tournaments.engine.errors import Said, counted
from tournaments.engine.finishing import HAND_FOR_HAND
from tournaments.engine.plain import listed
from tournaments.engine.rules import timing
from tournaments.engine.seating import Consolidation, PlannedMove
from tournaments.engine.tournament import Tournament as Engine
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.journal import Locked
from tournaments.events.models import Tournament
from tournaments.prizes import payouts
from tournaments.prizes.payouts import Due

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
class Suggestion:
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


def read(*, tournament: Tournament, now: datetime) -> list[Suggestion]:
    """What the director of this event should do at `now`, the most urgent first. One query at most, and as a rule
    none."""
    if not tournament.seq:
        return []
    with event_journal.looking(tournament.pk, upto=tournament.seq) as state:
        return of(state, now_ms=event_journal.ms(now), dismissed=dismissed(tournament), owed=owed(tournament, state))


def spoken_of(suggestion: Suggestion) -> Suggestion:
    """The same in the current language, for showing alone: what is done of it is written down in English."""
    return replace(suggestion, title=translated(suggestion.title), why=translated(suggestion.why))


def dismissed(tournament: Tournament) -> frozenset[str]:
    """The keys of what the director let be, in this event and none that it was copied from."""
    kept = tournament.options.get(DISMISSED)
    if not isinstance(kept, dict) or kept.get("event") != tournament.pk:
        return frozenset()
    return frozenset(kept.get("keys", ()))


def owed(tournament: Tournament, state: Engine) -> list[Due]:
    """What the event, being over, has still to pay: whether some of it was paid says nothing of the rest. One query,
    none once all is paid."""
    if state.phase != "finished" or state.is_flight or tournament.paid_at is not None:
        return []
    return payouts.due(tournament, state)


def of(
    state: Engine,
    *,
    now_ms: int,
    busy: Iterable[int] = (),
    dismissed: frozenset[str] = frozenset(),
    owed: Sequence[Due] = (),
) -> list[Suggestion]:
    """The same of a folded event. `busy`: tables in the middle of a hand; `owed`: what it has still to pay."""
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


def _tables(state: Engine, now_ms: int, busy: Iterable[int]) -> Iterator[Suggestion]:
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
        why = Said("{players} are left and {paid} are paid.", players=_players_left(state), paid=state.places_paid())
        yield Suggestion(
            f"hand-for-hand:{state.left}", "hand-for-hand", Said("Start hand-for-hand"), why, HAND_FOR_HAND
        )
    if state.is_hand_for_hand and not state.held and state.left <= state.places_paid():
        why = Said("{players} are left, and all of them are paid.", players=_players_left(state))
        yield Suggestion(
            f"hand-for-hand-off:{state.left}", "hand-for-hand-off", Said("End hand-for-hand"), why, HAND_FOR_HAND
        )
    for number in sorted(state.halted()):
        why = Said("It is {n} players or more short of the fullest table.", n=state.config.halt_short)
        title = Said("Table {table} waits for players", table=number)
        yield Suggestion(
            f"halted:{number}", "halted", title, why, "TDA 11D", is_confirmable=False, data={"table": number}
        )


def _players_left(state: Engine) -> Said:
    return counted(state.left, "{n} player", "{n} players")


def _consolidation(state: Engine, due: Consolidation) -> Suggestion:
    if not due.table:
        key = f"final-table:{state.left}:{len(state.in_use())}"
        return Suggestion(key, "final-table", Said("Draw the final table"), due.why, due.rule)
    key = f"break-table:{due.table}:{state.left}"
    title = Said("Break table {table}", table=due.table)
    return Suggestion(key, "break-table", title, due.why, due.rule, data={"table": due.table})


def _move(state: Engine, move: PlannedMove) -> Suggestion:
    name = state.entrants[move.entrant].name
    from_, to = (move.from_table, move.from_seat), (move.to_table, move.to_seat)
    title = Said(
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
    return Suggestion(key, "move", title, move.why, move.rule, data=data)


def _round(state: Engine) -> Iterator[Suggestion]:
    if state.left > 1 and all(len(table.seats) < 2 for table in state.in_use()):
        why = Said("Every table has its winner: {players} are left.", players=_players_left(state))
        title = Said("Draw the next round")
        yield Suggestion(f"draw-round:{state.round + 1}", "draw-round", title, why, "TDA 7")


def _players(state: Engine, now_ms: int) -> Iterator[Suggestion]:
    for number, ends_at in state.called.items():
        if ends_at <= now_ms < ends_at + _TIME_UP_TOLD:
            title = Said("Time is up for {name}", name=state.entrants[number].name)
            why = Said("The 25 seconds and the countdown are over: the hand is dead if it faces a bet.")
            yield Suggestion(
                f"time-up:{number}:{ends_at}", "time-up", title, why, timing.CLOCK_ON_PLAYER, at=ends_at,
                data={"entrant": number},
            )  # fmt: skip
    yield from _without_chips(state)
    if state.config.format == "tables":
        for entrant in state.in_play():
            if not entrant.table:
                title = Said("Draw a seat for {name}", name=entrant.name)
                why = Said("A late player is seated at once at the smallest table.")
                number = entrant.number
                yield Suggestion(f"seat:{number}", "seat", title, why, "TDA 8", data={"entrant": number})


def _without_chips(state: Engine) -> Iterator[Suggestion]:
    """Those who were counted at 0. Whose chips went in one hand, and who won them, a director says where it decides
    about places or bounties."""
    gone = [
        entrant
        for entrant in state.in_play()
        if entrant.counted_at and not entrant.stack and entrant.number not in state.held
    ]
    at_table = Counter(entrant.table for entrant in gone)
    for entrant in gone:
        is_alone = at_table[entrant.table] == 1 and state.config.bounty.kind == "none"
        why = Said("Their count is 0.")
        if at_table[entrant.table] > 1:
            why = Said("Several at table {table} have no chips: report one hand together.", table=entrant.table)
        elif not is_alone:
            why = Said("Their count is 0. Say who won the chips, and the bounty with them.")
        yield Suggestion(
            f"bust:{entrant.number}:{entrant.counted_at}", "bust", Said("{name} has no chips left", name=entrant.name),
            why,
            data={"entrant": entrant.number, "table": entrant.table, "is_alone": is_alone},
        )  # fmt: skip


def _entry(state: Engine, now_ms: int) -> Iterator[Suggestion]:
    closes_at = state.entry_closes_at(now_ms)
    if closes_at is not None and closes_at - now_ms <= _ENTRY_CLOSES_SOON:
        last = state.last_entry_level()
        why = Said("Soon entry closes.")
        if last is not None:
            why = Said("With the end of {level} entry closes.", level=state.structure.name(last))
        yield Suggestion(
            f"entry-closes:{closes_at}", "entry-closes", Said("Late registration ends soon"), why, "TDA 8",
            is_confirmable=False, at=closes_at,
        )  # fmt: skip


def _chips(state: Engine, now_ms: int) -> Iterator[Suggestion]:
    index = state.level(now_ms)
    for leaving in state.structure.levels[index].colour_up:
        following = next_denomination(state, index, leaving)
        why = Said("They are changed up, table by table: nobody is raced out.")
        if following:
            why = Said(
                "Whole ones change up to {chip}, odd ones are raced, table by table: nobody is raced out.",
                chip=following,
            )
        title = Said("Colour up the chips of {chip:,}", chip=leaving)
        yield Suggestion(
            f"colour-up:{index}:{leaving}", "colour-up", title, why, chip_race.RACE,
            data={"level": index, "leaving": leaving, "next_denomination": following},
        )  # fmt: skip


def _counts(state: Engine, now_ms: int) -> Iterator[Suggestion]:
    """What all stacks come to, where it is not what is in play. In a break there is time to count, and nothing moves a
    chip."""
    if wrong := state.count_difference():
        pattern = (
            Said(
                "All stacks come to {counted:,}, {wrong:,} more than the {chips:,} in play: count again or correct it."
            )
            if wrong > 0
            else Said(
                "All stacks come to {counted:,}, {wrong:,} fewer than the {chips:,} in play: count again or correct it."
            )
        )
        why = Said(pattern, counted=state.chips + wrong, wrong=abs(wrong), chips=state.chips)
        yield Suggestion(
            f"count-difference:{state.chips}:{wrong}", "count-difference", Said("The counts do not add up"), why,
            is_confirmable=False, data={"counted": state.chips + wrong, "in_play": state.chips},
        )  # fmt: skip
    level = state.level(now_ms)
    if not state.structure.levels[level].is_break or state.is_flight_over(now_ms):
        return  # of a flight that is over every stack is bagged anyway
    missing = state.not_counted(now_ms - _COUNTED_LATELY)
    if tables := [number for number in missing if number]:
        pattern = (
            Said("At table {tables} not every stack was counted in the last half hour.")
            if len(tables) == 1
            else Said("At tables {tables} not every stack was counted in the last half hour.")
        )
        why = Said(pattern, tables=listed(map(str, tables)))
        yield Suggestion(
            f"count:{level}:{'-'.join(map(str, tables))}", "count", Said("Count the stacks"), why, is_confirmable=False,
            data={"tables": tables},
        )  # fmt: skip


def next_denomination(state: Engine, level: int, leaving: int) -> int:
    """What chips of `leaving` are changed into at this level; 0 where the event's chip set is not known."""
    larger = [chip for chip in state.structure.chips(level) if chip > leaving and not chip % leaving]
    return min(larger, default=0)


def _money(state: Engine, now_ms: int) -> Iterator[Suggestion]:
    if state.deal is not None:
        if not state.deal.play_for:
            why = Said("A deal was made, and nothing is left to play for.")
            yield Suggestion("finish", "finish", Said("End the tournament"), why)
        return
    if state.config.flight_levels:
        if state.is_flight_over(now_ms):
            yield _flight_over(state)
        return
    if state.is_entry_open(now_ms) or (state.locked is not None and not state.is_payout_stale):
        return
    is_again = state.locked is not None
    title, why = Said("Lock the payouts"), Said("Entry is closed: the prizes are known now.")
    if is_again:
        title, why = Said("Lock the payouts again"), Said("Entries have changed since they were locked.")
    yield Suggestion(f"lock-payouts:{state.entries}:{state.pool}", "lock-payouts", title, why)


def _flight_over(state: Engine) -> Suggestion:
    level = state.structure.name(state.structure.index(state.config.flight_levels))
    stacks = [entrant.stack for entrant in state.in_play() if state.is_counted(entrant)]
    why = Said(
        "{level} is over with {players} left: count and bag every stack, then end the flight. What was counted so far, "
        "{stacks}, comes to {counted:,} of {chips:,} chips.",
        level=level,
        players=_players_left(state),
        stacks=counted(len(stacks), "{n} stack", "{n} stacks"),
        counted=sum(stacks),
        chips=state.chips,
    )
    return Suggestion(
        f"close-flight:{state.left}", "close-flight", Said("The flight is over"), why, is_confirmable=False
    )


def _after(owed: Sequence[Due]) -> Iterator[Suggestion]:
    if owed:
        people = len({debt.entrant for debt in owed})
        why = counted(
            people,
            "{n} player has {total:,} to get. Payments cannot be undone.",
            "{n} players have {total:,} to get. Payments cannot be undone.",
            total=sum(debt.amount for debt in owed),
        )
        yield Suggestion("pay", "pay", Said("Pay the prizes"), why)


# Suggestions as commands, and carried out by themselves


#: More than any floor needs at once; what is left over is suggested.
_MOST_STEPS = 200


def command_of(suggestion: Suggestion) -> Command | None:
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
        kept = dismissed(locked.row)
        suggestions = of(locked.state, now_ms=event_journal.ms(now), dismissed=kept)
        due = next((suggestion for suggestion in suggestions if suggestion.kind in ARRANGED), None)
        command = command_of(due) if due is not None else None
        if command is None:
            return
        playing.play(locked, command, now=now)
