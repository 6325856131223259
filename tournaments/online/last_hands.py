"""The results of a hand that is over, taken into its event: stacks, who is out, and who may buy again."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from cardroom.core import outages
from games.play import event_tables
from games.play.event_tables import HandOutcome
from tournaments.engine.commands import Bust, Chips, HandDone, HandsPlayed
from tournaments.events import journal as event_journal
from tournaments.events import playing
from tournaments.events.hall import Hall, key_of
from tournaments.events.journal import Locked
from tournaments.online.seating import undelivered_chips
from tournaments.registration import automatic_rebuys, buying

#: (entrant, chips when the hand began)
Lost = list[tuple[int, int]]
#: Entrants who are out together, each with their chips when the hand began; and the entrants who won those chips.
Group = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


def take_in_last_hand(locked: Locked, hall: Hall, table_id: int, *, now: datetime) -> datetime | None:
    """Take the last hand of a table that is between hands into the event. Returns until when the table waits for
    players who may buy again; None where it does not. Called again, it only looks whether somebody has to decide."""
    line, state, number = hall.lines[table_id], locked.state, hall.number(table_id)
    if line.last_hand is None or number not in state.tables:
        return None
    is_taken = playing.earlier_receipt(locked, key_of(line.last_hand)) is not None
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
        # Last: a player who lost their chips in the last hand of a level may buy again by the terms of that level.
        _count(locked, number, now=now)
    return until


def _note(locked: Locked, number: int, outcome: HandOutcome, *, now: datetime) -> None:
    """Play what the hand came to: the stacks; and who is out, where nobody may buy again."""
    state = locked.state
    who = {seat: state.players[player] for seat, player in outcome.players.items()}
    waiting = undelivered_chips(locked, who.values())
    after = {who[seat]: chips + waiting.get(who[seat], 0) for seat, chips in outcome.after.items()}
    lost = [(who[seat], chips) for seat, chips in outcome.before.items() if not after[who[seat]]]
    is_sold = bool(lost) and state.sells_rebuys(event_journal.ms(now))
    may_buy_again = is_sold and automatic_rebuys.may_any_buy(locked, [number for number, _ in lost], now=now)
    groups = [] if may_buy_again else _by_winners(locked, outcome, lost)
    stacks, key = tuple(after.items()), key_of(outcome.hand)
    if len(groups) > 1:
        # Several winners put players out: each group in turn, the fewest chips first, and then the hand is done.
        playing.play(locked, Chips(stacks), now=now)
        for busts, by in groups:
            playing.play(locked, Bust(busts, number, outcome.number, by), now=now)
        if state.phase == "running" and number in state.tables and len(state.tables[number].seats) > 1:
            playing.play(locked, HandDone(number), now=now, key=key)
    else:
        busts, by = groups[0] if groups else ((), ())
        playing.play(locked, HandDone(number, busts, by, stacks), now=now, key=key)


def _see_out(locked: Locked, number: int, outcome: HandOutcome, *, now: datetime) -> datetime | None:
    """Players without chips at the table: a rebuy is bought for those who asked for it, others have time to decide, and
    after it they are out. Returns until when the table waits; None where it does not."""
    if locked.state.phase != "running" or not (waiting := _without_chips(locked, number)):
        return None
    waiting = automatic_rebuys.buy_automatically(locked, waiting, now=now)
    until = outcome.ended_at + timedelta(seconds=automatic_rebuys.seconds_to_decide(locked))
    until = outages.lengthen_by_outages(outcome.ended_at, until)
    if now < until and automatic_rebuys.may_decide(locked, waiting, now=now):
        return until
    before = {locked.state.players[player]: outcome.before[seat] for seat, player in outcome.players.items()}
    lost = [(entrant, before.get(entrant, 0)) for entrant in waiting]
    for busts, by in _by_winners(locked, outcome, lost) if lost else ():
        playing.play(locked, Bust(busts, number, outcome.number, by), now=now)
    return None


def _without_chips(locked: Locked, number: int) -> list[int]:
    """Entrants at this table without chips who are not out yet."""
    state = locked.state
    return [
        entrant
        for entrant in state.tables[number].seats.values()
        if not state.entrants[entrant].stack and entrant not in state.held
    ]


def _by_winners(locked: Locked, outcome: HandOutcome, lost: Lost) -> list[Group]:
    """Entries that are out, grouped by the player who won their last chips; the group with the fewest chips first. One
    group where there are no bounties; entrants who began the hand with equal chips share a place, and a group."""
    seats = {locked.state.players[player]: seat for seat, player in outcome.players.items()}

    def winners(numbers: Iterable[int]) -> tuple[int, ...]:
        takers = {outcome.players[seat] for number in numbers for seat in outcome.winners.get(seats.get(number, 0), ())}
        entrants = {locked.state.players[player] for player in takers}
        return tuple(sorted(entrant for entrant in entrants if locked.state.entrants[entrant].is_in))

    if not lost:
        return []
    ordered = sorted(lost, key=lambda pair: pair[1])
    if locked.state.config.bounty.kind == "none":
        return [(tuple(ordered), winners(number for number, _ in ordered))]
    groups: list[Lost] = []
    for number, chips in ordered:
        last = groups[-1] if groups else []
        if last and (last[-1][1] == chips or winners([number]) == winners(loser for loser, _ in last)):
            last.append((number, chips))
        else:
            groups.append([(number, chips)])
    return [(tuple(group), winners(number for number, _ in group)) for group in groups]


def _count(locked: Locked, number: int, *, now: datetime) -> None:
    """Count a hand of a level that lasts a number of hands: the table that is ahead of the others counts."""
    state = locked.state
    if state.phase != "running" or number not in state.tables:
        return
    if not state.structure.levels[state.level(event_journal.ms(now))].is_by_hands:
        return
    hands = state.tables[number].hands
    if all(table.hands < hands for table in state.tables.values() if table.number != number):
        playing.play(locked, HandsPlayed(), now=now)


def _deliver(locked: Locked, number: int, *, now: datetime) -> None:
    """Put the chips in front of players that they bought during the hand."""
    state = locked.state
    if state.phase != "running" or number not in state.tables:
        return
    sitting: Sequence[int] = list(state.tables[number].seats.values())
    if undelivered_chips(locked, sitting):
        buying.deliver(locked, sitting, now=now)
