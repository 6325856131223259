"""What PokerKit, a common reader of PHH, cannot replay of our hands. Decided by the facts, never by a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from games.engine.facts import base, mistakes, play
from games.engine.games import GAMES
from games.engine.state import HandState

#: Why PokerKit stops in a hand, or comes to other stacks. Files name these words in ``_beyond_pokerkit``.
REASONS: Mapping[str, str] = {
    "drop": "the house took a part of the pot",
    "no-bring-in": "there was no bring-in, and the highest door card began",
    "raises": "more raises were made than three: the cap was lifted for two players, or there is none",
    "upper-limit": "an open pair let somebody bet the upper limit on fourth street",
    "short-wager": "an all-in was less than a full bet or raise",
    "short-bring-in": "the low card had less than the bring-in, or nothing left after the ante",
    "short-deck": "the deck ran short: cards came back, or one common card was turned up",
    "odd-chip": "a pot was split with an odd chip",
    "mucked": "players threw hands away at the showdown by themselves, maybe the best one",
    "killed": "a hand was killed by a rule, folded out of turn, or its last card was declared all-in",
    "mistake": "the dealer made a mistake that moved cards, faces or the opening",
    "void": "the hand was void",
}
#: The reason by the point of a ruling.
_RULED = {
    "deck_exhaustion": "short-deck",
    "ante_all_in_lowcard": "short-bring-in",
    "short_bring_in": "short-bring-in",
    **dict.fromkeys(
        (
            *("exposed_downcard", "both_downcards_exposed", "dead_hand_lowcard", "wrong_lowcard", "card_off_table"),
            *("burn_error", "premature_deal", "final_card_faceup", "all_in_final_faceup", "wrong_card_count"),
        ),
        "mistake",
    ),
}
_KILLED = (play.HandKilled, mistakes.HandRevived, mistakes.DeclaredAllIn)
_MOST_RAISES = 3


def beyond_pokerkit(facts: Sequence[base.Fact]) -> list[str]:
    """Which of ``REASONS`` hold for the hand that these facts in force tell, in their order."""
    state = HandState()
    reasons: set[str] = set()
    for fact in facts:
        reasons.add(_reason(state, fact))
        state.apply(fact)
    return [reason for reason in REASONS if reason in reasons]


def _reason(state: HandState, fact: base.Fact) -> str:
    """Why PokerKit cannot follow ``fact`` in this state; "" when it can."""
    match fact:
        case play.HandStarted() if not fact.bring_in:
            return "no-bring-in"
        case play.CardsDealt():
            return "" if _went_round(state, fact) else "mistake"
        case play.Wagered():
            return _of_wager(state, fact)
        case play.Ruled():
            return _RULED.get(fact.key, "")
        case play.Folded() if fact.seat != state.to_act:
            return "killed"
        case play.RoundOpened() if state.phase == "bet":
            return "mistake"  # another seat is named for the bring-in
        case play.HandMucked() if state.started.is_hand_shown:
            return "mucked"
        case play.DropTaken() if fact.total:
            return "drop"
        case play.PotAwarded() if fact.odd:
            return "odd-chip"
        case mistakes.HandVoided():
            return "void"
        case play.NoCardLeft():
            return "short-deck"
    return "killed" if isinstance(fact, _KILLED) else ""


def _went_round(state: HandState, fact: play.CardsDealt) -> bool:
    """Whether every live seat got what a street has; a short deck is another matter."""
    if state.rulings("deck_exhaustion"):
        return True
    street = next(street for street in GAMES[state.started.game].streets if street.number == fact.street)
    cards_by_seat = Counter(seat for seat, _, _ in fact.cards)
    return all(cards_by_seat[player.seat] == len(street.ups) for player in state.players if player.is_live)


def _of_wager(state: HandState, fact: play.Wagered) -> str:
    size = fact.to - state.full
    if fact.raises > _MOST_RAISES:
        return "raises"
    if size not in state.sizes:
        return "short-wager"
    return "upper-limit" if len(state.sizes) > 1 and size == state.sizes[-1] else ""
