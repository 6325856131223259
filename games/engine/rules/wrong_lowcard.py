"""The wrong seat opened, or posted the bring-in."""

from __future__ import annotations

from dataclasses import dataclass

from games.engine import commands as c
from games.engine.cards import is_known
from games.engine.errors import Said
from games.engine.facts import mistakes, play
from games.engine.in_play import HandInPlay
from games.engine.rules.acts import acts_after_forced_bet, acts_in_round
from games.engine.rules.opening import is_killed_absent, open_betting
from games.engine.seat import SeatState


@dataclass(frozen=True, slots=True)
class LowcardMistake:
    """The seat that was named low, the one that is, and whether that can still be corrected: on third street, unless
    the true one has folded. ``has_next_acted``: somebody behind the wager has acted in turn. Who acts out of turn is
    not the next player."""

    named: int
    true: SeatState
    can_be_corrected: bool
    has_next_acted: bool


def lowcard_mistake(hand: HandInPlay) -> LowcardMistake | None:
    """Who was named low wrongly on third street; None when nobody was, or cards are unknown. The true one is the seat
    that the cards named first, be it away or dead."""
    if not hand.started.bring_in:
        return None
    named: list[int] = []
    folded: set[int] = set()
    for _, fact in mistakes.in_force(hand.facts):
        if isinstance(fact, play.Folded):
            folded.add(fact.seat)
        elif isinstance(fact, play.RoundOpened):
            if not hand.game.by_number[fact.street].is_first:
                break
            named.append(fact.named)
    if not named or named[0] == named[-1]:
        return None
    if not all(is_known(player.upcards[0]) for player in hand.players if player.upcards):
        return None
    is_open = hand.is_on_first_street and hand.phase == "bet"
    has_next_acted = any(was_in_turn for _, was_in_turn in acts_after_forced_bet(hand))
    return LowcardMistake(named[-1], hand.seats[named[0]], is_open and named[0] not in folded, has_next_acted)


def name_opener(hand: HandInPlay, command: c.NameOpener) -> bool:
    """The dealer names the lowcard, rightly or wrongly; or the opener that unknown upcards hide."""
    player = hand.check_seat(command.seat)
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table names the opener by itself.")
    is_lowcard = hand.is_on_first_street and hand.phase == "bet" and (hand.owes_bring_in or _has_posted_unasked(hand))
    if hand.awaits != "opener" and not is_lowcard:
        message = Said("The cards show who opens. What another seat does first is entered as its action out of turn.")
        raise hand.refusal("opener-known", message, "later_opener")
    if not player.is_live and not (is_lowcard and is_killed_absent(hand, player)):
        raise hand.refusal(
            "dead-hand", "Seat {seat} is out of the hand and cannot open.", "later_opener", seat=command.seat
        )
    if not is_lowcard:
        return open_betting(hand, player)
    starts_for_dead = not hand.seats[hand.named].is_live and player.seat == hand.opener
    if player.seat != hand.named and not starts_for_dead:
        return _begin_anew(hand, player)
    return False


def _has_posted_unasked(hand: HandInPlay) -> bool:
    """Whether nobody has acted in turn on third street, and a lowcard who is away has posted the forced bet."""
    acts = acts_in_round(hand)
    return any(isinstance(act, play.BringInPosted) for act, _, _ in acts) and not any(in_turn for _, _, in_turn in acts)


def correct_lowcard(hand: HandInPlay, mistake: LowcardMistake) -> bool:
    """Every third-street wager goes back, not the antes, and the true lowcard must bet. What was done out of turn no
    longer binds."""
    hand.rule("wrong_lowcard", "corrected", (mistake.named, mistake.true.seat))
    return _begin_anew(hand, mistake.true)


def _begin_anew(hand: HandInPlay, opener: SeatState) -> bool:
    """Third street from its first wager, which ``opener`` owes."""
    for seat in sorted(hand.held):
        hand.emit(mistakes.ActionReleased(seat))
    for player in hand.players:
        if player.bet:
            hand.emit(play.BetReturned(player.seat, player.bet))
    return open_betting(hand, opener)
