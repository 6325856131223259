"""An event as the rules see it: what follows from its state, and ``emit``, by which alone a rule changes it.

Knows no rule and no command. Who may enter, what is paid, who stands where, what the floor should do: questions only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Self

from tournaments.engine import balancing, breaking, evolve
from tournaments.engine import clock as clocks
from tournaments.engine.clock import MINUTE_MS, Clock, Running, Stopped
from tournaments.engine.errors import EventSentence, IllegalCommand
from tournaments.engine.facts import OF_COUNTS, Began, ClockSet, Counted, EventFact, LevelsEdited, TableCounted
from tournaments.engine.finishing import EntrantStanding, in_order
from tournaments.engine.prizes import payouts
from tournaments.engine.seating import Consolidation, Place, PlannedMove, TableView
from tournaments.engine.state import Entrant, LoggedAction, TournamentState

#: Seats that opened by what a command did. A rule gives them back where something may follow by itself, None where
#: nothing can: see ``EventEngine.play``.
Opened = list[Place]


#: What a hand takes at least.
_HAND_MS = 2 * MINUTE_MS


#: Kinds of orders by which no chip changes hands, and none comes into play or leaves it.
_LEAVES_CHIPS = frozenset({
    *("clock-set", "levels-edited", "clock-called", "clock-lifted", "moved", "table-broken", "table-opened"),
    *("table-closed", "seat-reserved", "seated", "final-table-drawn", "hand-for-hand-set", "payout-changed"),
    *("payouts-locked", "chips-corrected", "entry-kept", "identified", "deal-made"),
})  # fmt: skip


_NOT_NOW = {
    "registering": EventSentence("Cards are not in the air yet."),
    "running": EventSentence("Cards are in the air already."),
    "finished": EventSentence("The tournament is over."),
    "cancelled": EventSentence("The tournament was cancelled."),
}


def counts_of(fact: EventFact) -> tuple[tuple[int, int], ...]:
    """(entrant, chips) that this fact says were counted; none of another kind."""
    if isinstance(fact, Counted):
        return ((fact.entrant, fact.chips),)
    return fact.stacks if isinstance(fact, TableCounted) else ()


class Event(TournamentState):
    """A tournament to look at, and to put facts into. ``now`` is the moment of the command being played, milliseconds
    since the epoch."""

    now: int = 0
    #: Whether the command being played belongs to the order of the one before.
    follows: bool = False

    #: Take a fact as it is.
    apply = evolve.apply

    def emit(self, fact: EventFact) -> None:
        """For a rule: put a decided fact into the log."""
        self.apply(replace(fact, follows=True) if self.follows and fact.label else fact)

    def copy(self) -> Self:
        """An independent twin."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.facts, twin.log = self.facts.copy(), self.log.copy()
        twin.totals = self.totals.copy()
        twin.entrants = {number: entrant.copy(twin.totals) for number, entrant in self.entrants.items()}
        twin.tables = {number: table.copy(twin.totals) for number, table in self.tables.items()}
        for name in ("players", "alternates", "reserved", "held", "called"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def become(self, other: Event) -> None:
        """Be what ``other`` is."""
        vars(self).clear()
        vars(self).update(vars(other))

    def require(self, *phases: str) -> None:
        """Refuse what does not belong in this phase."""
        if self.phase not in phases:
            raise IllegalCommand(f"is-{self.phase}", _NOT_NOW[self.phase])

    def entrant(self, number: int) -> Entrant:
        """Entry ``number``. Raises ``IllegalCommand`` where there is none."""
        entrant = self.entrants.get(number)
        if entrant is None:
            raise IllegalCommand("no-such-entrant", "There is no entry number {number}.", number=number)
        return entrant

    def playing(self, number: int) -> Entrant:
        """Entry ``number`` if it is in play now."""
        entrant = self.entrant(number)
        self.require("running")
        if not entrant.is_in:
            raise IllegalCommand(
                "is-out" if entrant.status == "out" else "not-in", "{name} is not in play.", name=entrant.name
            )
        return entrant

    def last_entry_level(self) -> int | None:
        """The index of the last level or break in which entry is open; None where it closes at the start."""
        return self.config.last_entry

    def is_entry_open(self, now: int) -> bool:
        """May anybody enter at ``now``?"""
        if self.phase not in ("registering", "running") or self.deal is not None:
            return False
        if self.phase == "running" and self.config.format != "tables":
            return False
        if self.entry_override is not None:
            return self.entry_override
        last = self.last_entry_level()
        return self.phase == "registering" or (last is not None and self.level(now) <= last)

    def sells_rebuys(self, now: int) -> bool:
        """Whether the level at ``now`` is one in which rebuys are sold."""
        rebuy = self.config.rebuy
        return rebuy is not None and self.level(now) <= self.structure.index(rebuy.until_level)

    def is_field_open(self, now: int) -> bool:
        """May anybody still enter, or buy chips again after their last ones are gone?"""
        is_sold = self.sells_rebuys(now)
        return is_sold or self.is_entry_open(now)

    def entry_closes_at(self, now: int) -> int | None:
        """When entry closes by the clock; None where it is closed, or no moment can be told yet."""
        last = self.last_entry_level()
        if self.phase != "running" or last is None or not self.is_entry_open(now) or self.entry_override is not None:
            return None
        clock = clocks.clock_at(self.clock, self.structure, now)
        coming = self.structure.levels[clock.level : last + 1]
        if not isinstance(clock, Running) or any(level.is_by_hands for level in coming):
            return None
        if last == len(self.structure.levels) - 1:
            return None
        return clock.ends_at + sum(level.duration_ms for level in coming[1:])

    def is_flight_over(self, now: int) -> bool:
        """Has the last level of a flight ended? A hand of hand-for-hand is first played at every table."""
        if not self.config.flight_levels or self.phase != "running" or self.deal is not None:
            return False
        if self.is_hand_on:
            return False
        last, reading = self.structure.index(self.config.flight_levels), self.reading(now)
        return reading.level > last or (reading.level == last and reading.is_overtime)

    def prizes(self) -> tuple[int, ...]:
        """The prizes, first prize first: as they were locked, else of what was paid so far.

        Raises ``IllegalCommand`` for own amounts that are not what there is.
        """
        if self.locked is not None and not self.is_payout_stale:
            return self.locked.prizes
        key = (self.pool, self.entries, self.config.payout)
        if self._prizes is None or self._prizes[0] != key:
            self._prizes = (key, payouts.prizes(*key))
        return self._prizes[1]

    _prizes: tuple[Any, tuple[int, ...]] | None = None

    def prize_of(self, number: int) -> int:
        """What entry ``number`` has won by its place so far; at the end, and after a deal, what it gets."""
        entrant = self.entrants[number]
        if self.phase == "finished" or not entrant.is_placed:
            return entrant.prize
        if self.deal is not None and number in (agreed := dict(self.deal.amounts)):
            return agreed[number]
        sharing = [number]
        if entrant.tied > 1:
            sharing = [other.number for other in self.entrants.values() if other.below == entrant.below]
        places = range(entrant.place, entrant.place + entrant.tied)
        return payouts.share(self.prizes(), places, self.config.payout.unit)[sharing.index(number)]

    def places_paid(self) -> int:
        """How many places are paid."""
        try:
            return len(self.prizes())
        except IllegalCommand:
            return payouts.places_paid(self.entries, self.config.payout)

    @property
    def is_payout_stale(self) -> bool:
        """Entries have changed since the payouts were locked: they should be locked again."""
        locked = self.locked
        return locked is not None and (locked.pool, locked.entries) != (self.pool, self.entries)

    def counted_before(self, now: int) -> dict[int, int]:
        """Entrant -> chips, as the counts just before ``now`` had them: nothing else was done since, and no hand can
        have moved a chip between them and ``now``. What is counted now goes together with these."""
        return self._counted_by(self.log.actions, now)

    def counts(self) -> dict[int, int]:
        """The latest counts that go together, as long as no chip has moved since by anything that was told."""
        actions = self.log.actions
        end = len(actions)
        while end and not actions[end - 1].kinds & OF_COUNTS and actions[end - 1].kinds <= _LEAVES_CHIPS:
            end -= 1
        return self._counted_by(actions[:end], actions[end - 1].at) if end else {}

    def count_difference(self) -> int:
        """By how much all stacks, counted together, differ from the chips in play: above 0 there are too many. 0 where
        they agree, or were not all counted together."""
        counted = self.counts()
        if not counted or counted.keys() != {entrant.number for entrant in self.in_play()}:
            return 0
        return sum(counted.values()) - self.chips

    def _counted_by(self, actions: Sequence[LoggedAction], now: int) -> dict[int, int]:
        chips_by_entrant: dict[int, int] = {}
        clock = self._clock_after(actions)
        for action in reversed(actions):
            if not action.kinds <= OF_COUNTS or self._can_play(clock, action.at, now):
                break
            for fact in self.facts[action.first - 1 : action.last]:
                for number, chips in counts_of(fact):
                    chips_by_entrant.setdefault(number, chips)
        return chips_by_entrant

    def _clock_after(self, actions: Sequence[LoggedAction]) -> Clock:
        """The clock as these orders left it."""
        for action in reversed(actions):
            for fact in reversed(self.facts[action.first - 1 : action.last]):
                if isinstance(fact, Began | ClockSet | LevelsEdited):
                    return fact.clock
        return self.clock

    def _can_play(self, clock: Clock, since: int, now: int) -> bool:
        """Whether a hand can have been played between two moments of a clock."""
        is_stopped = isinstance(clock, Stopped) and not self.takes_minutes
        if now - since <= _HAND_MS or is_stopped:
            return False
        before, after = (clocks.clock_at(clock, self.structure, at).level for at in (since, now))
        return before != after or not self.structure.levels[after].is_break

    def views(self, busy: Iterable[int] = ()) -> list[TableView]:
        """The tables for the algorithms, by number; ``busy`` ones are in the middle of a hand."""
        running = frozenset(busy)
        reserved_seats: dict[int, set[int]] = {}
        fixed: dict[int, set[int]] = {}
        for number, (table, seat) in self.reserved.items():
            entrant = self.entrants[number]
            if (entrant.table, entrant.seat) == (table, seat):
                fixed.setdefault(table, set()).add(number)
            elif entrant.status in ("in", "alternate"):
                reserved_seats.setdefault(table, set()).add(seat)
        return [
            TableView(
                number,
                self.tables[number].seats,
                self.tables[number].opened,
                self.tables[number].size,
                number not in running,
                frozenset(fixed.get(number, ())),
                frozenset(reserved_seats.get(number, ())),
            )
            for number in sorted(self.tables)
        ]

    def is_final_table_due(self, now: int) -> bool:
        """Whether all players left fit at the final table and sit at several, and nobody can come in any more: every
        table stops after its hand. Hand-for-hand gives way to it, for at one table nobody waits for another."""
        if self.phase != "running" or self.config.format != "tables" or self.left > self.config.final_seats:
            return False
        is_due = breaking.is_final_table_due(self.views(), final_seats=self.config.final_seats)
        return is_due and not self.is_entry_open(now)

    def halted(self) -> frozenset[int]:
        """The tables that stop dealing until players come (TDA 11D)."""
        return frozenset([table.number for table in self.tables.values() if table.is_halted])

    def next_step(self, now: int, busy: Iterable[int] = ()) -> Consolidation | PlannedMove | None:
        """What the tables want next; but while entry is open no final table is drawn, and a table breaks only if the
        rest keeps a whole table of free seats for those to come, or somebody sits alone whom no balancing helps. None
        while a hand of hand-for-hand is being played. ``busy`` tables are in the middle of a hand."""
        terms = self.config
        if self.phase != "running" or terms.format != "tables" or self.held:
            return None
        views, is_open = self.views(busy), self.is_entry_open(now)
        due = breaking.due(views, break_order=terms.break_order, final_seats=0 if is_open else terms.final_seats)
        if due is not None and not (is_open and self._should_wait(due)):
            return due
        return balancing.next_move(views, at=terms.balance_at, break_order=terms.break_order)

    def _should_wait(self, due: Consolidation) -> bool:
        views = breaking.in_use(self.views())
        is_alone = any(view.players == 1 for view in views)
        if is_alone and balancing.next_move(views, at=self.config.balance_at) is None:
            return False
        room = sum(len(view.free()) for view in views if view.number != due.table)
        leaving = next(view.players for view in views if view.number == due.table)
        return room - leaving < self.config.seats

    def is_hand_for_hand_due(self, now: int) -> bool:
        """One more bust and all are in the money, for nobody can come in or back; play goes on, and at several tables
        that do not go to the final one now. It begins with a hand: not in a break."""
        terms = self.config
        if self.phase != "running" or terms.format != "tables" or not terms.hand_for_hand or terms.flight_levels:
            return False
        if self.left != self.places_paid() + 1 or len(self.in_use()) < 2:
            return False
        return not (self.reading(now).is_break or self.is_field_open(now) or self.is_final_table_due(now))

    def standings(self) -> tuple[EntrantStanding, ...]:
        """Everybody who counts, best first: those in by chips, those out by place."""
        stacks = {entrant.number: entrant.stack for entrant in self.in_play() if not entrant.is_placed}
        finished = {entrant.number: entrant.place for entrant in self.entrants.values() if entrant.is_placed}
        return in_order(stacks, finished)
