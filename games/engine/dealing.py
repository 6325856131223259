"""The dealer's work: streets, burns, and a deck that runs short.

The automatic dealer takes every card off the shuffled stub. At a hand-dealt table the same procedure runs on cards that
the dealer names; only how many cards lie where is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import commands as c
from . import facts as f
from .exposure import faces_of_street, rule_on_exposure
from .family import Street
from .opening import after_deal
from .premature import eliminate_premature
from .stakes import HandConfig
from .stub import burn, burns_due, is_known, receivers, top_cards

if TYPE_CHECKING:
    from .hand import Hand


def post_antes(hand: Hand, config: HandConfig) -> None:
    """Every seat posts the ante, or what it has."""
    due = config.antes or dict.fromkeys(hand.order, config.stakes.ante)
    antes = tuple([(p.seat, min(due[p.seat], p.stack)) for p in hand.players if due[p.seat]])
    if antes:
        hand.emit(f.AntesPosted(antes, config.are_antes_apart))


# -- a street --------------------------------------------------------------------------------------------------------


def deal_street(hand: Hand, street: Street, given: Sequence[c.Given] = (), common: str | None = None) -> None:
    """Burn where the rules say so, deal ``street``, and cope with a stub that runs short."""
    seats = receivers(hand)
    burns = burns_due(hand, street)
    if len(hand.stub) >= len(seats) * len(street.ups) + burns:
        for _ in range(burns):
            burn(hand, street)
        if given:
            deal_cards(hand, street, given)
        elif seats:
            _deal_off_the_top(hand, street, seats)
    elif is_common_card_due(hand, len(seats)):
        hand.rule("deck_exhaustion", "common-card", ())
        _remix(hand, list(hand.stub[::-1]))
        for _ in range(burns):
            burn(hand, street)
        hand.emit(f.CommonCardDealt(common or top_cards(hand, 1)[0]))
    else:
        _deal_short_deck(hand, street, given or in_turn(seats, street), burns)


def in_turn(seats: Sequence[int], street: Street) -> list[c.Given]:
    """Each of ``seats`` gets the cards of ``street``, one at a time round the table."""
    return [c.Given(seat) for _ in street.ups for seat in seats]


def _deal_off_the_top(hand: Hand, street: Street, seats: Sequence[int]) -> None:
    """The street as it should be: one card at a time, each lying as the game has it."""
    cards = iter(top_cards(hand, len(seats) * len(street.ups)))
    dealt = tuple([(seat, next(cards), is_up) for is_up in street.ups for seat in seats])
    hand.emit(f.CardsDealt(street.number, dealt))


def deal_cards(hand: Hand, street: Street, given: Sequence[c.Given]) -> None:
    """Deal what was given, each card lying as the rules want it; then rule on what was exposed."""
    dealt = [item for item in given if not item.is_skipped]
    if not dealt:
        return
    unnamed = sum(item.card is None for item in dealt)
    off_the_top = iter(top_cards(hand, unnamed))
    named = [next(off_the_top) if item.card is None else item.card for item in dealt]
    faces, mistakes = faces_of_street(hand, street, dealt)
    cards = tuple([(item.seat, card, up) for item, card, up in zip(dealt, named, faces, strict=True)])
    hand.emit(f.CardsDealt(street.number, cards))
    if mistakes:
        rule_on_exposure(hand, street, dealt, cards)


# -- the deck runs short ---------------------------------------------------------------------------------------------


def is_common_card_due(hand: Hand, needed: int) -> bool:
    """Whether stub, burns and cards set aside together cannot give ``needed`` cards."""
    return len(hand.stub) + len(hand.burns) + len(hand.set_aside) + len(hand.premature) < needed


def _remix(hand: Hand, left: list[str | None]) -> None:
    """``left`` (the rest of the stub), the burns and the cards set aside become a new stub, in the order of the second
    shuffle."""
    mixed = [*left, *hand.burns, *hand.set_aside]
    if hand.scramble is not None and all(is_known(card) for card in mixed):
        mixed.sort(key=hand.scramble.index)
    else:
        mixed = [None] * len(mixed)
    hand.emit(f.StubRemixed(tuple(mixed)))


def _deal_short_deck(hand: Hand, street: Street, given: Sequence[c.Given], burns: int) -> None:
    """Stub and burns together go round: how they are mixed is the rulebook's."""
    how = hand.rules.short_deck
    waiting = len(given)
    first = 0
    if how == "remix" and len(hand.stub) > 1:
        for _ in range(burns):
            burn(hand, street)
        first = len(hand.stub) - 1
    elif how == "burns-without-burn":
        first = min(len(hand.stub), waiting)
    deal_cards(hand, street, given[:first])
    waiting -= first
    if waiting:
        _remix(hand, list(hand.stub[::-1]))
    burns_again = how != "burns-without-burn" and burns > 0 and len(hand.stub) - burns >= waiting
    hand.rule("deck_exhaustion", "remixed" if burns_again else "no-burn", ())
    if burns_again:
        burn(hand, street)
    deal_cards(hand, street, given[first:])


