"""Entries that the dealer takes back."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine import commands as c
from games.engine.facts import base, mistakes
from games.engine.facts.play import opening_of
from games.engine.in_play import HandInPlay

#: Cards came out, moved or were seen.
CARDS_MOVED = frozenset(
    {
        *("cards-dealt", "card-burned", "common-card-dealt", "stub-remixed", "prematurely-dealt"),
        *("premature-card-kept", "cards-eliminated", "cards-put-right", "hand-tabled", "hand-shown"),
    }
)


_ACTED = frozenset({"bring-in-posted", "checked", "called", "wagered", "folded", "timed-out"})


def reverse(hand: HandInPlay, command: c.Reverse) -> None:
    """Go back to fact ``upto``, unless a card stands in the way: what players have seen cannot be unseen."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "At this table nothing is entered by a dealer.")
    opening = opening_of(hand.facts)
    if not opening <= command.upto or not any(seq > command.upto for seq, _ in mistakes.in_force(hand.facts)):
        raise hand.refusal("nothing-to-undo", "There is no entry to undo.")
    if _is_behind_a_card(hand, hand.facts[command.upto :]):
        raise hand.refusal("too-late-to-undo", "A card has come out since: that entry stands.")
    hand.emit(mistakes.EntryReversed(command.upto, command.reason))


def _is_behind_a_card(hand: HandInPlay, undone: Sequence[base.Fact]) -> bool:
    """Cards off the system's deck are out for good. Of a physical deck the entry that names them can be mended, and
    nothing before it."""
    has_acted = False
    for fact in undone:
        if fact.kind in CARDS_MOVED and (has_acted or hand.deck is not None):
            return True
        has_acted = has_acted or fact.kind in _ACTED
    return False
