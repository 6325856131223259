"""The house bots' characters: how dear their calls are, how thin their bets, how often they tell a story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Personality:
    """``title`` and ``about`` are for people. The rest are thresholds on two scales that both run from 0 to 1.

    Third street, against the strength of a start (``observation.strength_of``):
    ``enters``: calls the forced bet; ``pays``: calls a full bet; ``leads``: completes or raises; ``dearer``: what each
    raise adds to the two before; ``steals``: how often a high door card tries to take the antes.

    Later streets, against the share of the pot expected at a showdown (``equity.share_of_pot``):
    ``margin``: what a call must show over its price; ``edge``: how far over its even share a hand is when it bets;
    ``raise_step``: what each wager before adds to that; ``bluffs``: how often a good-looking board bets unaided.
    """

    title: str
    about: str
    enters: float
    pays: float
    leads: float
    dearer: float
    steals: float
    margin: float
    edge: float
    raise_step: float
    bluffs: float

    def __str__(self) -> str:
        return self.title


#: By the key that a bot's account carries.
PERSONALITIES: Mapping[str, Personality] = MappingProxyType(
    {
        "rock": Personality(
            title="Rock",
            about="Waits for a hand, calls more than raises, and hardly ever bluffs.",
            enters=0.27,
            pays=0.37,
            leads=0.55,
            dearer=0.1,
            steals=0.08,
            margin=0.04,
            edge=0.28,
            raise_step=0.15,
            bluffs=0.02,
        ),
        "lively": Personality(
            title="Lively",
            about="Is in most pots, bets first and asks later.",
            enters=0.17,
            pays=0.24,
            leads=0.38,
            dearer=0.07,
            steals=0.45,
            margin=-0.04,
            edge=0.08,
            raise_step=0.12,
            bluffs=0.22,
        ),
        "professor": Personality(
            title="Professor",
            about="Counts the dead cards and the price, and now and then tells a story.",
            enters=0.22,
            pays=0.31,
            leads=0.46,
            dearer=0.08,
            steals=0.3,
            margin=0.0,
            edge=0.16,
            raise_step=0.13,
            bluffs=0.10,
        ),
    }
)
