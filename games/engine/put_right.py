"""Somebody points out a burn error or a wrong lowcard: put right while that is possible, standing after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .acts import acts_after_forced_bet
from .exposure import rule_on_last_cards, second_up
from .family import Street
from .opening import after_deal, lowcard, open_betting
from .reversal import standing
from .state import SeatState
from .stub import burns_due, is_known, top_cards
from .turns import refresh_turn

if TYPE_CHECKING:
    from .hand import Hand


def notice(hand: Hand, command: c.Notice) -> None:
    """Find what is wrong on the table and rule on it: what can still be put right first."""
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "The automatic dealer makes no mistakes.")
    if too_many := [p.seat for p in hand.players if p.is_live and len(p.cards) > hand.game.hand_size]:
        kill_for_count(hand, too_many)
        return
    low = lowcard_mistake(hand)
    burned = wrong_burns(hand)
    if burned and (burned == hand.street or low is None):
        rule_on_burns(hand, burned, command.card)
        return
    if command.card is not None:
        raise hand.refusal("nothing-to-name", "No card comes to light: name none.", "burn_error")
    if low is None:
        raise hand.refusal("nothing-wrong", "Nothing on the table is out of order.", "burn_error")
    if low.can_be_corrected and not low.has_next_acted:
        correct_lowcard(hand, low)
    else:
        hand.rule("wrong_lowcard", "stands", (low.named, low.true.seat))


def kill_for_count(hand: Hand, seats: Sequence[int]) -> None:
    """Hands with too many cards are dead as soon as somebody points it out; the last live one only at the showdown."""
    if len(seats) == hand.live:
        raise hand.refusal("last-hand", "Every live hand has too many cards.", "wrong_card_count")
    to_act = hand.to_act
    for seat in seats:
        hand.rule("wrong_card_count", "dead", (seat,))
        hand.emit(f.HandKilled(seat))
    if hand.phase == "show":
        hand.next_to_show()
    elif hand.phase == "bet" and to_act in seats:
        hand.settle_turn(to_act)
    else:
        refresh_turn(hand)


# -- burns -----------------------------------------------------------------------------------------------------------


def wrong_burns(hand: Hand) -> int:
    """The newest street for which too many or too few cards were burned; 0 if there is none. Where the deck ran short
    other burns than usual are right."""
    irregular: set[int] = set()
    is_short = False
    for _, fact in standing(hand.facts):
        if isinstance(fact, f.Ruled):
            is_short = is_short or fact.key == "deck_exhaustion"
        elif isinstance(fact, f.CardsDealt | f.CommonCardDealt | f.NoCardLeft):
            goes_round = isinstance(fact, f.CardsDealt) and len(fact.cards) > 0
            if is_short or not goes_round:
                irregular.add(fact.street)
    for street in reversed(hand.game.streets[: max(0, hand.street - 2)]):
        burned = hand.burn_counts.get(street.number, 0)
        if burned != burns_due(hand, street) and street.number not in irregular:
            return street.number
    return 0


def rule_on_burns(hand: Hand, number: int, named: str | None = None) -> None:
    """Put the cards of the street right; as they lie where somebody has acted on them, saw them or lacks a card.
    ``named``: the card of a physical deck that comes to light."""
    street = hand.game.streets[number - 3]
    kept_when = hand.point("burn_error")["kept_when"]
    is_last = number == hand.game.hand_size and not street.ups[-1]
    kept = {p.seat for p in hand.players if is_last and p.last_card_seen in kept_when}
    moving = [dealt for dealt in hand.street_cards if dealt[0] not in kept]
    is_plain = len({seat for seat, _, _ in hand.street_cards}) == len(hand.street_cards)
    is_too_late = number != hand.street or hand.acts > 0 or bool(hand.held) or hand.phase == "show"
    if is_too_late or not moving or not is_plain or hand.has_remixed or len(street.ups) > 1:
        seats = [seat for seat, _, _ in hand.street_cards] if number == hand.street else []
        hand.rule("burn_error", "kept", tuple(seats))
        return
    put_right = _shifted(hand, street, moving, named)
    if kept:
        hand.rule("burn_error", "kept", tuple(sorted(kept)))
    if put_right is None:
        hand.rule("burn_error", "kept", tuple([seat for seat, _, _ in moving]))
        return
    hand.rule("burn_error", "corrected", tuple([seat for seat, _, _ in moving]))
    hand.emit(put_right)
    exposed = [seat for seat, _, is_up in put_right.cards if is_up]
    if is_last and exposed:
        rule_on_last_cards(hand, exposed)
    after_deal(hand)


def _shifted(hand: Hand, street: Street, moving: list[f.DealtCard], named: str | None) -> f.CardsPutRight | None:
    """The street's burns and cards in the order they left the stub, one after the other to where they belong; kept
    cards step out of the row. None when the stub has no card to make up for a missing burn.

    A last card that came face up stays so wherever it goes."""
    due, burned = burns_due(hand, street), hand.burn_counts.get(street.number, 0)
    pile = hand.burns[len(hand.burns) - burned :]
    is_down = not street.ups[-1]
    row: list[tuple[str | None, bool]] = [(card, not is_down) for card in pile]
    row += [(card, is_up) for _, card, is_up in moving]
    taken = max(0, due + len(moving) - len(row))
    if taken > len(hand.stub):
        return None
    row += [(card, not is_down) for card in top_cards(hand, taken)]
    burns, row, returned = row[:due], row[due : due + len(moving)], row[due + len(moving) :]
    faces = _with_named(hand, [card for card, _ in row], named)
    cards = [(seat, card, is_up) for (seat, _, _), card, (_, is_up) in zip(moving, faces, row, strict=True)]
    if is_down:
        turned = second_up(hand, [(seat, is_up) for seat, _, is_up in cards])
        cards = [(seat, card, is_up or seat == turned) for seat, card, is_up in cards]
    back = [card if hand.deck is not None else None for card, _ in reversed(returned)]  # else whoever deals it names it
    return f.CardsPutRight(tuple([card for card, _ in burns]), tuple(cards), tuple(back), taken)


def _with_named(hand: Hand, row: list[str | None], named: str | None) -> list[str | None]:
    """``row`` with a face for the one card of it that nobody had seen."""
    place = next((place for place, card in enumerate(row) if not is_known(card)), None)
    if named is None:
        if place is not None and hand.deck is None:
            message = "A card that nobody has named comes into play now: say which."
            raise hand.refusal("name-the-card", message, "burn_error")
        return row
    if place is None:
        raise hand.refusal("nothing-to-name", "No card comes to light: name none.", "burn_error")
    hand.check_new_cards([named])
    return [*row[:place], named, *row[place + 1 :]]


# -- the lowcard -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LowcardMistake:
    """The seat that was named low, the one that is, and whether third street is still on and the true one still in.
    ``has_next_acted``: somebody behind the wager has acted in turn. Who acts out of turn is not the next player."""

    named: int
    true: SeatState
    can_be_corrected: bool
    has_next_acted: bool


def lowcard_mistake(hand: Hand) -> LowcardMistake | None:
    """Who was named low wrongly on third street; None when nobody was, or cards are unknown."""
    if not hand.started.bring_in or hand.rulings("dead_hand_lowcard"):
        return None
    out: set[int] = set()
    before: set[int] = set()
    named = 0
    for _, fact in standing(hand.facts):
        if isinstance(fact, f.Folded | f.HandKilled):
            out.add(fact.seat)
        elif isinstance(fact, f.RoundOpened):
            if fact.street != 3:
                break
            named, before = fact.named, set(out)
    dealt = [player for player in hand.players if player.seat not in before and player.upcards]
    if not named or not all(is_known(player.upcards[0]) for player in dealt):
        return None
    true = lowcard(hand, dealt)
    if true.seat == named:
        return None
    has_next_acted = any(was_in_turn for _, was_in_turn in acts_after_forced_bet(hand))
    return LowcardMistake(named, true, true.is_live and hand.street == 3 and hand.phase == "bet", has_next_acted)


def name_opener(hand: Hand, command: c.NameOpener) -> None:
    """The dealer names the lowcard, rightly or wrongly; or the opener that unknown upcards hide."""
    player = hand.check_seat(command.seat)
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table names the opener by itself.")
    is_lowcard = hand.street == 3 and hand.phase == "bet" and not hand.acts and hand.started.bring_in > 0
    if hand.awaits != "opener" and not is_lowcard:
        raise hand.refusal("opener-known", "The cards show who opens.", "later_opener")
    if not player.is_live:
        raise hand.refusal("dead-hand", f"Seat {command.seat} is out of the hand.", "later_opener")
    if not is_lowcard or player.seat != hand.named:
        open_betting(hand, player)


def correct_lowcard(hand: Hand, mistake: LowcardMistake) -> None:
    """Every third-street wager goes back, not the antes, and the true lowcard must bet. What was done out of turn no
    longer binds."""
    hand.rule("wrong_lowcard", "corrected", (mistake.named, mistake.true.seat))
    for seat in sorted(hand.held):
        hand.emit(f.ActionReleased(seat))
    for player in hand.players:
        if player.bet:
            hand.emit(f.BetReturned(player.seat, player.bet))
    open_betting(hand, mistake.true)
