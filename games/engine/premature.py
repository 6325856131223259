"""Cards burned and dealt before the betting was over: out of play, unless the last downcard has been seen."""

from __future__ import annotations

from . import commands as c
from . import facts as f
from .in_play import HandInPlay
from .stub import also_eliminated, burn, checked_burns, receivers, top_cards


def deal_too_soon(hand: HandInPlay, command: c.DealTooSoon) -> None:
    """The dealer goes on although the betting is open."""
    street = hand.next_street()
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table deals by itself.")
    if street is None or hand.phase not in ("open", "bet"):
        raise hand.refusal("not-premature", "The betting is not open: a deal now is not premature.", "premature_deal")
    if command.street != street.number:
        raise hand.refusal("wrong-street", f"The next street is {street.name}.", "streets")
    if not command.cards:
        raise hand.refusal("wrong-count", "Say to whom a card was dealt.", "premature_deal")
    expected = {*receivers(hand), *(player.seat for player in hand.players if player.is_live)}
    seats = [item.seat for item in command.cards]
    for seat in seats:
        if seat not in expected:
            message = f"Seat {seat} is out of the hand: its card is the next seat's. Enter where the cards belong."
            raise hand.refusal("wrong-seat", message, "premature_deal")
        if seats.count(seat) > 2:
            raise hand.refusal("wrong-count", f"Seat {seat} can have got two cards at most.", "premature_deal")
    hand.check_new_cards([item.card for item in command.cards if item.card])
    burns = checked_burns(hand, street, command.burns)
    if len(hand.stub) < burns + len(command.cards):
        raise hand.refusal("stub", "There are not so many cards in the stub.", "deck_exhaustion")
    for _ in range(burns):
        burn(hand, street)
    off_the_top = iter(top_cards(hand, sum(item.card is None for item in command.cards)))
    is_up = street.ups[0]
    cards = tuple(
        [
            (item.seat, item.card or next(off_the_top), is_up or item.is_exposed or item.is_off_table)
            for item in command.cards
        ]
    )
    hand.emit(f.PrematurelyDealt(street.number, cards))
    for item in command.cards:
        if item.is_off_table:
            hand.rule("card_off_table", "exposed", (item.seat,))


def keep_if_seen(hand: HandInPlay, seat: int, how: str) -> bool:
    """A last downcard dealt too soon and looked at or mixed in is the player's, one of them at most. False when there
    is no such card."""
    street = hand.next_street()
    dealt = next((dealt for dealt in hand.premature if dealt[0] == seat), None)
    if street is None or street.number != hand.game.hand_size or street.ups[-1] or dealt is None:
        return False
    point = hand.point("premature_deal")
    player = hand.seats[seat]
    if how not in point["kept_when"] or not player.is_live or player.has_early_last_card:
        return False
    hand.rule("premature_deal", "kept", (seat,))
    hand.emit(f.PrematureCardKept(seat, dealt[1], point["kept_may_bet"], point["kept_may_raise"], dealt[2]))
    return True


def eliminate_premature(hand: HandInPlay) -> None:
    """Before the street is dealt afresh: the cards dealt too soon are out, and one more for each active player who had
    got none, so that everybody gets the card that was theirs."""
    if not hand.premature:
        return
    hand.rule("premature_deal", "eliminated", tuple(sorted({seat for seat, _, _ in hand.premature})))
    hand.emit(f.CardsEliminated(tuple(top_cards(hand, also_eliminated(hand)))))
