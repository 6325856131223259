"""What a tournament has come to: its entries, its tables, its clock and its money.

Values, and what can be read off them. How facts change them is in ``evolve.py``, what follows from them in
``event.py``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import gcd

from tournaments.engine import clock as clocks
from tournaments.engine import facts as f
from tournaments.engine.clock import Clock, Level, Stopped, Structure
from tournaments.engine.config import EventConfig, Paid
from tournaments.engine.facts import NAMES_AN_ORDER, OF_MONEY, ActionRedone, ActionUndone


class Totals:
    """What changes for everybody at once: how many ``entries`` there are, and how full the tables are."""

    def __init__(self) -> None:
        self.entries = 0
        self.halt_short = 0
        #: players -> how many tables have so many
        self.sizes: dict[int, int] = {}

    def copy(self) -> Totals:
        """An independent twin."""
        twin = Totals()
        twin.entries, twin.halt_short, twin.sizes = self.entries, self.halt_short, self.sizes.copy()
        return twin

    @property
    def fullest(self) -> int:
        """Players at the fullest table."""
        return max(self.sizes, default=0)

    def resize(self, before: int, after: int) -> None:
        """A table that had ``before`` players has ``after``; 0 is no table."""
        if before:
            self.sizes[before] -= 1
            if not self.sizes[before]:
                del self.sizes[before]
        if after:
            self.sizes[after] = self.sizes.get(after, 0) + 1


class TableState:
    """``seats``: seat -> entrant. ``opened``: seats that somebody left, the one that opened last first. ``hands`` it
    has played; ``hand_done``: it is done with the hand of hand-for-hand."""

    __slots__ = ("hand_done", "hands", "number", "opened", "seats", "size", "totals")

    def __init__(self, number: int, size: int, totals: Totals) -> None:
        self.number = number
        self.size = size
        self.totals = totals
        self.seats: dict[int, int] = {}
        self.opened: tuple[int, ...] = ()
        self.hands = 0
        self.hand_done = False

    def copy(self, totals: Totals) -> TableState:
        """An independent twin that counts with ``totals``."""
        twin = TableState(self.number, self.size, totals)
        twin.seats = self.seats.copy()
        twin.opened, twin.hands, twin.hand_done = self.opened, self.hands, self.hand_done
        return twin

    @property
    def is_halted(self) -> bool:
        """So short of the fullest table that it stops dealing (TDA 11D)."""
        short = self.totals.halt_short
        return bool(short and self.seats) and self.totals.fullest - len(self.seats) >= short

    @property
    def deals(self) -> bool:
        """Whether a hand can be played here."""
        return len(self.seats) > 1 and not self.is_halted

    def sit(self, entrant: int, seat: int) -> None:
        """Fill ``seat``."""
        self.totals.resize(len(self.seats), len(self.seats) + (seat not in self.seats))
        self.seats[seat] = entrant
        if seat in self.opened:
            self.opened = tuple([other for other in self.opened if other != seat])

    def leave(self, seat: int) -> None:
        """``seat`` opens, and is the last that did."""
        self.totals.resize(len(self.seats), len(self.seats) - 1)
        del self.seats[seat]
        self.opened = (seat, *self.opened)


@dataclass(frozen=True, slots=True)
class Penalty:
    """``kind``: warning, hands, rounds or disqualified."""

    kind: str
    count: int
    reason: str
    at: int


@dataclass(eq=False)
class Entrant:
    """``status``: in, alternate, out or withdrawn. ``paid``: all that this entry paid so far, rebuys too.

    ``below``: how many entries finished below this one, -1 while it is in; ``tied``: how many share its place.
    ``bounty`` is on the player's head, ``bounties_won`` in their pocket. ``missing``: hands they have yet to miss by a
    penalty.
    """

    number: int
    player: int
    name: str
    paid: Paid
    stack: int
    how: str
    entered_at: int
    bounty: int
    re_entry_of: int
    totals: Totals
    status: str = "in"
    table: int = 0
    seat: int = 0
    below: int = -1
    tied: int = 0
    prize: int = 0
    rebuys: int = 0
    add_ons: int = 0
    bounties_won: int = 0
    missing: int = 0
    #: When the stack was last counted, or known after a hand; 0: never.
    counted_at: int = 0
    out_at: int = 0
    by: tuple[int, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    reserved: tuple[int, int] | None = None
    is_disqualified: bool = False
    #: Table, seat and chips before this one was out, for a bust that was a mistake.
    last: tuple[int, int, int] = (0, 0, 0)

    @property
    def is_in(self) -> bool:
        return self.status == "in"

    @property
    def is_placed(self) -> bool:
        """Whether this one is out, or the event over, so that it has a place."""
        return self.below >= 0

    @property
    def place(self) -> int:
        """1 for the winner; 0 while this one is in. It goes down with every later entry."""
        return self.totals.entries - self.below - self.tied + 1 if self.is_placed else 0

    def copy(self, totals: Totals) -> Entrant:
        """An independent twin that counts with ``totals``."""
        twin = Entrant.__new__(Entrant)
        twin.__dict__.update(self.__dict__)
        twin.totals = totals
        return twin


@dataclass(slots=True)
class LoggedAction:
    """Facts ``first`` to ``last``, numbered from 1. ``kinds``: theirs; ``label``: what it is called by, one of the
    ``labels`` of all that was done by the same order."""

    first: int
    last: int
    label: str
    at: int
    kinds: set[str]
    labels: list[str]

    @property
    def moved_money(self) -> bool:
        return not OF_MONEY.isdisjoint(self.kinds)


class ActionLog:
    """The log in actions, one an order: what was done, what still stands, and what could be done again. An action is a
    fact with a label, the facts after it that have none, and what ``follows`` by the same order.

    ``actions``: those in force, in order; ``undone``: what can be redone, last undone last. Once something else is done
    nothing can be redone, nor can what money moved by: that is entered again."""

    def __init__(self) -> None:
        self.actions: list[LoggedAction] = []
        self.undone: list[LoggedAction] = []
        #: first -> all that does not stand
        self._fallen: dict[int, LoggedAction] = {}

    def copy(self) -> ActionLog:
        """An independent twin. Actions are only added to while they happen."""
        twin = ActionLog()
        twin.actions, twin.undone = self.actions.copy(), self.undone.copy()
        twin._fallen = self._fallen.copy()
        return twin

    def take(self, seq: int, fact: f.EventFact) -> None:
        """Fact number ``seq`` happened."""
        if isinstance(fact, ActionUndone):
            # In older events it need not be the last: an order before it could be undone.
            action = self.actions.pop(bisect_left(self.actions, fact.first, key=lambda action: action.first))
            self._fallen[fact.first] = action
            if action.moved_money:
                self.undone.clear()
            else:
                self.undone.append(action)
        elif isinstance(fact, ActionRedone):
            action = self._fallen.pop(fact.first)
            if action in self.undone:
                self.undone.remove(action)
            place = bisect_left(self.actions, action.first, key=lambda other: other.first)
            self.actions.insert(place, action)
        elif fact.label and not (fact.follows and self.actions and self.actions[-1].last == seq - 1):
            self.actions.append(LoggedAction(seq, seq, fact.label, fact.at, {fact.kind}, [fact.label]))
            self.undone.clear()
        else:
            action = self.actions[-1]
            action.last = seq
            action.kinds.add(fact.kind)
            if fact.label:
                action.labels.append(fact.label)
                if fact.kind in NAMES_AN_ORDER:
                    action.label = fact.label

    def marked(self, facts: Iterable[f.EventFact]) -> Iterator[tuple[f.EventFact, bool]]:
        """``facts``, each with whether it stands."""
        until = 0
        for seq, fact in enumerate(facts, 1):
            if seq in self._fallen:
                until = self._fallen[seq].last
            yield fact, seq > until

    def of(self, facts: Iterable[f.EventFact]) -> Iterator[f.EventFact]:
        """The ones of ``facts`` that stand, and were not undone."""
        return (fact for fact, stands in self.marked(facts) if stands)


class TournamentState:
    """The state that facts build. ``phase``: registering, running, finished or cancelled.

    ``entrants`` and ``tables`` are by number; ``players``: player -> their latest entry; ``alternates`` in the order in
    which they wait; ``received``: all that was paid for entries that count; ``chips``: all that are in play;
    ``held``: entrant -> (chips at the start of the hand, table, who won them), out when the hand of hand-for-hand is
    over; ``called``: entrant -> when their clock runs out. ``clock`` is as it was last set: read it with ``reading``.
    """

    config: EventConfig
    phase: str = "registering"
    clock: Clock = Stopped()
    began_at: int = 0
    ended_at: int = 0
    reason: str = ""
    received: Paid = Paid()
    chips: int = 0
    left: int = 0
    #: The highest number a table ever had.
    last_table: int = 0
    entry_override: bool | None = None
    is_hand_for_hand: bool = False
    takes_minutes: bool = False
    stopped_clock: bool = False
    hand_number: int = 0
    round: int = 0
    locked: f.PayoutsLocked | None = None
    deal: f.DealMade | None = None
    is_flight: bool = False

    def __init__(self) -> None:
        self.facts: list[f.EventFact] = []
        self.log = ActionLog()
        self.totals = Totals()
        self.entrants: dict[int, Entrant] = {}
        self.tables: dict[int, TableState] = {}
        self.players: dict[int, int] = {}
        self.alternates: dict[int, None] = {}
        self.reserved: dict[int, tuple[int, int]] = {}
        self.held: dict[int, tuple[int, int, tuple[int, ...]]] = {}
        self.called: dict[int, int] = {}
        self.byes: tuple[int, ...] = ()

    @property
    def seq(self) -> int:
        """How many facts there are."""
        return len(self.facts)

    @property
    def actions(self) -> list[LoggedAction]:
        """Actions that are in force, in order."""
        return self.log.actions

    @property
    def structure(self) -> Structure:
        return self.config.structure

    @property
    def entries(self) -> int:
        """Entries that count: re-entries too, alternates who wait and those who withdrew not."""
        return self.totals.entries

    @property
    def pool(self) -> int:
        """What was paid for prizes; a guarantee may make more of it."""
        return self.received.pool

    def average(self) -> int:
        """The average stack, rounded down."""
        return self.chips // self.left if self.left else 0

    def is_counted(self, entrant: Entrant) -> bool:
        """Whether the entrant's stack is what somebody counted: online every hand says it, and before the start it is
        whole."""
        return self.config.conduct == "online" or self.phase == "registering" or entrant.counted_at > 0

    def not_counted(self, since: int = 0) -> list[int]:
        """The tables where some stack was not counted after ``since`` and after the last one went out, by number; 0 for
        those without a seat. Online none."""
        if self.config.conduct == "online":
            return []
        last_out = max((entrant.out_at for entrant in self.entrants.values()), default=0)
        after = max(1, since, last_out)
        return sorted({entrant.table for entrant in self.in_play() if entrant.counted_at < after})

    def in_play(self) -> list[Entrant]:
        """The entrants who are in, in the order of entry."""
        return [entrant for entrant in self.entrants.values() if entrant.status == "in"]

    def in_use(self) -> list[TableState]:
        """The tables where somebody sits, by number."""
        return [self.tables[number] for number in sorted(self.tables) if self.tables[number].seats]

    @property
    def is_hand_on(self) -> bool:
        """Whether a hand of hand-for-hand is over at some tables and not at all."""
        return self.is_hand_for_hand and (bool(self.held) or any(table.hand_done for table in self.tables.values()))

    @property
    def is_paused(self) -> bool:
        """Whether somebody stopped the clock: in hand-for-hand that takes minutes off it, it stands by itself."""
        return isinstance(self.clock, Stopped) and not self.takes_minutes

    def reading(self, now: int) -> clocks.Reading:
        """The clock at ``now``: before the start the whole first level, at the end what it showed then."""
        if self.phase == "registering":
            return clocks.read(clocks.begin(self.structure, now, is_running=False), self.structure, now)
        return clocks.read(self.clock, self.structure, self._while_played(now))

    def level(self, now: int) -> int:
        """The index of the level or break at ``now``."""
        return clocks.clock_at(self.clock, self.structure, self._while_played(now)).level

    def stakes(self, now: int) -> Level:
        """What a hand that begins at ``now`` is played for."""
        return self.structure.stakes(self.level(now))

    def smallest_chip(self, now: int) -> int:
        """The smallest chip in play at ``now``. Online none leaves play; without a chip set it is the greatest of which
        every stack that is given or held, and all stakes up to now, are whole numbers."""
        terms, index = self.config, self.level(now)
        if self.structure.chip_set:
            return min(self.structure.chip_set if terms.conduct == "online" else self.structure.chips(index))
        amounts = [terms.starting_stack, terms.re_entry_stack]
        amounts += [sale.chips for sale in (terms.rebuy, terms.add_on) if sale is not None]
        for level in (*self.structure.levels[:index], self.structure.stakes(index)):
            amounts += (level.ante, level.bring_in, level.small_bet, level.big_bet)
        return gcd(*amounts, *[entrant.stack for entrant in self.entrants.values()])

    def _while_played(self, now: int) -> int:
        return min(now, self.ended_at) if self.phase in ("finished", "cancelled") else now
