"""A person deals: what they did is held against what is due, and refused where it cannot have happened.

Cards that they dealt before the betting was over are out of play, unless the last downcard has been seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.engine import commands as c
from games.engine.errors import Said, counted
from games.engine.facts import mistakes
from games.engine.games import Street
from games.engine.in_play import HandInPlay
from games.engine.rules.dealing import after_deal, deal_street
from games.engine.rules.exposed_cards import is_face_up
from games.engine.rules.short_deck import dealt_before_mixing, is_common_card_due
from games.engine.rules.stub import (
    also_eliminated,
    burn,
    burns_due,
    cards_left,
    checked_burns,
    dealable,
    plays_common_card_at_once,
    receivers,
    top_cards,
)


def deal_manually(hand: HandInPlay, command: c.Deal) -> bool:
    """Deal a street whose cards the dealer names, or leaves to the stub."""
    street = _due_street(hand, command)
    seats = receivers(hand)
    given = order_as_dealt(hand, street, command.cards, seats) if command.cards else []
    wants_common = is_common_card_due(hand, len(seats) * len(street.ups))
    if wants_common and given:
        raise hand.refusal("common-card", "The deck is too short: one common card is turned up.", "deck_exhaustion")
    if command.common and not wants_common:
        raise hand.refusal("no-common-card", "There are cards enough: no common card now.", "deck_exhaustion")
    _check_off_stub(hand, street, given, command)
    if sum(not item.is_skipped for item in given) > _cards_within_reach(hand, street, command.burns):
        raise hand.refusal("stub", "There are not so many cards left.", "deck_exhaustion")
    checked_burns(hand, street, command.burns)
    eliminate_premature(hand)
    deal_street(hand, street, given, command.common, command.burns)
    return after_deal(hand)


def _due_street(hand: HandInPlay, command: c.Deal) -> Street:
    street = hand.next_street()
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table has an automatic dealer.")
    if street is None or hand.awaits != "deal":
        message = Said("The betting is not over: cards that were dealt now are entered as dealt too early.")
        raise hand.refusal("betting-open", message, "streets")
    if command.street != street.number:
        raise hand.refusal("wrong-street", "The next street is {street}.", "streets", street=street.name)
    named = [item.card for item in command.cards if not item.is_skipped]
    mixed_in = [*hand.burns, *hand.set_aside, *(card for _, card, _ in hand.premature)]
    hand.check_new_cards([card for card in (*named, command.common) if card], mixed_in)
    return street


def _cards_within_reach(hand: HandInPlay, street: Street, burned: int | None) -> int:
    """How many cards the dealer can have dealt."""
    if not plays_common_card_at_once(hand):
        return cards_left(hand)
    burns = burns_due(hand, street) if burned is None else burned
    return len(hand.stub) - also_eliminated(hand) - burns


def _check_off_stub(hand: HandInPlay, street: Street, given: Sequence[c.Given], command: c.Deal) -> None:
    """Burns and cards set aside come back only where the deck runs short, and not before they are mixed in."""
    dealt = [item.card for item in given if not item.is_skipped]
    burns = burns_due(hand, street)
    first = len(dealt)
    if dealable(hand) - also_eliminated(hand) < len(dealt) + (burns if command.burns is None else command.burns):
        first = dealt_before_mixing(hand, burns, len(dealt))
    if plays_common_card_at_once(hand):
        first, dealt = len(dealt) + 1, [*dealt, command.common]
    hand.check_new_cards([card for card in dealt[:first] if card])


def order_as_dealt(
    hand: HandInPlay, street: Street, cards: Sequence[c.Given], expected: Sequence[int]
) -> list[c.Given]:
    """The cards in the order dealt, one round after the other, when every seat that is dealt to is spoken for and no
    other. A card may be missing or one too many: what that means is told at the showdown."""
    by_seat: dict[int, list[c.Given]] = {seat: [] for seat in expected}
    for item in cards:
        if item.seat not in by_seat:
            raise hand.refusal(
                "wrong-seat",
                "Seat {seat} gets no card on {street} street.",
                "streets",
                seat=item.seat,
                street=street.name,
            )
        by_seat[item.seat].append(item)
    count = len(street.ups)
    placed: list[c.Given] = []
    for seat, seat_cards in by_seat.items():
        share = _placed_cards(seat_cards, count)
        if share is None:
            want = counted(count, "{n} card", "{n} cards")
            raise hand.refusal(
                "wrong-count",
                "Seat {seat} must get {want} on {street} street.",
                "streets",
                seat=seat,
                want=want,
                street=street.name,
            )
        placed += share
    return sorted(placed, key=lambda item: item.place or 0)


def _placed_cards(seat_cards: list[c.Given], count: int) -> list[c.Given] | None:
    """A seat's cards, each with its place. None where that is not one share: a card or a gap for every place, at most
    one card too many in it; the third card may be missing when both before it came face up."""
    if count == 1:
        share = [replace(item, place=0) for item in seat_cards]
    elif all(item.place is None for item in seat_cards):
        share = [replace(item, place=place) for place, item in enumerate(seat_cards)]
    else:
        share = list(seat_cards)
    by_place = [sum(item.place == place for item in share) for place in range(count)]
    both_exposed = count > 1 and len(share) == count - 1 and all(map(is_face_up, share))
    if sum(by_place) != len(share) or (0 in by_place and not (both_exposed and by_place[-1] == 0)):
        return None
    is_clean = all(
        number == 1 or not any(i.is_skipped for i in share if i.place == p) for p, number in enumerate(by_place)
    )
    return share if max(by_place) <= 2 and is_clean else None


def deal_too_soon(hand: HandInPlay, command: c.DealTooSoon) -> None:
    """The dealer went on although the betting was open; entered then, or when it is over and the street is to be dealt,
    for players and bots may have been quicker than the entry."""
    street = hand.next_street()
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table has an automatic dealer.")
    if street is None or not can_have_come_too_soon(hand):
        raise hand.refusal("not-premature", "The betting is not open: a deal now is not premature.", "premature_deal")
    if command.street != street.number:
        raise hand.refusal("wrong-street", "The next street is {street}.", "streets", street=street.name)
    if not command.cards:
        raise hand.refusal("wrong-count", "Say to whom a card was dealt.", "premature_deal")
    expected = {*receivers(hand), *(player.seat for player in hand.players if player.is_live)}
    seats = [item.seat for item in command.cards]
    for seat in seats:
        if seat not in expected:
            message = Said(
                "Seat {seat} is out of the hand: its card is the next seat's. Enter where the cards belong.", seat=seat
            )
            raise hand.refusal("wrong-seat", message, "premature_deal")
        if seats.count(seat) > 2:
            raise hand.refusal(
                "wrong-count", "Seat {seat} can have got two cards at most.", "premature_deal", seat=seat
            )
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
    hand.emit(mistakes.PrematurelyDealt(street.number, cards))
    for item in command.cards:
        if item.is_off_table:
            hand.rule("card_off_table", "exposed", (item.seat,))


def can_have_come_too_soon(hand: HandInPlay) -> bool:
    """Whether cards of the next street can have been dealt before the betting was over."""
    return hand.phase in ("open", "bet") or (hand.phase == "deal" and hand.acts > 0)


def keep_if_seen(hand: HandInPlay, seat: int, how: str) -> bool:
    """A last downcard dealt too soon and looked at or mixed in is the player's, one of them at most. False when there
    is no such card."""
    street = hand.next_street()
    dealt = next((dealt for dealt in hand.premature if dealt[0] == seat), None)
    if street is None or not street.has_last_downcard or dealt is None:
        return False
    point = hand.point("premature_deal")
    player = hand.seats[seat]
    if how not in point["kept_when"] or not player.is_live or player.has_early_last_card:
        return False
    hand.rule("premature_deal", "kept", (seat,))
    hand.emit(mistakes.PrematureCardKept(seat, dealt[1], point["kept_may_bet"], point["kept_may_raise"], dealt[2]))
    return True


def eliminate_premature(hand: HandInPlay) -> None:
    """Before the street is dealt afresh: the cards dealt too soon are out, and one more for each active player who had
    got none, so that everybody gets the card that was theirs."""
    if not hand.premature:
        return
    hand.rule("premature_deal", "eliminated", tuple(sorted({seat for seat, _, _ in hand.premature})))
    hand.emit(mistakes.CardsEliminated(tuple(top_cards(hand, also_eliminated(hand)))))
