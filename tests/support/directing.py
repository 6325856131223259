"""A tournament to direct: builders for its terms and its field, and what must hold of it at any time."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from typing import Any

import msgspec
import pytest

from tests.support.parts.event_rules import EventEngine, IllegalCommand, Level, Structure, c, ending, f
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.errors import stored

MINUTE = 60_000
#: When cards are in the air.
NOON = 1_800_000_000_000
PRICE = Paid(pool=100, fee=10)
#: What is told in other words, and what is only remembered to be quick.
BESIDE = frozenset({"now", "follows", "_prizes", "log", "totals"})


def level(number: int, **changes: Any) -> Level:
    """A level of stud, the stakes rising by its number."""
    stakes = {"ante": 25, "bring_in": 50, "small_bet": 100, "big_bet": 200}
    return Level(**{"minutes": 20, **{name: chips * number for name, chips in stakes.items()}, **changes})


def rest(minutes: int = 10, **changes: Any) -> Level:
    """A break."""
    return Level(kind="break", minutes=minutes, **changes)


#: Levels 1 and 2, a break, levels 3 and 4.
STRUCTURE = Structure((level(1), level(2), rest(), level(3), level(4)))


def terms(**changes: Any) -> EventConfig:
    """The terms of an event in the room."""
    return EventConfig(**{"structure": STRUCTURE, "starting_stack": 5000, "conduct": "room", **changes})


def event_with_entries(count: int, *, price: Paid = PRICE, **changes: Any) -> EventEngine:
    """An event with so many entries, named after their numbers; players are 100 and their number."""
    event = EventEngine.start(terms(**changes), NOON - 60 * MINUTE)
    for number in range(1, count + 1):
        event.play(c.Register(100 + number, f"P{number}", price), NOON - 30 * MINUTE)
    return event


def begun(count: int, *, seed: int = 1, **changes: Any) -> EventEngine:
    """The same with cards in the air."""
    event = event_with_entries(count, **changes)
    event.play(c.SeatAll(seed), NOON - MINUTE)
    event.play(c.Start(), NOON)
    return event


def play(event: EventEngine, now: int, *commands: c.Command) -> None:
    """The event plays these commands, one after the other."""
    for command in commands:
        event.play(command, now)


def bust(event: EventEngine, *entrants: int, now: int = NOON + 1, **more: Any) -> tuple[f.EventFact, ...]:
    """They bust one after the other."""
    facts: tuple[f.EventFact, ...] = ()
    for entrant in entrants:
        facts = event.play(c.Bust(((entrant, 1000),), **more), now)
    return facts


@contextmanager
def refused(code: str, *words: str) -> Iterator[None]:
    """The command is refused with this code, and the sentence has these words in it."""
    with pytest.raises(IllegalCommand) as caught:
        yield
    assert caught.value.code == code, caught.value.message
    for word in words:
        assert word in caught.value.message


def refuses(event: EventEngine, command: c.Command, now: int, code: str, *words: str) -> None:
    """The event refuses this command with this code, and the sentence has these words in it."""
    with refused(code, *words):
        event.play(command, now)


def event_snapshot(event: EventEngine) -> dict[str, Any]:
    """Everything that an event knows now, comparable with what it knows later."""
    known = {name: copy(value) for name, value in vars(event).items() if name not in BESIDE}
    known["entrants"] = {
        number: {name: value for name, value in vars(entrant).items() if name != "totals"} | {"place": entrant.place}
        for number, entrant in event.entrants.items()
    }
    known["tables"] = {
        number: (table.size, dict(table.seats), table.opened, table.hands, table.hand_done, table.is_halted)
        for number, table in event.tables.items()
    }
    known["totals"] = (event.totals.entries, dict(event.totals.sizes), event.totals.halt_short)
    known["actions"] = deepcopy((event.log.actions, event.log.undone))
    return known


def is_same(event: EventEngine, before: dict[str, Any]) -> bool:
    """Whether an order was undone exactly: all that the event knew `before` it knows again. What stays different is
    the log itself, and that an entry which was undone keeps its number, as one that withdrew."""
    after = event_snapshot(event)
    was_there = before["entrants"].keys()
    new = {number for number in after["entrants"] if number not in was_there}
    assert all(event.entrants[number].status == "withdrawn" for number in new)
    after["entrants"] = {number: entrant for number, entrant in after["entrants"].items() if number in was_there}
    return all(after[name] == before[name] for name in after if name not in ("facts", "actions"))


def through_json(facts: list[f.EventFact]) -> list[f.EventFact]:
    """The facts as they come back from the database."""
    return [f.from_json(fact.kind, msgspec.json.decode(msgspec.json.encode(fact, enc_hook=stored))) for fact in facts]


def check(event: EventEngine) -> None:
    """The replay is the state, nobody sits twice, the counters count, no chip is lost."""
    kept = through_json(event.facts)
    assert kept == event.facts
    assert event_snapshot(EventEngine.replay(kept)) == event_snapshot(event)
    assert not list(ending.faults(event))
    inside = event.in_play()
    assert event.left == len(inside)
    assert event.entries == len(inside) + sum(entrant.status == "out" for entrant in event.entrants.values())
    seats = [(table.number, seat) for table in event.tables.values() for seat in table.seats]
    assert sorted(seats) == sorted((entrant.table, entrant.seat) for entrant in inside if entrant.table)
    assert all(1 <= seat <= event.tables[table].size for table, seat in seats)
    assert all(not set(table.opened) & set(table.seats) for table in event.tables.values())
    assert len({entrant.player for entrant in inside}) == len(inside)
    assert event.received == sum((row.paid for row in event.entrants.values() if row.status in ("in", "out")), Paid())
    if event.config.conduct == "online" and event.config.format == "tables":
        assert sum(entrant.stack for entrant in inside) == event.chips
    check_places(event)
    if event.phase == "finished" and not event.is_flight:
        check_money(event)


def check_places(event: EventEngine) -> None:
    """Places run from the last up without a gap; as many share one as say so."""
    out = sorted(entrant.place for entrant in event.entrants.values() if entrant.is_placed)
    tied = {entrant.place: entrant.tied for entrant in event.entrants.values() if entrant.is_placed}
    still_in = event.left if event.phase != "finished" or event.is_flight else 0
    assert out == sorted(place for place, count in tied.items() for _ in range(count))
    ranks = [place + more for place, count in tied.items() for more in range(count)]
    assert sorted(ranks) == list(range(still_in + 1, event.entries + 1))


def check_money(event: EventEngine) -> None:
    """All that was paid in for prizes and bounties is paid out, to the unit."""
    placed = [entrant for entrant in event.entrants.values() if entrant.is_placed]
    assert sum(entrant.prize for entrant in placed) == max(event.pool, event.config.payout.guarantee)
    assert sum(entrant.bounties_won for entrant in placed) == event.received.bounty
