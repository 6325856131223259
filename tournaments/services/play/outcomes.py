"""What a hand at a table came to, told to the event once: stacks, who is out and by whom, chips bought meanwhile.

Whoever has lost their last chips and may buy again has a while for it (option `rebuy_seconds`); the table waits, and so
do all who lost theirs in the same hand, as their places depend on it. In hand-for-hand nobody waits.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from cardroom.services import outages
from games.services import events
from games.services.events import Outcome
from tournaments import moments
from tournaments.engine.commands import Bust, Chips, HandDone, HandsPlayed
from tournaments.services import buying, playing
from tournaments.services.locking import Locked
from tournaments.services.play import rebuys
from tournaments.services.play.hall import Hall, key_of
from tournaments.services.play.placing import pending

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
    outcome = events.outcome(table_id=table_id)
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
    groups = [] if _may_all_wait(locked, lost, now=now) else _by_winners(locked, outcome, lost)
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


def _may_all_wait(locked: Locked, lost: Lost, *, now: datetime) -> bool:
    return bool(lost) and rebuys.may_any(locked, [number for number, _ in lost], now=now)


def _see_out(locked: Locked, number: int, outcome: Outcome, *, now: datetime) -> datetime | None:
    """Those who still sit there without chips buy again by themselves, are waited for, or are out."""
    if locked.state.phase != "running" or not (waiting := _without_chips(locked, number)):
        return None
    waiting = rebuys.buy_for(locked, waiting, now=now)
    until = outcome.ended_at + timedelta(seconds=rebuys.seconds(locked))
    until = outages.lengthened(outcome.ended_at, until)
    if now < until and rebuys.may_decide(locked, waiting, now=now):
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
    if not state.structure.levels[state.level(moments.ms(now))].is_by_hands:
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