# -- the dealer's command --------------------------------------------------------------------------------------------


def deal_by_hand(hand: Hand, command: c.Deal) -> None:
    """A person deals a street and names the cards, or leaves them to the stub."""
    street = _due_street(hand, command)
    given = grouped(hand, street, command.cards, receivers(hand)) if command.cards else []
    wants_common = street.number == hand.game.hand_size and is_common_card_due(hand, len(receivers(hand)))
    if wants_common and given:
        raise hand.refusal("common-card", "The deck is too short: one common card is turned up.", "deck_exhaustion")
    if command.common and not wants_common:
        raise hand.refusal("no-common-card", "There are cards enough: no common card now.", "deck_exhaustion")
    if command.burns is not None and not 0 <= command.burns <= 2:
        raise hand.refusal("burns", "None, one or two cards can have been burned.", "burns")
    eliminate_premature(hand)
    due = burns_due(hand, street)
    if command.burns in (None, due) or wants_common:
        deal_street(hand, street, given, command.common)
    else:
        for _ in range(command.burns or 0):
            burn(hand, street)
        deal_cards(hand, street, given or in_turn(receivers(hand), street))
    after_deal(hand)


def _due_street(hand: Hand, command: c.Deal) -> Street:
    street = hand.next_street()
    if not hand.started.is_hand_dealt:
        raise hand.refusal("automatic-dealer", "This table deals by itself.")
    if street is None or hand.awaits != "deal":
        raise hand.refusal("betting-open", "The betting is not over: no card may be dealt now.", "streets")
    if command.street != street.number:
        raise hand.refusal("wrong-street", f"The next street is {street.name}.", "streets")
    hand.check_new_cards([item.card for item in command.cards if item.card])
    if command.common:
        hand.check_new_cards([command.common])
    return street


def grouped(hand: Hand, street: Street, cards: Sequence[c.Given], expected: Sequence[int]) -> list[c.Given]:
    """The named cards in the order dealt, when every seat that is dealt to is spoken for and no other."""
    by_seat: dict[int, list[c.Given]] = {}
    for item in cards:
        by_seat.setdefault(item.seat, []).append(item)
    for seat in by_seat:
        if seat not in expected:
            raise hand.refusal("wrong-seat", f"Seat {seat} gets no card on {street.name} street.", "streets")
    count = len(street.ups)
    for seat in expected:
        got = by_seat.get(seat, [])
        both_exposed = count == 3 and len(got) == 2 and all(item.is_exposed or item.is_off_table for item in got)
        is_mistake = count == 1 and (len(got) == 2 or (len(got) == 1 and got[0].is_skipped))
        if len(got) != count and not both_exposed and not is_mistake:
            want = "1 card" if count == 1 else f"{count} cards"
            raise hand.refusal("wrong-count", f"Seat {seat} must get {want} on {street.name} street.", "streets")
    if count == 1:
        return [item for seat in expected for item in by_seat[seat]]
    rounds = range(count)
    return [by_seat[seat][place] for place in rounds for seat in expected if place < len(by_seat[seat])]
