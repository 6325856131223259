"""Somebody points out a dealer's mistake: put right while that is possible, standing after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import commands as c
from . import facts as f
from .acts import acts_after_forced_bet, acts_in_round
from .cards import is_known
from .counts import is_too_late_for_misdeal, wrong_by_now
from .exposure import rule_on_last_cards
from .in_play import HandInPlay
from .opening import after_deal, is_killed_absent, open_betting
from .reversal import standing
from .showdown import next_to_show
from .state import SeatState
from .street_order import Mistakes, mistakes, nothing_to_name, put_right, wrong_burns
from .turns import refresh_turn, settle_turn


def notice(hand: HandInPlay, command: c.Notice) -> bool:
    """Find what is wrong on the table and rule on it: first what can still be put right, then what ends a hand, then
    whatever has to stand."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer makes no mistakes.")
    wrong = wrong_by_now(hand)
    found, low = mistakes(hand), lowcard_mistake(hand)
    if found is not None:
        put = put_right(hand, found, command.cards)
        if put is not None:
            return _rule_on_street(hand, found, put)
    if command.cards:
        raise hand.refusal("nothing-to-name", nothing_to_name(), "burn_error")
    is_last = hand.street > 3 and hand.next_street() is None
    too_many = [seat for seat, count in wrong.items() if count > 0 and is_last]
    if wrong and hand.street == 3 and not is_too_late_for_misdeal(hand):
        hand.rule("wrong_card_count", "misdeal", tuple(wrong), like="misdeal")
        hand.void("misdeal")
    elif low is not None and low.can_be_corrected and not low.has_next_acted:
        return correct_lowcard(hand, low)
    elif too_many:
        return kill_for_count(hand, too_many)
    else:
        _rule_on_what_stands(hand, low, wrong)
    return False


def _rule_on_street(hand: HandInPlay, found: Mistakes, put: f.CardsPutRight) -> bool:
    """The rulings for cards that go where they belong, then the cards, then the betting from its beginning."""
    if found.is_burned_wrong:
        if found.kept:
            hand.rule("burn_error", "kept", found.kept)
        hand.rule("burn_error", "corrected", tuple(dict.fromkeys(seat for seat, _, _ in put.cards)))
    if found.miscounted:
        hand.rule("wrong_card_count", "corrected", found.miscounted, like="burn_error")
    hand.emit(put)
    exposed = [seat for seat, _, is_up in put.cards if is_up]
    last = found.streets[-1]
    if last.number == hand.game.hand_size and not last.ups[-1] and exposed:
        rule_on_last_cards(hand, exposed)
    return after_deal(hand)


def _rule_on_what_stands(hand: HandInPlay, low: LowcardMistake | None, wrong: Mapping[int, int]) -> None:
    """Every mistake for which it is too late: cards stay, wagers stand, the number of cards counts at the showdown."""
    burned = wrong_burns(hand)
    if not burned and low is None and not wrong:
        raise hand.refusal("nothing-wrong", "Nothing on the table is out of order.", "burn_error")
    if burned:
        is_now = burned[-1].number == hand.street
        seats = dict.fromkeys(seat for seat, _, _ in hand.street_cards) if is_now else ()
        hand.rule("burn_error", "kept", tuple(seats))
    if low is not None:
        hand.rule("wrong_lowcard", "stands", (low.named, low.true.seat))
    if wrong:
        hand.rule("wrong_card_count", "stands", tuple(wrong))


def kill_for_count(hand: HandInPlay, seats: Sequence[int]) -> bool:
    """Hands with too many cards are dead as soon as somebody points it out. Where every live one has, nobody can win
    and every chip goes back."""
    if len(seats) == hand.live:
        hand.rule("void_hand", "void", tuple(seats))
        hand.void("void")
        return False
    to_act = hand.to_act
    for seat in seats:
        hand.rule("wrong_card_count", "dead", (seat,))
        hand.emit(f.HandKilled(seat))
    if hand.phase == "show":
        next_to_show(hand)
        return False
    return settle_turn(hand, to_act) if hand.phase == "bet" and to_act in seats else refresh_turn(hand)


# -- the lowcard -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LowcardMistake:
    """The seat that was named low, the one that is, and whether that can still be put right: on third street, unless
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
    for _, fact in standing(hand.facts):
        if isinstance(fact, f.Folded):
            folded.add(fact.seat)
        elif isinstance(fact, f.RoundOpened):
            if fact.street != 3:
                break
            named.append(fact.named)
    if not named or named[0] == named[-1]:
        return None
    if not all(is_known(player.upcards[0]) for player in hand.players if player.upcards):
        return None
    is_open = hand.street == 3 and hand.phase == "bet"
    has_next_acted = any(was_in_turn for _, was_in_turn in acts_after_forced_bet(hand))
    return LowcardMistake(named[-1], hand.seats[named[0]], is_open and named[0] not in folded, has_next_acted)


def name_opener(hand: HandInPlay, command: c.NameOpener) -> bool:
    """The dealer names the lowcard, rightly or wrongly; or the opener that unknown upcards hide."""
    player = hand.check_seat(command.seat)
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table names the opener by itself.")
    is_lowcard = hand.street == 3 and hand.phase == "bet" and (hand.owes_bring_in or _has_posted_unasked(hand))
    if hand.awaits != "opener" and not is_lowcard:
        message = "The cards show who opens. What another seat does first is entered as its action out of turn."
        raise hand.refusal("opener-known", message, "later_opener")
    if not player.is_live and not (is_lowcard and is_killed_absent(hand, player)):
        raise hand.refusal("dead-hand", f"Seat {command.seat} is out of the hand and cannot open.", "later_opener")
    if not is_lowcard:
        return open_betting(hand, player)
    starts_for_dead = not hand.seats[hand.named].is_live and player.seat == hand.opener
    if player.seat != hand.named and not starts_for_dead:
        return _begin_anew(hand, player)
    return False


def _has_posted_unasked(hand: HandInPlay) -> bool:
    """Whether nobody has acted in turn on third street, and a lowcard who is away has posted the forced bet."""
    acts = acts_in_round(hand)
    return any(isinstance(act, f.BringInPosted) for act, _, _ in acts) and not any(in_turn for _, _, in_turn in acts)


def correct_lowcard(hand: HandInPlay, mistake: LowcardMistake) -> bool:
    """Every third-street wager goes back, not the antes, and the true lowcard must bet. What was done out of turn no
    longer binds."""
    hand.rule("wrong_lowcard", "corrected", (mistake.named, mistake.true.seat))
    return _begin_anew(hand, mistake.true)


def _begin_anew(hand: HandInPlay, opener: SeatState) -> bool:
    """Third street from its first wager, which ``opener`` owes."""
    for seat in sorted(hand.held):
        hand.emit(f.ActionReleased(seat))
    for player in hand.players:
        if player.bet:
            hand.emit(f.BetReturned(player.seat, player.bet))
    return open_betting(hand, opener)
