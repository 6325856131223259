"""What a tournament has come to, and ``apply``: the half of the engine that copies.

Applying a fact never decides anything; what needed judgement was decided before and stands in the fact. The state is
always the replay of the facts that stand.
"""

from __future__ import annotations

from math import gcd

from . import clock as clocks
from . import facts as f
from .actions import Action, ActionLog
from .clock import Clock, Stopped
from .config import EventConfig, Paid
from .entrant import Entrant
from .evolve import APPLY
from .structure import Level, Structure
from .table import TableState, Totals

__all__ = ["Entrant", "TableState", "TournamentState"]


class TournamentState:
    """The state that facts build. ``phase``: registering, running, finished or cancelled.

    ``entrants`` and ``tables`` are by number; ``players``: player -> their latest entry; ``alternates`` in the order in
    which they wait; ``received``: all that was paid for entries that count; ``chips``: all that are in play;
    ``held``: entrant -> (chips at the start of the hand, table, who won them), out when the hand of hand-for-hand is
    over; ``called``: entrant -> when their clock runs out. ``clock`` is what was last set: read it with ``reading``.
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
    is_paid: bool = False
    #: (how many facts there were, what could be undone then): hands by the thousand are not searched every time.
    undoable: tuple[int, Action | None] = (0, None)

    def __init__(self) -> None:
        self.facts: list[f.Fact] = []
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

    # -- what is known -------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """How many facts there are."""
        return len(self.facts)

    @property
    def actions(self) -> list[Action]:
        """What was done and still stands, in order."""
        return self.log.standing

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
        """Those who are in, in the order of entry."""
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

    # -- time ----------------------------------------------------------------------------------------------------------

    def reading(self, now: int) -> clocks.Reading:
        """What the clock shows at ``now``: before the start the whole first level, at the end what it showed then."""
        if self.phase == "registering":
            return clocks.read(clocks.begin(self.structure, now, is_running=False), self.structure, now)
        return clocks.read(self.clock, self.structure, self._while_played(now))

    def level(self, now: int) -> int:
        """The index of the level or break at ``now``."""
        return clocks.walked(self.clock, self.structure, self._while_played(now)).level

    def stakes(self, now: int) -> Level:
        """What a hand that begins at ``now`` is played for."""
        return self.structure.stakes(self.level(now))

    def smallest_chip(self, now: int) -> int:
        """The smallest chip in play at ``now``. Online none leaves play; without a chip set it is the greatest of which
        every stack that is given or held, and all stakes up to now, are whole numbers."""
        terms, index = self.config, self.level(now)
        if self.structure.chip_set:
            return min(self.structure.chip_set if terms.conduct == "online" else self.structure.chips(index))
        given = [terms.starting_stack, terms.re_entry_stack]
        given += [each.chips for each in (terms.rebuy, terms.add_on) if each is not None]
        for level in (*self.structure.levels[:index], self.structure.stakes(index)):
            given += (level.ante, level.bring_in, level.small_bet, level.big_bet)
        return gcd(*given, *[entrant.stack for entrant in self.entrants.values()])

    def _while_played(self, now: int) -> int:
        return min(now, self.ended_at) if self.phase in ("finished", "cancelled") else now

    # -- facts ---------------------------------------------------------------------------------------------------------

    def apply(self, fact: f.Fact) -> None:
        """Take ``fact`` as it is."""
        self.facts.append(fact)
        self.log.take(len(self.facts), fact)
        APPLY[fact.kind](self, fact)

    def take_all(self, facts: list[f.Fact]) -> None:
        """Take the whole log at once: what was undone is never worked out."""
        self.facts, self.log = facts, ActionLog()
        for seq, fact in enumerate(facts, 1):
            self.log.take(seq, fact)
        for fact in self.log.of(facts):
            APPLY[fact.kind](self, fact)

    def refold(self) -> None:
        """Be what the facts that stand come to."""
        before = TournamentState()
        before.facts, before.log = self.facts, self.log
        for fact in self.log.of(self.facts):
            APPLY[fact.kind](before, fact)
        for name in [name for name in vars(self) if hasattr(TournamentState, name)]:
            delattr(self, name)
        vars(self).update(vars(before))
