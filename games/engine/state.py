"""What a hand has come to, and ``apply``: the half of the engine that copies.

Applying a fact moves chips and cards as the fact says and never reads a card's value, so a redacted log replays to a
viewer's state with the very same code. What needs judgement was decided before and stands in the fact.
"""

from __future__ import annotations

from . import facts as f
from .evolve import APPLY
from .facts import Fact, Pot
from .seat import SeatState

__all__ = ["HandState", "SeatState"]


class HandState:
    """The state that facts build. ``phase``: deal, open (cards are out, betting is not), bet, show or over."""

    started: f.HandStarted

    # What facts only ever replace starts here for every hand.
    order: tuple[int, ...] = ()
    dealer: int = 0
    phase: str = "deal"
    street: int = 0
    deck: f.Cards | None = None
    scramble: f.Cards | None = None
    set_aside: tuple[str | None, ...] = ()
    premature: tuple[f.DealtCard, ...] = ()
    #: Burns on top of those of the street in play: they went with cards dealt too soon.
    early_burns: int = 0
    street_cards: tuple[f.DealtCard, ...] = ()
    common_streets: tuple[int, ...] = ()
    has_remixed: bool = False
    #: Streets for which no card was left: every whole hand has so many cards less.
    missing_cards: int = 0
    acts: int = 0
    forced_bettor: int = 0
    pot: int = 0
    pots: tuple[Pot, ...] = ()
    named: int = 0
    opener: int = 0
    aggressor: int = 0
    owes_bring_in: bool = False
    level: int = 0
    full: int = 0
    raises: int = 0
    sizes: tuple[int, ...] = ()
    least_raise: int = 0
    is_capped: bool = False
    has_skippable: bool = False
    to_act: int = 0
    turn: f.ActionOn | None = None
    show_order: tuple[int, ...] = ()
    #: What the house took before the pots were awarded; None: nothing yet, or nothing at all.
    drop: f.DropTaken | None = None
    #: How many hands can still win.
    live: int = 0

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.seats: dict[int, SeatState] = {}
        self.players: list[SeatState] = []
        self.following: dict[int, int] = {}
        self.stub: list[str | None] = []
        self.burns: list[str | None] = []
        self.common: list[str | None] = []
        self.burn_counts: dict[int, int] = {}
        self.held: dict[int, f.ActionHeld] = {}
        self.rulings_made: list[f.Ruled] = []

    @property
    def is_over(self) -> bool:
        return self.phase == "over"

    @property
    def awaits(self) -> str:
        """What the hand waits for: action, deal, opener, show, or '' when it is over."""
        return {"deal": "deal", "open": "opener", "bet": "action", "show": "show"}.get(self.phase, "")

    def options(self, seat: int) -> f.ActionOn | None:
        """The legal actions of ``seat``; None when it is not its turn."""
        return self.turn if self.turn is not None and self.turn.seat == seat else None

    def rulings(self, key: str) -> list[f.Ruled]:
        """The rulings on one point, oldest first."""
        return [ruling for ruling in self.rulings_made if ruling.key == key]

    def apply(self, fact: Fact) -> None:
        """Take ``fact`` as it is."""
        self.facts.append(fact)
        apply = APPLY[fact.kind]
        if apply is not None:
            apply(self, fact)

    def blank(self) -> HandState:
        """A state of which nothing is known yet."""
        return HandState()

    def become(self, other: HandState) -> None:
        """Be what ``other`` is. What a ``Hand`` knows beside its facts (rules, game) stays."""
        for name in [name for name in vars(self) if hasattr(HandState, name) and name not in vars(other)]:
            delattr(self, name)
        vars(self).update(vars(other))
        self.forget_boards()

    def forget_boards(self) -> None:
        """Upcards were moved: whatever was worked out from them is worked out anew. Nothing is, here."""
