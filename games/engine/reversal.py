"""A mistaken entry at a hand-dealt table is taken back, as long as no further card has come out.

The log stays whole: the reversal is one more fact, and what counts are the facts before the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import commands as c
from . import facts as f
from .in_play import HandInPlay

#: Cards came out, moved or were seen.
CARDS_MOVED = frozenset(
    {
        *("cards-dealt", "card-burned", "common-card-dealt", "stub-remixed", "prematurely-dealt"),
        *("premature-card-kept", "cards-eliminated", "cards-put-right", "hand-tabled", "hand-shown"),
    }
)
_ACTED = frozenset({"bring-in-posted", "checked", "called", "wagered", "folded", "timed-out"})


def standing(facts: Sequence[f.Fact]) -> list[tuple[int, f.Fact]]:
    """The facts that still count, each with its number; reversals are not among them."""
    kept: list[tuple[int, f.Fact]] = []
    for seq, fact in enumerate(facts, 1):
        if not isinstance(fact, f.EntryReversed):
            kept.append((seq, fact))
            continue
        while kept and kept[-1][0] > fact.upto:
            kept.pop()
    return kept


def reverse(hand: HandInPlay, command: c.Reverse) -> None:
    """Go back to fact ``upto``, unless a card stands in the way: what players have seen cannot be unseen."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "At this table nothing is entered by a dealer.")
    opening = sum(fact.kind in ("hand-started", "deck-shuffled", "antes-posted") for fact in hand.facts[:3])
    if not opening <= command.upto or not any(seq > command.upto for seq, _ in standing(hand.facts)):
        raise hand.refusal("nothing-to-undo", "There is no entry to take back.")
    if _is_behind_a_card(hand, hand.facts[command.upto :]):
        raise hand.refusal("too-late-to-undo", "A card has come out since: that entry stands.")
    hand.emit(f.EntryReversed(command.upto, command.reason))


def _is_behind_a_card(hand: HandInPlay, undone: Sequence[f.Fact]) -> bool:
    """Cards off the system's deck are out for good. Of a physical deck the entry that names them can be mended, and
    nothing before it."""
    has_acted = False
    for fact in undone:
        if fact.kind in CARDS_MOVED and (has_acted or hand.deck is not None):
            return True
        has_acted = has_acted or fact.kind in _ACTED
    return False
