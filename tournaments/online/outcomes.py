"""An online event directs its own tables: results of hands taken over, tables filled, balanced, broken and dealt.

Between two hands a table asks (`between_hands`); what happens to the event elsewhere is told by its signals and its
directors. Imported when the room starts; an event in the room is left alone: people run its tables. Each is one
transaction with the event held: the last hand's stacks and busts are written down, due commands of the engine are
played, the tables follow the facts, and hands are dealt. A process that dies in it has done nothing; the alarm rings
again.

Who has lost their last chips and may rebuy has some seconds for it (option `rebuy_seconds`); the table waits, and so do
all who lost theirs in the same hand, as their places depend on it. In hand-for-hand nobody waits.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.dispatch import Signal, receiver

from cardroom.core import outages
from games.play import event_seats, event_tables
from games.play.event_tables import Outcome
from games.tables import signals as table_signals
from games.tables.models.tables import Table
from games.tables.queries import tables as table_queries
from tournaments.engine.commands import Bust, Chips, HandDone, HandsPlayed, SeatLate
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events import signals as event_signals
from tournaments.events.hall import Hall, key_of
from tournaments.events.locking import Locked
from tournaments.events.models import Tournament
from tournaments.online import play
from tournaments.online.play import arrange, pending
from tournaments.registration import buying

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
    may_buy_again = bool(lost) and buying.may_any(locked, [number for number, _ in lost], now=now)
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


# The house's director


@receiver(table_signals.event_table_waits)
def between_hands(*, table: Table, now: datetime, **_: Any) -> bool | None:
    """See to a table that is between hands, and to what its last hand means for the others; True where anything was
    done, None for a table of something else. Asked twice, the second time finds a hand in play, or the table held.
    Locks the event."""
    kind, _, tournament_id = table.event.partition(":")
    if kind != "tournament":
        return None
    table_id = table.pk
    with playing.holding(int(tournament_id), now=now) as locked:
        hall = Hall(locked, asking=table_id)
        if table_id not in hall.lines or hall.lines[table_id].hand is not None:
            return False
        if not locked.row.is_live:
            close(locked, hall, now=now)
            return True
        playing.follow_clock(locked, now=now)
        until = take(locked, hall, table_id, now=now)
        go_on(locked, hall, now=now)
        if table_id in hall.lines and locked.state.phase == "running":
            play.deal(locked, hall, table_id, until=until, now=now)
    return True


def go_on(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """After something has happened, do what follows at the tables."""
    arrange(locked, hall, now=now)
    if locked.state.phase == "running":
        play.release(locked, hall, now=now)
    else:
        close(locked, hall, now=now)


def close(locked: Locked, hall: Hall, *, now: datetime) -> None:
    """The event is over: everybody gets up, and the tables close; where a hand is still being played, after it."""
    idle = [pk for pk, line in hall.lines.items() if line.hand is None]
    if idle:
        play.clear(locked, idle, now=now)
        event_tables.close_tables(table_ids=idle, now=now)
        hall.look()


# -- what happened to the event ----------------------------------------------------------------------------------------


Act = TypeVar("Act", bound=Callable[..., Any])


def _online(signal: Signal) -> Callable[[Act], Act]:
    """Do this when an event online sends `signal`, with what it names."""

    def done(act: Act) -> Act:
        def hear(*, sender: Any, signal: Signal, locked: Locked, **named: Any) -> Any:
            return act(locked, **named) if locked.row.conduct == Tournament.Conduct.ONLINE else None

        signal.connect(hear, weak=False)
        return act

    return done


def begin(locked: Locked, *, now: datetime) -> None:
    """Open the tables, seat everybody with their chips, and have the first hands dealt."""
    hall = Hall(locked)
    play.place(locked, hall, [entrant.number for entrant in locked.state.in_play()], now=now)
    locked.followed = len(locked.state.facts)
    go_on(locked, hall, now=now)


@_online(event_signals.entrant_came)
def entered(locked: Locked, *, entrant: int, now: datetime) -> None:
    """Late: a seat is drawn for the entrant, who is dealt into the next hand there."""
    if not locked.state.entrants[entrant].table:
        playing.play(locked, SeatLate(entrant, secrets.randbits(64)), now=now)
    moved_on(locked, now=now)


@_online(event_signals.chips_bought)
def add_chips(locked: Locked, *, entrant: int, chips: int, reference: str, now: datetime) -> bool:
    """Put them in front of the entrant; not while their hand is being played, nor before they have a seat."""
    player = locked.state.entrants[entrant].player
    place = table_queries.places_in(event=locked.row.unit, players=[player]).get(player)
    line = Hall(locked).lines.get(place[0]) if place is not None else None
    if place is None or line is None or line.hand is not None:
        return False
    event_seats.add_chips(chips=[(place[0], player, chips)], reference=reference, now=now)
    if line.due_at is not None and line.due_at > now:
        # The table may have been waiting for this player.
        event_seats.release(table_ids=[place[0]], at=now, now=now)
    return True


@_online(event_signals.entrants_went)
def left(locked: Locked, *, entrants: list[int], now: datetime) -> None:
    """Their seats and chips go. `Conflict` while one of them is in a hand."""
    moved_on(locked, now=now)


@_online(event_signals.level_began)
def new_level(locked: Locked, *, now: datetime) -> None:
    """Time banks get what the terms give them with every level."""
    level = locked.state.structure.levels[locked.row.level]
    if locked.state.config.bank_refill_per_level and not level.is_break:
        event_seats.refill(event=locked.row.unit, ms=locked.state.config.bank_refill_per_level * 1000, now=now)


@_online(event_signals.clock_moved)
def moved_on(locked: Locked, *, now: datetime) -> None:
    """Tables that were held for a break or a pause go on; those that are to be held are when they ask. New stakes come
    with each table's next hand."""
    go_on(locked, Hall(locked), now=now)


@_online(event_signals.tables_behind)
def played(locked: Locked, *, now: datetime) -> None:
    """Where seats changed by it, the tables follow, and what is due is done."""
    if play.concerned(locked, locked.state.facts[locked.followed :]):
        moved_on(locked, now=now)


@_online(event_signals.play_ended)
def cancelled(locked: Locked, *, now: datetime) -> None:
    """Off, or over by a deal."""
    close(locked, Hall(locked), now=now)


def wake(locked: Locked, *, now: datetime) -> None:
    """Nothing is due, and what could be done is."""
    if locked.state.phase == "running":
        moved_on(locked, now=now)
