"""What a hand is played for and by whom: everything the engine must be told before the first card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from .drop import DropTerms
from .rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Stakes:
    """Chips. Fixed limit uses the small and the big bet, other structures ``min_bet`` (spread limit: ``max_bet``).
    ``unit``: the smallest chip in play; 0: nobody says, see ``unit_in_play``."""

    ante: int
    bring_in: int
    small_bet: int = 0
    big_bet: int = 0
    min_bet: int = 0
    max_bet: int = 0
    unit: int = 0


@dataclass(frozen=True, slots=True)
class HandConfig:
    """One hand before it starts.

    ``stacks``: chips by seat number, every seat to be dealt in. ``dealer``: the seat that deals; cards go first to the
    next seat clockwise. ``absent``: seats dealt in without their player. ``players_left``: in a tournament, players
    left in the event (0: many). ``choices``: house choices on points the rulebook leaves open. ``warned``: seats that
    were warned at this table before for changing the order of their upcards. ``antes``: chips by seat, where they
    differ from the stakes' ante; with ``are_antes_apart`` even a short ante plays for all of them (both for recorded
    hands).

    ``deck``: 52 cards, top first. ``scramble``: the same cards in a second random order, in which cards fall that have
    to be mixed again. With ``is_hand_dealt`` a person deals and names the cards; ``deck`` is then only the order in
    which cards that nobody names are taken. With ``is_hand_shown`` players show or muck by themselves.
    At a hand-dealt table an action out of turn binds, unless ``holds_out_of_turn`` is taken away.

    ``drop``: what the house takes of the pots, in a cash game.
    """

    rulebook: Rulebook
    stakes: Stakes
    stacks: Mapping[int, int]
    dealer: int
    setting: str = "cash"
    game: str = "seven-card-stud"
    structure: str = "fixed-limit"
    absent: tuple[int, ...] = ()
    players_left: int = 0
    choices: Mapping[str, Any] = field(default_factory=dict)
    warned: tuple[int, ...] = ()
    deck: tuple[str, ...] | None = None
    scramble: tuple[str, ...] | None = None
    is_hand_dealt: bool = False
    is_hand_shown: bool = False
    holds_out_of_turn: bool = True
    antes: Mapping[int, int] | None = None
    are_antes_apart: bool = False
    drop: DropTerms | None = None


def unit_in_play(config: HandConfig) -> int:
    """The smallest chip of the hand, in which pots are split: as the stakes state it, else the greatest that all stacks
    and stakes are whole numbers of. Smaller where the house takes smaller chips of a pot."""
    stakes = config.stakes
    unit = stakes.unit
    if not unit:
        forced = (stakes.ante, stakes.bring_in, *(config.antes or {}).values())
        bets = (stakes.small_bet, stakes.big_bet, stakes.min_bet, stakes.max_bet)
        unit = gcd(*config.stacks.values(), *forced, *bets)
    return gcd(unit, *config.drop.amounts()) if config.drop is not None else unit
